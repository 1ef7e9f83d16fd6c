// copy_ where one tensor at least is on a device that shaders run on, and what else only moves
// elements.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Copy.h>

#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Fill.h>
#include <ATen/native/RangeFactories.h>
#include <ATen/native/shaders/Launch.h>
#include <ATen/ops/empty.h>
#include <c10/core/Scalar.h>
#include <c10/util/Exception.h>

namespace at::native {
namespace {

using at::shaders::ComputeDevice;

bool is_here(c10::Device device) { return device.type() == c10::DeviceType::TORCH_SHADERS_BACKEND; }

// A shader reads and writes elements of two types, or moves those of one.
void copy_on_device(TensorIterator& iter) {
  ComputeDevice& device = at::shaders::compute_device(iter.device(0).index());
  const ScalarType to = iter.dtype(0);
  const ScalarType from = iter.dtype(1);
  if (to == from && iter.is_contiguous()) {
    device.copy_on_device(iter.data_ptr(0), iter.data_ptr(1),
                          static_cast<size_t>(iter.numel() * iter.element_size(0)));
    return;
  }
  std::string shader = "copy_";
  if (to == from) {
    const std::string type =
        shaders::opaque_type(static_cast<size_t>(iter.element_size(0)), "copy_", device);
    shader += type + "_" + type;
  } else {
    // A truth is a byte of 0 or 1.
    const std::string source = shaders::shader_type(from == kBool ? kByte : from, "copy_", device);
    shader += source + "_" + shaders::shader_type(to, "copy_", device);
  }
  shaders::run_iteration(iter, shader, 0, "copy_");
}

// Dense elements of one type are moved as they are.
bool try_transfer(const TensorIterator& iter) {
  if (iter.dtype(0) != iter.dtype(1) || !iter.is_contiguous()) return false;
  const auto bytes = static_cast<size_t>(iter.numel() * iter.element_size(0));
  if (is_here(iter.device(0))) {
    at::shaders::compute_device(iter.device(0).index())
        .copy_from_host(iter.data_ptr(0), iter.data_ptr(1), bytes);
  } else {
    at::shaders::compute_device(iter.device(1).index())
        .copy_to_host(iter.data_ptr(0), iter.data_ptr(1), bytes);
  }
  return true;
}

// Dense copies cross over. The processor converts its elements itself; strides are followed by
// both.
void copy_kernel_shader(TensorIterator& iter, bool non_blocking) {
  if (iter.device(0) == iter.device(1)) {
    copy_on_device(iter);
    return;
  }
  const Tensor dst = iter.tensor(0);
  const Tensor src = iter.tensor(1);
  if (is_here(dst.device()) && is_here(src.device())) {
    dst.copy_(src.to(c10::Device(c10::DeviceType::CPU), src.scalar_type()));
    return;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(dst.is_cpu() || src.is_cpu(), "copy_ between ", src.device(), " and ",
                              dst.device(), " goes through the CPU: use .cpu() first");
  if (try_transfer(iter)) return;
  if (is_here(dst.device())) {
    const Tensor dense = src.to(dst.scalar_type()).expand(dst.sizes()).contiguous();
    if (dst.is_contiguous()) {
      dst.copy_(dense, non_blocking);
      return;
    }
    const Tensor arrived = at::empty(dense.sizes(), dst.options(), std::nullopt);
    arrived.copy_(dense, non_blocking);
    dst.copy_(arrived);
    return;
  }
  const Tensor dense = src.contiguous();
  const Tensor arrived =
      at::empty(dense.sizes(), dst.options().dtype(dense.scalar_type()), std::nullopt);
  arrived.copy_(dense);
  dst.copy_(arrived);
}

void fill_kernel_shader(TensorIterator& iter, const Scalar& value) {
  const ComputeDevice& device = at::shaders::compute_device(iter.device(0).index());
  const std::string type =
      shaders::opaque_type(static_cast<size_t>(iter.element_size(0)), "fill_", device);
  shaders::run_iteration(iter, "fill_" + type, 0, "fill_", kLong,
                         {shaders::element_bits(value, iter.dtype(0))});
}

void arange_kernel_shader(TensorIterator& iter, const Scalar& start, const Scalar&,
                          const Scalar& step) {
  shaders::run_pointwise(iter, "fill", iter.dtype(0), 1, "arange", {start, step});
}

}  // namespace

REGISTER_SHADER_DISPATCH(copy_stub, &copy_kernel_shader)
REGISTER_SHADER_DISPATCH(fill_stub, &fill_kernel_shader)
REGISTER_SHADER_DISPATCH(arange_stub, &arange_kernel_shader)

}  // namespace at::native
