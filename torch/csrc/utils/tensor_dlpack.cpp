#include <torch/csrc/utils/tensor_dlpack.h>

#include <ATen/DLConvertor.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/object_ptr.h>

#include <utility>

namespace torch::utils {

namespace {

constexpr const char* kPlain = "dltensor";
constexpr const char* kVersioned = "dltensor_versioned";

// Frees the tensor of a capsule that was not consumed.
template <class Managed>
void destroy_capsule(PyObject* capsule, const char* name) {
  if (!PyCapsule_IsValid(capsule, name)) return;
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (managed->deleter) managed->deleter(managed);
}

PyObject* to_dlpack(PyObject* /*self*/, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* obj = nullptr;
  int versioned = 0;
  if (!PyArg_ParseTuple(args, "O|p:_to_dlpack", &obj, &versioned)) throw python_error();
  if (!THPVariable_Check(obj)) throw torch::TypeError("data must be a Tensor");
  const at::Tensor& tensor = THPVariable_Unpack(obj);
  PyObject* capsule = nullptr;
  if (versioned) {
    capsule = PyCapsule_New(at::toDLPackVersioned(tensor), kVersioned, [](PyObject* self) {
      destroy_capsule<DLManagedTensorVersioned>(self, kVersioned);
    });
  } else {
    capsule = PyCapsule_New(at::toDLPack(tensor), kPlain,
                            [](PyObject* self) { destroy_capsule<DLManagedTensor>(self, kPlain); });
  }
  if (!capsule) throw python_error();
  return capsule;
  END_HANDLE_TH_ERRORS
}

// A capsule is consumed once: from here on the tensor frees its memory.
PyObject* consumed(PyObject* capsule, const char* name, at::Tensor tensor) {
  PyCapsule_SetName(capsule, name);
  return THPVariable_Wrap(std::move(tensor));
}

PyObject* from_dlpack(PyObject* /*self*/, PyObject* capsule) {
  HANDLE_TH_ERRORS
  if (PyCapsule_IsValid(capsule, kVersioned)) {
    auto* managed =
        static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, kVersioned));
    return consumed(capsule, "used_dltensor_versioned", at::fromDLPackVersioned(managed));
  }
  if (PyCapsule_IsValid(capsule, kPlain)) {
    auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, kPlain));
    return consumed(capsule, "used_dltensor", at::fromDLPack(managed));
  }
  throw torch::RuntimeError(
      "from_dlpack received an invalid capsule. "
      "Note that DLTensor capsules can be consumed only once, so you might have already constructed a tensor from it once.");
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_to_dlpack", to_dlpack, METH_VARARGS, nullptr},
    {"_from_dlpack", from_dlpack, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void init_dlpack(PyObject* module) {
  if (PyModule_AddFunctions(module, kFunctions) < 0) throw python_error();
}

}  // namespace torch::utils
