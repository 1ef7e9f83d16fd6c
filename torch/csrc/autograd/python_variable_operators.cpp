#include <torch/csrc/autograd/python_variable_operators.h>

#include <ATen/ops/abs_ops.h>
#include <ATen/ops/add_ops.h>
#include <ATen/ops/bitwise_and_ops.h>
#include <ATen/ops/bitwise_left_shift_ops.h>
#include <ATen/ops/bitwise_not_ops.h>
#include <ATen/ops/bitwise_or_ops.h>
#include <ATen/ops/bitwise_right_shift_ops.h>
#include <ATen/ops/bitwise_xor_ops.h>
#include <ATen/ops/div_ops.h>
#include <ATen/ops/eq_ops.h>
#include <ATen/ops/floor_divide_ops.h>
#include <ATen/ops/ge_ops.h>
#include <ATen/ops/gt_ops.h>
#include <ATen/ops/is_nonzero_ops.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/le_ops.h>
#include <ATen/ops/lt_ops.h>
#include <ATen/ops/matmul_ops.h>
#include <ATen/ops/mul_ops.h>
#include <ATen/ops/ne_ops.h>
#include <ATen/ops/neg_ops.h>
#include <ATen/ops/pow_ops.h>
#include <ATen/ops/reciprocal_ops.h>
#include <ATen/ops/remainder_ops.h>
#include <ATen/ops/rsub_ops.h>
#include <ATen/ops/sub_ops.h>
#include <torch/csrc/autograd/python_bindings.h>
#include <torch/csrc/autograd/python_variable_indexing.h>
#include <torch/csrc/utils/tensor_new.h>
#include <torch/csrc/utils/tensor_numpy.h>

namespace torch::autograd {

namespace {

// One operand of a binary operator: a tensor, or a Python number.
struct Operand {
  explicit Operand(PyObject* obj) : obj(obj), is_tensor(THPVariable_Check(obj)) {
    usable = is_tensor || THPUtils_checkScalar(obj);
  }
  const at::Tensor& tensor() {
    if (is_tensor) return THPVariable_Unpack(obj);
    if (!number.defined()) number = utils::wrapped_scalar_tensor(scalar());
    return number;
  }
  c10::Scalar scalar() const { return utils::scalar_from_python(obj); }

  PyObject* obj;
  bool is_tensor;
  bool usable;
  at::Tensor number;
};

// Calls `function` without the GIL and wraps what it returns.
template <class Function>
PyObject* call(const Function& function) {
  at::Tensor result = [&] {
    GilRelease no_gil;
    return at::Tensor(function());
  }();
  return wrap(std::move(result));
}

#define TORCH_BINARY_PROLOGUE \
  HANDLE_TH_ERRORS            \
  Operand a(a_), b(b_);       \
  if (!a.usable || !b.usable) Py_RETURN_NOTIMPLEMENTED;

PyObject* number_add(PyObject* a_, PyObject* b_) {
  TORCH_BINARY_PROLOGUE
  // A number on the left is added from the right: addition commutes.
  const at::Tensor& x = a.is_tensor ? a.tensor() : b.tensor();
  const at::Tensor& y = a.is_tensor ? b.tensor() : a.tensor();
  return call([&] { return at::_ops::add_Tensor::call(x, y, 1); });
  END_HANDLE_TH_ERRORS
}

PyObject* number_subtract(PyObject* a_, PyObject* b_) {
  TORCH_BINARY_PROLOGUE
  if (!a.is_tensor) {
    const c10::Scalar value = a.scalar();
    const at::Tensor& y = b.tensor();
    return call([&] { return at::_ops::rsub_Scalar::call(y, value, 1); });
  }
  const at::Tensor& x = a.tensor();
  const at::Tensor& y = b.tensor();
  return call([&] { return at::_ops::sub_Tensor::call(x, y, 1); });
  END_HANDLE_TH_ERRORS
}

PyObject* number_multiply(PyObject* a_, PyObject* b_) {
  TORCH_BINARY_PROLOGUE
  const at::Tensor& x = a.is_tensor ? a.tensor() : b.tensor();
  const at::Tensor& y = a.is_tensor ? b.tensor() : a.tensor();
  return call([&] { return at::_ops::mul_Tensor::call(x, y); });
  END_HANDLE_TH_ERRORS
}

// `array / tensor`: NumPy leaves it to the tensor, but multiplies itself.
PyObject* divide_array(PyObject* array, PyObject* divisor) {
  HANDLE_TH_ERRORS
  const at::Tensor& y = THPVariable_Unpack(divisor);
  THPObjectPtr inverse(call([&] { return at::_ops::reciprocal::call(y); }));
  return PyNumber_Multiply(inverse, array);
  END_HANDLE_TH_ERRORS
}

PyObject* number_true_divide(PyObject* a_, PyObject* b_) {
  if (utils::is_numpy_array(a_)) return divide_array(a_, b_);
  TORCH_BINARY_PROLOGUE
  const at::Tensor& x = a.tensor();
  const at::Tensor& y = b.tensor();
  if (!a.is_tensor) {
    return call([&] { return at::_ops::mul_Tensor::call(at::_ops::reciprocal::call(y), x); });
  }
  return call([&] { return at::_ops::div_Tensor::call(x, y); });
  END_HANDLE_TH_ERRORS
}

PyObject* number_floor_divide(PyObject* a_, PyObject* b_) {
  TORCH_BINARY_PROLOGUE
  const at::Tensor& x = a.tensor();
  const at::Tensor& y = b.tensor();
  return call([&] { return at::_ops::floor_divide::call(x, y); });
  END_HANDLE_TH_ERRORS
}

PyObject* number_remainder(PyObject* a_, PyObject* b_) {
  TORCH_BINARY_PROLOGUE
  if (!a.is_tensor) {
    const c10::Scalar value = a.scalar();
    const at::Tensor& y = b.tensor();
    return call([&] { return at::_ops::remainder_Scalar_Tensor::call(value, y); });
  }
  const at::Tensor& x = a.tensor();
  if (!b.is_tensor) {
    const c10::Scalar value = b.scalar();
    return call([&] { return at::_ops::remainder_Scalar::call(x, value); });
  }
  const at::Tensor& y = b.tensor();
  return call([&] { return at::_ops::remainder_Tensor::call(x, y); });
  END_HANDLE_TH_ERRORS
}

PyObject* number_power(PyObject* a_, PyObject* b_, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  TORCH_BINARY_PROLOGUE
  if (!a.is_tensor) {
    const c10::Scalar value = a.scalar();
    const at::Tensor& y = b.tensor();
    return call([&] { return at::_ops::pow_Scalar::call(value, y); });
  }
  const at::Tensor& x = a.tensor();
  if (!b.is_tensor) {
    const c10::Scalar value = b.scalar();
    return call([&] { return at::_ops::pow_Tensor_Scalar::call(x, value); });
  }
  const at::Tensor& y = b.tensor();
  return call([&] { return at::_ops::pow_Tensor_Tensor::call(x, y); });
  END_HANDLE_TH_ERRORS
}

PyObject* number_matmul(PyObject* a_, PyObject* b_) {
  HANDLE_TH_ERRORS
  if (!THPVariable_Check(a_) || !THPVariable_Check(b_)) Py_RETURN_NOTIMPLEMENTED;
  const at::Tensor& x = THPVariable_Unpack(a_);
  const at::Tensor& y = THPVariable_Unpack(b_);
  return call([&] { return at::_ops::matmul::call(x, y); });
  END_HANDLE_TH_ERRORS
}

// An operator of integers with an overload for a number on either side.
template <class TensorOp, class TensorScalarOp, class ScalarTensorOp>
PyObject* bitwise(PyObject* a_, PyObject* b_) {
  TORCH_BINARY_PROLOGUE
  if (!a.is_tensor) {
    const c10::Scalar value = a.scalar();
    const at::Tensor& y = b.tensor();
    return call([&] { return ScalarTensorOp::call(value, y); });
  }
  const at::Tensor& x = a.tensor();
  if (!b.is_tensor) {
    const c10::Scalar value = b.scalar();
    return call([&] { return TensorScalarOp::call(x, value); });
  }
  const at::Tensor& y = b.tensor();
  return call([&] { return TensorOp::call(x, y); });
  END_HANDLE_TH_ERRORS
}

// `x op= y`: `function(x, y)` writes into x.
template <class Function>
PyObject* inplace(PyObject* a_, PyObject* b_, const Function& function) {
  HANDLE_TH_ERRORS
  Operand b(b_);
  if (!THPVariable_Check(a_) || !b.usable) Py_RETURN_NOTIMPLEMENTED;
  at::Tensor& x = reinterpret_cast<THPVariable*>(a_)->cdata;
  const at::Tensor& y = b.tensor();
  {
    GilRelease no_gil;
    function(x, y);
  }
  return Py_NewRef(a_);
  END_HANDLE_TH_ERRORS
}

PyObject* inplace_add(PyObject* a, PyObject* b) {
  return inplace(a, b,
                 [](at::Tensor& x, const at::Tensor& y) { at::_ops::add__Tensor::call(x, y, 1); });
}
PyObject* inplace_subtract(PyObject* a, PyObject* b) {
  return inplace(a, b,
                 [](at::Tensor& x, const at::Tensor& y) { at::_ops::sub__Tensor::call(x, y, 1); });
}
PyObject* inplace_multiply(PyObject* a, PyObject* b) {
  return inplace(a, b,
                 [](at::Tensor& x, const at::Tensor& y) { at::_ops::mul__Tensor::call(x, y); });
}
PyObject* inplace_true_divide(PyObject* a, PyObject* b) {
  return inplace(a, b,
                 [](at::Tensor& x, const at::Tensor& y) { at::_ops::div__Tensor::call(x, y); });
}
PyObject* inplace_floor_divide(PyObject* a, PyObject* b) {
  return inplace(
      a, b, [](at::Tensor& x, const at::Tensor& y) { at::_ops::floor_divide__Tensor::call(x, y); });
}
PyObject* inplace_remainder(PyObject* a, PyObject* b) {
  return inplace(
      a, b, [](at::Tensor& x, const at::Tensor& y) { at::_ops::remainder__Tensor::call(x, y); });
}
// `x op= y` where the operator has an overload for numbers.
template <class TensorOp, class ScalarOp>
PyObject* inplace_with_scalar(PyObject* a_, PyObject* b_) {
  HANDLE_TH_ERRORS
  Operand b(b_);
  if (!THPVariable_Check(a_) || !b.usable) Py_RETURN_NOTIMPLEMENTED;
  at::Tensor& x = reinterpret_cast<THPVariable*>(a_)->cdata;
  if (b.is_tensor) {
    const at::Tensor& y = b.tensor();
    GilRelease no_gil;
    TensorOp::call(x, y);
  } else {
    const c10::Scalar value = b.scalar();
    GilRelease no_gil;
    ScalarOp::call(x, value);
  }
  return Py_NewRef(a_);
  END_HANDLE_TH_ERRORS
}
PyObject* inplace_power(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return inplace_with_scalar<at::_ops::pow__Tensor, at::_ops::pow__Scalar>(a, b);
}

PyObject* number_invert(PyObject* self) {
  HANDLE_TH_ERRORS
  const at::Tensor& x = THPVariable_Unpack(self);
  if (!c10::isIntegralType(x.scalar_type(), /*includeBool=*/true)) {
    throw torch::TypeError(
        "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
  }
  return call([&] { return at::_ops::bitwise_not::call(x); });
  END_HANDLE_TH_ERRORS
}

template <class Op>
PyObject* unary(PyObject* self) {
  HANDLE_TH_ERRORS
  const at::Tensor& x = THPVariable_Unpack(self);
  return call([&] { return Op::call(x); });
  END_HANDLE_TH_ERRORS
}

PyObject* number_positive(PyObject* self) {
  HANDLE_TH_ERRORS
  if (THPVariable_Unpack(self).scalar_type() == c10::ScalarType::Bool) {
    throw torch::RuntimeError("The `+` operator, on a bool tensor is not supported.");
  }
  return Py_NewRef(self);
  END_HANDLE_TH_ERRORS
}

int number_bool(PyObject* self) {
  HANDLE_TH_ERRORS
  return at::_ops::is_nonzero::call(THPVariable_Unpack(self)) ? 1 : 0;
  END_HANDLE_TH_ERRORS_RET(-1)
}

// The only element, as a number.
c10::Scalar only_element(PyObject* self) {
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (tensor.numel() != 1) {
    throw torch::ValueError("only one element tensors can be converted to Python scalars");
  }
  return at::_ops::item::call(tensor);
}

PyObject* number_int(PyObject* self) {
  HANDLE_TH_ERRORS
  const c10::Scalar value = only_element(self);
  // Through double, so that infinities and NaN fail as they do for Python's floats.
  if (value.isFloatingPoint()) return PyLong_FromDouble(value.toDouble());
  return THPUtils_packInt64(value.toLong());
  END_HANDLE_TH_ERRORS
}

PyObject* number_float(PyObject* self) {
  HANDLE_TH_ERRORS
  return PyFloat_FromDouble(only_element(self).toDouble());
  END_HANDLE_TH_ERRORS
}

PyObject* number_index(PyObject* self) {
  HANDLE_TH_ERRORS
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (tensor.numel() != 1 || !c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/true)) {
    throw torch::TypeError("only integer tensors of a single element can be converted to an index");
  }
  return THPUtils_packInt64(at::_ops::item::call(tensor).toLong());
  END_HANDLE_TH_ERRORS
}

template <class TensorOp, class ScalarOp>
PyObject* compare(const at::Tensor& x, PyObject* other) {
  if (THPVariable_Check(other)) {
    const at::Tensor& y = THPVariable_Unpack(other);
    return call([&] { return TensorOp::call(x, y); });
  }
  const c10::Scalar value = utils::scalar_from_python(other);
  return call([&] { return ScalarOp::call(x, value); });
}

PyObject* rich_compare(PyObject* self, PyObject* other, int op) {
  HANDLE_TH_ERRORS
  THPObjectPtr converted;
  if ((op == Py_EQ || op == Py_NE) && utils::is_numpy_array(other)) {
    // Neither side would compare: Python would then compare the identities of the two, as it does
    // with an array whose elements no tensor can hold.
    if (!utils::numpy_scalar_type(other)) Py_RETURN_NOTIMPLEMENTED;
    converted = THPVariable_Wrap(utils::tensor_from_data(other, std::nullopt, std::nullopt));
    other = converted;
  }
  if (!THPVariable_Check(other) && !THPUtils_checkScalar(other)) Py_RETURN_NOTIMPLEMENTED;
  const at::Tensor& x = THPVariable_Unpack(self);
  switch (op) {
    case Py_LT:
      return compare<at::_ops::lt_Tensor, at::_ops::lt_Scalar>(x, other);
    case Py_LE:
      return compare<at::_ops::le_Tensor, at::_ops::le_Scalar>(x, other);
    case Py_EQ:
      return compare<at::_ops::eq_Tensor, at::_ops::eq_Scalar>(x, other);
    case Py_NE:
      return compare<at::_ops::ne_Tensor, at::_ops::ne_Scalar>(x, other);
    case Py_GT:
      return compare<at::_ops::gt_Tensor, at::_ops::gt_Scalar>(x, other);
    default:
      return compare<at::_ops::ge_Tensor, at::_ops::ge_Scalar>(x, other);
  }
  END_HANDLE_TH_ERRORS
}

// id(self), as in PyTorch.
Py_hash_t identity_hash(PyObject* self) {
  return static_cast<Py_hash_t>(reinterpret_cast<size_t>(self));
}

PyNumberMethods kNumber = {};
PyMappingMethods kMapping = {};

}  // namespace

void init_variable_operators(PyTypeObject* type) {
  kNumber.nb_add = overridable_binary<"add", "add", number_add>;
  kNumber.nb_subtract = overridable_binary<"sub", "__rsub__", number_subtract>;
  kNumber.nb_multiply = overridable_binary<"mul", "mul", number_multiply>;
  kNumber.nb_remainder = overridable_binary<"remainder", "__rmod__", number_remainder>;
  kNumber.nb_power = overridable_power<"pow", "__rpow__", number_power>;
  kNumber.nb_negative = overridable_unary<"neg", unary<at::_ops::neg>>;
  kNumber.nb_positive = overridable_unary<"__pos__", number_positive>;
  kNumber.nb_absolute = overridable_unary<"abs", unary<at::_ops::abs>>;
  kNumber.nb_invert = overridable_unary<"__invert__", number_invert>;
  kNumber.nb_bool = overridable_bool<"__bool__", number_bool>;
  kNumber.nb_lshift = overridable_binary<
      "__lshift__", "__rlshift__",
      bitwise<at::_ops::bitwise_left_shift_Tensor, at::_ops::bitwise_left_shift_Tensor_Scalar,
              at::_ops::bitwise_left_shift_Scalar_Tensor>>;
  kNumber.nb_inplace_lshift =
      overridable_binary<"__ilshift__", "__ilshift__",
                         inplace_with_scalar<at::_ops::bitwise_left_shift__Tensor,
                                             at::_ops::bitwise_left_shift__Tensor_Scalar>>;
  kNumber.nb_rshift = overridable_binary<
      "__rshift__", "__rrshift__",
      bitwise<at::_ops::bitwise_right_shift_Tensor, at::_ops::bitwise_right_shift_Tensor_Scalar,
              at::_ops::bitwise_right_shift_Scalar_Tensor>>;
  kNumber.nb_inplace_rshift =
      overridable_binary<"__irshift__", "__irshift__",
                         inplace_with_scalar<at::_ops::bitwise_right_shift__Tensor,
                                             at::_ops::bitwise_right_shift__Tensor_Scalar>>;
  kNumber.nb_and =
      overridable_binary<"__and__", "__rand__",
                         bitwise<at::_ops::bitwise_and_Tensor, at::_ops::bitwise_and_Scalar,
                                 at::_ops::bitwise_and_Scalar_Tensor>>;
  kNumber.nb_inplace_and = overridable_binary<
      "__iand__", "__iand__",
      inplace_with_scalar<at::_ops::bitwise_and__Tensor, at::_ops::bitwise_and__Scalar>>;
  kNumber.nb_or =
      overridable_binary<"__or__", "__ror__",
                         bitwise<at::_ops::bitwise_or_Tensor, at::_ops::bitwise_or_Scalar,
                                 at::_ops::bitwise_or_Scalar_Tensor>>;
  kNumber.nb_inplace_or = overridable_binary<
      "__ior__", "__ior__",
      inplace_with_scalar<at::_ops::bitwise_or__Tensor, at::_ops::bitwise_or__Scalar>>;
  kNumber.nb_xor =
      overridable_binary<"__xor__", "__rxor__",
                         bitwise<at::_ops::bitwise_xor_Tensor, at::_ops::bitwise_xor_Scalar,
                                 at::_ops::bitwise_xor_Scalar_Tensor>>;
  kNumber.nb_inplace_xor = overridable_binary<
      "__ixor__", "__ixor__",
      inplace_with_scalar<at::_ops::bitwise_xor__Tensor, at::_ops::bitwise_xor__Scalar>>;
  kNumber.nb_int = overridable_unary<"__int__", number_int>;
  kNumber.nb_float = overridable_unary<"__float__", number_float>;
  kNumber.nb_index = overridable_unary<"__index__", number_index>;
  kNumber.nb_floor_divide =
      overridable_binary<"__floordiv__", "__rfloordiv__", number_floor_divide>;
  kNumber.nb_true_divide = overridable_binary<"div", "__rtruediv__", number_true_divide>;
  kNumber.nb_matrix_multiply = overridable_binary<"matmul", "__rmatmul__", number_matmul>;
  kNumber.nb_inplace_add = overridable_binary<"add_", "add_", inplace_add>;
  kNumber.nb_inplace_subtract = overridable_binary<"sub_", "sub_", inplace_subtract>;
  kNumber.nb_inplace_multiply = overridable_binary<"mul_", "mul_", inplace_multiply>;
  kNumber.nb_inplace_true_divide = overridable_binary<"div_", "div_", inplace_true_divide>;
  kNumber.nb_inplace_floor_divide =
      overridable_binary<"__ifloordiv__", "__ifloordiv__", inplace_floor_divide>;
  kNumber.nb_inplace_remainder = overridable_binary<"remainder_", "remainder_", inplace_remainder>;
  kNumber.nb_inplace_power = overridable_power<"pow_", "pow_", inplace_power>;
  kMapping.mp_length = overridable_length<"__len__", THPVariable_length>;
  kMapping.mp_subscript = overridable_getitem<THPVariable_getitem>;
  kMapping.mp_ass_subscript = overridable_setitem<THPVariable_setitem>;
  type->tp_as_number = &kNumber;
  type->tp_as_mapping = &kMapping;
  type->tp_richcompare = overridable_comparison<rich_compare>;
  type->tp_hash = identity_hash;
}

}  // namespace torch::autograd
