// The loop of copy_.
//
// Equal types move as opaque elements. Different types pass, a block at a time, through one of
// three wide types (int64, double, complex<double>), each exact for its category: that takes one
// load for each source type and one store for each wide type and target, not one loop for each
// pair.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Copy.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/native/cpu/OpaqueElement.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex.h>

#include <algorithm>
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
  for (int64_t i = 0; i < n; ++i) {
    *reinterpret_cast<opaque_t*>(out + i * out_stride) =
        *reinterpret_cast<const opaque_t*>(in + i * in_stride);
  }
}

// Whether one operand is the transpose of the other, with a side long enough for tiles to pay.
bool is_transposed(const TensorIterator& iter) {
  const int64_t size = iter.element_size(0);
  return iter.ndim() == 2 && iter.shape()[0] >= kTile && iter.shape()[1] >= kTile &&
         iter.strides(0)[0] == size && iter.strides(1)[1] == size;
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
        for (int64_t r = tile * kTile; r < last_row; ++r) {
          auto* to = reinterpret_cast<opaque_t*>(out + r * out_stride);
          const char* from = in + r * static_cast<int64_t>(sizeof(opaque_t));
          for (int64_t c = column; c < last_column; ++c) {
            to[c] = *reinterpret_cast<const opaque_t*>(from + c * in_stride);
          }
        }
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

template <typename T>
using wide_type = std::conditional_t<c10::is_complex<T>::value, c10::complex<double>,
                                     std::conditional_t<std::is_integral_v<T>, int64_t, double>>;

using Load = void (*)(void* block, const char* in, int64_t stride, int64_t n);
using Store = void (*)(char* out, int64_t stride, const void* block, int64_t n);

// A bool is any byte: those that are not 0 are true.
template <typename T>
using byte_or = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

template <typename T>
wide_type<T> widen(byte_or<T> value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value != 0;
  } else {
    return static_cast<wide_type<T>>(value);
  }
}

template <typename T>
void load_block(void* block, const char* in, int64_t stride, int64_t n) {
  auto* wide = static_cast<wide_type<T>*>(block);
  if (stride == static_cast<int64_t>(sizeof(T))) {
    const auto* p = reinterpret_cast<const byte_or<T>*>(in);
    for (int64_t i = 0; i < n; ++i) wide[i] = widen<T>(p[i]);
  } else {
    for (int64_t i = 0; i < n; ++i) {
      wide[i] = widen<T>(*reinterpret_cast<const byte_or<T>*>(in + i * stride));
    }
  }
}

template <typename To, typename From>
To convert_element(From value) {
  if constexpr (c10::is_complex<From>::value && !c10::is_complex<To>::value) {
    return convert_element<To>(value.real());
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_same_v<To, uint8_t> && std::is_floating_point_v<From>) {
    // By way of int64, so that a negative number wraps around as it does on all our targets.
    return static_cast<uint8_t>(static_cast<int64_t>(value));
  } else if constexpr (c10::is_complex<To>::value && !c10::is_complex<From>::value) {
    return To(static_cast<typename To::value_type>(value));
  } else if constexpr (std::is_same_v<From, double> && !std::is_arithmetic_v<To> &&
                       !c10::is_complex<To>::value) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<From, int64_t> && !std::is_arithmetic_v<To> &&
                       !c10::is_complex<To>::value) {
    return To(static_cast<float>(value));
  } else {
    return static_cast<To>(value);
  }
}

template <typename T, typename Wide>
void store_block(char* out, int64_t stride, const void* block, int64_t n) {
  const auto* wide = static_cast<const Wide*>(block);
  for (int64_t i = 0; i < n; ++i) {
    *reinterpret_cast<T*>(out + i * stride) = convert_element<T>(wide[i]);
  }
}

void copy_converting(TensorIterator& iter) {
  const ScalarType from = iter.dtype(1);
  const ScalarType to = iter.dtype(0);
  Load load = nullptr;
  Store store = nullptr;
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kBool, kHalf, kBFloat16, from, "copy_",
                                         [&] { load = &load_block<scalar_t>; });
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kBool, kHalf, kBFloat16, to, "copy_", [&] {
    if (c10::isComplexType(from)) {
      store = &store_block<scalar_t, c10::complex<double>>;
    } else if (c10::isFloatingType(from)) {
      store = &store_block<scalar_t, double>;
    } else {
      store = &store_block<scalar_t, int64_t>;
    }
  });
  iter.for_each([=](char** data, const int64_t* strides, int64_t n) {
    alignas(64) char block[kBlock * sizeof(c10::complex<double>)];
    for (int64_t begin = 0; begin < n; begin += kBlock) {
      const int64_t count = std::min(kBlock, n - begin);
      load(block, data[1] + begin * strides[1], strides[1], count);
      store(data[0] + begin * strides[0], strides[0], block, count);
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

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(copy_stub, &CPU_CAPABILITY::copy_kernel)

}  // namespace at::native
