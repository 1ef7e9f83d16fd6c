#pragma once

// What the sources that implement BatchLinearAlgebra.h with Eigen share.

#include <ATen/native/BatchLinearAlgebra.h>

// GCC's vector intrinsics start from values that are undefined on purpose.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>

#include <complex>
#include <cstdint>
#include <type_traits>

namespace at::native::lapack {

// Eigen's element type for ours; complex numbers of both have the same layout.
template <typename T>
struct EigenElement {
  using type = T;
};
template <typename T>
struct EigenElement<c10::complex<T>> {
  using type = std::complex<T>;
};
template <typename T>
using Element = typename EigenElement<T>::type;

template <typename T>
using Matrix = Eigen::Matrix<Element<T>, Eigen::Dynamic, Eigen::Dynamic>;
template <typename T>
using Vector = Eigen::Matrix<Element<T>, Eigen::Dynamic, 1>;
// What eigenvalues and singular values are computed in: Eigen's solvers are minutes of compilation
// for each type.
template <typename T>
using Wide = std::conditional_t<std::is_floating_point_v<T>, double, c10::complex<double>>;

template <typename T>
using MatrixMap = Eigen::Map<Matrix<T>, 0, Eigen::OuterStride<>>;
template <typename T>
using ConstMatrixMap = Eigen::Map<const Matrix<T>, 0, Eigen::OuterStride<>>;

template <typename T>
Element<T>* element_ptr(T* p) {
  return reinterpret_cast<Element<T>*>(p);
}
template <typename T>
const Element<T>* element_ptr(const T* p) {
  return reinterpret_cast<const Element<T>*>(p);
}

template <typename T>
MatrixMap<T> map(T* p, int64_t rows, int64_t columns, int64_t ld) {
  return MatrixMap<T>(element_ptr(p), rows, columns, Eigen::OuterStride<>(ld));
}
template <typename T>
ConstMatrixMap<T> map(const T* p, int64_t rows, int64_t columns, int64_t ld) {
  return ConstMatrixMap<T>(element_ptr(p), rows, columns, Eigen::OuterStride<>(ld));
}

inline bool is(char letter, char wanted) { return (letter & ~0x20) == wanted; }

}  // namespace at::native::lapack
