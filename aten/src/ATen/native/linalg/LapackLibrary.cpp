// BatchLinearAlgebra.h with the LAPACK of the library of `--blas`.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BatchLinearAlgebra.h>

#if defined(TORCH_BLAS_HAS_LAPACK)

#include <ATen/native/LapackFortran.h>

#include <complex>
#include <cstdint>

namespace at::native::lapack {
namespace {

using fortran::checked;
using fortran::fint;
using fortran::leading;
using fortran::with_workspace;

template <typename T>
struct Fortran;

}  // namespace

extern "C" {
#define TORCH_DECLARE_LAPACK(p, T, R, ungqr, unmqr)                                             \
  void p##potrf_(const char*, const fint*, T*, const fint*, fint*);                             \
  void p##potri_(const char*, const fint*, T*, const fint*, fint*);                             \
  void p##getrf_(const fint*, const fint*, T*, const fint*, fint*, fint*);                      \
  void p##getrs_(const char*, const fint*, const fint*, const T*, const fint*, const fint*, T*, \
                 const fint*, fint*);                                                           \
  void p##getri_(const fint*, T*, const fint*, const fint*, T*, const fint*, fint*);            \
  void p##trtrs_(const char*, const char*, const char*, const fint*, const fint*, const T*,     \
                 const fint*, T*, const fint*, fint*);                                          \
  void p##geqrf_(const fint*, const fint*, T*, const fint*, T*, T*, const fint*, fint*);        \
  void ungqr(const fint*, const fint*, const fint*, T*, const fint*, const T*, T*, const fint*, \
             fint*);                                                                            \
  void unmqr(const char*, const char*, const fint*, const fint*, const fint*, const T*,         \
             const fint*, const T*, T*, const fint*, T*, const fint*, fint*);                   \
  void p##sytrf_(const char*, const fint*, T*, const fint*, fint*, T*, const fint*, fint*);     \
  void p##sytrs_(const char*, const fint*, const fint*, const T*, const fint*, const fint*, T*, \
                 const fint*, fint*);
#define TORCH_DECLARE_LAPACK_REAL(p, T)                                                           \
  TORCH_DECLARE_LAPACK(p, T, T, p##orgqr_, p##ormqr_)                                             \
  void p##syevd_(const char*, const char*, const fint*, T*, const fint*, T*, T*, const fint*,     \
                 fint*, const fint*, fint*);                                                      \
  void p##geev_(const char*, const char*, const fint*, T*, const fint*, T*, T*, T*, const fint*,  \
                T*, const fint*, T*, const fint*, fint*);                                         \
  void p##gesdd_(const char*, const fint*, const fint*, T*, const fint*, T*, T*, const fint*, T*, \
                 const fint*, T*, const fint*, fint*, fint*);                                     \
  void p##gelsy_(const fint*, const fint*, const fint*, T*, const fint*, T*, const fint*, fint*,  \
                 const T*, fint*, T*, const fint*, fint*);
#define TORCH_DECLARE_LAPACK_COMPLEX(p, T, R)                                                     \
  TORCH_DECLARE_LAPACK(p, T, R, p##ungqr_, p##unmqr_)                                             \
  void p##hetrf_(const char*, const fint*, T*, const fint*, fint*, T*, const fint*, fint*);       \
  void p##hetrs_(const char*, const fint*, const fint*, const T*, const fint*, const fint*, T*,   \
                 const fint*, fint*);                                                             \
  void p##heevd_(const char*, const char*, const fint*, T*, const fint*, R*, T*, const fint*, R*, \
                 const fint*, fint*, const fint*, fint*);                                         \
  void p##geev_(const char*, const char*, const fint*, T*, const fint*, T*, T*, const fint*, T*,  \
                const fint*, T*, const fint*, R*, fint*);                                         \
  void p##gesdd_(const char*, const fint*, const fint*, T*, const fint*, R*, T*, const fint*, T*, \
                 const fint*, T*, const fint*, R*, fint*, fint*);                                 \
  void p##gelsy_(const fint*, const fint*, const fint*, T*, const fint*, T*, const fint*, fint*,  \
                 const R*, fint*, T*, const fint*, R*, fint*);
TORCH_DECLARE_LAPACK_REAL(s, float)
TORCH_DECLARE_LAPACK_REAL(d, double)
TORCH_DECLARE_LAPACK_COMPLEX(c, c10::complex<float>, float)
TORCH_DECLARE_LAPACK_COMPLEX(z, c10::complex<double>, double)
}  // extern "C"

namespace {

#define TORCH_LAPACK_NAMES(p, T, un, he)                \
  template <>                                           \
  struct Fortran<T> {                                   \
    static constexpr auto potrf = &p##potrf_;           \
    static constexpr auto potri = &p##potri_;           \
    static constexpr auto getrf = &p##getrf_;           \
    static constexpr auto getrs = &p##getrs_;           \
    static constexpr auto getri = &p##getri_;           \
    static constexpr auto trtrs = &p##trtrs_;           \
    static constexpr auto geqrf = &p##geqrf_;           \
    static constexpr auto orgqr = &un##gqr_;            \
    static constexpr auto ormqr = &un##mqr_;            \
    static constexpr fortran::Routines<T> routines = {  \
        {&p##sytrf_, &he##trf_, &p##sytrs_, &he##trs_}, \
        &he##evd_,                                      \
        &p##geev_,                                      \
        &p##gesdd_,                                     \
        &p##gelsy_,                                     \
    };                                                  \
  };
TORCH_LAPACK_NAMES(s, float, sor, ssy)
TORCH_LAPACK_NAMES(d, double, dor, dsy)
TORCH_LAPACK_NAMES(c, c10::complex<float>, cun, che)
TORCH_LAPACK_NAMES(z, c10::complex<double>, zun, zhe)
#undef TORCH_LAPACK_NAMES

}  // namespace

template <typename T>
int64_t potrf(char uplo, int64_t n, T* a, int64_t lda) {
  const fint n_ = checked(n), lda_ = leading(lda);
  fint info = 0;
  Fortran<T>::potrf(&uplo, &n_, a, &lda_, &info);
  return info;
}

template <typename T>
int64_t potri(char uplo, int64_t n, T* a, int64_t lda) {
  const fint n_ = checked(n), lda_ = leading(lda);
  fint info = 0;
  Fortran<T>::potri(&uplo, &n_, a, &lda_, &info);
  const bool lower = (uplo & ~0x20) == 'L';
  for (int64_t j = 0; info == 0 && j < n; ++j) {
    for (int64_t i = lower ? j + 1 : 0; i < (lower ? n : j); ++i) {
      T value = a[j * lda + i];
      if constexpr (c10::is_complex<T>::value) value = {value.real(), -value.imag()};
      a[i * lda + j] = value;
    }
  }
  return info;
}

template <typename T>
int64_t getrf(int64_t m, int64_t n, T* a, int64_t lda, int32_t* pivots) {
  const fint m_ = checked(m), n_ = checked(n), lda_ = leading(lda);
  fint info = 0;
  Fortran<T>::getrf(&m_, &n_, a, &lda_, pivots, &info);
  return info;
}

template <typename T>
int64_t getrs(char trans, int64_t n, int64_t nrhs, const T* a, int64_t lda, const int32_t* pivots,
              T* b, int64_t ldb) {
  const fint n_ = checked(n), nrhs_ = checked(nrhs), lda_ = leading(lda), ldb_ = leading(ldb);
  fint info = 0;
  Fortran<T>::getrs(&trans, &n_, &nrhs_, a, &lda_, pivots, b, &ldb_, &info);
  return info;
}

template <typename T>
int64_t getri(int64_t n, T* a, int64_t lda, const int32_t* pivots) {
  const fint n_ = checked(n), lda_ = leading(lda);
  return with_workspace<T>([&](T* work, fint lwork) {
    fint info = 0;
    Fortran<T>::getri(&n_, a, &lda_, pivots, work, &lwork, &info);
    return info;
  });
}

template <typename T>
int64_t trtrs(char uplo, char trans, char diag, int64_t n, int64_t nrhs, const T* a, int64_t lda,
              T* b, int64_t ldb) {
  const fint n_ = checked(n), nrhs_ = checked(nrhs), lda_ = leading(lda), ldb_ = leading(ldb);
  fint info = 0;
  Fortran<T>::trtrs(&uplo, &trans, &diag, &n_, &nrhs_, a, &lda_, b, &ldb_, &info);
  return info;
}

template <typename T>
int64_t geqrf(int64_t m, int64_t n, T* a, int64_t lda, T* tau) {
  const fint m_ = checked(m), n_ = checked(n), lda_ = leading(lda);
  return with_workspace<T>([&](T* work, fint lwork) {
    fint info = 0;
    Fortran<T>::geqrf(&m_, &n_, a, &lda_, tau, work, &lwork, &info);
    return info;
  });
}

template <typename T>
int64_t orgqr(int64_t m, int64_t n, int64_t k, T* a, int64_t lda, const T* tau) {
  const fint m_ = checked(m), n_ = checked(n), k_ = checked(k), lda_ = leading(lda);
  return with_workspace<T>([&](T* work, fint lwork) {
    fint info = 0;
    Fortran<T>::orgqr(&m_, &n_, &k_, a, &lda_, tau, work, &lwork, &info);
    return info;
  });
}

template <typename T>
int64_t ormqr(char trans, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* tau,
              T* c, int64_t ldc) {
  const fint m_ = checked(m), n_ = checked(n), k_ = checked(k), lda_ = leading(lda),
             ldc_ = leading(ldc);
  const char left = 'L';
  // The routines of real numbers know no 'C'.
  const bool plain = (trans & ~0x20) == 'N';
  const char op = plain ? 'N' : c10::is_complex<T>::value ? 'C' : 'T';
  return with_workspace<T>([&](T* work, fint lwork) {
    fint info = 0;
    Fortran<T>::ormqr(&left, &op, &m_, &n_, &k_, a, &lda_, tau, c, &ldc_, work, &lwork, &info);
    return info;
  });
}

bool has_sytrf() { return true; }

template <typename T>
int64_t sytrf(bool hermitian, char uplo, int64_t n, T* a, int64_t lda, int32_t* pivots) {
  return fortran::sytrf(Fortran<T>::routines, hermitian, uplo, n, a, lda, pivots);
}

template <typename T>
int64_t sytrs(bool hermitian, char uplo, int64_t n, int64_t nrhs, const T* a, int64_t lda,
              const int32_t* pivots, T* b, int64_t ldb) {
  return fortran::sytrs(Fortran<T>::routines, hermitian, uplo, n, nrhs, a, lda, pivots, b, ldb);
}

template <typename T>
int64_t syevd(char jobz, char uplo, int64_t n, T* a, int64_t lda, Real<T>* w) {
  return fortran::syevd(Fortran<T>::routines, jobz, uplo, n, a, lda, w);
}

template <typename T>
int64_t geev(char jobvr, int64_t n, T* a, int64_t lda, c10::complex<Real<T>>* w,
             c10::complex<Real<T>>* vr, int64_t ldvr) {
  return fortran::geev(Fortran<T>::routines, jobvr, n, a, lda, w, vr, ldvr);
}

template <typename T>
int64_t gesdd(char jobz, int64_t m, int64_t n, T* a, int64_t lda, Real<T>* s, T* u, int64_t ldu,
              T* vt, int64_t ldvt) {
  return fortran::gesdd(Fortran<T>::routines, jobz, m, n, a, lda, s, u, ldu, vt, ldvt);
}

template <typename T>
int64_t gelsy(int64_t m, int64_t n, int64_t nrhs, T* a, int64_t lda, T* b, int64_t ldb,
              Real<T> rcond) {
  return fortran::gelsy(Fortran<T>::routines, m, n, nrhs, a, lda, b, ldb, rcond);
}

#define TORCH_LAPACK_INSTANTIATE(T)                                                               \
  template TORCH_API int64_t potrf<T>(char, int64_t, T*, int64_t);                                \
  template TORCH_API int64_t potri<T>(char, int64_t, T*, int64_t);                                \
  template TORCH_API int64_t getrf<T>(int64_t, int64_t, T*, int64_t, int32_t*);                   \
  template TORCH_API int64_t getrs<T>(char, int64_t, int64_t, const T*, int64_t, const int32_t*,  \
                                      T*, int64_t);                                               \
  template TORCH_API int64_t getri<T>(int64_t, T*, int64_t, const int32_t*);                      \
  template TORCH_API int64_t trtrs<T>(char, char, char, int64_t, int64_t, const T*, int64_t, T*,  \
                                      int64_t);                                                   \
  template TORCH_API int64_t geqrf<T>(int64_t, int64_t, T*, int64_t, T*);                         \
  template TORCH_API int64_t orgqr<T>(int64_t, int64_t, int64_t, T*, int64_t, const T*);          \
  template TORCH_API int64_t ormqr<T>(char, int64_t, int64_t, int64_t, const T*, int64_t,         \
                                      const T*, T*, int64_t);                                     \
  template TORCH_API int64_t gelsy<T>(int64_t, int64_t, int64_t, T*, int64_t, T*, int64_t,        \
                                      Real<T>);                                                   \
  template TORCH_API int64_t sytrf<T>(bool, char, int64_t, T*, int64_t, int32_t*);                \
  template TORCH_API int64_t sytrs<T>(bool, char, int64_t, int64_t, const T*, int64_t,            \
                                      const int32_t*, T*, int64_t);                               \
  template TORCH_API int64_t syevd<T>(char, char, int64_t, T*, int64_t, Real<T>*);                \
  template TORCH_API int64_t geev<T>(char, int64_t, T*, int64_t, c10::complex<Real<T>>*,          \
                                     c10::complex<Real<T>>*, int64_t);                            \
  template TORCH_API int64_t gesdd<T>(char, int64_t, int64_t, T*, int64_t, Real<T>*, T*, int64_t, \
                                      T*, int64_t);
TORCH_LAPACK_INSTANTIATE(float)
TORCH_LAPACK_INSTANTIATE(double)
TORCH_LAPACK_INSTANTIATE(c10::complex<float>)
TORCH_LAPACK_INSTANTIATE(c10::complex<double>)
#undef TORCH_LAPACK_INSTANTIATE

}  // namespace at::native::lapack

#endif
