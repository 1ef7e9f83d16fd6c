#include <ATen/native/cuda/OffsetCalculator.h>

#include <utility>

namespace at::native {

bool can_use_32bit_indexing(const TensorIteratorBase& iter) {
  constexpr int64_t kMax = INT32_MAX;
  if (iter.numel() > kMax) return false;
  for (int operand = 0; operand < iter.ntensors(); ++operand) {
    int64_t last = 0;
    for (int dim = 0; dim < iter.ndim(); ++dim) {
      const int64_t stride = iter.strides(operand)[dim];
      last += (iter.shape()[dim] - 1) * (stride < 0 ? -stride : stride);
    }
    if (last > kMax) return false;
  }
  return true;
}

void for_each_32bit(TensorIteratorBase& iter, c10::function_ref<void(TensorIteratorBase&)> f) {
  if (can_use_32bit_indexing(iter)) {
    f(iter);
    return;
  }
  int longest = 0;
  for (int dim = 1; dim < iter.ndim(); ++dim) {
    if (iter.shape()[dim] > iter.shape()[longest]) longest = dim;
  }
  const int64_t size = iter.shape()[longest];
  for (const auto& [start, length] : {std::pair<int64_t, int64_t>{0, size / 2},
                                      std::pair<int64_t, int64_t>{size / 2, size - size / 2}}) {
    TensorIterator part(iter);
    part.narrow(longest, start, length);
    for_each_32bit(part, f);
  }
}

}  // namespace at::native
