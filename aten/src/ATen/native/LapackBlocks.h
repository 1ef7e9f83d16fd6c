#pragma once

// How LapackEigen*.cpp divide large matrices. Eigen is compiled there for any processor, and
// CPUBlas.h has products for each capability of the processor: so most of the work becomes
// products.

#include <ATen/native/CPUBlas.h>
#include <ATen/native/LapackEigen.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native::lapack {

// Matrices up to this size are not divided.
constexpr int64_t kWhole = 64;

inline int64_t first_half(int64_t n) { return (n / 2 + 7) / 8 * 8; }

// The elements of a matrix of Eigen's as ours.
template <typename T>
T* element_of(Matrix<T>& m) {
  return reinterpret_cast<T*>(m.data());
}
template <typename T>
const T* element_of(const Matrix<T>& m) {
  return reinterpret_cast<const T*>(m.data());
}

// c = alpha * a * b + beta * c
template <typename T>
void add_product(double alpha, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* b,
                 int64_t ldb, double beta, T* c, int64_t ldc) {
  constexpr auto plain = cpublas::TransposeType::NoTranspose;
  cpublas::gemm(plain, plain, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc,
                c10::CppTypeToScalarType<T>::value);
}

}  // namespace at::native::lapack
