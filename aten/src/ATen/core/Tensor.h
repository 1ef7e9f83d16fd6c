#pragma once

#include <ATen/core/TensorBody.h>

namespace at {

// A tensor or nothing, borrowed: it costs no reference count and must not outlive the tensor.
// Optional arguments of structured kernels have this type.
class OptionalTensorRef {
 public:
  OptionalTensorRef() = default;
  ~OptionalTensorRef() { ref_.unsafeReleaseTensorImpl(); }
  /*implicit*/ OptionalTensorRef(const TensorBase& src) : ref_(Tensor::unsafe_borrow_t{}, src) {}
  OptionalTensorRef(const OptionalTensorRef& rhs) : ref_(Tensor::unsafe_borrow_t{}, rhs.ref_) {}
  OptionalTensorRef& operator=(OptionalTensorRef rhs) {
    std::swap(ref_, rhs.ref_);
    return *this;
  }

  bool has_value() const { return ref_.defined(); }
  const Tensor& getTensorRef() const& { return ref_; }
  const Tensor& operator*() const& { return ref_; }
  const Tensor* operator->() const& { return &ref_; }
  explicit operator bool() const { return ref_.defined(); }

 private:
  Tensor ref_;
};

}  // namespace at
