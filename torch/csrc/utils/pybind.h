#pragma once

// Tensors, dtypes, devices, scalars and sizes as arguments and results of pybind11.

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/python_headers.h>
#include <torch/csrc/utils/python_scalars.h>
#include <torch/csrc/utils/python_strings.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace pybind11::detail {

template <>
struct type_caster<at::Tensor> {
 public:
  PYBIND11_TYPE_CASTER(at::Tensor, const_name("torch.Tensor"));

  bool load(handle src, bool /*convert*/) {
    if (!THPVariable_Check(src.ptr())) return false;
    value = THPVariable_Unpack(src.ptr());
    return true;
  }
  static handle cast(const at::Tensor& src, return_value_policy /*policy*/, handle /*parent*/) {
    return handle(THPVariable_Wrap(src));
  }
};

template <>
struct type_caster<at::ScalarType> {
 public:
  PYBIND11_TYPE_CASTER(at::ScalarType, const_name("torch.dtype"));

  bool load(handle src, bool /*convert*/) {
    if (!THPDtype_Check(src.ptr())) return false;
    value = reinterpret_cast<THPDtype*>(src.ptr())->scalar_type;
    return true;
  }
  static handle cast(at::ScalarType src, return_value_policy /*policy*/, handle /*parent*/) {
    return handle(torch::getTHPDtype(src)).inc_ref();
  }
};

template <>
struct type_caster<at::Device> {
 public:
  // A Device has no value of its own before it is loaded.
  type_caster() : value(c10::kCPU) {}
  PYBIND11_TYPE_CASTER(at::Device, const_name("torch.device"));

  bool load(handle src, bool /*convert*/) {
    if (THPDevice_Check(src.ptr())) {
      value = reinterpret_cast<THPDevice*>(src.ptr())->device;
    } else if (PyUnicode_Check(src.ptr())) {
      value = at::Device(std::string(THPUtils_unpackStringView(src.ptr())));
    } else {
      return false;
    }
    return true;
  }
  static handle cast(const at::Device& src, return_value_policy /*policy*/, handle /*parent*/) {
    return handle(THPDevice_New(src));
  }
};

template <>
struct type_caster<c10::Scalar> {
 public:
  PYBIND11_TYPE_CASTER(c10::Scalar, const_name("Number"));

  bool load(handle src, bool /*convert*/) {
    PyObject* object = src.ptr();
    if (!PyBool_Check(object) && !PyLong_Check(object) && !PyFloat_Check(object) &&
        !PyComplex_Check(object)) {
      return false;
    }
    value = torch::utils::scalar_from_python(object);
    return true;
  }
  static handle cast(const c10::Scalar& src, return_value_policy /*policy*/, handle /*parent*/) {
    return handle(torch::utils::scalar_to_python(src));
  }
};

// Sizes: any sequence of integers.
template <>
struct type_caster<at::IntArrayRef> {
 public:
  PYBIND11_TYPE_CASTER(at::IntArrayRef, const_name("Sequence[int]"));

  bool load(handle src, bool convert) {
    make_caster<std::vector<int64_t>> sizes;
    if (!sizes.load(src, convert)) return false;
    held_ = cast_op<std::vector<int64_t>>(std::move(sizes));
    value = held_;
    return true;
  }
  static handle cast(at::IntArrayRef src, return_value_policy policy, handle parent) {
    return make_caster<std::vector<int64_t>>::cast(src.vec(), policy, parent);
  }

 private:
  std::vector<int64_t> held_;
};

}  // namespace pybind11::detail
