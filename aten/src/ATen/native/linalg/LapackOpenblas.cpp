// LapackOpenblas.h: finds the library and its routines.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/LapackOpenblas.h>

#if defined(TORCH_LAPACK_OPENBLAS)

#include <ATen/Parallel.h>
#include <c10/util/complex.h>

#include <dlfcn.h>

#include <string>
#include <tuple>
#include <type_traits>

namespace at::native::lapack {
namespace {

// The wheel's names have this prefix, so that they meet no other BLAS of the process.
#define TORCH_OPENBLAS "scipy_"

struct Library {
  std::tuple<fortran::Spectral<float>, fortran::Spectral<double>,
             fortran::Spectral<c10::complex<float>>, fortran::Spectral<c10::complex<double>>>
      spectral{};
  void (*set_num_threads)(int) = nullptr;
  int (*get_num_threads)() = nullptr;
  bool whole = false;
};

// The library, from the folder of this code or from where the loader looks. Its names are not for
// others.
void* open() {
  constexpr int kFlags = RTLD_NOW | RTLD_LOCAL;
  const std::string name = "libscipy_openblas.so";
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&open), &here) != 0 && here.dli_fname != nullptr) {
    const std::string path = here.dli_fname;
    void* beside = dlopen((path.substr(0, path.rfind('/') + 1) + name).c_str(), kFlags);
    if (beside != nullptr) return beside;
  }
  return dlopen(name.c_str(), kFlags);
}

Library load() {
  Library library;
  void* handle = open();
  if (handle == nullptr) return library;
  bool whole = true;
  const auto find = [&](const char* name, auto& function) {
    void* found = dlsym(handle, name);
    whole = whole && found != nullptr;
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
  };
  const auto find_all = [&](const char* syevd, const char* geev, const char* gesdd,
                            auto& spectral) {
    find(syevd, spectral.syevd);
    find(geev, spectral.geev);
    find(gesdd, spectral.gesdd);
  };
#define TORCH_SPECTRAL(p, syevd, T)                                                          \
  find_all(TORCH_OPENBLAS #syevd "_", TORCH_OPENBLAS #p "geev_", TORCH_OPENBLAS #p "gesdd_", \
           std::get<fortran::Spectral<T>>(library.spectral))
  TORCH_SPECTRAL(s, ssyevd, float);
  TORCH_SPECTRAL(d, dsyevd, double);
  TORCH_SPECTRAL(c, cheevd, c10::complex<float>);
  TORCH_SPECTRAL(z, zheevd, c10::complex<double>);
#undef TORCH_SPECTRAL
  find(TORCH_OPENBLAS "openblas_set_num_threads", library.set_num_threads);
  find(TORCH_OPENBLAS "openblas_get_num_threads", library.get_num_threads);
  library.whole = whole;
  return library;
}

const Library& library() {
  static const Library result = load();
  return result;
}

}  // namespace

template <typename T>
const fortran::Spectral<T>* openblas_spectral() {
  const Library& found = library();
  if (!found.whole) return nullptr;
  // A parallel region has a thread for each core already.
  const int threads = at::in_parallel_region() ? 1 : at::get_num_threads();
  if (found.get_num_threads() != threads) found.set_num_threads(threads);
  return &std::get<fortran::Spectral<T>>(found.spectral);
}

#else

namespace at::native::lapack {

template <typename T>
const fortran::Spectral<T>* openblas_spectral() {
  return nullptr;
}

#endif

template const fortran::Spectral<float>* openblas_spectral<float>();
template const fortran::Spectral<double>* openblas_spectral<double>();
template const fortran::Spectral<c10::complex<float>>* openblas_spectral<c10::complex<float>>();
template const fortran::Spectral<c10::complex<double>>* openblas_spectral<c10::complex<double>>();

}  // namespace at::native::lapack
