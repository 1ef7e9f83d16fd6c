// Streams, which Python knows by their number and device, and events, which it holds in capsules.

#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/cuda/Module.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/python_numbers.h>

#include <cstdint>

namespace torch::cuda {
namespace {

using at::cuda::CUDAEvent;
using c10::cuda::CUDAStream;

constexpr const char* kEventName = "torch.cuda.event";

CUDAStream stream_of(long long id, int device) {
  return CUDAStream(
      c10::Stream(c10::Stream::UNSAFE,
                  c10::Device(c10::DeviceType::CUDA, static_cast<c10::DeviceIndex>(device)), id));
}

// Its number, its device, and the runtime's handle.
PyObject* stream_tuple(const CUDAStream& stream) {
  return Py_BuildValue("(LiK)", static_cast<long long>(stream.id()),
                       static_cast<int>(stream.device_index()),
                       static_cast<unsigned long long>(
                           reinterpret_cast<uintptr_t>(static_cast<cudaStream_t>(stream))));
}

CUDAStream unpack_stream(PyObject* args) {
  long long id = 0;
  int device = 0;
  if (!PyArg_ParseTuple(args, "Li", &id, &device)) throw python_error();
  return stream_of(id, device);
}

PyObject* py_current_stream(PyObject*, PyObject* device) {
  HANDLE_TH_ERRORS
  const auto index = static_cast<c10::DeviceIndex>(THPUtils_unpackLong(device));
  return stream_tuple(c10::cuda::getCurrentCUDAStream(index));
  END_HANDLE_TH_ERRORS
}

PyObject* py_default_stream(PyObject*, PyObject* device) {
  HANDLE_TH_ERRORS
  const auto index = static_cast<c10::DeviceIndex>(THPUtils_unpackLong(device));
  return stream_tuple(c10::cuda::getDefaultCUDAStream(index));
  END_HANDLE_TH_ERRORS
}

PyObject* py_stream_from_pool(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  int priority = 0;
  int device = -1;
  if (!PyArg_ParseTuple(args, "ii", &priority, &device)) throw python_error();
  return stream_tuple(
      c10::cuda::getStreamFromPool(priority, static_cast<c10::DeviceIndex>(device)));
  END_HANDLE_TH_ERRORS
}

PyObject* py_external_stream(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  unsigned long long handle = 0;
  int device = -1;
  if (!PyArg_ParseTuple(args, "Ki", &handle, &device)) throw python_error();
  return stream_tuple(
      c10::cuda::getStreamFromExternal(reinterpret_cast<cudaStream_t>(handle),  // NOLINT
                                       static_cast<c10::DeviceIndex>(device)));
  END_HANDLE_TH_ERRORS
}

PyObject* py_set_stream(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  c10::cuda::setCurrentCUDAStream(unpack_stream(args));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_stream_query(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  return PyBool_FromLong(unpack_stream(args).query());
  END_HANDLE_TH_ERRORS
}

PyObject* py_stream_synchronize(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  const CUDAStream stream = unpack_stream(args);
  const torch::GilRelease no_gil;
  stream.synchronize();
  END_HANDLE_TH_ERRORS
  Py_RETURN_NONE;
}

PyObject* py_stream_priority(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  return PyLong_FromLong(unpack_stream(args).priority());
  END_HANDLE_TH_ERRORS
}

// A tensor's memory is not given to others before the stream has passed this place.
PyObject* py_record_stream(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* tensor = nullptr;
  long long id = 0;
  int device = 0;
  if (!PyArg_ParseTuple(args, "OLi", &tensor, &id, &device)) throw python_error();
  if (!THPVariable_Check(tensor)) {
    throw torch::TypeError("record_stream expects a tensor, but got %s", Py_TYPE(tensor)->tp_name);
  }
  c10::cuda::CUDACachingAllocator::recordStream(THPVariable_Unpack(tensor).storage().data_ptr(),
                                                stream_of(id, device));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

// ---- events

CUDAEvent& event_of(PyObject* capsule) {
  auto* event = static_cast<CUDAEvent*>(PyCapsule_GetPointer(capsule, kEventName));
  if (event == nullptr) throw python_error();
  return *event;
}

// Arguments: a capsule and a stream.
CUDAEvent& unpack_event(PyObject* args, CUDAStream* stream) {
  PyObject* capsule = nullptr;
  long long id = 0;
  int device = 0;
  if (!PyArg_ParseTuple(args, "OLi", &capsule, &id, &device)) throw python_error();
  *stream = stream_of(id, device);
  return event_of(capsule);
}

PyObject* py_event_create(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  int timing = 0;
  int blocking = 0;
  if (!PyArg_ParseTuple(args, "pp", &timing, &blocking)) throw python_error();
  const unsigned int flags = (timing != 0 ? cudaEventDefault : cudaEventDisableTiming) |
                             (blocking != 0 ? cudaEventBlockingSync : cudaEventDefault);
  return PyCapsule_New(new CUDAEvent(flags), kEventName, [](PyObject* capsule) {
    delete static_cast<CUDAEvent*>(PyCapsule_GetPointer(capsule, kEventName));
  });
  END_HANDLE_TH_ERRORS
}

PyObject* py_event_record(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  CUDAStream stream = stream_of(0, 0);
  unpack_event(args, &stream).record(stream);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_event_wait(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  CUDAStream stream = stream_of(0, 0);
  unpack_event(args, &stream).block(stream);
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_event_query(PyObject*, PyObject* capsule) {
  HANDLE_TH_ERRORS
  return PyBool_FromLong(event_of(capsule).query());
  END_HANDLE_TH_ERRORS
}

PyObject* py_event_synchronize(PyObject*, PyObject* capsule) {
  HANDLE_TH_ERRORS
  const CUDAEvent& event = event_of(capsule);
  const torch::GilRelease no_gil;
  event.synchronize();
  END_HANDLE_TH_ERRORS
  Py_RETURN_NONE;
}

PyObject* py_event_elapsed_time(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  PyObject* start = nullptr;
  PyObject* end = nullptr;
  if (!PyArg_ParseTuple(args, "OO", &start, &end)) throw python_error();
  return PyFloat_FromDouble(event_of(start).elapsed_time(event_of(end)));
  END_HANDLE_TH_ERRORS
}

PyObject* py_event_handle(PyObject*, PyObject* capsule) {
  HANDLE_TH_ERRORS
  return PyLong_FromUnsignedLongLong(reinterpret_cast<uintptr_t>(event_of(capsule).event()));
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_cuda_getCurrentStream", py_current_stream, METH_O, nullptr},
    {"_cuda_getDefaultStream", py_default_stream, METH_O, nullptr},
    {"_cuda_getStreamFromPool", py_stream_from_pool, METH_VARARGS, nullptr},
    {"_cuda_getExternalStream", py_external_stream, METH_VARARGS, nullptr},
    {"_cuda_setStream", py_set_stream, METH_VARARGS, nullptr},
    {"_cuda_streamQuery", py_stream_query, METH_VARARGS, nullptr},
    {"_cuda_streamSynchronize", py_stream_synchronize, METH_VARARGS, nullptr},
    {"_cuda_streamPriority", py_stream_priority, METH_VARARGS, nullptr},
    {"_cuda_recordStream", py_record_stream, METH_VARARGS, nullptr},
    {"_cuda_eventCreate", py_event_create, METH_VARARGS, nullptr},
    {"_cuda_eventRecord", py_event_record, METH_VARARGS, nullptr},
    {"_cuda_eventWait", py_event_wait, METH_VARARGS, nullptr},
    {"_cuda_eventQuery", py_event_query, METH_O, nullptr},
    {"_cuda_eventSynchronize", py_event_synchronize, METH_O, nullptr},
    {"_cuda_eventElapsedTime", py_event_elapsed_time, METH_VARARGS, nullptr},
    {"_cuda_eventHandle", py_event_handle, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* stream_functions() { return kFunctions; }

}  // namespace torch::cuda
