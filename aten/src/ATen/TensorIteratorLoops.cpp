// How an iterator runs over its elements: pointers, strides and counters.

#include <ATen/TensorIterator.h>

#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <utility>

namespace at {

namespace {

using Range = TensorIteratorBase::Range;
using PtrVector = TensorIteratorBase::PtrVector;

void advance(PtrVector& ptrs, const int64_t* strides) {
  for (size_t arg = 0; arg < ptrs.size(); ++arg) ptrs[arg] += strides[arg];
}

// A body for two dimensions from one for one. Where elements may come in any order, the longer
// dimension is the inner one if the other is so short that calls would take longer than elements:
// a block of it at a time, so that what one call reads from memory is there for the next.
auto loop2dFrom1d(int ntensors, TensorIteratorBase::loop1d_t loop, bool any_order) {
  return [=](char** base, const int64_t* strides, int64_t size0, int64_t size1) {
    constexpr int64_t kShort = 12;
    constexpr int64_t kBlock = 256;
    PtrVector ptrs(base, base + ntensors);
    const int64_t* inner = strides;
    const int64_t* outer = strides + ntensors;
    if (any_order && size0 <= kShort && size1 > 2 * size0) {
      for (int64_t first = 0; first < size1; first += kBlock) {
        for (int arg = 0; arg < ntensors; ++arg) ptrs[arg] = base[arg] + first * outer[arg];
        for (int64_t i = 0; i < size0; ++i) {
          if (i > 0) advance(ptrs, inner);
          loop(ptrs.data(), outer, std::min(kBlock, size1 - first));
        }
      }
      return;
    }
    for (int64_t i = 0; i < size1; ++i) {
      if (i > 0) advance(ptrs, outer);
      loop(ptrs.data(), inner, size0);
    }
  };
}

PtrVector offsetPtrs(ArrayRef<char*> base, IntArrayRef strides, IntArrayRef counter) {
  PtrVector ptrs(base.begin(), base.end());
  for (size_t dim = 0; dim < counter.size(); ++dim) {
    if (counter[dim] == 0) continue;
    for (size_t arg = 0; arg < ptrs.size(); ++arg) {
      ptrs[arg] += counter[dim] * strides[dim * ptrs.size() + arg];
    }
  }
  return ptrs;
}

// `strides` holds the operands' strides for each dimension, two at least.
void runSerial(IntArrayRef shape, IntArrayRef strides, ArrayRef<char*> base,
               TensorIteratorBase::loop2d_t loop, Range range) {
  if (shape.size() <= 1) {
    const int64_t begin[] = {range.begin};
    PtrVector ptrs = offsetPtrs(base, strides, begin);
    loop(ptrs.data(), strides.data(), range.size(), 1);
    return;
  }
  DimCounter counter(shape, range);
  while (!counter.is_done()) {
    PtrVector ptrs = offsetPtrs(base, strides, counter.values);
    const auto step = counter.max_2d_step();
    loop(ptrs.data(), strides.data(), step[0], step[1]);
    counter.increment(step);
  }
}

}  // namespace

StrideVector TensorIteratorBase::get_dim_strides(int dim) const {
  StrideVector out;
  for (const OperandInfo& op : operands_) out.push_back(op.stride_bytes[dim]);
  return out;
}

StrideVector TensorIteratorBase::get_strides() const {
  StrideVector out;
  for (int dim = 0; dim < ndim(); ++dim) {
    for (const OperandInfo& op : operands_) out.push_back(op.stride_bytes[dim]);
  }
  // Bodies read two dimensions.
  while (out.size() < 2 * operands_.size()) out.push_back(0);
  return out;
}

TensorIteratorBase::PtrVector TensorIteratorBase::get_base_ptrs() const {
  PtrVector ptrs;
  for (const OperandInfo& op : operands_) ptrs.push_back(static_cast<char*>(op.data));
  return ptrs;
}

TensorIteratorBase::PtrVector TensorIteratorBase::get_data_ptrs(ArrayRef<char*> base,
                                                                IntArrayRef counter) const {
  return offsetPtrs(base, get_strides(), counter);
}

void TensorIteratorBase::for_each(loop1d_t loop, int64_t grain_size) {
  for_each(loop2dFrom1d(ntensors(), loop, /*any_order=*/true), grain_size);
}

void TensorIteratorBase::for_each(loop2d_t loop, int64_t grain_size) {
  const int64_t n = numel();
  if (n == 0) return;
  if (n < grain_size || at::get_num_threads() == 1) {
    serial_for_each(loop, {0, n});
    return;
  }
  at::parallel_for(0, n, grain_size,
                   [&](int64_t begin, int64_t end) { serial_for_each(loop, {begin, end}); });
}

void TensorIteratorBase::serial_for_each(loop1d_t loop, Range range) const {
  serial_for_each(loop2dFrom1d(ntensors(), loop, /*any_order=*/false), range);
}

void TensorIteratorBase::serial_for_each(loop2d_t loop, Range range) const {
  if (range.size() == 0) return;
  runSerial(shape_, get_strides(), get_base_ptrs(), loop, range);
}

DimCounter::DimCounter(IntArrayRef shape, TensorIteratorBase::Range range)
    : shape(shape), range(range), values(shape.size(), 0), offset(range.begin) {
  int64_t rest = range.begin;
  if (rest == 0) return;
  for (size_t dim = 0; dim < values.size() && rest > 0; ++dim) {
    values[dim] = shape[dim] == 0 ? 0 : rest % shape[dim];
    rest = shape[dim] == 0 ? 0 : rest / shape[dim];
  }
}

void DimCounter::increment(const std::array<int64_t, 2>& step) {
  offset += step[0] * step[1];
  const auto ndim = values.size();
  int64_t overflow = step[0];
  size_t dim = 0;
  if (step[1] != 1) {
    // A block of whole rows: it starts and ends at the beginning of one.
    dim = 1;
    overflow = step[1];
  }
  for (; dim < ndim && overflow > 0; ++dim) {
    const int64_t value = values[dim] + overflow;
    values[dim] = value % shape[dim];
    overflow = value / shape[dim];
  }
}

std::array<int64_t, 2> DimCounter::max_2d_step() const {
  const int64_t step0 = std::min(shape[0] - values[0], range.end - offset);
  int64_t step1 = 1;
  if (step0 == shape[0] && shape.size() >= 2) {
    step1 = std::min(shape[1] - values[1], (range.end - offset) / shape[0]);
  }
  return {step0, step1};
}

}  // namespace at
