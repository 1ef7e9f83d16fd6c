#pragma once

// From the number of an element in an iteration to where its operands are.

#include <ATen/TensorIterator.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/FunctionRef.h>

#include <cstdint>

namespace at::native {

constexpr int kMaxDims = 16;

// Division of numbers below 2^31 by one that is the same for the whole kernel, as a multiplication:
// T. Granlund and P. L. Montgomery, "Division by Invariant Integers using Multiplication", 1994.
struct Divider {
  Divider() = default;
  explicit Divider(uint32_t value) : divisor(value) {
    while (shift < 32 && (uint64_t{1} << shift) < divisor) ++shift;
    const uint64_t one = 1;
    multiplier = static_cast<uint32_t>(((one << 32) * ((one << shift) - divisor)) / divisor + 1);
  }
  C10_HOST_DEVICE uint32_t div(uint32_t n) const {
    return (static_cast<uint32_t>(uint64_t{n} * multiplier >> 32) + n) >> shift;
  }

  uint32_t divisor = 1;
  uint32_t multiplier = 1;
  uint32_t shift = 0;
};

// Byte offsets of `kOperands` operands, all below 2^31.
template <int kOperands>
struct OffsetCalculator {
  struct Offsets {
    uint32_t at[kOperands];
  };

  // For all operands of an iterator, outputs first.
  explicit OffsetCalculator(const TensorIteratorBase& iter) : dims(iter.ndim()) {
    TORCH_CHECK(dims <= kMaxDims, "tensor has too many (>", kMaxDims, ") dims");
    for (int dim = 0; dim < dims; ++dim) {
      sizes[dim] = Divider(static_cast<uint32_t>(iter.shape()[dim]));
      for (int operand = 0; operand < kOperands; ++operand) {
        strides[dim][operand] = static_cast<uint32_t>(iter.strides(operand)[dim]);
      }
    }
  }

  C10_DEVICE Offsets get(uint32_t linear) const {
    Offsets offsets{};
    // Unrolled, it would be most of the code of every kernel, and of the time to compile it.
#pragma unroll 1
    for (int dim = 0; dim < dims; ++dim) {
      const uint32_t quotient = sizes[dim].div(linear);
      const uint32_t remainder = linear - quotient * sizes[dim].divisor;
      linear = quotient;
#pragma unroll
      for (int operand = 0; operand < kOperands; ++operand) {
        offsets.at[operand] += remainder * strides[dim][operand];
      }
    }
    return offsets;
  }

  int dims;
  Divider sizes[kMaxDims];
  uint32_t strides[kMaxDims][kOperands];
};

// Whether all offsets of an iteration are below 2^31.
bool can_use_32bit_indexing(const TensorIteratorBase& iter);

// Calls `f` with parts of an iteration whose offsets are all below 2^31: halves of its longest
// dimension, until they are.
void for_each_32bit(TensorIteratorBase& iter, c10::function_ref<void(TensorIteratorBase&)> f);

}  // namespace at::native
