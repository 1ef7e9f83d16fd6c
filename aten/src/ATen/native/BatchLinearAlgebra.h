#pragma once

// LAPACK's routines for one matrix on plain pointers, under one name for all element types.
//
// The library that the build option `blas` chose answers where it has LAPACK (OpenBLAS, MKL).
// Otherwise the library of the option `lapack` finds eigenvalues, singular values and ranks, and
// factors symmetric matrices; Eigen and blocks of our own do the rest.
//
// Matrices are stored by columns; `ld*` is the distance between columns. Results have the layout of
// LAPACK's: packed factors, Householder vectors below the diagonal, pivots counted from 1. Each
// function returns LAPACK's `info`: 0, or the place (from 1) where the matrix was found not
// positive definite or singular, or the number of values that did not converge.
//
// T is float, double, c10::complex<float> or c10::complex<double>; Real<T> is the type of its
// parts. Workspaces are the functions' own. They are thread safe and run on the calling thread,
// except for what the library itself runs in parallel.

#include <c10/macros/Export.h>
#include <c10/util/complex_type.h>

#include <cstdint>

namespace at::native::lapack {

template <typename T>
using Real = typename c10::scalar_value_type<T>::type;

// Cholesky factor in place: `uplo` 'L' or 'U' names the triangle that is read and written.
template <typename T>
TORCH_API int64_t potrf(char uplo, int64_t n, T* a, int64_t lda);

// Whether a library answers for sytrf and sytrs: Eigen has no such factorization.
TORCH_API bool has_sytrf();

// The factors of a symmetric matrix, L D L^T or U D U^T, and with `hermitian` of a Hermitian one,
// L D L^H or U D U^H, in place of the triangle that `uplo` names. D has blocks of one and two rows;
// those of two have two negative pivots. Call it where has_sytrf().
template <typename T>
TORCH_API int64_t sytrf(bool hermitian, char uplo, int64_t n, T* a, int64_t lda, int32_t* pivots);

// Solves A x = b from sytrf, in place in b.
template <typename T>
TORCH_API int64_t sytrs(bool hermitian, char uplo, int64_t n, int64_t nrhs, const T* a, int64_t lda,
                        const int32_t* pivots, T* b, int64_t ldb);

// The inverse, both of its triangles, from potrf's factor, in place.
template <typename T>
TORCH_API int64_t potri(char uplo, int64_t n, T* a, int64_t lda);

// P L U of an m x n matrix in place; min(m, n) pivots.
template <typename T>
TORCH_API int64_t getrf(int64_t m, int64_t n, T* a, int64_t lda, int32_t* pivots);

// Solves op(A) x = b from getrf, in place in b; `trans` is 'N', 'T' or 'C' (conjugate transpose).
template <typename T>
TORCH_API int64_t getrs(char trans, int64_t n, int64_t nrhs, const T* a, int64_t lda,
                        const int32_t* pivots, T* b, int64_t ldb);

// The inverse from getrf, in place.
template <typename T>
TORCH_API int64_t getri(int64_t n, T* a, int64_t lda, const int32_t* pivots);

// Solves op(A) x = b for a triangle of A, in place in b; `diag` 'U' takes ones for the diagonal.
template <typename T>
TORCH_API int64_t trtrs(char uplo, char trans, char diag, int64_t n, int64_t nrhs, const T* a,
                        int64_t lda, T* b, int64_t ldb);

// Q R of an m x n matrix in place: R above, Householder vectors below, min(m, n) factors in tau.
template <typename T>
TORCH_API int64_t geqrf(int64_t m, int64_t n, T* a, int64_t lda, T* tau);

// The first n <= m columns of Q from k <= n Householder vectors, in place.
template <typename T>
TORCH_API int64_t orgqr(int64_t m, int64_t n, int64_t k, T* a, int64_t lda, const T* tau);

// op(Q) c in place of the m x n matrix c, for Q from k <= m Householder vectors; `trans` is 'N' or
// 'C' (conjugate transpose).
template <typename T>
TORCH_API int64_t ormqr(char trans, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda,
                        const T* tau, T* c, int64_t ldc);

// Eigenvalues, ascending, of a Hermitian matrix, and with `jobz` 'V' eigenvectors in place of it.
template <typename T>
TORCH_API int64_t syevd(char jobz, char uplo, int64_t n, T* a, int64_t lda, Real<T>* w);

// Eigenvalues of a general matrix, and with `jobvr` 'V' right eigenvectors of norm 1. Destroys a.
template <typename T>
TORCH_API int64_t geev(char jobvr, int64_t n, T* a, int64_t lda, c10::complex<Real<T>>* w,
                       c10::complex<Real<T>>* vr, int64_t ldvr);

// Singular values, descending; `jobz` 'A' all vectors, 'S' the first min(m, n), 'N' none (then u
// and vt may be null). vt holds conjugate transposed vectors. Destroys a.
template <typename T>
TORCH_API int64_t gesdd(char jobz, int64_t m, int64_t n, T* a, int64_t lda, Real<T>* s, T* u,
                        int64_t ldu, T* vt, int64_t ldvt);

// The shortest least squares solution of A x = b for an m x n matrix, in the first n rows of b,
// which has max(m, n). Returns not `info` but the rank: that of the largest leading part of R, with
// columns in order of length, whose condition is below 1 / rcond. Returns -1 and does nothing where
// there is no library: Eigen estimates no condition of a part. Destroys a.
template <typename T>
TORCH_API int64_t gelsy(int64_t m, int64_t n, int64_t nrhs, T* a, int64_t lda, T* b, int64_t ldb,
                        Real<T> rcond);

}  // namespace at::native::lapack
