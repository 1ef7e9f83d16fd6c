#pragma once

// Marks what a shared library exports. Everything is compiled with hidden visibility, so a symbol
// leaves its library only when one of these is on its declaration. Each layer has its own name,
// so that Windows can import the layers below and export the layer being built.

#if defined(_WIN32)
#define C10_EXPORT __declspec(dllexport)
#define C10_IMPORT __declspec(dllimport)
#define C10_HIDDEN
#else
#define C10_EXPORT __attribute__((__visibility__("default")))
#define C10_IMPORT C10_EXPORT
#define C10_HIDDEN __attribute__((__visibility__("hidden")))
#endif

/// libc10
#if defined(C10_BUILD_MAIN_LIB)
#define C10_API C10_EXPORT
#else
#define C10_API C10_IMPORT
#endif

/// libtorch_cpu
#if defined(CAFFE2_BUILD_MAIN_LIB)
#define TORCH_API C10_EXPORT
#else
#define TORCH_API C10_IMPORT
#endif

/// libtorch_python
#if defined(THP_BUILD_MAIN_LIB)
#define TORCH_PYTHON_API C10_EXPORT
#else
#define TORCH_PYTHON_API C10_IMPORT
#endif

/// libtorch_cuda: host code (CPP) and sources compiled by the device compiler (CU)
#if defined(TORCH_CUDA_BUILD_MAIN_LIB)
#define TORCH_CUDA_CPP_API C10_EXPORT
#define TORCH_CUDA_CU_API C10_EXPORT
#else
#define TORCH_CUDA_CPP_API C10_IMPORT
#define TORCH_CUDA_CU_API C10_IMPORT
#endif

/// libc10_cuda
#if defined(C10_CUDA_BUILD_MAIN_LIB)
#define C10_CUDA_API C10_EXPORT
#else
#define C10_CUDA_API C10_IMPORT
#endif

/// An enumeration whose type information crosses libraries; only non-Windows compilers need it.
#if defined(_WIN32)
#define C10_API_ENUM
#else
#define C10_API_ENUM C10_API
#endif
