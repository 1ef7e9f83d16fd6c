// The loop of copy_.
//
// Equal types move as opaque elements. Of different types there is one loop a pair for elements
// that lie together, which the compiler makes vectors of; others are gathered into a block first,
// or scattered from one afterwards.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Copy.h>
#include <ATen/native/DispatchUnsigned.h>

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/ElementLoops.h>
#include <ATen/native/cpu/OpaqueElement.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <ATen/native/cpu/Transpose.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex_type.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

constexpr int64_t kBlock = 512;
constexpr int64_t kTile = 32;

template <typename opaque_t>
void copy_elements(char* out, int64_t out_stride, const char* in, int64_t in_stride, int64_t n) {
  constexpr auto kSize = static_cast<int64_t>(sizeof(opaque_t));
  if (out_stride == kSize && in_stride == kSize) {
    std::memcpy(out, in, static_cast<size_t>(n * kSize));
    return;
  }
  if (out_stride == kSize && in_stride == 0) {
    std::fill_n(reinterpret_cast<opaque_t*>(out), n, *reinterpret_cast<const opaque_t*>(in));
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    *reinterpret_cast<opaque_t*>(out + i * out_stride) =
        *reinterpret_cast<const opaque_t*>(in + i * in_stride);
  }
}

// Whether one operand is the transpose of the other, with a side long enough for tiles to pay. A
// row that repeats one element is filled.
bool is_transposed(const TensorIterator& iter) {
  const int64_t size = iter.element_size(0);
  return iter.ndim() == 2 && iter.shape()[0] >= kTile && iter.shape()[1] >= kTile &&
         iter.strides(0)[0] == size && iter.strides(1)[1] == size && iter.strides(1)[0] != 0;
}

// Tile by tile, so that the cache lines of both operands are used up before they are gone.
template <typename opaque_t>
void copy_transposed(const TensorIterator& iter) {
  auto* out = static_cast<char*>(iter.data_ptr(0));
  const auto* in = static_cast<const char*>(iter.data_ptr(1));
  const int64_t columns = iter.shape()[0];
  const int64_t rows = iter.shape()[1];
  const int64_t out_stride = iter.strides(0)[1];
  const int64_t in_stride = iter.strides(1)[0];
  const int64_t grain = std::max<int64_t>(1, at::internal::GRAIN_SIZE / (kTile * columns));
  at::parallel_for(0, (rows + kTile - 1) / kTile, grain, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile) {
      const int64_t last_row = std::min(rows, (tile + 1) * kTile);
      for (int64_t column = 0; column < columns; column += kTile) {
        const int64_t last_column = std::min(columns, column + kTile);
        copy_tile<opaque_t>(out, out_stride, in, in_stride, tile * kTile, last_row, column,
                            last_column);
      }
    }
  });
}

void copy_same_dtype(TensorIterator& iter) {
  if (is_transposed(iter)) {
    dispatch_element_size(iter.element_size(0),
                          [&](auto element) { copy_transposed<decltype(element)>(iter); });
    return;
  }
  dispatch_element_size(iter.element_size(0), [&](auto element) {
    using opaque_t = decltype(element);
    iter.for_each([](char** data, const int64_t* strides, int64_t n) {
      copy_elements<opaque_t>(data[0], strides[0], data[1], strides[1], n);
    });
  });
}

// A bool is any byte: those that are not 0 are true.
template <typename T>
using byte_or = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

template <typename To, typename From>
To convert_element(From value) {
  if constexpr (c10::is_complex<From>::value && std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (c10::is_complex<From>::value && !c10::is_complex<To>::value) {
    return convert_element<To>(value.real());
  } else if constexpr (c10::is_complex<To>::value) {
    if constexpr (c10::is_complex<From>::value) {
      return static_cast<To>(value);
    } else {
      return To(static_cast<typename To::value_type>(value));
    }
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_unsigned_v<To> && sizeof(To) < sizeof(int64_t) &&
                       std::is_floating_point_v<From>) {
    // By way of int64, so that a negative number wraps around as it does on all our targets.
    return static_cast<To>(static_cast<int64_t>(value));
  } else {
    return static_cast<To>(value);
  }
}

// Elements that lie together, from `in` to `out`.
using Convert = void (*)(char* out, const char* in, int64_t n);

template <typename To, typename From>
void convert_plain(To* out, const byte_or<From>* in, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<From, bool>) {
      out[i] = convert_element<To>(in[i] != 0);
    } else {
      out[i] = convert_element<To>(in[i]);
    }
  }
}

// Half and BFloat16 by way of float, which they are rounded from.
template <typename To, typename From>
void convert_run(char* out_bytes, const char* in_bytes, int64_t n) {
  auto* out = reinterpret_cast<To*>(out_bytes);
  const auto* in = reinterpret_cast<const byte_or<From>*>(in_bytes);
  constexpr bool kWidens = vec::is_reduced_floating_point_v<From>;
  constexpr bool kNarrows = vec::is_reduced_floating_point_v<To>;
  if constexpr (kWidens && std::is_same_v<To, float>) {
    vec::widen(out, in, n);
  } else if constexpr (kNarrows && std::is_same_v<From, float>) {
    vec::narrow(out, in, n);
  } else if constexpr (kWidens || kNarrows) {
    float block[kBlock];
    for (int64_t begin = 0; begin < n; begin += kBlock) {
      const int64_t count = std::min(kBlock, n - begin);
      convert_run<float, From>(reinterpret_cast<char*>(block),
                               reinterpret_cast<const char*>(in + begin), count);
      convert_run<To, float>(reinterpret_cast<char*>(out + begin),
                             reinterpret_cast<const char*>(block), count);
    }
  } else if constexpr (c10::is_complex<To>::value && c10::is_complex<From>::value) {
    convert_plain<typename To::value_type, typename From::value_type>(
        reinterpret_cast<typename To::value_type*>(out),
        reinterpret_cast<const typename From::value_type*>(in), 2 * n);
  } else {
    convert_plain<To, From>(out, in, n);
  }
}

// Elements n of one size, from anywhere to a block of their own or back.
using Move = void (*)(char* out, int64_t out_stride, const char* in, int64_t in_stride, int64_t n);

Move move_of_size(int64_t size) {
  Move move = nullptr;
  dispatch_element_size(size, [&](auto element) { move = &copy_elements<decltype(element)>; });
  return move;
}

void copy_converting(TensorIterator& iter) {
  Convert convert = nullptr;
  const auto choose = [&]<typename From>(From) {
    AT_DISPATCH_STORED_TYPES(iter.dtype(0), "copy_",
                             [&] { convert = &convert_run<scalar_t, From>; });
  };
  AT_DISPATCH_STORED_TYPES(iter.dtype(1), "copy_", [&] { choose(scalar_t()); });
  const int64_t out_size = iter.element_size(0);
  const int64_t in_size = iter.element_size(1);
  const Move gather = move_of_size(in_size);
  const Move scatter = move_of_size(out_size);
  native::for_each_element(iter, [=](char** data, const int64_t* strides, int64_t n) {
    const bool dense_out = strides[0] == out_size;
    const bool dense_in = strides[1] == in_size;
    if (dense_out && dense_in) {
      convert(data[0], data[1], n);
      return;
    }
    alignas(64) char from[kBlock * sizeof(c10::complex<double>)];
    alignas(64) char to[kBlock * sizeof(c10::complex<double>)];
    for (int64_t begin = 0; begin < n; begin += kBlock) {
      const int64_t count = std::min(kBlock, n - begin);
      const char* in = data[1] + begin * strides[1];
      char* out = data[0] + begin * strides[0];
      if (!dense_in) gather(from, in_size, in, strides[1], count);
      convert(dense_out ? out : to, dense_in ? in : from, count);
      if (!dense_out) scatter(out, strides[0], to, out_size, count);
    }
  });
}

void copy_kernel(TensorIterator& iter, bool /*non_blocking*/) {
  if (iter.dtype(0) == iter.dtype(1)) {
    copy_same_dtype(iter);
  } else {
    copy_converting(iter);
  }
}

void widen_kernel(float* out, const void* in, int64_t n, c10::ScalarType dtype) {
  AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, "copy_",
                                     [&] { vec::widen(out, static_cast<const scalar_t*>(in), n); });
}

void narrow_kernel(void* out, const float* in, int64_t n, c10::ScalarType dtype) {
  AT_DISPATCH_REDUCED_FLOATING_TYPES(dtype, "narrow",
                                     [&] { vec::narrow(static_cast<scalar_t*>(out), in, n); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(copy_stub, &CPU_CAPABILITY::copy_kernel)
REGISTER_DISPATCH(narrow_stub, &CPU_CAPABILITY::narrow_kernel)
REGISTER_DISPATCH(widen_stub, &CPU_CAPABILITY::widen_kernel)

}  // namespace at::native
