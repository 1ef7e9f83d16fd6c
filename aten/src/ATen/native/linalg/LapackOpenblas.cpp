// LapackOpenblas.h: finds the library and its routines.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/LapackOpenblas.h>

#if defined(TORCH_LAPACK_OPENBLAS)

#include <ATen/Parallel.h>
#include <c10/util/complex_type.h>

#include <dlfcn.h>

#include <string>
#include <tuple>
#include <type_traits>

namespace at::native::lapack {
namespace {

std::string& folder_of_package() {
  static auto& folder = *new std::string;
  return folder;
}

// The wheel's names have this prefix, so that they meet no other BLAS of the process.
#define TORCH_OPENBLAS "scipy_"

struct Library {
  std::tuple<fortran::Routines<float>, fortran::Routines<double>,
             fortran::Routines<c10::complex<float>>, fortran::Routines<c10::complex<double>>>
      routines{};
  void (*set_num_threads)(int) = nullptr;
  int (*get_num_threads)() = nullptr;
  bool whole = false;
};

// The library, from the folder of this code, from the package's, or from where the loader looks.
// Its names are not for others.
void* open() {
  constexpr int kFlags = RTLD_NOW | RTLD_LOCAL;
  const std::string name = "libscipy_openblas.so";
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&open), &here) != 0 && here.dli_fname != nullptr) {
    const std::string path = here.dli_fname;
    void* beside = dlopen((path.substr(0, path.rfind('/') + 1) + name).c_str(), kFlags);
    if (beside != nullptr) return beside;
  }
  if (!folder_of_package().empty()) {
    void* packaged = dlopen((folder_of_package() + "/" + name).c_str(), kFlags);
    if (packaged != nullptr) return packaged;
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
  // `letter` and `hermitian` are the first letters of names: `z`, and `zhe` for zheevd.
  const auto find_all = [&](const std::string& letter, const std::string& hermitian,
                            auto& routines) {
    const auto routine = [&](const std::string& name, auto& function) {
      find((TORCH_OPENBLAS + name + "_").c_str(), function);
    };
    routine(hermitian + "evd", routines.syevd);
    routine(letter + "geev", routines.geev);
    routine(letter + "gesdd", routines.gesdd);
    routine(letter + "gelsy", routines.gelsy);
    routine(letter + "sytrf", routines.sytrf);
    routine(hermitian + "trf", routines.hetrf);
    routine(letter + "sytrs", routines.sytrs);
    routine(hermitian + "trs", routines.hetrs);
  };
  find_all("s", "ssy", std::get<fortran::Routines<float>>(library.routines));
  find_all("d", "dsy", std::get<fortran::Routines<double>>(library.routines));
  find_all("c", "che", std::get<fortran::Routines<c10::complex<float>>>(library.routines));
  find_all("z", "zhe", std::get<fortran::Routines<c10::complex<double>>>(library.routines));
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

void look_in(const std::string& folder) { folder_of_package() = folder; }

template <typename T>
const fortran::Routines<T>* openblas_routines() {
  const Library& found = library();
  if (!found.whole) return nullptr;
  // A parallel region has a thread for each core already.
  const int threads = at::in_parallel_region() ? 1 : at::get_num_threads();
  if (found.get_num_threads() != threads) found.set_num_threads(threads);
  return &std::get<fortran::Routines<T>>(found.routines);
}

#else

namespace at::native::lapack {

void look_in(const std::string& /*folder*/) {}

template <typename T>
const fortran::Routines<T>* openblas_routines() {
  return nullptr;
}

#endif

template const fortran::Routines<float>* openblas_routines<float>();
template const fortran::Routines<double>* openblas_routines<double>();
template const fortran::Routines<c10::complex<float>>* openblas_routines<c10::complex<float>>();
template const fortran::Routines<c10::complex<double>>* openblas_routines<c10::complex<double>>();

}  // namespace at::native::lapack
