#pragma once

// Products by a matrix of which at most two of four neighbours in a row are not zero (2:4 sparsity;
// of float32 one of two), by cuSPARSELt in builds with --cusparselt. Each function but
// `sparse_gemm_library_version` throws in other builds, and for a type or a shape that the library
// lacks.

#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>

#include <cstdint>

namespace at::native {

// Such as 801 for cuSPARSELt 0.8.1; 0 in a build without it.
TORCH_CUDA_CPP_API int64_t sparse_gemm_library_version();

// How many bytes the compressed form of a matrix takes.
int64_t sparse_compressed_bytes(c10::ScalarType dtype, int64_t rows, int64_t columns);

// Compresses a matrix whose rows lie one after the other. The library does not look whether the
// matrix has the pattern, and drops values of one that has not.
void sparse_compress(c10::ScalarType dtype, int64_t rows, int64_t columns, const void* dense,
                     void* compressed);

// result = alpha * a @ b + bias, where a is compressed and was m x k, and b is k x n.
struct SparseGemmProblem {
  c10::ScalarType dtype;         // of a and b
  c10::ScalarType result_dtype;  // of the result and the bias
  int64_t m, n, k;
  const void* a;
  const void* b;
  bool b_by_rows;  // or by columns; dense in both cases
  void* result;
  bool result_by_rows;
  const void* bias;           // m elements, or null
  const float* alpha_of_row;  // m elements on the GPU, or null: `alpha` counts
  float alpha;
  int64_t algorithm;
  int64_t split_k;
  int64_t split_k_mode;  // the library's number, or -1 for its choice
};

// Runs on the current stream of the current device.
void sparse_gemm(const SparseGemmProblem& problem);

// The number of the fastest algorithm: runs the product by each of them, and overwrites the result.
int64_t sparse_gemm_search(const SparseGemmProblem& problem);

}  // namespace at::native
