#pragma once

// CUDA's functions of float and double under one name, for kernels that are templates:
// c10::cuda::compat::tanh(x). Without nvcc the names are the host's.

#include <c10/macros/Macros.h>

#include <cmath>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define C10_CUDA_COMPAT __host__ __device__ inline
#else
#define C10_CUDA_COMPAT inline
#endif

#define C10_CUDA_COMPAT_OF_ONE(name)                           \
  C10_CUDA_COMPAT float name(float x) { return ::name##f(x); } \
  C10_CUDA_COMPAT double name(double x) { return ::name(x); }
#define C10_CUDA_COMPAT_OF_TWO(name, of_float, of_double)                   \
  C10_CUDA_COMPAT float name(float x, float y) { return ::of_float(x, y); } \
  C10_CUDA_COMPAT double name(double x, double y) { return ::of_double(x, y); }

namespace c10::cuda::compat {

C10_CUDA_COMPAT float abs(float x) { return ::fabsf(x); }
C10_CUDA_COMPAT double abs(double x) { return ::fabs(x); }
C10_CUDA_COMPAT_OF_ONE(ceil)
C10_CUDA_COMPAT_OF_ONE(exp)
C10_CUDA_COMPAT_OF_ONE(floor)
C10_CUDA_COMPAT_OF_ONE(log)
C10_CUDA_COMPAT_OF_ONE(log1p)
C10_CUDA_COMPAT_OF_ONE(sqrt)
C10_CUDA_COMPAT_OF_ONE(tan)
C10_CUDA_COMPAT_OF_ONE(tanh)
C10_CUDA_COMPAT_OF_TWO(copysign, copysignf, copysign)
C10_CUDA_COMPAT_OF_TWO(max, fmaxf, fmax)
C10_CUDA_COMPAT_OF_TWO(min, fminf, fmin)
C10_CUDA_COMPAT_OF_TWO(pow, powf, pow)
C10_CUDA_COMPAT void sincos(float x, float* sine, float* cosine) { ::sincosf(x, sine, cosine); }
C10_CUDA_COMPAT void sincos(double x, double* sine, double* cosine) { ::sincos(x, sine, cosine); }

#if defined(__CUDACC__) || defined(__HIPCC__)
C10_CUDA_COMPAT_OF_ONE(normcdf)
C10_CUDA_COMPAT_OF_ONE(rsqrt)
#endif

}  // namespace c10::cuda::compat

#undef C10_CUDA_COMPAT_OF_TWO
#undef C10_CUDA_COMPAT_OF_ONE
#undef C10_CUDA_COMPAT
