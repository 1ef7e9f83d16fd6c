#pragma once

// Elementwise kernels from a function of one element:
//
//   gpu_kernel(iter, [=] GPU_LAMBDA(float a, float b) -> float { return a + alpha * b; });
//   gpu_kernel(iter, Unary<scalar_t, Sqrt>{});
//
// The first operand of the iterator is the output, the others are the function's arguments, all of
// the function's own types: the iterator has replaced others by temporaries. A CPU scalar is passed
// by value. Contiguous operands are read and written sixteen bytes at a time.

#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <ATen/native/cuda/OffsetCalculator.cuh>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#define GPU_LAMBDA __host__ __device__

namespace at::native {

// Functions of numbers as they are computed: float for Half and BFloat16. nvcc takes no generic
// lambda, so an `Op` is a class with a templated operator().
template <typename scalar_t, typename Op>
struct Unary {
  using T = opmath_type<scalar_t>;
  Op op;
  C10_HOST_DEVICE scalar_t operator()(scalar_t a) const {
    return static_cast<scalar_t>(op(static_cast<T>(a)));
  }
};
template <typename scalar_t, typename Op>
struct Binary {
  using T = opmath_type<scalar_t>;
  Op op;
  C10_HOST_DEVICE scalar_t operator()(scalar_t a, scalar_t b) const {
    return static_cast<scalar_t>(op(static_cast<T>(a), static_cast<T>(b)));
  }
};
template <typename scalar_t, typename Op>
struct Ternary {
  using T = opmath_type<scalar_t>;
  Op op;
  C10_HOST_DEVICE scalar_t operator()(scalar_t a, scalar_t b, scalar_t c) const {
    return static_cast<scalar_t>(op(static_cast<T>(a), static_cast<T>(b), static_cast<T>(c)));
  }
};

// Such classes for an expression of `a`, or of `a` and `b`, of type `T`.
#define GPU_UNARY_OP(Name, ...)               \
  struct Name {                               \
    template <typename T>                     \
    C10_HOST_DEVICE T operator()(T a) const { \
      return __VA_ARGS__;                     \
    }                                         \
  };
#define GPU_BINARY_OP(Name, ...)                   \
  struct Name {                                    \
    template <typename T>                          \
    C10_HOST_DEVICE T operator()(T a, T b) const { \
      return __VA_ARGS__;                          \
    }                                              \
  };

namespace loops {

constexpr int kThreads = 256;
constexpr int kVectorBytes = 16;
// More elements of a thread would be code, not speed.
constexpr int kMaxVector = 8;

// Result and arguments of a function object.
template <typename F>
struct Traits : Traits<decltype(&F::operator())> {};
template <typename C, typename R, typename... A>
struct Traits<R (C::*)(A...) const> {
  using Result = R;
  using Args = std::tuple<std::decay_t<A>...>;
  static constexpr int kArity = sizeof...(A);
  static constexpr size_t kLargest = std::max({sizeof(R), sizeof(std::decay_t<A>)...});
};

// Where an argument comes from.
struct Input {
  const char* data = nullptr;
  bool immediate = false;
  alignas(16) char value[16] = {};
};

template <int kArity>
struct Operands {
  char* out = nullptr;
  Input in[kArity == 0 ? 1 : kArity];
};

template <int kArity>
Operands<kArity> operands_of(const TensorIteratorBase& iter) {
  Operands<kArity> result;
  result.out = static_cast<char*>(iter.data_ptr(0));
  for (int arg = 0; arg < kArity; ++arg) {
    Input& in = result.in[arg];
    in.data = static_cast<const char*>(iter.data_ptr(arg + 1));
    if (iter.is_cpu_scalar(arg + 1)) {
      in.immediate = true;
      std::memcpy(in.value, in.data, static_cast<size_t>(iter.element_size(arg + 1)));
    }
  }
  return result;
}

template <typename T, int kSize>
struct alignas(sizeof(T) * kSize) Vector {
  T at[kSize];
};

template <typename F, typename Args, size_t... I>
C10_DEVICE auto apply(const F& f, const Args& args, std::index_sequence<I...>) {
  return f(std::get<I>(args)...);
}

// Element `i` of an argument that is dense or immediate.
template <typename T>
C10_DEVICE T load(const Input& in, int64_t i) {
  return in.immediate ? *reinterpret_cast<const T*>(in.value)
                      : reinterpret_cast<const T*>(in.data)[i];
}

template <typename Args, size_t... I, int kArity>
C10_DEVICE Args load_all(const Operands<kArity>& operands, int64_t i, std::index_sequence<I...>) {
  return Args{load<std::tuple_element_t<I, Args>>(operands.in[I], i)...};
}

template <typename Args, size_t... I, int kArity, typename Offsets>
C10_DEVICE Args load_strided(const Operands<kArity>& operands, const Offsets& offsets,
                             std::index_sequence<I...>) {
  return Args{*reinterpret_cast<const std::tuple_element_t<I, Args>*>(
      operands.in[I].immediate ? operands.in[I].value
                               : operands.in[I].data + offsets.at[I + 1])...};
}

// kSize elements of argument I, from `first` on.
template <size_t I, int kSize, typename Args, int kArity>
C10_DEVICE void load_vector(const Operands<kArity>& operands, int64_t first, Args (&args)[kSize]) {
  using T = std::tuple_element_t<I, Args>;
  const Input& in = operands.in[I];
  if (in.immediate) {
#pragma unroll
    for (int i = 0; i < kSize; ++i) std::get<I>(args[i]) = *reinterpret_cast<const T*>(in.value);
    return;
  }
  const auto loaded =
      *reinterpret_cast<const Vector<T, kSize>*>(reinterpret_cast<const T*>(in.data) + first);
#pragma unroll
  for (int i = 0; i < kSize; ++i) std::get<I>(args[i]) = loaded.at[i];
}

template <int kSize, typename Args, int kArity, size_t... I>
C10_DEVICE void load_vectors(const Operands<kArity>& operands, int64_t first, Args (&args)[kSize],
                             std::index_sequence<I...>) {
  (load_vector<I, kSize>(operands, first, args), ...);
}

// All operands contiguous and aligned. The last elements of all go one by one into the same
// registers, so that the function's code is there once for each element of a vector and no more.
template <int kSize, typename F>
__global__ void __launch_bounds__(kThreads)
    vectorized_kernel(int64_t count, F f, Operands<Traits<F>::kArity> operands) {
  using Result = typename Traits<F>::Result;
  using Args = typename Traits<F>::Args;
  constexpr auto kIndices = std::make_index_sequence<Traits<F>::kArity>();
  Result* out = reinterpret_cast<Result*>(operands.out);
  const int64_t first = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) * kSize;
  if (first >= count) return;
  const bool whole = first + kSize <= count;
  Args args[kSize];
  if (whole) {
    load_vectors<kSize>(operands, first, args, kIndices);
  } else {
#pragma unroll
    for (int i = 0; i < kSize; ++i) {
      args[i] = load_all<Args>(operands, first + i < count ? first + i : first, kIndices);
    }
  }
  Vector<Result, kSize> result;
#pragma unroll
  for (int i = 0; i < kSize; ++i) result.at[i] = apply(f, args[i], kIndices);
  if (whole) {
    *reinterpret_cast<Vector<Result, kSize>*>(out + first) = result;
  } else {
#pragma unroll
    for (int i = 0; i < kSize; ++i) {
      if (first + i < count) out[first + i] = result.at[i];
    }
  }
}

// Any strides.
template <typename F>
__global__ void __launch_bounds__(kThreads)
    strided_kernel(uint32_t count, F f, Operands<Traits<F>::kArity> operands,
                   OffsetCalculator<Traits<F>::kArity + 1> calculator) {
  using Result = typename Traits<F>::Result;
  using Args = typename Traits<F>::Args;
  constexpr auto kIndices = std::make_index_sequence<Traits<F>::kArity>();
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  const auto offsets = calculator.get(i);
  *reinterpret_cast<Result*>(operands.out + offsets.at[0]) =
      apply(f, load_strided<Args>(operands, offsets, kIndices), kIndices);
}

// What the operands' types must be; a mistake here would read past the end of one.
template <typename F>
void check_types(const TensorIteratorBase& iter) {
  using Args = typename Traits<F>::Args;
  const auto check = [&](int operand, size_t size) {
    TORCH_INTERNAL_ASSERT(static_cast<size_t>(iter.element_size(operand)) == size, "operand ",
                          operand, " has dtype ", iter.dtype(operand), " in a loop of elements of ",
                          size, " bytes");
  };
  check(0, sizeof(typename Traits<F>::Result));
  [&]<size_t... I>(std::index_sequence<I...>) {
    (check(static_cast<int>(I) + 1, sizeof(std::tuple_element_t<I, Args>)), ...);
  }(std::make_index_sequence<Traits<F>::kArity>());
}

template <typename F>
bool try_vectorized(const TensorIteratorBase& iter, const F& f,
                    const Operands<Traits<F>::kArity>& operands, cudaStream_t stream) {
  constexpr int kArity = Traits<F>::kArity;
  constexpr int kSize =
      std::clamp<int>(kVectorBytes / static_cast<int>(Traits<F>::kLargest), 1, kMaxVector);
  if (iter.ndim() > 1) return false;
  for (int operand = 0; operand <= kArity; ++operand) {
    if (operand > 0 && operands.in[operand - 1].immediate) continue;
    const int64_t size = iter.element_size(operand);
    if (iter.ndim() == 1 && iter.strides(operand)[0] != size) return false;
    if (reinterpret_cast<uintptr_t>(iter.data_ptr(operand)) % (size * kSize) != 0) return false;
  }
  const int64_t count = iter.numel();
  const int64_t blocks = (count + kThreads * kSize - 1) / (kThreads * kSize);
  if (blocks > INT32_MAX) return false;
  vectorized_kernel<kSize>
      <<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(count, f, operands);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return true;
}

template <typename F>
void launch_strided(const TensorIteratorBase& iter, const F& f, cudaStream_t stream) {
  const int64_t count = iter.numel();
  strided_kernel<<<static_cast<unsigned>((count + kThreads - 1) / kThreads), kThreads, 0, stream>>>(
      static_cast<uint32_t>(count), f, operands_of<Traits<F>::kArity>(iter),
      OffsetCalculator<Traits<F>::kArity + 1>(iter));
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace loops

// Runs `f` on every element, on the current stream of the iterator's device.
template <typename F>
void gpu_kernel(TensorIteratorBase& iter, const F& f) {
  using Traits = loops::Traits<F>;
  TORCH_INTERNAL_ASSERT(iter.ntensors() == Traits::kArity + 1);
  loops::check_types<F>(iter);
  if (iter.numel() > 0) {
    const c10::cuda::CUDAGuard guard(iter.device(0));
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    const auto operands = loops::operands_of<Traits::kArity>(iter);
    if (!loops::try_vectorized(iter, f, operands, stream)) {
      for_each_32bit(iter,
                     [&](TensorIteratorBase& part) { loops::launch_strided(part, f, stream); });
    }
  }
  iter.cast_outputs();
}

}  // namespace at::native
