#include <ATen/core/TensorBase.h>

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

namespace at {

namespace detail {

TensorHook::~TensorHook() = default;

void check_data_ptr_dtype(const TensorBase& self, ScalarType dtype) {
  TORCH_CHECK(self.scalar_type() == dtype, "expected scalar type ", c10::toString(dtype),
              " but found ", c10::toString(self.scalar_type()));
}

void check_accessor_dim(const TensorBase& self, int64_t dim) {
  TORCH_CHECK(self.dim() == dim, "TensorAccessor expected ", dim, " dims but tensor has ",
              self.dim());
}

void throw_memory_is_not_elements(const TensorBase& self) {
  TORCH_INTERNAL_ASSERT(
      false, "the memory of a tensor with the ", self.is_conj() ? "conjugate" : "negative",
      " bit was about to be read or written as it is. Use resolve_conj() and resolve_neg() first.");
}

}  // namespace detail

void TensorBase::throw_null_impl() {
  TORCH_CHECK(false, "TensorImpl with nullptr is not supported");
}

std::string TensorBase::toString() const {
  if (!defined()) return "UndefinedType";
  std::string name;
  switch (device().type()) {
    case c10::DeviceType::CPU:
      name = "CPU";
      break;
    case c10::DeviceType::CUDA:
      name = "CUDA";
      break;
    case c10::DeviceType::Meta:
      name = "Meta";
      break;
    default:
      name = c10::DeviceTypeName(device().type());
      break;
  }
  return name + c10::toString(scalar_type()) + "Type";
}

MemoryFormat TensorBase::suggest_memory_format(bool channels_last_strides_exact_match) const {
  if (layout() != Layout::Strided) return MemoryFormat::Contiguous;
  if (impl_->is_strides_like_channels_last()) {
    if (!channels_last_strides_exact_match ||
        c10::get_channels_last_strides_2d(sizes()) == strides()) {
      return MemoryFormat::ChannelsLast;
    }
  } else if (impl_->is_strides_like_channels_last_3d()) {
    if (!channels_last_strides_exact_match ||
        c10::get_channels_last_strides_3d(sizes()) == strides()) {
      return MemoryFormat::ChannelsLast3d;
    }
  }
  return MemoryFormat::Contiguous;
}

TensorBase TensorBase::make_contiguous(MemoryFormat memory_format) const {
  TORCH_CHECK(memory_format != MemoryFormat::Preserve,
              "preserve memory format is unsupported by the contiguous operator");
  return Tensor(*this).clone(memory_format);
}

}  // namespace at
