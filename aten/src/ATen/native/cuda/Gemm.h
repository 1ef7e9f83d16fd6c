#pragma once

// Products of matrices by our own kernels, or by a library.

#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

// A matrix for each of `batch` problems; strides in elements, any.
template <typename Pointer>
struct GemmOperand {
  Pointer data;
  int64_t batch_stride;
  int64_t row_stride;
  int64_t column_stride;
};

// result = alpha * a @ b + beta * source, for a of m x k, b of k x n. With a beta of 0 `source` is
// not read. The result may be the source itself.
struct GemmProblem {
  int64_t batch, m, n, k;
  GemmOperand<const void*> a, b, source;
  GemmOperand<void*> result;
  double alpha, beta;
};

// Runs on the current stream of the current device. Floating point and complex types; Half and
// BFloat16 are added up in float, on tensor cores from compute capability 8.0 on.
void gemm(c10::ScalarType dtype, const GemmProblem& problem);

// The cublasHandle_t of this thread for the current device, set to its current stream. Throws in a
// build without that library.
void* gemm_library_handle();
// Whether this build has a library for it.
bool has_gemm_library();
// The same by that library, which adds to what the result holds: with a beta other than 0 the
// result must be the source. False if it has nothing for the type or for these strides.
bool gemm_by_library(c10::ScalarType dtype, const GemmProblem& problem);

enum class Activation : uint8_t { RELU, GELU };  // GELU by the hyperbolic tangent

// result = activation(alpha * a @ b + bias), for a bias of n elements one after the other, in one
// pass of the library. `beta` is 1, `source` is not read. False where the library has nothing.
bool gemm_with_bias_by_library(c10::ScalarType dtype, const GemmProblem& problem, const void* bias,
                               Activation activation);

}  // namespace at::native
