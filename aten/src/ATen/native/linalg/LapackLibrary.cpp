// BatchLinearAlgebra.h with the LAPACK of the chosen BLAS library, through its Fortran interface:
// all libraries have the same, and none needs a header.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/BatchLinearAlgebra.h>

#if defined(TORCH_BLAS_HAS_LAPACK)

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace at::native::lapack {
namespace {

using fint = int32_t;

fint checked(int64_t n) { return static_cast<fint>(n); }
fint leading(int64_t ld) { return static_cast<fint>(std::max<int64_t>(ld, 1)); }

// A routine answers with the size of its workspace in its first element.
template <typename T>
int64_t workspace_size(const T& answer) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(answer)));
  } else {
    return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(answer.real())));
  }
}

// Calls `routine(work, lwork)` twice: for the size, and to do it.
template <typename T, typename F>
int64_t with_workspace(const F& routine) {
  T size(0);
  fint info = routine(&size, -1);
  if (info != 0) return info;
  std::vector<T> work(static_cast<size_t>(workspace_size(size)));
  return routine(work.data(), static_cast<fint>(work.size()));
}

template <typename T>
struct Fortran;

}  // namespace

extern "C" {
#define TORCH_DECLARE_LAPACK(p, T, R, ungqr)                                                    \
  void p##potrf_(const char*, const fint*, T*, const fint*, fint*);                             \
  void p##getrf_(const fint*, const fint*, T*, const fint*, fint*, fint*);                      \
  void p##getrs_(const char*, const fint*, const fint*, const T*, const fint*, const fint*, T*, \
                 const fint*, fint*);                                                           \
  void p##getri_(const fint*, T*, const fint*, const fint*, T*, const fint*, fint*);            \
  void p##trtrs_(const char*, const char*, const char*, const fint*, const fint*, const T*,     \
                 const fint*, T*, const fint*, fint*);                                          \
  void p##geqrf_(const fint*, const fint*, T*, const fint*, T*, T*, const fint*, fint*);        \
  void ungqr(const fint*, const fint*, const fint*, T*, const fint*, const T*, T*, const fint*, \
             fint*);
#define TORCH_DECLARE_LAPACK_REAL(p, T)                                                           \
  TORCH_DECLARE_LAPACK(p, T, T, p##orgqr_)                                                        \
  void p##syevd_(const char*, const char*, const fint*, T*, const fint*, T*, T*, const fint*,     \
                 fint*, const fint*, fint*);                                                      \
  void p##geev_(const char*, const char*, const fint*, T*, const fint*, T*, T*, T*, const fint*,  \
                T*, const fint*, T*, const fint*, fint*);                                         \
  void p##gesdd_(const char*, const fint*, const fint*, T*, const fint*, T*, T*, const fint*, T*, \
                 const fint*, T*, const fint*, fint*, fint*);
#define TORCH_DECLARE_LAPACK_COMPLEX(p, T, R)                                                     \
  TORCH_DECLARE_LAPACK(p, T, R, p##ungqr_)                                                        \
  void p##heevd_(const char*, const char*, const fint*, T*, const fint*, R*, T*, const fint*, R*, \
                 const fint*, fint*, const fint*, fint*);                                         \
  void p##geev_(const char*, const char*, const fint*, T*, const fint*, T*, T*, const fint*, T*,  \
                const fint*, T*, const fint*, R*, fint*);                                         \
  void p##gesdd_(const char*, const fint*, const fint*, T*, const fint*, R*, T*, const fint*, T*, \
                 const fint*, T*, const fint*, R*, fint*, fint*);
TORCH_DECLARE_LAPACK_REAL(s, float)
TORCH_DECLARE_LAPACK_REAL(d, double)
TORCH_DECLARE_LAPACK_COMPLEX(c, c10::complex<float>, float)
TORCH_DECLARE_LAPACK_COMPLEX(z, c10::complex<double>, double)
}  // extern "C"

namespace {

#define TORCH_LAPACK_NAMES(p, T, ungqr_name, syevd_name) \
  template <>                                            \
  struct Fortran<T> {                                    \
    static constexpr auto potrf = &p##potrf_;            \
    static constexpr auto getrf = &p##getrf_;            \
    static constexpr auto getrs = &p##getrs_;            \
    static constexpr auto getri = &p##getri_;            \
    static constexpr auto trtrs = &p##trtrs_;            \
    static constexpr auto geqrf = &p##geqrf_;            \
    static constexpr auto orgqr = &ungqr_name;           \
    static constexpr auto syevd = &syevd_name;           \
    static constexpr auto geev = &p##geev_;              \
    static constexpr auto gesdd = &p##gesdd_;            \
  };
TORCH_LAPACK_NAMES(s, float, sorgqr_, ssyevd_)
TORCH_LAPACK_NAMES(d, double, dorgqr_, dsyevd_)
TORCH_LAPACK_NAMES(c, c10::complex<float>, cungqr_, cheevd_)
TORCH_LAPACK_NAMES(z, c10::complex<double>, zungqr_, zheevd_)
#undef TORCH_LAPACK_NAMES

template <typename T>
constexpr bool is_real = std::is_floating_point_v<T>;

}  // namespace

template <typename T>
int64_t potrf(char uplo, int64_t n, T* a, int64_t lda) {
  const fint n_ = checked(n), lda_ = leading(lda);
  fint info = 0;
  Fortran<T>::potrf(&uplo, &n_, a, &lda_, &info);
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
int64_t syevd(char jobz, char uplo, int64_t n, T* a, int64_t lda, Real<T>* w) {
  const fint n_ = checked(n), lda_ = leading(lda);
  fint info = 0;
  fint iwork_size = 0;
  const fint ask = -1;
  T work_size(0);
  if constexpr (is_real<T>) {
    Fortran<T>::syevd(&jobz, &uplo, &n_, a, &lda_, w, &work_size, &ask, &iwork_size, &ask, &info);
    if (info != 0) return info;
    std::vector<T> work(static_cast<size_t>(workspace_size(work_size)));
    std::vector<fint> iwork(static_cast<size_t>(std::max(iwork_size, 1)));
    const fint lwork = checked(static_cast<int64_t>(work.size()));
    const fint liwork = checked(static_cast<int64_t>(iwork.size()));
    Fortran<T>::syevd(&jobz, &uplo, &n_, a, &lda_, w, work.data(), &lwork, iwork.data(), &liwork,
                      &info);
  } else {
    Real<T> rwork_size(0);
    Fortran<T>::syevd(&jobz, &uplo, &n_, a, &lda_, w, &work_size, &ask, &rwork_size, &ask,
                      &iwork_size, &ask, &info);
    if (info != 0) return info;
    std::vector<T> work(static_cast<size_t>(workspace_size(work_size)));
    std::vector<Real<T>> rwork(static_cast<size_t>(workspace_size(rwork_size)));
    std::vector<fint> iwork(static_cast<size_t>(std::max(iwork_size, 1)));
    const fint lwork = checked(static_cast<int64_t>(work.size()));
    const fint lrwork = checked(static_cast<int64_t>(rwork.size()));
    const fint liwork = checked(static_cast<int64_t>(iwork.size()));
    Fortran<T>::syevd(&jobz, &uplo, &n_, a, &lda_, w, work.data(), &lwork, rwork.data(), &lrwork,
                      iwork.data(), &liwork, &info);
  }
  return info;
}

template <typename T>
int64_t geev(char jobvr, int64_t n, T* a, int64_t lda, c10::complex<Real<T>>* w,
             c10::complex<Real<T>>* vr, int64_t ldvr) {
  const fint n_ = checked(n), lda_ = leading(lda);
  const fint one = 1;
  const char no = 'N';
  if constexpr (is_real<T>) {
    const bool vectors = (jobvr & ~0x20) == 'V';
    std::vector<T> real(static_cast<size_t>(n)), imag(static_cast<size_t>(n));
    std::vector<T> pairs(vectors ? static_cast<size_t>(n * n) : 1);
    const fint ld = vectors ? leading(n) : 1;
    const int64_t info = with_workspace<T>([&](T* work, fint lwork) {
      fint result = 0;
      Fortran<T>::geev(&no, &jobvr, &n_, a, &lda_, real.data(), imag.data(), nullptr, &one,
                       pairs.data(), &ld, work, &lwork, &result);
      return result;
    });
    for (int64_t j = 0; j < n; ++j) {
      const auto index = static_cast<size_t>(j);
      w[j] = {real[index], imag[index]};
      if (!vectors) continue;
      // Column j and the next are the parts of a conjugate pair.
      const T* column = pairs.data() + j * n;
      const bool pair = imag[index] > 0 && j + 1 < n;
      for (int64_t i = 0; i < n; ++i) {
        vr[i + j * ldvr] = {column[i], pair ? column[i + n] : T(0)};
        if (pair) vr[i + (j + 1) * ldvr] = {column[i], -column[i + n]};
      }
      if (pair) {
        ++j;
        w[j] = {real[static_cast<size_t>(j)], imag[static_cast<size_t>(j)]};
      }
    }
    return info;
  } else {
    const fint ldvr_ = leading(ldvr);
    std::vector<Real<T>> rwork(static_cast<size_t>(std::max<int64_t>(2 * n, 1)));
    return with_workspace<T>([&](T* work, fint lwork) {
      fint info = 0;
      Fortran<T>::geev(&no, &jobvr, &n_, a, &lda_, w, nullptr, &one, vr, &ldvr_, work, &lwork,
                       rwork.data(), &info);
      return info;
    });
  }
}

template <typename T>
int64_t gesdd(char jobz, int64_t m, int64_t n, T* a, int64_t lda, Real<T>* s, T* u, int64_t ldu,
              T* vt, int64_t ldvt) {
  const fint m_ = checked(m), n_ = checked(n), lda_ = leading(lda), ldu_ = leading(ldu),
             ldvt_ = leading(ldvt);
  const int64_t small = std::min(m, n);
  const int64_t large = std::max(m, n);
  std::vector<fint> iwork(static_cast<size_t>(std::max<int64_t>(8 * small, 1)));
  std::vector<Real<T>> rwork;
  if constexpr (!is_real<T>) {
    // The size that LAPACK documents for zgesdd.
    const int64_t size = (jobz & ~0x20) == 'N'
                             ? 7 * small
                             : std::max(5 * small * small + 5 * small,
                                        2 * large * small + 2 * small * small + small);
    rwork.resize(static_cast<size_t>(std::max<int64_t>(size, 1)));
  }
  return with_workspace<T>([&](T* work, fint lwork) {
    fint info = 0;
    if constexpr (is_real<T>) {
      Fortran<T>::gesdd(&jobz, &m_, &n_, a, &lda_, s, u, &ldu_, vt, &ldvt_, work, &lwork,
                        iwork.data(), &info);
    } else {
      Fortran<T>::gesdd(&jobz, &m_, &n_, a, &lda_, s, u, &ldu_, vt, &ldvt_, work, &lwork,
                        rwork.data(), iwork.data(), &info);
    }
    return info;
  });
}

#define TORCH_LAPACK_INSTANTIATE(T)                                                               \
  template TORCH_API int64_t potrf<T>(char, int64_t, T*, int64_t);                                \
  template TORCH_API int64_t getrf<T>(int64_t, int64_t, T*, int64_t, int32_t*);                   \
  template TORCH_API int64_t getrs<T>(char, int64_t, int64_t, const T*, int64_t, const int32_t*,  \
                                      T*, int64_t);                                               \
  template TORCH_API int64_t getri<T>(int64_t, T*, int64_t, const int32_t*);                      \
  template TORCH_API int64_t trtrs<T>(char, char, char, int64_t, int64_t, const T*, int64_t, T*,  \
                                      int64_t);                                                   \
  template TORCH_API int64_t geqrf<T>(int64_t, int64_t, T*, int64_t, T*);                         \
  template TORCH_API int64_t orgqr<T>(int64_t, int64_t, int64_t, T*, int64_t, const T*);          \
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
