#pragma once

// Calls of a LAPACK library through its Fortran interface, which is the same in all of them, so
// that none needs a header. BatchLinearAlgebra.h says what the functions compute.

#include <ATen/native/BatchLinearAlgebra.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace at::native::lapack::fortran {

using fint = int32_t;

inline fint checked(int64_t n) { return static_cast<fint>(n); }
inline fint leading(int64_t ld) { return static_cast<fint>(std::max<int64_t>(ld, 1)); }

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

// `?sytrf`, `?hetrf`, `?sytrs` and `?hetrs`; a real matrix is Hermitian where it is symmetric.
template <typename T>
struct SymmetricRoutines {
  using Factor = void(const char*, const fint*, T*, const fint*, fint*, T*, const fint*, fint*);
  using Solve = void(const char*, const fint*, const fint*, const T*, const fint*, const fint*, T*,
                     const fint*, fint*);
  Factor* sytrf;
  Factor* hetrf;
  Solve* sytrs;
  Solve* hetrs;
};

// The routines of one library for eigenvalues, singular values, ranks and symmetric matrices:
// `?syevd` or `?heevd`, `?geev`, `?gesdd`, `?gelsy`, and those above.
template <typename T, bool = std::is_floating_point_v<T>>
struct Routines : SymmetricRoutines<T> {
  void (*syevd)(const char*, const char*, const fint*, T*, const fint*, T*, T*, const fint*, fint*,
                const fint*, fint*);
  void (*geev)(const char*, const char*, const fint*, T*, const fint*, T*, T*, T*, const fint*, T*,
               const fint*, T*, const fint*, fint*);
  void (*gesdd)(const char*, const fint*, const fint*, T*, const fint*, T*, T*, const fint*, T*,
                const fint*, T*, const fint*, fint*, fint*);
  void (*gelsy)(const fint*, const fint*, const fint*, T*, const fint*, T*, const fint*, fint*,
                const T*, fint*, T*, const fint*, fint*);
};

template <typename T>
struct Routines<T, false> : SymmetricRoutines<T> {
  using R = Real<T>;
  void (*syevd)(const char*, const char*, const fint*, T*, const fint*, R*, T*, const fint*, R*,
                const fint*, fint*, const fint*, fint*);
  void (*geev)(const char*, const char*, const fint*, T*, const fint*, T*, T*, const fint*, T*,
               const fint*, T*, const fint*, R*, fint*);
  void (*gesdd)(const char*, const fint*, const fint*, T*, const fint*, R*, T*, const fint*, T*,
                const fint*, T*, const fint*, R*, fint*, fint*);
  void (*gelsy)(const fint*, const fint*, const fint*, T*, const fint*, T*, const fint*, fint*,
                const R*, fint*, T*, const fint*, R*, fint*);
};

template <typename T>
int64_t sytrf(const Routines<T>& routines, bool hermitian, char uplo, int64_t n, T* a, int64_t lda,
              int32_t* pivots) {
  const fint n_ = checked(n), lda_ = leading(lda);
  return with_workspace<T>([&](T* work, fint lwork) {
    fint info = 0;
    (hermitian ? routines.hetrf : routines.sytrf)(&uplo, &n_, a, &lda_, pivots, work, &lwork,
                                                  &info);
    return info;
  });
}

template <typename T>
int64_t sytrs(const Routines<T>& routines, bool hermitian, char uplo, int64_t n, int64_t nrhs,
              const T* a, int64_t lda, const int32_t* pivots, T* b, int64_t ldb) {
  const fint n_ = checked(n), nrhs_ = checked(nrhs), lda_ = leading(lda), ldb_ = leading(ldb);
  fint info = 0;
  (hermitian ? routines.hetrs : routines.sytrs)(&uplo, &n_, &nrhs_, a, &lda_, pivots, b, &ldb_,
                                                &info);
  return info;
}

template <typename T>
int64_t syevd(const Routines<T>& routines, char jobz, char uplo, int64_t n, T* a, int64_t lda,
              Real<T>* w) {
  const fint n_ = checked(n), lda_ = leading(lda);
  fint info = 0;
  fint iwork_size = 0;
  const fint ask = -1;
  T work_size(0);
  if constexpr (std::is_floating_point_v<T>) {
    routines.syevd(&jobz, &uplo, &n_, a, &lda_, w, &work_size, &ask, &iwork_size, &ask, &info);
    if (info != 0) return info;
    std::vector<T> work(static_cast<size_t>(workspace_size(work_size)));
    std::vector<fint> iwork(static_cast<size_t>(std::max(iwork_size, 1)));
    const fint lwork = checked(static_cast<int64_t>(work.size()));
    const fint liwork = checked(static_cast<int64_t>(iwork.size()));
    routines.syevd(&jobz, &uplo, &n_, a, &lda_, w, work.data(), &lwork, iwork.data(), &liwork,
                   &info);
  } else {
    Real<T> rwork_size(0);
    routines.syevd(&jobz, &uplo, &n_, a, &lda_, w, &work_size, &ask, &rwork_size, &ask, &iwork_size,
                   &ask, &info);
    if (info != 0) return info;
    std::vector<T> work(static_cast<size_t>(workspace_size(work_size)));
    std::vector<Real<T>> rwork(static_cast<size_t>(workspace_size(rwork_size)));
    std::vector<fint> iwork(static_cast<size_t>(std::max(iwork_size, 1)));
    const fint lwork = checked(static_cast<int64_t>(work.size()));
    const fint lrwork = checked(static_cast<int64_t>(rwork.size()));
    const fint liwork = checked(static_cast<int64_t>(iwork.size()));
    routines.syevd(&jobz, &uplo, &n_, a, &lda_, w, work.data(), &lwork, rwork.data(), &lrwork,
                   iwork.data(), &liwork, &info);
  }
  return info;
}

template <typename T>
int64_t geev(const Routines<T>& routines, char jobvr, int64_t n, T* a, int64_t lda,
             c10::complex<Real<T>>* w, c10::complex<Real<T>>* vr, int64_t ldvr) {
  const fint n_ = checked(n), lda_ = leading(lda);
  const fint one = 1;
  const char no = 'N';
  if constexpr (std::is_floating_point_v<T>) {
    const bool vectors = (jobvr & ~0x20) == 'V';
    std::vector<T> real(static_cast<size_t>(n)), imag(static_cast<size_t>(n));
    std::vector<T> pairs(vectors ? static_cast<size_t>(n * n) : 1);
    const fint ld = vectors ? leading(n) : 1;
    const int64_t info = with_workspace<T>([&](T* work, fint lwork) {
      fint result = 0;
      routines.geev(&no, &jobvr, &n_, a, &lda_, real.data(), imag.data(), nullptr, &one,
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
      routines.geev(&no, &jobvr, &n_, a, &lda_, w, nullptr, &one, vr, &ldvr_, work, &lwork,
                    rwork.data(), &info);
      return info;
    });
  }
}

template <typename T>
int64_t gesdd(const Routines<T>& routines, char jobz, int64_t m, int64_t n, T* a, int64_t lda,
              Real<T>* s, T* u, int64_t ldu, T* vt, int64_t ldvt) {
  const fint m_ = checked(m), n_ = checked(n), lda_ = leading(lda), ldu_ = leading(ldu),
             ldvt_ = leading(ldvt);
  const int64_t small = std::min(m, n);
  const int64_t large = std::max(m, n);
  std::vector<fint> iwork(static_cast<size_t>(std::max<int64_t>(8 * small, 1)));
  std::vector<Real<T>> rwork;
  if constexpr (!std::is_floating_point_v<T>) {
    // The size that LAPACK documents for zgesdd.
    const int64_t size = (jobz & ~0x20) == 'N'
                             ? 7 * small
                             : std::max(5 * small * small + 5 * small,
                                        2 * large * small + 2 * small * small + small);
    rwork.resize(static_cast<size_t>(std::max<int64_t>(size, 1)));
  }
  return with_workspace<T>([&](T* work, fint lwork) {
    fint info = 0;
    if constexpr (std::is_floating_point_v<T>) {
      routines.gesdd(&jobz, &m_, &n_, a, &lda_, s, u, &ldu_, vt, &ldvt_, work, &lwork, iwork.data(),
                     &info);
    } else {
      routines.gesdd(&jobz, &m_, &n_, a, &lda_, s, u, &ldu_, vt, &ldvt_, work, &lwork, rwork.data(),
                     iwork.data(), &info);
    }
    return info;
  });
}

// The rank that it found.
template <typename T>
int64_t gelsy(const Routines<T>& routines, int64_t m, int64_t n, int64_t nrhs, T* a, int64_t lda,
              T* b, int64_t ldb, Real<T> rcond) {
  const fint m_ = checked(m), n_ = checked(n), nrhs_ = checked(nrhs), lda_ = leading(lda),
             ldb_ = leading(ldb);
  // Zeros let it move any column.
  std::vector<fint> pivots(static_cast<size_t>(n), 0);
  std::vector<Real<T>> rwork;
  if constexpr (!std::is_floating_point_v<T>) rwork.resize(static_cast<size_t>(2 * n));
  fint rank = 0;
  with_workspace<T>([&](T* work, fint lwork) {
    fint info = 0;
    if constexpr (std::is_floating_point_v<T>) {
      routines.gelsy(&m_, &n_, &nrhs_, a, &lda_, b, &ldb_, pivots.data(), &rcond, &rank, work,
                     &lwork, &info);
    } else {
      routines.gelsy(&m_, &n_, &nrhs_, a, &lda_, b, &ldb_, pivots.data(), &rcond, &rank, work,
                     &lwork, rwork.data(), &info);
    }
    return info;
  });
  return rank;
}

}  // namespace at::native::lapack::fortran
