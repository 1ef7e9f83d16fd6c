#include <ATen/StructuredOutput.h>

#include <ATen/EmptyTensor.h>
#include <ATen/native/Resize.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>

namespace at::impl {

Tensor CPUOutputs::create(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  if (strides.empty()) {
    return Tensor(at::detail::empty_cpu(sizes, options));
  }
  return Tensor(at::detail::empty_strided_cpu(sizes, strides, options));
}

Tensor MetaOutputs::create(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  if (strides.empty()) {
    return Tensor(at::detail::empty_meta(sizes, options));
  }
  return Tensor(at::detail::empty_strided_meta(sizes, strides, options));
}

Tensor DefaultOutputs::create(IntArrayRef sizes, IntArrayRef strides,
                              const TensorOptions& options) {
  if (strides.empty()) {
    return at::empty(sizes, options);
  }
  return at::empty_strided(sizes, strides, options);
}

void resize_out(const Tensor& out, IntArrayRef sizes, IntArrayRef strides,
                const TensorOptions& options) {
  TORCH_CHECK(options.dtype() == out.dtype(), "Expected out tensor to have dtype ", options.dtype(),
              ", but got ", out.dtype(), " instead");
  TORCH_CHECK(options.device() == out.device(), "Expected out tensor to have device ",
              options.device(), ", but got ", out.device(), " instead");
  if (!at::native::resize_output(out, sizes)) {
    return;  // The strides of meta are advice; a tensor that fits keeps its own.
  }
  if (!strides.empty()) {
    out.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  } else if (options.memory_format_opt().has_value()) {
    out.unsafeGetTensorImpl()->empty_tensor_restride(*options.memory_format_opt());
  }
}

void check_inplace(const Tensor& self, IntArrayRef sizes, const TensorOptions& options) {
  TORCH_CHECK(options.dtype() == self.dtype(), "Bad in-place call: ", "input tensor dtype ",
              self.dtype(), " and output tensor dtype ", options.dtype(), " should match");
  TORCH_CHECK(options.device() == self.device(), "Bad in-place call: ", "input tensor device ",
              self.device(), " and output tensor device ", options.device(), " should match");
  TORCH_CHECK(sizes == self.sizes(), "Bad in-place call: ", "input tensor size ", self.sizes(),
              " and output tensor size ", sizes, " should match");
}

}  // namespace at::impl
