#pragma once

// Elementwise loops on floating point and complex numbers, of one to three arguments.
//
// `op` is called with float, double or c10::complex, `vec_op` with Vectorized<float> or
// Vectorized<double>. Half and BFloat16 compute in float.

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex_math.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {

using vec::Vectorized;

// What an operation costs beside reading and writing an element. Strided elements of costly ones go
// through buffers to vectors. The compiler makes faster loops of cheap ones: sums, comparisons.
enum class Cost : bool { kLow, kHigh };

// What an element computes in, and how many elements pass through buffers together.
template <typename scalar_t>
using wide_t = std::conditional_t<vec::is_reduced_floating_point_v<scalar_t>, float, scalar_t>;
constexpr int64_t kGathered = 128;

// Elements from `first` on of operands with any strides, collected in buffers for `vec_op`. Returns
// how many are done: as many as whole vectors hold.
template <typename scalar_t, size_t... I, typename VecOp>
int64_t gathered_loop(char** data, const int64_t* strides, int64_t first, int64_t n,
                      std::index_sequence<I...>, const VecOp& vec_op) {
  using T = wide_t<scalar_t>;
  using Vec = Vectorized<T>;
  const int64_t end = first + (n - first) / Vec::size() * Vec::size();
  T wide[sizeof...(I)][kGathered];
  T result[kGathered];
  for (int64_t i = first; i < end; i += kGathered) {
    const int64_t count = std::min(kGathered, end - i);
    const auto gather = [&](T* buffer, const char* in, int64_t step) {
      for (int64_t k = 0; k < count; ++k) {
        buffer[k] = static_cast<T>(*reinterpret_cast<const scalar_t*>(in + (i + k) * step));
      }
    };
    (gather(wide[I], data[I + 1], strides[I + 1]), ...);
    for (int64_t k = 0; k < count; k += Vec::size()) {
      vec_op(Vec::loadu(wide[I] + k)...).store(result + k);
    }
    for (int64_t k = 0; k < count; ++k) {
      *reinterpret_cast<scalar_t*>(data[0] + (i + k) * strides[0]) =
          static_cast<scalar_t>(result[k]);
    }
  }
  return end;
}

// Elements of 32 and 64 bits.
template <Cost cost, typename scalar_t, size_t... I, typename ScalarOp, typename VecOp>
void wide_float_kernel(TensorIteratorBase& iter, std::index_sequence<I...> arguments,
                       const ScalarOp& op, const VecOp& vec_op) {
  using F = std::decay_t<ScalarOp>;
  using traits = function_traits<F>;
  iter.for_each([&](char** data, const int64_t* strides, int64_t n) {
    auto body = op;
    auto vector_body = vec_op;
    for (size_t scalar = 0; scalar <= sizeof...(I); ++scalar) {
      if (loops::is_contiguous<traits>(strides, scalar)) {
        loops::vectorized_loop(data, n, scalar, body, vector_body);
        return;
      }
    }
    int64_t i = 0;
    if constexpr (cost == Cost::kHigh) {
      i = gathered_loop<scalar_t>(data, strides, 0, n, arguments, vec_op);
    }
    loops::basic_loop(data, strides, i, n, body);
  });
  iter.cast_outputs();
}

// Elements of 16 bits, `I...` counting the arguments: vectors are widened as they are loaded, where
// every operand is dense or stays in place.
template <typename scalar_t, size_t... I, typename ScalarOp, typename VecOp>
void reduced_float_kernel(TensorIteratorBase& iter, std::index_sequence<I...>, const ScalarOp& op,
                          const VecOp& vec_op) {
  constexpr auto kElement = static_cast<int64_t>(sizeof(scalar_t));
  constexpr int64_t kStep = Vectorized<float>::size();
  iter.for_each([&](char** data, const int64_t* strides, int64_t n) {
    const auto* in = data + 1;
    const auto* steps = strides + 1;
    int64_t i = 0;
    if (n >= kStep && strides[0] == kElement && ((steps[I] == kElement || steps[I] == 0) && ...)) {
      auto* out = reinterpret_cast<scalar_t*>(data[0]);
      const scalar_t* const dense[] = {reinterpret_cast<const scalar_t*>(in[I])...};
      const bool moves[] = {steps[I] != 0 ...};
      const Vectorized<float> fixed[] = {Vectorized<float>(static_cast<float>(*dense[I]))...};
      for (; i + kStep <= n; i += kStep) {
        vec::store_from_float(out + i,
                              vec_op((moves[I] ? vec::load_as_float(dense[I] + i) : fixed[I])...));
      }
    }
    i = gathered_loop<scalar_t>(data, strides, i, n, std::index_sequence<I...>(), vec_op);
    for (; i < n; ++i) {
      *reinterpret_cast<scalar_t*>(data[0] + i * strides[0]) = static_cast<scalar_t>(
          op(static_cast<float>(*reinterpret_cast<const scalar_t*>(in[I] + i * steps[I]))...));
    }
  });
  iter.cast_outputs();
}

template <Cost cost = Cost::kLow, typename ScalarOp, typename VecOp>
void unary_float_kernel(TensorIteratorBase& iter, const char* name, ScalarOp op, VecOp vec_op) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kHalf || dtype == kBFloat16) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, name, [&] {
      reduced_float_kernel<scalar_t>(iter, std::make_index_sequence<1>(), op, vec_op);
    });
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(dtype, name, [&] {
    wide_float_kernel<cost, scalar_t>(
        iter, std::make_index_sequence<1>(), [=](scalar_t a) -> scalar_t { return op(a); },
        [=](Vectorized<scalar_t> a) { return vec_op(a); });
  });
}

// As above, and complex numbers by `op`.
template <Cost cost = Cost::kLow, typename ScalarOp, typename VecOp>
void unary_float_complex_kernel(TensorIteratorBase& iter, const char* name, ScalarOp op,
                                VecOp vec_op) {
  if (c10::isComplexType(iter.common_dtype())) {
    AT_DISPATCH_COMPLEX_TYPES(iter.common_dtype(), name, [&] {
      cpu_kernel(iter, [=](scalar_t a) -> scalar_t { return op(a); });
    });
    return;
  }
  unary_float_kernel<cost>(iter, name, op, vec_op);
}

template <Cost cost = Cost::kLow, typename ScalarOp, typename VecOp>
void binary_float_kernel(TensorIteratorBase& iter, const char* name, ScalarOp op, VecOp vec_op) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kHalf || dtype == kBFloat16) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, name, [&] {
      reduced_float_kernel<scalar_t>(iter, std::make_index_sequence<2>(), op, vec_op);
    });
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(dtype, name, [&] {
    wide_float_kernel<cost, scalar_t>(
        iter, std::make_index_sequence<2>(),
        [=](scalar_t a, scalar_t b) -> scalar_t { return op(a, b); },
        [=](Vectorized<scalar_t> a, Vectorized<scalar_t> b) { return vec_op(a, b); });
  });
}

template <Cost cost = Cost::kLow, typename ScalarOp, typename VecOp>
void ternary_float_kernel(TensorIteratorBase& iter, const char* name, ScalarOp op, VecOp vec_op) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kHalf || dtype == kBFloat16) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, name, [&] {
      reduced_float_kernel<scalar_t>(iter, std::make_index_sequence<3>(), op, vec_op);
    });
    return;
  }
  AT_DISPATCH_FLOATING_TYPES(dtype, name, [&] {
    wide_float_kernel<cost, scalar_t>(
        iter, std::make_index_sequence<3>(),
        [=](scalar_t a, scalar_t b, scalar_t c) -> scalar_t { return op(a, b, c); },
        [=](Vectorized<scalar_t> a, Vectorized<scalar_t> b, Vectorized<scalar_t> c) {
          return vec_op(a, b, c);
        });
  });
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
