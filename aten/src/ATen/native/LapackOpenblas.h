#pragma once

// Eigenvalues, singular values, ranks and factors of symmetric matrices by the LAPACK of OpenBLAS's
// wheel, which `--lapack` puts beside torch's own libraries.

#include <ATen/native/LapackFortran.h>
#include <c10/macros/Export.h>

#include <string>

namespace at::native::lapack {

// Where the library lies if not beside libtorch_cpu: Bazel has each library in a folder of its own.
// The Python package says it before anything is decomposed.
TORCH_API void look_in(const std::string& folder);

// The routines of the library, set to the number of threads that the caller may use. It is loaded
// at the first call, so that a program that decomposes nothing starts no threads for it. Null where
// `--lapack` chose Eigen, and where the loader does not find libscipy_openblas.so, as in a program
// that is linked statically: then Eigen answers. T is one of BatchLinearAlgebra.h.
template <typename T>
const fortran::Routines<T>* openblas_routines();

}  // namespace at::native::lapack
