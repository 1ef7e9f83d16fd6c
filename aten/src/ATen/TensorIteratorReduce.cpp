// Reductions over a TensorIterator, in parallel where that does not change the result's order.

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace at {

namespace {

// The largest dimension that is not reduced, or -1.
int findSplitDim(const TensorIteratorBase& iter) {
  int best = -1;
  for (int dim = 0; dim < iter.ndim(); ++dim) {
    if (iter.is_dim_reduced(dim) || iter.shape()[dim] <= 1) continue;
    if (best < 0 || iter.shape()[dim] > iter.shape()[best]) best = dim;
  }
  return best;
}

// One output element: parts of the input are reduced each into a copy of it, and then the copies.
// The output holds the neutral element at first.
void reduceInParts(TensorIteratorBase& iter, TensorIteratorBase::loop2d_t loop) {
  const int64_t numel = iter.numel();
  const int64_t parts = std::min<int64_t>(divup(numel, internal::GRAIN_SIZE), 64);
  const int64_t part_size = divup(numel, parts);
  const int64_t element_size = iter.element_size(0);
  std::vector<char> partial(static_cast<size_t>(parts * element_size));
  for (int64_t i = 0; i < parts; ++i) {
    std::memcpy(partial.data() + i * element_size, iter.data_ptr(0),
                static_cast<size_t>(element_size));
  }
  parallel_for(0, parts, 1, [&](int64_t first, int64_t last) {
    TensorIterator sub_iter(iter);
    for (int64_t i = first; i < last; ++i) {
      const int64_t begin = i * part_size;
      const int64_t end = std::min(begin + part_size, numel);
      if (begin >= end) continue;
      sub_iter.unsafe_replace_operand(0, partial.data() + i * element_size);
      sub_iter.serial_for_each(loop, {begin, end});
    }
  });
  char* data[] = {static_cast<char*>(iter.data_ptr(0)), partial.data()};
  const int64_t strides[] = {0, element_size, 0, 0};
  loop(data, strides, parts, 1);
}

}  // namespace

void TensorIteratorBase::parallel_reduce(loop2d_t loop) {
  TORCH_CHECK(ntensors() == 2, "parallel_reduce only supports one input and one output");
  const int64_t n = numel();
  if (n < internal::GRAIN_SIZE || at::get_num_threads() == 1 || at::in_parallel_region()) {
    serial_for_each(loop, {0, n});
    return;
  }
  const int dim = findSplitDim(*this);
  if (dim < 0) {
    if (dtype(0) == dtype(1)) {
      reduceInParts(*this, loop);
    } else {
      serial_for_each(loop, {0, n});
    }
    return;
  }
  const int64_t columns = shape()[dim];
  const int64_t grain = std::max<int64_t>(1, internal::GRAIN_SIZE / (n / columns));
  at::parallel_for(0, columns, grain, [&](int64_t begin, int64_t end) {
    TensorIterator sub_iter(*this);
    sub_iter.narrow(dim, begin, end - begin);
    sub_iter.serial_for_each(loop, {0, sub_iter.numel()});
  });
}

void TensorIteratorBase::foreach_reduced_elt(loop_subiter_t loop, bool parallelize) {
  TORCH_INTERNAL_ASSERT(ninputs() == 1);
  TORCH_INTERNAL_ASSERT(noutputs() >= 1);
  if (output_base(0).numel() == 0) return;

  const int reduce_dims = num_reduce_dims();
  const IntArrayRef rest = shape().slice(static_cast<size_t>(reduce_dims));
  int64_t outputs = 1;
  for (const int64_t size : rest) outputs *= size;
  if (outputs == 1) {
    loop(*this);
    return;
  }

  const int64_t n = numel();
  const int dim = findSplitDim(*this);
  if (parallelize && dim >= 0 && n >= internal::GRAIN_SIZE && at::get_num_threads() > 1 &&
      !at::in_parallel_region()) {
    const int64_t columns = shape()[dim];
    const int64_t grain = std::max<int64_t>(1, internal::GRAIN_SIZE / (n / columns));
    at::parallel_for(0, columns, grain, [&](int64_t begin, int64_t end) {
      TensorIterator sub_iter(*this);
      sub_iter.narrow(dim, begin, end - begin);
      sub_iter.foreach_reduced_elt(loop, /*parallelize=*/false);
    });
    return;
  }

  // One iterator over the reduced dimensions moves from output element to output element.
  TensorIterator element(*this);
  const DimVector no_start(rest.size(), 0);
  element.select_all_keeping_dim(reduce_dims, no_start);
  const PtrVector base = get_base_ptrs();
  DimCounter counter(rest, {0, outputs});
  while (!counter.is_done()) {
    for (int arg = 0; arg < ntensors(); ++arg) {
      char* data = base[static_cast<size_t>(arg)];
      for (size_t d = 0; d < rest.size(); ++d) {
        data += counter.values[d] * strides(arg)[static_cast<size_t>(reduce_dims) + d];
      }
      element.unsafe_replace_operand(arg, data);
    }
    loop(element);
    counter.increment({1, 1});
  }
}

}  // namespace at
