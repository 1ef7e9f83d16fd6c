#pragma once

// The rest of the C interface, as of torch/csrc/inductor/aoti_torch/c/shim.h.

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/version.h>

extern "C" {

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0
// The message of the last error of the calling thread, with and without the stack of the place that
// failed. Valid until the next error.
AOTI_TORCH_EXPORT const char* torch_exception_get_what();
AOTI_TORCH_EXPORT const char* torch_exception_get_what_without_backtrace();
#endif

// aoti_torch_call_dispatcher and aoti_torch_library_impl, with TORCH_ABI_VERSION of the headers
// that the extension was compiled against.
AOTI_TORCH_EXPORT AOTITorchError torch_call_dispatcher(const char* opName, const char* overloadName,
                                                       StableIValue* stack,
                                                       uint64_t extension_build_version);
AOTI_TORCH_EXPORT AOTITorchError torch_library_impl(TorchLibraryHandle self, const char* name,
                                                    void (*fn)(StableIValue* stack,
                                                               uint64_t num_args,
                                                               uint64_t num_outputs),
                                                    uint64_t extension_build_version);

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_12_0
// Tags of an operator, for torch_library_def_with_tags.
AOTI_TORCH_EXPORT int32_t torch_tag_core();
AOTI_TORCH_EXPORT int32_t torch_tag_cudagraph_unsafe();
AOTI_TORCH_EXPORT int32_t torch_tag_data_dependent_output();
AOTI_TORCH_EXPORT int32_t torch_tag_dynamic_output_shape();
AOTI_TORCH_EXPORT int32_t torch_tag_flexible_layout();
AOTI_TORCH_EXPORT int32_t torch_tag_generated();
AOTI_TORCH_EXPORT int32_t torch_tag_inplace_view();
AOTI_TORCH_EXPORT int32_t torch_tag_maybe_aliasing_or_mutating();
AOTI_TORCH_EXPORT int32_t torch_tag_needs_contiguous_strides();
AOTI_TORCH_EXPORT int32_t torch_tag_needs_exact_strides();
AOTI_TORCH_EXPORT int32_t torch_tag_needs_fixed_stride_order();
AOTI_TORCH_EXPORT int32_t torch_tag_nondeterministic_bitwise();
AOTI_TORCH_EXPORT int32_t torch_tag_nondeterministic_seeded();
AOTI_TORCH_EXPORT int32_t torch_tag_out_variant();
AOTI_TORCH_EXPORT int32_t torch_tag_pointwise();
AOTI_TORCH_EXPORT int32_t torch_tag_pt2_compliant_tag();
AOTI_TORCH_EXPORT int32_t torch_tag_reduction();
AOTI_TORCH_EXPORT int32_t torch_tag_view_copy();
AOTI_TORCH_EXPORT AOTITorchError torch_library_def_with_tags(TorchLibraryHandle self,
                                                             const char* schema,
                                                             const int32_t* tags, int32_t num_tags);
#endif

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0
// Library::set_python_module. The texts outlive the library.
AOTI_TORCH_EXPORT AOTITorchError torch_library_set_python_module(TorchLibraryHandle self,
                                                                 const char* pymodule,
                                                                 const char* context);
#endif

// The value of an optional.
AOTI_TORCH_EXPORT AOTITorchError torch_new_stable_ivalue(StableIValue** ret_value);
AOTI_TORCH_EXPORT AOTITorchError torch_delete_stable_ivalue(StableIValue* value);

// Lists. An element that is a handle belongs to whoever takes it out.
struct StableListOpaque;
using StableListHandle = StableListOpaque*;

AOTI_TORCH_EXPORT AOTITorchError torch_new_list_reserve_size(size_t size, StableListHandle* ret);
AOTI_TORCH_EXPORT AOTITorchError torch_list_size(StableListHandle list_handle, size_t* size);
AOTI_TORCH_EXPORT AOTITorchError torch_list_get_item(StableListHandle list_handle, size_t index,
                                                     StableIValue* element);
AOTI_TORCH_EXPORT AOTITorchError torch_list_set_item(StableListHandle list_handle, size_t index,
                                                     StableIValue element);
AOTI_TORCH_EXPORT AOTITorchError torch_list_push_back(StableListHandle list_handle,
                                                      StableIValue element);
AOTI_TORCH_EXPORT AOTITorchError torch_delete_list(StableListHandle list_handle);

struct StringOpaque;
using StringHandle = StringOpaque*;

AOTI_TORCH_EXPORT AOTITorchError torch_new_string_handle(const char* data, size_t length,
                                                         StringHandle* handle);
AOTI_TORCH_EXPORT AOTITorchError torch_string_length(StringHandle handle, size_t* length);
AOTI_TORCH_EXPORT AOTITorchError torch_string_c_str(StringHandle handle, const char** data);
AOTI_TORCH_EXPORT AOTITorchError torch_delete_string(StringHandle handle);

// The kind and the index of "cuda:1"; the index is -1 if there is none.
AOTI_TORCH_EXPORT AOTITorchError torch_parse_device_string(const char* device_string,
                                                           uint32_t* out_device_type,
                                                           int32_t* out_device_index);

#ifdef USE_CUDA
// libtorch_cuda has these too. A stream is a cudaStream_t.
//
// The cublasHandle_t of this thread for the current device, set to its current stream. Fails in a
// build without cuBLAS.
AOTI_TORCH_EXPORT AOTITorchError torch_get_current_cuda_blas_handle(void** ret_handle);
AOTI_TORCH_EXPORT AOTITorchError torch_set_current_cuda_stream(void* stream, int32_t device_index);
AOTI_TORCH_EXPORT AOTITorchError torch_get_cuda_stream_from_pool(bool isHighPriority,
                                                                 int32_t device_index,
                                                                 void** ret_stream);
AOTI_TORCH_EXPORT AOTITorchError torch_cuda_stream_synchronize(void* stream, int32_t device_index);
// What C10_CUDA_CHECK says of a cudaError_t; null for cudaSuccess. The caller frees the message.
AOTI_TORCH_EXPORT AOTITorchError torch_c10_cuda_check_msg(int32_t err, const char* filename,
                                                          const char* function_name,
                                                          uint32_t line_number,
                                                          bool include_device_assertions,
                                                          char** error_msg);
AOTI_TORCH_EXPORT void torch_c10_cuda_free_error_msg(char* error_msg);
#endif

// at::parallel_for and its threads. An error of `func` is an error of the call.
typedef void (*ParallelFunc)(int64_t begin, int64_t end, void* ctx);
AOTI_TORCH_EXPORT AOTITorchError torch_parallel_for(int64_t begin, int64_t end, int64_t grain_size,
                                                    ParallelFunc func, void* ctx);
AOTI_TORCH_EXPORT AOTITorchError torch_get_thread_idx(uint32_t* out_thread_idx);
AOTI_TORCH_EXPORT AOTITorchError torch_get_num_threads(uint32_t* out_num_threads);

AOTI_TORCH_EXPORT AOTITorchError torch_get_mutable_data_ptr(AtenTensorHandle tensor,
                                                            void** ret_data_ptr);
AOTI_TORCH_EXPORT AOTITorchError torch_get_const_data_ptr(AtenTensorHandle tensor,
                                                          const void** ret_data_ptr);
AOTI_TORCH_EXPORT AOTITorchError torch_set_requires_grad(AtenTensorHandle tensor,
                                                         bool requires_grad);

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_11_0
AOTI_TORCH_EXPORT int32_t torch_dtype_float8_e8m0fnu();
AOTI_TORCH_EXPORT int32_t torch_dtype_float4_e2m1fn_x2();

// aoti_torch_create_tensor_from_blob_v2; deleter(data, deleter_ctx) runs when the last tensor over
// the memory is gone.
AOTI_TORCH_EXPORT AOTITorchError torch_from_blob(
    void* data, int64_t ndim, const int64_t* sizes_ptr, const int64_t* strides_ptr,
    int64_t storage_offset, int32_t dtype, int32_t device_type, int32_t device_index,
    AtenTensorHandle* ret, int32_t layout, const uint8_t* opaque_metadata,
    int64_t opaque_metadata_size, void (*deleter)(void* data, void* ctx), void* deleter_ctx);
#endif

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0
// What the accelerator's own library knows the stream as, such as a cudaStream_t; borrowed.
AOTI_TORCH_EXPORT AOTITorchError torch_stream_native_handle(StreamHandle stream,
                                                            void** ret_native_handle);

AOTI_TORCH_EXPORT AOTITorchError torch_new_generator_handle(AtenGeneratorHandle self,
                                                            AtenGeneratorHandle* ret_new_generator);
AOTI_TORCH_EXPORT AOTITorchError torch_delete_generator(AtenGeneratorHandle generator);
AOTI_TORCH_EXPORT AOTITorchError torch_generator_get_device(AtenGeneratorHandle generator,
                                                            int32_t* ret_device_type,
                                                            int32_t* ret_device_index);
#endif

}  // extern "C"
