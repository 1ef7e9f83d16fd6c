#pragma once

// Tensors from values and from memory of the caller's, with the flag `requires_grad` of their
// options.

#include <ATen/Dispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/tensor.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace torch {

/// As `at::from_blob`, with `requires_grad` of the options: over memory that must outlive the
/// tensor, or that `deleter` gives back.
inline at::Tensor from_blob(void* data, at::IntArrayRef sizes, at::IntArrayRef strides,
                            int64_t storage_offset, const std::function<void(void*)>& deleter,
                            const at::TensorOptions& options = {},
                            std::optional<at::Device> target_device = std::nullopt) {
  at::Tensor result = at::from_blob(data, sizes, strides, storage_offset, deleter,
                                    options.requires_grad(std::nullopt), target_device);
  return detail::with_requires_grad(std::move(result), options.requires_grad());
}

inline at::Tensor from_blob(void* data, at::IntArrayRef sizes, at::IntArrayRef strides,
                            const std::function<void(void*)>& deleter,
                            const at::TensorOptions& options = {},
                            std::optional<at::Device> target_device = std::nullopt) {
  return torch::from_blob(data, sizes, strides, 0, deleter, options, target_device);
}

inline at::Tensor from_blob(void* data, at::IntArrayRef sizes, at::IntArrayRef strides,
                            const at::TensorOptions& options = {}) {
  return torch::from_blob(data, sizes, strides, 0, nullptr, options);
}

inline at::Tensor from_blob(void* data, at::IntArrayRef sizes,
                            const std::function<void(void*)>& deleter,
                            const at::TensorOptions& options = {},
                            std::optional<at::Device> target_device = std::nullopt) {
  at::Tensor result =
      at::from_blob(data, sizes, deleter, options.requires_grad(std::nullopt), target_device);
  return detail::with_requires_grad(std::move(result), options.requires_grad());
}

inline at::Tensor from_blob(void* data, at::IntArrayRef sizes,
                            const at::TensorOptions& options = {}) {
  return torch::from_blob(data, sizes, std::function<void(void*)>(), options);
}

namespace detail {

/// What `torch::tensor` takes: a number, a list of numbers, or nested lists of one shape.
class TensorDataContainer {
 public:
  TensorDataContainer() : sizes_({0}), type_(c10::get_default_dtype_as_scalartype()) {}
  template <typename T,
            typename = std::enable_if_t<std::is_arithmetic_v<T> || std::is_same_v<T, c10::Half> ||
                                        std::is_same_v<T, c10::BFloat16> ||
                                        std::is_same_v<T, c10::complex<float>> ||
                                        std::is_same_v<T, c10::complex<double>>>>
  TensorDataContainer(T value) : type_(c10::CppTypeToScalarType<T>::value), values_({value}) {}
  TensorDataContainer(std::initializer_list<TensorDataContainer> list) {
    TORCH_CHECK(list.size() > 0, "torch::tensor: an empty list inside a list");
    const TensorDataContainer& first = *list.begin();
    type_ = first.type_;
    sizes_.push_back(static_cast<int64_t>(list.size()));
    sizes_.insert(sizes_.end(), first.sizes_.begin(), first.sizes_.end());
    for (const TensorDataContainer& one : list) {
      TORCH_CHECK(one.sizes_ == first.sizes_,
                  "Expected all sub-lists to have sizes: ", at::IntArrayRef(first.sizes_),
                  ", but got sub-list with sizes: ", at::IntArrayRef(one.sizes_));
      TORCH_CHECK(one.type_ == type_,
                  "Expected all elements of the tensor to have the same scalar type: ", type_,
                  ", but got element of scalar type: ", one.type_);
      values_.insert(values_.end(), one.values_.begin(), one.values_.end());
    }
  }
  template <typename T>
  TensorDataContainer(at::ArrayRef<T> values)
      : type_(c10::CppTypeToScalarType<T>::value), tensor_(at::tensor(values)) {}
  template <typename T>
  TensorDataContainer(const std::vector<T>& values)
      : type_(c10::CppTypeToScalarType<T>::value), tensor_(at::tensor(values)) {}

  at::Tensor tensor(at::TensorOptions options) const {
    if (!options.has_dtype()) options = options.dtype(default_type());
    const at::ScalarType type = c10::typeMetaToScalarType(options.dtype());
    if (tensor_.defined()) return tensor_.to(options.device(), type);
    at::Tensor result = at::empty(sizes_, type);
    AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(at::kBool, at::kHalf, at::kBFloat16, type,
                                           "torch::tensor", [&] {
                                             scalar_t* data = result.mutable_data_ptr<scalar_t>();
                                             for (size_t i = 0; i < values_.size(); ++i)
                                               data[i] = values_[i].to<scalar_t>();
                                           });
    return result.to(options.device(), type);
  }

 private:
  // Integers are int64 and fractions of the default dtype, as in Python.
  at::ScalarType default_type() const {
    if (type_ == at::kInt || type_ == at::kLong) return at::kLong;
    if (type_ == at::kFloat || type_ == at::kDouble) {
      return c10::get_default_dtype_as_scalartype();
    }
    return type_;
  }

  std::vector<int64_t> sizes_;
  at::ScalarType type_;
  std::vector<at::Scalar> values_;
  at::Tensor tensor_;
};

}  // namespace detail

/// A tensor of a number, a list of numbers, or nested lists, as Python's `torch.tensor`: of int64
/// for integers and of the default dtype for fractions unless `options` say otherwise. Throws
/// c10::Error for lists of several shapes or types.
inline at::Tensor tensor(const detail::TensorDataContainer& values,
                         const at::TensorOptions& options = {}) {
  at::Tensor result = values.tensor(options.requires_grad(std::nullopt));
  return detail::with_requires_grad(std::move(result), options.requires_grad());
}

}  // namespace torch
