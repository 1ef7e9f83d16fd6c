#pragma once

#include <ATen/core/TensorBase.h>
#include <c10/core/TensorOptions.h>
#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>

#include <cstdint>

namespace at {

class Tensor;

namespace impl {

// What a structured operator's meta function writes its results to. The generated subclasses
// decide what an output is: a new tensor, the tensor of out=, or self.
struct TORCH_API MetaBase {
  MetaBase() = default;
  MetaBase(const MetaBase&) = default;
  MetaBase& operator=(const MetaBase&) = default;
  MetaBase(MetaBase&&) noexcept = default;
  MetaBase& operator=(MetaBase&&) noexcept = default;
  virtual ~MetaBase() = default;

  virtual const Tensor& maybe_get_output(int64_t output_idx) = 0;
  // The kernel can write to any strides: an out= tensor of the right shape is used as it is.
  virtual void set_output_raw_strided(int64_t output_idx, IntArrayRef sizes,
                                      IntArrayRef strides_hint, TensorOptions options) {
    TORCH_INTERNAL_ASSERT(false, "set_output_raw_strided not implemented.");
  }
  // The kernel needs exactly these strides: another out= tensor is written through a copy.
  virtual void set_output_strided(int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
                                  TensorOptions options) {
    TORCH_INTERNAL_ASSERT(false, "set_output_strided not implemented.");
  }
  // The kernel needs a contiguous output; empty strides stand for that.
  void set_output_contiguous(int64_t output_idx, IntArrayRef sizes, TensorOptions options) {
    set_output_strided(output_idx, sizes, {}, options);
  }
  const Tensor& maybe_get_output() { return maybe_get_output(0); }
};

}  // namespace impl
}  // namespace at

// The meta function of a structured operator, or of its overload.
#define TORCH_META_FUNC(name) void structured_##name::meta
#define TORCH_META_FUNC2(name, overload) void structured_##name##_##overload::meta
// The kernel of a structured operator: `TORCH_IMPL_FUNC(add_out)(const Tensor& self, ...)`.
#define TORCH_IMPL_FUNC(name) void structured_##name::impl
