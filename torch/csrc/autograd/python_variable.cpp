#include <torch/csrc/autograd/python_variable.h>

#include <ATen/ops/copy_ops.h>
#include <ATen/ops/detach_ops.h>
#include <ATen/ops/fill_ops.h>
#include <ATen/ops/imag_ops.h>
#include <ATen/ops/mH_ops.h>
#include <ATen/ops/mT_ops.h>
#include <ATen/ops/matrix_H_ops.h>
#include <ATen/ops/numpy_T_ops.h>
#include <ATen/ops/real_ops.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/PyInterpreter.h>
#include <c10/core/impl/PyObjectSlot.h>
#include <c10/util/Exception.h>
#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Layout.h>
#include <torch/csrc/Size.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/python_bindings.h>
#include <torch/csrc/autograd/python_cpp_function.h>
#include <torch/csrc/autograd/python_hook.h>
#include <torch/csrc/autograd/python_variable_indexing.h>
#include <torch/csrc/autograd/python_variable_operators.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/python_arg_parser.h>
#include <torch/csrc/utils/python_strings.h>
#include <torch/csrc/utils/tensor_new.h>
#include <torch/csrc/utils/torch_function.h>

#include <string>
#include <utility>
#include <vector>

using torch::autograd::Variable;

PyObject* THPVariableClass = nullptr;
PyObject* ParameterClass = nullptr;

namespace {

// What c10 asks of Python when the last C++ owner of a tensor goes.
struct Interpreter final : public c10::impl::PyInterpreter {
  std::string name() const override { return "torch._C"; }
  void incref(PyObject* pyobj) const override {
    if (!Py_IsInitialized()) return;
    const torch::GilAcquire gil;
    Py_INCREF(pyobj);
  }
  void decref(PyObject* pyobj, bool /*has_pyobj_slot*/) const override {
    if (!Py_IsInitialized()) return;
    const torch::GilAcquire gil;
    Py_DECREF(pyobj);
  }
  size_t refcnt(PyObject* pyobj) const override { return static_cast<size_t>(Py_REFCNT(pyobj)); }
};

THPVariable* as_variable(PyObject* self) { return reinterpret_cast<THPVariable*>(self); }

// Whether somebody could tell this object from a fresh one for the same tensor.
bool has_state(THPVariable* self) {
  return Py_TYPE(self) != reinterpret_cast<PyTypeObject*>(THPVariableClass) || self->dict ||
         self->weakrefs || self->backward_hooks || self->post_accumulate_grad_hooks;
}

// When C++ still uses the tensor, hands the object over to it instead of freeing it.
bool try_resurrect(THPVariable* self) {
  at::Tensor& tensor = self->cdata;
  if (!tensor.defined() || tensor.use_count() <= 1 || !has_state(self)) return false;
  c10::impl::PyObjectSlot* slot = tensor.unsafeGetTensorImpl()->pyobj_slot();
  if (slot->load_pyobj() != reinterpret_cast<PyObject*>(self)) return false;
  slot->set_owns_pyobj(true);
  Py_SET_REFCNT(reinterpret_cast<PyObject*>(self), 1);
  tensor.reset();
  return true;
}

void release_tensor(THPVariable* self) {
  at::Tensor& tensor = self->cdata;
  if (tensor.defined()) {
    c10::impl::PyObjectSlot* slot = tensor.unsafeGetTensorImpl()->pyobj_slot();
    if (slot->load_pyobj() == reinterpret_cast<PyObject*>(self)) slot->clear_pyobj();
  }
  tensor.~Tensor();
}

// Clears the __slots__ that subclasses written in Python added.
void clear_slots(PyTypeObject* type, PyObject* self) {
  for (; type != &THPVariableType; type = type->tp_base) {
    if (Py_SIZE(type) == 0 || !(type->tp_flags & Py_TPFLAGS_HEAPTYPE)) continue;
    auto* members =
        reinterpret_cast<PyMemberDef*>(reinterpret_cast<char*>(type) + Py_TYPE(type)->tp_basicsize);
    for (Py_ssize_t i = 0; i < Py_SIZE(type); ++i) {
      if (members[i].type != T_OBJECT_EX || (members[i].flags & READONLY)) continue;
      auto** slot = reinterpret_cast<PyObject**>(reinterpret_cast<char*>(self) + members[i].offset);
      Py_CLEAR(*slot);
    }
  }
}

// The deallocator of torch.Tensor and all its subclasses, in place of CPython's subtype_dealloc,
// which would clear the object before it can be handed over to C++.
void THPVariable_subclass_dealloc(PyObject* self) {
  THPVariable* variable = as_variable(self);
  if (try_resurrect(variable)) return;
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  if (type->tp_finalize) {
    PyObject_GC_Track(self);
    if (PyObject_CallFinalizerFromDealloc(self) < 0) return;
    PyObject_GC_UnTrack(self);
  }
  if (variable->weakrefs) PyObject_ClearWeakRefs(self);
  clear_slots(type, self);
  Py_CLEAR(variable->dict);
  Py_CLEAR(variable->backward_hooks);
  Py_CLEAR(variable->post_accumulate_grad_hooks);
  release_tensor(variable);
  type->tp_free(self);
  Py_DECREF(type);
}

int THPVariable_traverse(PyObject* self, visitproc visit, void* arg) {
  THPVariable* variable = as_variable(self);
  Py_VISIT(variable->dict);
  Py_VISIT(variable->backward_hooks);
  Py_VISIT(variable->post_accumulate_grad_hooks);
  const at::Tensor& tensor = variable->cdata;
  if (tensor.defined() && tensor.use_count() == 1) {
    // Nobody but this object reaches the hooks.
    if (torch::autograd::impl::get_autograd_meta(tensor) != nullptr) {
      for (const auto& hook : torch::autograd::impl::hooks(tensor)) {
        if (auto* python = dynamic_cast<torch::autograd::PyFunctionTensorPreHook*>(hook.get())) {
          Py_VISIT(python->dict);
        }
      }
      const auto& after = torch::autograd::impl::post_acc_grad_hooks(tensor);
      if (auto* python = dynamic_cast<torch::autograd::PyFunctionPostAccGradHook*>(after.get())) {
        Py_VISIT(python->dict);
      }
    }
  }
  return 0;
}

int THPVariable_clear(PyObject* self) {
  THPVariable* variable = as_variable(self);
  Py_CLEAR(variable->dict);
  Py_CLEAR(variable->backward_hooks);
  Py_CLEAR(variable->post_accumulate_grad_hooks);
  const at::Tensor& tensor = variable->cdata;
  if (tensor.defined() && tensor.use_count() == 1 &&
      torch::autograd::impl::get_autograd_meta(tensor) != nullptr) {
    torch::autograd::impl::clear_hooks(tensor);
    torch::autograd::impl::set_post_acc_grad_hooks(tensor, nullptr);
  }
  return 0;
}

int require_value(PyObject* value, const char* name) {
  if (value) return 0;
  PyErr_Format(PyExc_RuntimeError, "Can't delete %s attribute", name);
  return -1;
}

// Properties.

PyObject* get_T(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPVariable_Wrap(at::_ops::numpy_T::call(THPVariable_Unpack(self)));
  END_HANDLE_TH_ERRORS
}
PyObject* get_mT(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPVariable_Wrap(at::_ops::mT::call(THPVariable_Unpack(self)));
  END_HANDLE_TH_ERRORS
}
PyObject* get_real(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPVariable_Wrap(at::_ops::real::call(THPVariable_Unpack(self)));
  END_HANDLE_TH_ERRORS
}
PyObject* get_imag(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPVariable_Wrap(at::_ops::imag::call(THPVariable_Unpack(self)));
  END_HANDLE_TH_ERRORS
}
// A number or a tensor into one part of a complex tensor.
int set_part(at::Tensor part, PyObject* value, const char* name) {
  if (require_value(value, name)) return -1;
  if (THPVariable_Check(value)) {
    at::_ops::copy_::call(part, THPVariable_Unpack(value), /*non_blocking=*/false);
    return 0;
  }
  const double number = PyFloat_AsDouble(value);
  if (number == -1.0 && PyErr_Occurred()) return -1;
  at::_ops::fill__Scalar::call(part, number);
  return 0;
}

int set_real(PyObject* self, PyObject* value, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return set_part(at::_ops::real::call(THPVariable_Unpack(self)), value, "real");
  END_HANDLE_TH_ERRORS_RET(-1)
}

int set_imag(PyObject* self, PyObject* value, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return set_part(at::_ops::imag::call(THPVariable_Unpack(self)), value, "imag");
  END_HANDLE_TH_ERRORS_RET(-1)
}

PyObject* get_H(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPVariable_Wrap(at::_ops::matrix_H::call(THPVariable_Unpack(self)));
  END_HANDLE_TH_ERRORS
}
PyObject* get_mH(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPVariable_Wrap(at::_ops::mH::call(THPVariable_Unpack(self)));
  END_HANDLE_TH_ERRORS
}
PyObject* get_shape(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPSize_New(THPVariable_Unpack(self).sizes());
  END_HANDLE_TH_ERRORS
}
PyObject* get_dtype(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return Py_NewRef(torch::getTHPDtype(THPVariable_Unpack(self).scalar_type()));
  END_HANDLE_TH_ERRORS
}
PyObject* get_layout(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return Py_NewRef(torch::getTHPLayout(THPVariable_Unpack(self).layout()));
  END_HANDLE_TH_ERRORS
}
PyObject* get_device(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return THPDevice_New(THPVariable_Unpack(self).device());
  END_HANDLE_TH_ERRORS
}
PyObject* get_ndim(PyObject* self, void* /*unused*/) {
  return PyLong_FromLongLong(THPVariable_Unpack(self).dim());
}
PyObject* get_itemsize(PyObject* self, void* /*unused*/) {
  return PyLong_FromLongLong(THPVariable_Unpack(self).element_size());
}
PyObject* get_nbytes(PyObject* self, void* /*unused*/) {
  return PyLong_FromSize_t(THPVariable_Unpack(self).nbytes());
}
template <c10::DeviceType kType>
PyObject* get_is_on(PyObject* self, void* /*unused*/) {
  return PyBool_FromLong(THPVariable_Unpack(self).device().type() == kType);
}
PyObject* get_false(PyObject* /*self*/, void* /*unused*/) { Py_RETURN_FALSE; }
PyObject* get_version(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return PyLong_FromLongLong(THPVariable_Unpack(self)._version());
  END_HANDLE_TH_ERRORS
}
PyObject* get_use_count(PyObject* self, void* /*unused*/) {
  return PyLong_FromSize_t(THPVariable_Unpack(self).use_count());
}
PyObject* get_cdata(PyObject* self, void* /*unused*/) {
  return PyLong_FromVoidPtr(THPVariable_Unpack(self).unsafeGetTensorImpl());
}
PyObject* get_output_nr(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return PyLong_FromLongLong(THPVariable_Unpack(self).output_nr());
  END_HANDLE_TH_ERRORS
}
PyObject* get_is_leaf(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return PyBool_FromLong(THPVariable_Unpack(self).is_leaf());
  END_HANDLE_TH_ERRORS
}
PyObject* get_retains_grad(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return PyBool_FromLong(THPVariable_Unpack(self).retains_grad());
  END_HANDLE_TH_ERRORS
}
PyObject* get_base(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (!tensor.is_view()) Py_RETURN_NONE;
  return THPVariable_Wrap(at::Tensor(tensor._base()));
  END_HANDLE_TH_ERRORS
}
PyObject* get_grad_fn(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  const auto& grad_fn = THPVariable_Unpack(self).grad_fn();
  if (!grad_fn) Py_RETURN_NONE;
  return torch::autograd::functionToPyObject(grad_fn);
  END_HANDLE_TH_ERRORS
}
int set_grad_fn(PyObject* self, PyObject* value, void* /*unused*/) {
  HANDLE_TH_ERRORS
  if (require_value(value, "_grad_fn") < 0) return -1;
  if (value != Py_None) throw torch::TypeError("_grad_fn can be only set to None");
  at::_ops::detach_::call(as_variable(self)->cdata);
  return 0;
  END_HANDLE_TH_ERRORS_RET(-1)
}

PyObject* get_requires_grad(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  return PyBool_FromLong(THPVariable_Unpack(self).requires_grad());
  END_HANDLE_TH_ERRORS
}
int set_requires_grad(PyObject* self, PyObject* value, void* /*unused*/) {
  HANDLE_TH_ERRORS
  if (!value || !PyBool_Check(value)) {
    throw torch::RuntimeError("requires_grad must be a bool");
  }
  const at::Tensor& tensor = THPVariable_Unpack(self);
  const bool requires_grad = value == Py_True;
  if (!tensor.is_leaf()) {
    throw torch::RuntimeError(
        "you can only change requires_grad flags of leaf variables.%s",
        requires_grad
            ? ""
            : " If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach().");
  }
  if (requires_grad && !torch::autograd::isDifferentiableType(tensor.scalar_type())) {
    throw torch::RuntimeError(
        "only Tensors of floating point and complex dtype can require gradients");
  }
  tensor.set_requires_grad(requires_grad);
  return 0;
  END_HANDLE_TH_ERRORS_RET(-1)
}

PyObject* get_data(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  at::Tensor data(THPVariable_Unpack(self).variable_data());
  data.unsafeGetTensorImpl()->set_allow_tensor_metadata_change(true);
  return THPVariable_Wrap(std::move(data));
  END_HANDLE_TH_ERRORS
}
int set_data(PyObject* self, PyObject* value, void* /*unused*/) {
  HANDLE_TH_ERRORS
  if (require_value(value, "data") < 0) return -1;
  if (!THPVariable_Check(value)) {
    throw torch::TypeError("Variable data has to be a tensor, but got %s", Py_TYPE(value)->tp_name);
  }
  THPVariable_Unpack(self).set_data(THPVariable_Unpack(value));
  return 0;
  END_HANDLE_TH_ERRORS_RET(-1)
}

PyObject* get_grad(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  const at::Tensor& tensor = THPVariable_Unpack(self);
  const at::Tensor& grad = tensor.unsafeGetTensorImpl()->grad();
  if (!grad.defined() && !tensor.is_leaf() && !tensor.retains_grad()) {
    TORCH_WARN(
        "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more informations.");
  }
  return THPVariable_Wrap(grad);
  END_HANDLE_TH_ERRORS
}
int set_grad(PyObject* self, PyObject* value, void* /*unused*/) {
  HANDLE_TH_ERRORS
  const at::Tensor& tensor = THPVariable_Unpack(self);
  if (!value || value == Py_None) {
    tensor.unsafeGetTensorImpl()->mutable_grad().reset();
    return 0;
  }
  if (!THPVariable_Check(value)) {
    throw torch::TypeError("assigned grad expected to be a Tensor or None but got grad of type %s",
                           Py_TYPE(value)->tp_name);
  }
  const at::Tensor& grad = THPVariable_Unpack(value);
  TORCH_CHECK(self != value, "can't assign Tensor as its own grad");
  TORCH_CHECK(
      grad.scalar_type() == tensor.scalar_type(), "attempting to assign a gradient with dtype '",
      c10::toString(grad.scalar_type()), "' to a tensor with grad_dtype '",
      c10::toString(tensor.scalar_type()),
      "'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype). "
      "You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. "
      "Set grad_dtype with caution. "
      "Diverging the dtypes of a tensor and its gradient may break downstream systems that assume they match.");
  TORCH_CHECK(grad.device().type() == tensor.device().type(),
              "attempting to assign a gradient with device type '", grad.device().str(),
              "' to a tensor with device type '", tensor.device().str(),
              "'. Please ensure that the gradient and the tensor are on the same device");
  TORCH_CHECK(grad.sizes() == tensor.sizes(), "attempting to assign a gradient of size '",
              grad.sizes(), "' to a tensor of size '", tensor.sizes(),
              "'. Please ensure that the gradient and the tensor are the same size");
  tensor.unsafeGetTensorImpl()->mutable_grad() = grad;
  return 0;
  END_HANDLE_TH_ERRORS_RET(-1)
}

// Whether the hooks in `dict` watch the value that the tensor has now: after an operation in place
// they are those of the old one.
bool watches(const at::Tensor& tensor, PyObject* dict) {
  const auto& node = tensor.grad_fn();
  const auto& hooks = node ? node->tensor_pre_hooks() : torch::autograd::impl::hooks(tensor);
  for (const auto& hook : hooks) {
    auto* python = dynamic_cast<torch::autograd::PyFunctionTensorPreHook*>(hook.get());
    if (python && python->dict == dict) return true;
  }
  return false;
}

PyObject* get_backward_hooks(PyObject* self, void* /*unused*/) {
  HANDLE_TH_ERRORS
  THPVariable* variable = as_variable(self);
  if (variable->backward_hooks && !watches(variable->cdata, variable->backward_hooks)) {
    Py_CLEAR(variable->backward_hooks);
  }
  return Py_NewRef(variable->backward_hooks ? variable->backward_hooks : Py_None);
  END_HANDLE_TH_ERRORS
}
int set_backward_hooks(PyObject* self, PyObject* value, void* /*unused*/) {
  HANDLE_TH_ERRORS
  if (!value) throw torch::RuntimeError("Deletion of _backwards_hooks not allowed!");
  THPVariable* variable = as_variable(self);
  if (value == Py_None) value = nullptr;
  Py_XINCREF(value);
  Py_XSETREF(variable->backward_hooks, value);
  torch::autograd::impl::clear_hooks(variable->cdata);
  if (value) {
    torch::autograd::impl::add_hook(variable->cdata,
                                    std::make_unique<torch::autograd::PyFunctionTensorPreHook>(
                                        value, variable->cdata.output_nr()));
  }
  return 0;
  END_HANDLE_TH_ERRORS_RET(-1)
}

PyObject* get_post_accumulate_grad_hooks(PyObject* self, void* /*unused*/) {
  PyObject* hooks = as_variable(self)->post_accumulate_grad_hooks;
  return Py_NewRef(hooks ? hooks : Py_None);
}
int set_post_accumulate_grad_hooks(PyObject* self, PyObject* value, void* /*unused*/) {
  HANDLE_TH_ERRORS
  THPVariable* variable = as_variable(self);
  if (value == Py_None) value = nullptr;
  Py_XINCREF(value);
  Py_XSETREF(variable->post_accumulate_grad_hooks, value);
  torch::autograd::impl::set_post_acc_grad_hooks(
      variable->cdata,
      value ? std::make_unique<torch::autograd::PyFunctionPostAccGradHook>(value) : nullptr);
  return 0;
  END_HANDLE_TH_ERRORS_RET(-1)
}

// Each looks for `__torch_function__` first.
#define TORCH_PROPERTY(NAME, GET) \
  {#NAME, torch::overridable_getter<#NAME, GET>, nullptr, nullptr, nullptr}
#define TORCH_MUTABLE_PROPERTY(NAME, GET, SET)                                                   \
  {#NAME, torch::overridable_getter<#NAME, GET>, torch::overridable_setter<#NAME, SET>, nullptr, \
   nullptr}

PyGetSetDef kProperties[] = {
    TORCH_PROPERTY(T, get_T),
    TORCH_PROPERTY(mT, get_mT),
    TORCH_MUTABLE_PROPERTY(real, get_real, set_real),
    TORCH_MUTABLE_PROPERTY(imag, get_imag, set_imag),
    TORCH_PROPERTY(H, get_H),
    TORCH_PROPERTY(mH, get_mH),
    TORCH_PROPERTY(shape, get_shape),
    TORCH_PROPERTY(dtype, get_dtype),
    TORCH_PROPERTY(layout, get_layout),
    TORCH_PROPERTY(device, get_device),
    TORCH_PROPERTY(ndim, get_ndim),
    TORCH_PROPERTY(itemsize, get_itemsize),
    TORCH_PROPERTY(nbytes, get_nbytes),
    TORCH_PROPERTY(is_cpu, get_is_on<c10::DeviceType::CPU>),
    TORCH_PROPERTY(is_cuda, get_is_on<c10::DeviceType::CUDA>),
    TORCH_PROPERTY(is_meta, get_is_on<c10::DeviceType::Meta>),
    TORCH_PROPERTY(is_sparse, get_false),
    TORCH_PROPERTY(is_sparse_csr, get_false),
    TORCH_PROPERTY(is_mkldnn, get_false),
    TORCH_PROPERTY(is_mps, get_is_on<c10::DeviceType::MPS>),
    TORCH_PROPERTY(is_mtia, get_is_on<c10::DeviceType::MTIA>),
    TORCH_PROPERTY(is_maia, get_is_on<c10::DeviceType::MAIA>),
    TORCH_PROPERTY(is_ipu, get_is_on<c10::DeviceType::IPU>),
    TORCH_PROPERTY(is_vulkan, get_is_on<c10::DeviceType::Vulkan>),
    TORCH_PROPERTY(is_xla, get_is_on<c10::DeviceType::XLA>),
    TORCH_PROPERTY(is_xpu, get_is_on<c10::DeviceType::XPU>),
    TORCH_PROPERTY(is_quantized, get_false),
    TORCH_PROPERTY(is_nested, get_false),
    TORCH_PROPERTY(_version, get_version),
    {"_use_count", get_use_count, nullptr, nullptr, nullptr},
    {"_cdata", get_cdata, nullptr, nullptr, nullptr},
    TORCH_PROPERTY(_base, get_base),
    TORCH_PROPERTY(output_nr, get_output_nr),
    TORCH_PROPERTY(is_leaf, get_is_leaf),
    TORCH_PROPERTY(retains_grad, get_retains_grad),
    TORCH_PROPERTY(grad_fn, get_grad_fn),
    TORCH_MUTABLE_PROPERTY(_grad_fn, get_grad_fn, set_grad_fn),
    TORCH_MUTABLE_PROPERTY(requires_grad, get_requires_grad, set_requires_grad),
    TORCH_MUTABLE_PROPERTY(data, get_data, set_data),
    TORCH_MUTABLE_PROPERTY(grad, get_grad, set_grad),
    TORCH_MUTABLE_PROPERTY(_grad, get_grad, set_grad),
    TORCH_MUTABLE_PROPERTY(_backward_hooks, get_backward_hooks, set_backward_hooks),
    {"_post_accumulate_grad_hooks", get_post_accumulate_grad_hooks, set_post_accumulate_grad_hooks,
     nullptr, nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyObject* THPVariable_pynew(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  HANDLE_TH_ERRORS
  if (type == &THPVariableType) {
    throw torch::RuntimeError(
        "Cannot directly construct TensorBase; subclass it and then construct that");
  }
  at::Tensor tensor =
      torch::utils::legacy_tensor_ctor(c10::get_default_dtype_as_scalartype(), args, kwargs);
  return THPVariable_NewWithVar(type, std::move(tensor));
  END_HANDLE_TH_ERRORS
}

// Subclasses of Tensor get the deallocator above.
int THPVariableMeta_init(PyObject* cls, PyObject* args, PyObject* kwargs) {
  if (PyType_Type.tp_init(cls, args, kwargs) < 0) return -1;
  reinterpret_cast<PyTypeObject*>(cls)->tp_dealloc = THPVariable_subclass_dealloc;
  return 0;
}

PyTypeObject make_metaclass() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch._C._TensorMeta";
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  type.tp_init = THPVariableMeta_init;
  return type;
}

PyTypeObject make_type() {
  PyTypeObject type = {PyVarObject_HEAD_INIT(nullptr, 0)};
  type.tp_name = "torch._C.TensorBase";
  type.tp_basicsize = sizeof(THPVariable);
  type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = THPVariable_traverse;
  type.tp_clear = THPVariable_clear;
  type.tp_getset = kProperties;
  type.tp_dictoffset = offsetof(THPVariable, dict);
  type.tp_weaklistoffset = offsetof(THPVariable, weakrefs);
  type.tp_new = THPVariable_pynew;
  return type;
}

PyTypeObject THPVariableMetaType = make_metaclass();

}  // namespace

PyTypeObject THPVariableType = make_type();

PyObject* THPVariable_NewWithVar(PyTypeObject* type, at::Tensor var) {
  PyObject* self = type->tp_alloc(type, 0);
  if (!self) throw python_error();
  THPVariable* variable = as_variable(self);
  new (&variable->cdata) at::Tensor(std::move(var));
  variable->cdata.unsafeGetTensorImpl()->pyobj_slot()->init_pyobj(self);
  return self;
}

PyObject* THPVariable_Wrap(at::Tensor var) {
  if (!var.defined()) Py_RETURN_NONE;
  c10::impl::PyObjectSlot* slot = var.unsafeGetTensorImpl()->pyobj_slot();
  if (PyObject* self = slot->load_pyobj()) {
    if (!slot->owns_pyobj()) return Py_NewRef(self);
    // C++ kept the object: give it back, with the reference C++ held.
    slot->set_owns_pyobj(false);
    as_variable(self)->cdata = std::move(var);
    return self;
  }
  return THPVariable_NewWithVar(reinterpret_cast<PyTypeObject*>(THPVariableClass), std::move(var));
}

namespace {

// torch._C._set_tensor_class and _set_parameter_class: the classes of the package that _C makes.
PyObject* set_tensor_class(PyObject* /*self*/, PyObject* cls) {
  HANDLE_TH_ERRORS
  if (!PyType_Check(cls) ||
      !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls), &THPVariableType)) {
    throw torch::TypeError("expected a subclass of torch._C.TensorBase");
  }
  Py_INCREF(cls);
  Py_XSETREF(THPVariableClass, cls);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}
PyObject* set_parameter_class(PyObject* /*self*/, PyObject* cls) {
  Py_INCREF(cls);
  Py_XSETREF(ParameterClass, cls);
  Py_RETURN_NONE;
}

// torch._C._tensor_use_count(tensor): how many hold the tensor, its Python object among them.
PyObject* tensor_use_count(PyObject* /*self*/, PyObject* tensor) {
  HANDLE_TH_ERRORS
  if (!THPVariable_Check(tensor)) throw torch::TypeError("_tensor_use_count expects a Tensor");
  return PyLong_FromSize_t(as_variable(tensor)->cdata.use_count());
  END_HANDLE_TH_ERRORS
}

// torch._C._swap_tensor_impl(a, b): each of the Python objects gets the other's tensor, with the
// hooks on it.
PyObject* swap_tensor_impl(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* a = nullptr;
  PyObject* b = nullptr;
  if (!PyArg_ParseTuple(args, "OO:_swap_tensor_impl", &a, &b)) throw python_error();
  if (!THPVariable_Check(a) || !THPVariable_Check(b)) {
    throw torch::TypeError("_swap_tensor_impl expects two Tensors");
  }
  THPVariable* one = as_variable(a);
  THPVariable* other = as_variable(b);
  std::swap(one->cdata, other->cdata);
  std::swap(one->backward_hooks, other->backward_hooks);
  std::swap(one->post_accumulate_grad_hooks, other->post_accumulate_grad_hooks);
  one->cdata.unsafeGetTensorImpl()->pyobj_slot()->init_pyobj(a);
  other->cdata.unsafeGetTensorImpl()->pyobj_slot()->init_pyobj(b);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyMethodDef kModuleFunctions[] = {
    {"_swap_tensor_impl", swap_tensor_impl, METH_VARARGS, nullptr},
    {"_tensor_use_count", tensor_use_count, METH_O, nullptr},
    {"_set_tensor_class", set_tensor_class, METH_O, nullptr},
    {"_set_parameter_class", set_parameter_class, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void THPVariable_initModule(PyObject* module) {
  static Interpreter interpreter;
  c10::impl::setGlobalPyInterpreter(&interpreter);

  THPVariableMetaType.tp_base = &PyType_Type;
  if (PyType_Ready(&THPVariableMetaType) < 0) throw python_error();
  PyModule_AddObjectRef(module, "_TensorMeta", reinterpret_cast<PyObject*>(&THPVariableMetaType));

  Py_SET_TYPE(&THPVariableType, &THPVariableMetaType);
  THPVariableType.tp_methods = torch::autograd::all_variable_methods();
  torch::autograd::init_variable_operators(&THPVariableType);
  if (PyType_Ready(&THPVariableType) < 0) throw python_error();
  PyModule_AddObjectRef(module, "TensorBase", reinterpret_cast<PyObject*>(&THPVariableType));
  if (PyModule_AddFunctions(module, kModuleFunctions) < 0) throw python_error();
}
