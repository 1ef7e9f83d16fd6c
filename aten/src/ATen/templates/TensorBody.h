#pragma once

// ${generated_comment}

#include <ATen/core/DeprecatedTypeProperties.h>
#include <ATen/core/Generator.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/Scalar.h>
#include <c10/core/Stream.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/MaybeOwned.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace c10 {
template <typename T>
class List;
}  // namespace c10

namespace at {

using c10::Scalar;
using c10::Stream;
using c10::TensorOptions;

namespace indexing {
struct TensorIndex;
}  // namespace indexing

// A tensor: TensorBase's handle, and the operators that are methods. Methods are declared here and
// defined out of line, so that this header stays cheap to include.
class TORCH_API Tensor : public TensorBase {
 public:
  Tensor() = default;
  explicit Tensor(c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> tensor_impl)
      : TensorBase(std::move(tensor_impl)) {}
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) = default;
  // Implicitly turning a TensorBase into a Tensor costs a reference count; it must be explicit.
  explicit Tensor(const TensorBase& base) : TensorBase(base) {}
  /*implicit*/ Tensor(TensorBase&& base) : TensorBase(std::move(base)) {}
  explicit Tensor(unsafe_borrow_t borrow, const TensorBase& rhs) : TensorBase(borrow, rhs) {}

  static Tensor wrap_tensor_impl(
      c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> tensor_impl) {
    return Tensor(std::move(tensor_impl));
  }

  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & noexcept = default;
  Tensor& operator=(const TensorBase& x) & {
    impl_ = x.getIntrusivePtr();
    return *this;
  }
  Tensor& operator=(TensorBase&& x) & noexcept {
    impl_ = x.unsafeReleaseIntrusivePtr();
    return *this;
  }
  // Assigning to a temporary writes into its elements: `x.select(0, 1) = 3`.
  Tensor& operator=(const Scalar& v) &&;
  Tensor& operator=(const Tensor& rhs) &&;
  Tensor& operator=(Tensor&& rhs) &&;

  Tensor contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const {
    return TensorBase::contiguous(memory_format);
  }
  Tensor variable_data() const { return TensorBase::variable_data(); }
  Tensor tensor_data() const { return TensorBase::tensor_data(); }
  const Tensor& set_requires_grad(bool requires_grad) const {
    TensorBase::set_requires_grad(requires_grad);
    return *this;
  }
  const Tensor& requires_grad_(bool requires_grad = true) const {
    TensorBase::requires_grad_(requires_grad);
    return *this;
  }

  // The value of the only element, converted to `T`.
  template <typename T>
  T item() const;

  // Older names of data_ptr(), of detach() with a version counter of its own, and of options().
  template <typename T>
  C10_ALWAYS_INLINE T* data() const {
    return data_ptr<T>();
  }
  Tensor data() const { return variable_data(); }
  DeprecatedTypeProperties& type() const {
    return getDeprecatedTypeProperties(scalar_type(), device().type());
  }
  Tensor toBackend(Backend b) const;

  // func(*this, params...): a call as a method of what is none.
  template <typename Func, typename... Args>
  auto m(Func func, Args&&... params) const {
    return func(*this, std::forward<Args>(params)...);
  }

  // The gradient, undefined until a backward pass has written it.
  const Tensor& grad() const { return impl_->grad(); }
  Tensor& mutable_grad() const { return impl_->mutable_grad(); }
  // Accumulates the gradients of this tensor into the leaves, or into `inputs` only.
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt,
                bool create_graph = false, std::optional<TensorList> inputs = std::nullopt) const;

  Tensor operator~() const;
  Tensor operator-() const;
  Tensor& operator+=(const Tensor& other);
  Tensor& operator+=(const Scalar& other);
  Tensor& operator-=(const Tensor& other);
  Tensor& operator-=(const Scalar& other);
  Tensor& operator*=(const Tensor& other);
  Tensor& operator*=(const Scalar& other);
  Tensor& operator/=(const Tensor& other);
  Tensor& operator/=(const Scalar& other);
  Tensor& operator&=(const Tensor& other);
  Tensor& operator&=(const Scalar& other);
  Tensor& operator|=(const Tensor& other);
  Tensor& operator|=(const Scalar& other);
  Tensor& operator^=(const Tensor& other);
  Tensor& operator^=(const Scalar& other);
  // The slice of the first dimension. A Scalar or a Tensor must be an integer of dimension 0.
  Tensor operator[](int64_t index) const;
  Tensor operator[](const Scalar& index) const;
  Tensor operator[](const Tensor& index) const;

  // Indexing as Python writes it: ATen/TensorIndexing.h.
  Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor& rhs);
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar& v);
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor& rhs);
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& v);

  // Copies on another device; this tensor if it is there already.
  Tensor cpu() const;
  Tensor cuda() const;
  Tensor vulkan() const;
  Tensor meta() const;
  // The same tensor with another element type, device, or both.
  Tensor toType(ScalarType t) const;
  // `x.to(y.dtype())`, where dtype() is a TypeMeta.
  Tensor to(caffe2::TypeMeta type_meta, bool non_blocking = false, bool copy = false) const {
    return to(type_meta.toScalarType(), non_blocking, copy);
  }
  Tensor to(Device device, caffe2::TypeMeta type_meta, bool non_blocking = false,
            bool copy = false) const {
    return to(device, type_meta.toScalarType(), non_blocking, copy);
  }
  // The tensor itself where it is contiguous, without a new reference; else a copy.
  c10::MaybeOwned<Tensor> expect_contiguous(
      MemoryFormat memory_format = MemoryFormat::Contiguous) const& {
    if (is_contiguous(memory_format)) return c10::MaybeOwned<Tensor>::borrowed(*this);
    return c10::MaybeOwned<Tensor>::owned(contiguous(memory_format));
  }
  c10::MaybeOwned<Tensor> expect_contiguous(
      MemoryFormat memory_format = MemoryFormat::Contiguous) && = delete;

  ${tensor_method_declarations}
};

template <>
TORCH_API bool Tensor::item() const;
template <>
TORCH_API uint8_t Tensor::item() const;
template <>
TORCH_API int8_t Tensor::item() const;
template <>
TORCH_API int16_t Tensor::item() const;
template <>
TORCH_API int32_t Tensor::item() const;
template <>
TORCH_API int64_t Tensor::item() const;
template <>
TORCH_API float Tensor::item() const;
template <>
TORCH_API double Tensor::item() const;
template <>
TORCH_API c10::Half Tensor::item() const;
template <>
TORCH_API c10::BFloat16 Tensor::item() const;
template <>
TORCH_API c10::complex<float> Tensor::item() const;
template <>
TORCH_API c10::complex<double> Tensor::item() const;

namespace detail {
// A tensor over a new `T(args...)`, by default a plain TensorImpl.
template <typename T = c10::TensorImpl, typename... Args>
Tensor make_tensor(Args&&... args) {
  return Tensor(c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>(
      c10::make_intrusive<T>(std::forward<Args>(args)...)));
}
}  // namespace detail

}  // namespace at
