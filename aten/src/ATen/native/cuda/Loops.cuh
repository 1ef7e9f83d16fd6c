#pragma once

// Elementwise kernels from a function of one element:
//
//   gpu_kernel(iter, [=] GPU_LAMBDA(float a, float b) -> float { return a + alpha * b; });
//   gpu_kernel(iter, Unary<scalar_t, Sqrt>{});
//
// The iterator's first operand is the output, the others are the function's arguments. Their types
// are those of the function: the iterator casts other types into temporaries. A CPU scalar is
// passed by value. Contiguous operands are read and written 16 bytes at a time.

#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/detail/FunctionTraits.h>
#include <ATen/native/cuda/Loops.h>
#include <ATen/native/cuda/OffsetCalculator.h>
#include <c10/macros/Macros.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#define GPU_LAMBDA __host__ __device__

namespace at::native {

// Apply `Op` to values of opmath type, which is float for Half and BFloat16. nvcc accepts no
// generic extended lambda, so an `Op` is a class with a templated operator().
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

// Define such a class from an expression of `a`, or of `a` and `b`, of type `T`.
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

constexpr int kVectorBytes = 16;
// More elements per thread grow the code without a gain in speed.
constexpr int kMaxVector = 8;

// What a function object takes and gives, as values.
template <typename F, typename ArgsTuple = typename function_traits<F>::ArgsTuple>
struct Traits;
template <typename F, typename... A>
struct Traits<F, std::tuple<A...>> {
  using Result = typename function_traits<F>::result_type;
  using Args = std::tuple<std::decay_t<A>...>;
  static constexpr int kArity = sizeof...(A);
  static constexpr size_t kLargest = std::max({sizeof(Result), sizeof(std::decay_t<A>)...});
};

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

// For contiguous, aligned operands. The tail is loaded element by element into the same registers,
// so that the function is instantiated once per element of a vector.
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

// For any strides.
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

// There are thousands of types F. Code that does not depend on F is in Loops.cpp.
template <typename F, size_t... I>
void launch_function(TensorIteratorBase& iter, const F& f, std::index_sequence<I...>) {
  using Args = typename Traits<F>::Args;
  constexpr int kSize =
      std::clamp<int>(kVectorBytes / static_cast<int>(Traits<F>::kLargest), 1, kMaxVector);
  static constexpr int kElementSizes[] = {sizeof(typename Traits<F>::Result),
                                          sizeof(std::tuple_element_t<I, Args>)...};
  launch(iter, &f,
         Kernels<Traits<F>::kArity>{kElementSizes, kSize,
                                    reinterpret_cast<const void*>(&vectorized_kernel<kSize, F>),
                                    reinterpret_cast<const void*>(&strided_kernel<F>)});
}

}  // namespace loops

// Runs `f` on every element, on the current stream of the iterator's device.
template <typename F>
void gpu_kernel(TensorIteratorBase& iter, const F& f) {
  loops::launch_function(iter, f, std::make_index_sequence<loops::Traits<F>::kArity>());
}

}  // namespace at::native
