#pragma once

// Elementwise loops on floating point and complex numbers, of one to three arguments.
//
// `op` is called with float, double or c10::complex, `vec_op` with Vectorized<float> or
// Vectorized<double>. Half and BFloat16 compute in float, all by `vec_op`.

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
#include <cstring>
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

// Elements of 16 bits as vectors of floats, others of their own type.
template <typename scalar_t>
Vectorized<wide_t<scalar_t>> load_wide(const scalar_t* p) {
  if constexpr (vec::is_reduced_floating_point_v<scalar_t>) {
    return vec::load_as_float(p);
  } else {
    return Vectorized<scalar_t>::loadu(p);
  }
}
template <typename scalar_t>
void store_wide(scalar_t* p, const Vectorized<wide_t<scalar_t>>& v) {
  if constexpr (vec::is_reduced_floating_point_v<scalar_t>) {
    vec::store_from_float(p, v);
  } else {
    v.store(p);
  }
}

// Elements from `first` to `n` of operands with any strides, collected in buffers for `vec_op`. The
// last vector is filled with its last element, which leads to no slower branch than the others.
template <typename scalar_t, size_t... I, typename VecOp>
void gathered_loop(char** data, const int64_t* strides, int64_t first, int64_t n,
                   std::index_sequence<I...>, const VecOp& vec_op) {
  constexpr auto kElement = static_cast<int64_t>(sizeof(scalar_t));
  constexpr int64_t kStep = Vectorized<wide_t<scalar_t>>::size();
  static_assert(kGathered % kStep == 0);
  scalar_t elements[sizeof...(I)][kGathered];
  scalar_t result[kGathered];
  for (int64_t i = first; i < n; i += kGathered) {
    const int64_t count = std::min(kGathered, n - i);
    const int64_t end = (count + kStep - 1) / kStep * kStep;
    const auto gather = [&](scalar_t* buffer, const char* in, int64_t step) {
      in += i * step;
      if (step == kElement) {
        std::memcpy(buffer, in, static_cast<size_t>(count * kElement));
      } else {
        for (int64_t k = 0; k < count; ++k) {
          buffer[k] = *reinterpret_cast<const scalar_t*>(in + k * step);
        }
      }
      for (int64_t k = count; k < end; ++k) buffer[k] = buffer[count - 1];
    };
    (gather(elements[I], data[I + 1], strides[I + 1]), ...);
    for (int64_t k = 0; k < end; k += kStep) {
      store_wide(result + k, vec_op(load_wide(elements[I] + k)...));
    }
    char* out = data[0] + i * strides[0];
    if (strides[0] == kElement) {
      std::memcpy(out, result, static_cast<size_t>(count * kElement));
    } else {
      for (int64_t k = 0; k < count; ++k) {
        *reinterpret_cast<scalar_t*>(out + k * strides[0]) = result[k];
      }
    }
  }
}

// Elements of 32 and 64 bits.
template <Cost cost, typename scalar_t, size_t... I, typename ScalarOp, typename VecOp>
void wide_float_kernel(TensorIteratorBase& iter, std::index_sequence<I...> arguments,
                       const ScalarOp& op, const VecOp& vec_op) {
  using F = std::decay_t<ScalarOp>;
  using traits = function_traits<F>;
  loops::for_each_element(iter, [&](char** data, const int64_t* strides, int64_t n) {
    auto body = op;
    auto vector_body = vec_op;
    if (loops::constant_loop(data, strides, n, body)) return;
    for (size_t scalar = 0; scalar <= sizeof...(I); ++scalar) {
      if (loops::is_contiguous<traits>(strides, scalar)) {
        if constexpr (cost == Cost::kHigh) {
          const int64_t i = loops::whole_vectors<scalar_t>(data, n, scalar, vector_body);
          gathered_loop<scalar_t>(data, strides, i, n, arguments, vec_op);
        } else {
          loops::vectorized_loop(data, n, scalar, body, vector_body);
        }
        return;
      }
    }
    if constexpr (cost == Cost::kHigh) {
      gathered_loop<scalar_t>(data, strides, 0, n, arguments, vec_op);
    } else {
      loops::basic_loop(data, strides, 0, n, body);
    }
  });
  iter.cast_outputs();
}

// Elements of 16 bits, `I...` counting the arguments: vectors are widened as they are loaded, where
// every operand is dense or stays in place.
template <typename scalar_t, size_t... I, typename VecOp>
void reduced_float_kernel(TensorIteratorBase& iter, std::index_sequence<I...> arguments,
                          const VecOp& vec_op) {
  constexpr auto kElement = static_cast<int64_t>(sizeof(scalar_t));
  constexpr int64_t kStep = Vectorized<float>::size();
  loops::for_each_element(iter, [&](char** data, const int64_t* strides, int64_t n) {
    const auto* in = data + 1;
    const auto* steps = strides + 1;
    int64_t i = 0;
    if (n >= kStep && strides[0] == kElement && ((steps[I] == kElement || steps[I] == 0) && ...)) {
      auto* out = reinterpret_cast<scalar_t*>(data[0]);
      const scalar_t* const dense[] = {reinterpret_cast<const scalar_t*>(in[I])...};
      const bool moves[] = {steps[I] != 0 ...};
      const Vectorized<float> fixed[] = {Vectorized<float>(static_cast<float>(*dense[I]))...};
      if ((!moves[I] && ...)) {
        vec::store_from_float(out, vec_op(fixed[I]...));
        const scalar_t result = *out;
        std::fill(out + kStep, out + n, result);
        return;
      }
      for (; i + kStep <= n; i += kStep) {
        vec::store_from_float(out + i,
                              vec_op((moves[I] ? vec::load_as_float(dense[I] + i) : fixed[I])...));
      }
    }
    gathered_loop<scalar_t>(data, strides, i, n, arguments, vec_op);
  });
  iter.cast_outputs();
}

template <Cost cost = Cost::kLow, typename ScalarOp, typename VecOp>
void unary_float_kernel(TensorIteratorBase& iter, const char* name, ScalarOp op, VecOp vec_op) {
  const ScalarType dtype = iter.common_dtype();
  if (dtype == kHalf || dtype == kBFloat16) {
    AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, name, [&] {
      reduced_float_kernel<scalar_t>(iter, std::make_index_sequence<1>(), vec_op);
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
      reduced_float_kernel<scalar_t>(iter, std::make_index_sequence<2>(), vec_op);
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
      reduced_float_kernel<scalar_t>(iter, std::make_index_sequence<3>(), vec_op);
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
