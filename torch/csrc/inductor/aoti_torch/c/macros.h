#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define AOTI_TORCH_EXPORT __declspec(dllexport)
#else
#define AOTI_TORCH_EXPORT __attribute__((__visibility__("default")))
#endif

// What the functions of the C interface return; torch_exception_get_what() has the reason.
using AOTITorchError = int32_t;
#define AOTI_TORCH_SUCCESS 0
#define AOTI_TORCH_FAILURE 1

// Handles: opaque pointers to objects of the library.
struct AtenTensorOpaque;
using AtenTensorHandle = AtenTensorOpaque*;

struct AtenGeneratorOpaque;
using AtenGeneratorHandle = AtenGeneratorOpaque*;
