// Devices, memory and generators for torch.cuda.

#include <torch/csrc/cuda/Module.h>

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/CachingHostAllocator.h>
#include <ATen/native/cuda/SparseGemm.h>
#include <c10/cuda/CUDAArchList.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/Generator.h>
#include <torch/csrc/utils/gil.h>
#include <torch/csrc/utils/object_ptr.h>
#include <torch/csrc/utils/python_numbers.h>

#include <cstdint>
#include <string>

namespace torch::cuda {
namespace {

using c10::cuda::CUDACachingAllocator::DeviceStats;
using c10::cuda::CUDACachingAllocator::Stat;
using c10::cuda::CUDACachingAllocator::StatArray;

c10::DeviceIndex device_index(PyObject* arg) {
  if (!THPUtils_checkLong(arg)) {
    throw torch::TypeError("expected the index of a device, an int, but got %s",
                           Py_TYPE(arg)->tp_name);
  }
  return static_cast<c10::DeviceIndex>(THPUtils_unpackLong(arg));
}

PyObject* py_init(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  c10::cuda::device_count_ensure_non_zero();
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_is_in_bad_fork(PyObject*, PyObject*) {
  return PyBool_FromLong(c10::cuda::in_bad_fork());
}

PyObject* py_device_count(PyObject*, PyObject*) {
  return PyLong_FromLong(c10::cuda::device_count());
}

PyObject* py_why_unavailable(PyObject*, PyObject*) {
  return PyUnicode_FromString(c10::cuda::why_unavailable().c_str());
}

PyObject* py_get_device(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  return PyLong_FromLong(c10::cuda::current_device());
  END_HANDLE_TH_ERRORS
}

PyObject* py_set_device(PyObject*, PyObject* device) {
  HANDLE_TH_ERRORS
  c10::cuda::set_device(device_index(device));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_exchange_device(PyObject*, PyObject* device) {
  HANDLE_TH_ERRORS
  return PyLong_FromLong(c10::cuda::exchange_device(device_index(device)));
  END_HANDLE_TH_ERRORS
}

PyObject* py_synchronize(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  const torch::GilRelease no_gil;
  c10::cuda::device_synchronize();
  END_HANDLE_TH_ERRORS
  Py_RETURN_NONE;
}

PyObject* py_arch_flags(PyObject*, PyObject*) { return PyUnicode_FromString(c10::cuda::kArchList); }

PyObject* py_arch_option(PyObject*, PyObject*) {
  return PyUnicode_FromString(c10::cuda::kArchOption);
}

PyObject* py_compiled_version(PyObject*, PyObject*) { return PyLong_FromLong(CUDART_VERSION); }

PyObject* py_cusparselt_version(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  return PyLong_FromLongLong(at::native::sparse_gemm_library_version());
  END_HANDLE_TH_ERRORS
}

PyObject* py_driver_version(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  int version = 0;
  C10_CUDA_CHECK(cudaDriverGetVersion(&version));
  return PyLong_FromLong(version);
  END_HANDLE_TH_ERRORS
}

void set_item(PyObject* dict, const char* name, PyObject* value) {
  const THPObjectPtr owned(value);
  if (!owned || PyDict_SetItemString(dict, name, owned.get()) < 0) throw python_error();
}

PyObject* py_device_properties(PyObject*, PyObject* device) {
  HANDLE_TH_ERRORS
  const cudaDeviceProp* p = at::cuda::getDeviceProperties(device_index(device));
  THPObjectPtr dict(PyDict_New());
  if (!dict) throw python_error();
  set_item(dict, "name", PyUnicode_FromString(p->name));
  set_item(dict, "major", PyLong_FromLong(p->major));
  set_item(dict, "minor", PyLong_FromLong(p->minor));
  set_item(dict, "total_memory", PyLong_FromSize_t(p->totalGlobalMem));
  set_item(dict, "multi_processor_count", PyLong_FromLong(p->multiProcessorCount));
  set_item(dict, "warp_size", PyLong_FromLong(p->warpSize));
  set_item(dict, "max_threads_per_multi_processor",
           PyLong_FromLong(p->maxThreadsPerMultiProcessor));
  set_item(dict, "regs_per_multiprocessor", PyLong_FromLong(p->regsPerMultiprocessor));
  set_item(dict, "shared_memory_per_block", PyLong_FromSize_t(p->sharedMemPerBlock));
  set_item(dict, "shared_memory_per_multiprocessor",
           PyLong_FromSize_t(p->sharedMemPerMultiprocessor));
  set_item(dict, "L2_cache_size", PyLong_FromLong(p->l2CacheSize));
  set_item(dict, "is_integrated", PyBool_FromLong(p->integrated));
  set_item(dict, "is_multi_gpu_board", PyBool_FromLong(p->isMultiGpuBoard));
  return dict.release();
  END_HANDLE_TH_ERRORS
}

PyObject* py_can_access_peer(PyObject*, PyObject* args) {
  HANDLE_TH_ERRORS
  int device = 0;
  int peer = 0;
  if (!PyArg_ParseTuple(args, "ii:can_device_access_peer", &device, &peer)) throw python_error();
  return PyBool_FromLong(at::cuda::canDeviceAccessPeer(static_cast<c10::DeviceIndex>(device),
                                                       static_cast<c10::DeviceIndex>(peer)));
  END_HANDLE_TH_ERRORS
}

PyObject* py_mem_get_info(PyObject*, PyObject* device) {
  HANDLE_TH_ERRORS
  const c10::cuda::CUDAGuard guard(device_index(device));
  size_t free_bytes = 0;
  size_t total = 0;
  C10_CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total));
  return Py_BuildValue("(KK)", static_cast<unsigned long long>(free_bytes),
                       static_cast<unsigned long long>(total));
  END_HANDLE_TH_ERRORS
}

PyObject* py_empty_cache(PyObject*, PyObject*) {
  HANDLE_TH_ERRORS
  const torch::GilRelease no_gil;
  c10::cuda::CUDACachingAllocator::emptyCache();
  at::cuda::CachingHostAllocator_emptyCache();
  END_HANDLE_TH_ERRORS
  Py_RETURN_NONE;
}

PyObject* stat_dict(const Stat& stat) {
  return Py_BuildValue("{s:L,s:L,s:L,s:L}", "current", static_cast<long long>(stat.current), "peak",
                       static_cast<long long>(stat.peak), "allocated",
                       static_cast<long long>(stat.allocated), "freed",
                       static_cast<long long>(stat.freed));
}

PyObject* stats_dict(const StatArray& stats) {
  THPObjectPtr dict(PyDict_New());
  if (!dict) throw python_error();
  const char* const names[] = {"all", "small_pool", "large_pool"};
  for (size_t i = 0; i < stats.size(); ++i) set_item(dict, names[i], stat_dict(stats[i]));
  return dict.release();
}

PyObject* py_memory_stats(PyObject*, PyObject* device) {
  HANDLE_TH_ERRORS
  const DeviceStats stats = c10::cuda::CUDACachingAllocator::getDeviceStats(device_index(device));
  THPObjectPtr dict(PyDict_New());
  if (!dict) throw python_error();
  set_item(dict, "num_alloc_retries", PyLong_FromLongLong(stats.num_alloc_retries));
  set_item(dict, "num_ooms", PyLong_FromLongLong(stats.num_ooms));
  set_item(dict, "allocation", stats_dict(stats.allocation));
  set_item(dict, "segment", stats_dict(stats.segment));
  set_item(dict, "active", stats_dict(stats.active));
  set_item(dict, "allocated_bytes", stats_dict(stats.allocated_bytes));
  set_item(dict, "reserved_bytes", stats_dict(stats.reserved_bytes));
  set_item(dict, "active_bytes", stats_dict(stats.active_bytes));
  set_item(dict, "requested_bytes", stats_dict(stats.requested_bytes));
  return dict.release();
  END_HANDLE_TH_ERRORS
}

PyObject* py_reset_accumulated_stats(PyObject*, PyObject* device) {
  HANDLE_TH_ERRORS
  c10::cuda::CUDACachingAllocator::resetAccumulatedStats(device_index(device));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_reset_peak_stats(PyObject*, PyObject* device) {
  HANDLE_TH_ERRORS
  c10::cuda::CUDACachingAllocator::resetPeakStats(device_index(device));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyObject* py_default_generator(PyObject*, PyObject* device) {
  HANDLE_TH_ERRORS
  return THPGenerator_New(at::cuda::detail::getDefaultCUDAGenerator(device_index(device)));
  END_HANDLE_TH_ERRORS
}

PyObject* py_manual_seed_all(PyObject*, PyObject* seed) {
  HANDLE_TH_ERRORS
  at::cuda::detail::manualSeedAll(static_cast<uint64_t>(THPUtils_unpackLong(seed)));
  Py_RETURN_NONE;
  END_HANDLE_TH_ERRORS
}

PyMethodDef kFunctions[] = {
    {"_cuda_init", py_init, METH_NOARGS, nullptr},
    {"_cuda_isInBadFork", py_is_in_bad_fork, METH_NOARGS, nullptr},
    {"_cuda_getDeviceCount", py_device_count, METH_NOARGS, nullptr},
    {"_cuda_whyUnavailable", py_why_unavailable, METH_NOARGS, nullptr},
    {"_cuda_getDevice", py_get_device, METH_NOARGS, nullptr},
    {"_cuda_setDevice", py_set_device, METH_O, nullptr},
    {"_cuda_exchangeDevice", py_exchange_device, METH_O, nullptr},
    {"_cuda_synchronize", py_synchronize, METH_NOARGS, nullptr},
    {"_cuda_getArchFlags", py_arch_flags, METH_NOARGS, nullptr},
    {"_cuda_getArchOption", py_arch_option, METH_NOARGS, nullptr},
    {"_cuda_getCompiledVersion", py_compiled_version, METH_NOARGS, nullptr},
    {"_cuda_getCusparseltVersion", py_cusparselt_version, METH_NOARGS, nullptr},
    {"_cuda_getDriverVersion", py_driver_version, METH_NOARGS, nullptr},
    {"_cuda_getDeviceProperties", py_device_properties, METH_O, nullptr},
    {"_cuda_canDeviceAccessPeer", py_can_access_peer, METH_VARARGS, nullptr},
    {"_cuda_getMemInfo", py_mem_get_info, METH_O, nullptr},
    {"_cuda_emptyCache", py_empty_cache, METH_NOARGS, nullptr},
    {"_cuda_memoryStats", py_memory_stats, METH_O, nullptr},
    {"_cuda_resetAccumulatedMemoryStats", py_reset_accumulated_stats, METH_O, nullptr},
    {"_cuda_resetPeakMemoryStats", py_reset_peak_stats, METH_O, nullptr},
    {"_cuda_manualSeedAll", py_manual_seed_all, METH_O, nullptr},
    {"_cuda_getDefaultGenerator", py_default_generator, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* python_functions() { return kFunctions; }

}  // namespace torch::cuda
