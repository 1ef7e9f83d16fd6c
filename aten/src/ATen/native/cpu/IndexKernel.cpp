// Loops of indexing, gathering, scattering and masked writes. Elements that only move are opaque.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/TensorAdvancedIndexing.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/Wrapping.h>
#include <ATen/native/cpu/OpaqueElement.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// The offset in bytes that the indices of one element lead to.
class Indexer {
 public:
  Indexer(c10::IntArrayRef sizes, c10::IntArrayRef strides) : sizes_(sizes), strides_(strides) {}

  // Operands from 2 on are indices.
  int64_t get(char** data, const int64_t* strides, int64_t i) const {
    int64_t offset = 0;
    for (size_t j = 0; j < sizes_.size(); ++j) {
      const int64_t value = *reinterpret_cast<const int64_t*>(data[2 + j] + i * strides[2 + j]);
      const int64_t size = sizes_[j];
      TORCH_CHECK_INDEX(value >= -size && value < size, "index ", value,
                        " is out of bounds for dimension ", j, " with size ", size);
      offset += (value < 0 ? value + size : value) * strides_[j];
    }
    return offset;
  }

  // Whether all elements of a loop have the same indices.
  bool is_constant(const int64_t* strides) const {
    return std::all_of(strides + 2, strides + 2 + sizes_.size(),
                       [](int64_t stride) { return stride == 0; });
  }

 private:
  c10::IntArrayRef sizes_;
  c10::IntArrayRef strides_;
};

void index_kernel(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  const Indexer indexer(sizes, strides);
  dispatch_element_size(iter.element_size(0), [&](auto element) {
    using opaque_t = decltype(element);
    constexpr auto kSize = static_cast<int64_t>(sizeof(opaque_t));
    iter.for_each([&](char** data, const int64_t* s, int64_t n) {
      if (s[0] == kSize && s[1] == kSize && indexer.is_constant(s)) {
        std::memcpy(data[0], data[1] + indexer.get(data, s, 0), static_cast<size_t>(n * kSize));
        return;
      }
      for (int64_t i = 0; i < n; ++i) {
        *reinterpret_cast<opaque_t*>(data[0] + i * s[0]) =
            *reinterpret_cast<const opaque_t*>(data[1] + i * s[1] + indexer.get(data, s, i));
      }
    });
  });
}

// Several elements may meet in one place: this runs on one thread, in order, so that the last one
// stays (or all are summed).
void index_put_kernel(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                      bool accumulate) {
  const Indexer indexer(sizes, strides);
  const TensorIteratorBase::Range all{0, iter.numel()};
  if (!accumulate) {
    dispatch_element_size(iter.element_size(0), [&](auto element) {
      using opaque_t = decltype(element);
      iter.serial_for_each(
          [&](char** data, const int64_t* s, int64_t n) {
            for (int64_t i = 0; i < n; ++i) {
              *reinterpret_cast<opaque_t*>(data[0] + i * s[0] + indexer.get(data, s, i)) =
                  *reinterpret_cast<const opaque_t*>(data[1] + i * s[1]);
            }
          },
          all);
    });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kHalf, kBool, kBFloat16, iter.dtype(0), "index_put", [&] {
    iter.serial_for_each(
        [&](char** data, const int64_t* s, int64_t n) {
          for (int64_t i = 0; i < n; ++i) {
            auto& target =
                *reinterpret_cast<scalar_t*>(data[0] + i * s[0] + indexer.get(data, s, i));
            const auto value = *reinterpret_cast<const scalar_t*>(data[1] + i * s[1]);
            if constexpr (std::is_same_v<scalar_t, bool>) {
              target = target || value;
            } else {
              target = wrapping_add(target, value);
            }
          }
        },
        all);
  });
}

void masked_fill_kernel(TensorIterator& iter, const Scalar& value_scalar) {
  alignas(16) char bits[16];
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(kBool, kBFloat16, kHalf, iter.dtype(0), "masked_fill",
                                         [&] {
                                           const scalar_t value = value_scalar.to<scalar_t>();
                                           std::memcpy(bits, &value, sizeof(value));
                                         });
  dispatch_element_size(iter.element_size(0), [&](auto element) {
    using opaque_t = decltype(element);
    opaque_t value;
    std::memcpy(&value, bits, sizeof(value));
    iter.for_each([value](char** data, const int64_t* s, int64_t n) {
      for (int64_t i = 0; i < n; ++i) {
        // Any byte but 0 is true.
        if (*reinterpret_cast<const uint8_t*>(data[1] + i * s[1]) != 0) {
          *reinterpret_cast<opaque_t*>(data[0] + i * s[0]) = value;
        }
      }
    });
  });
}

// Calls `f(index offset, offset of the other tensor, place along dim)` for every element of
// `index`, where the other tensor is walked without `dim`, and `third` with it.
template <typename F>
void for_each_index(const TensorBase& index, const TensorBase& indexed, const TensorBase& parallel,
                    int64_t dim, F&& f) {
  const auto ndim = static_cast<size_t>(index.dim());
  const auto* index_data = static_cast<const int64_t*>(index.const_data_ptr());
  const int64_t limit = indexed.size(dim);
  std::vector<int64_t> counter(ndim, 0);
  const int64_t numel = index.numel();
  for (int64_t n = 0; n < numel; ++n) {
    int64_t index_offset = 0;
    int64_t base = 0;
    int64_t other = 0;
    for (size_t d = 0; d < ndim; ++d) {
      index_offset += counter[d] * index.strides()[d];
      if (static_cast<int64_t>(d) != dim) base += counter[d] * indexed.strides()[d];
      other += counter[d] * parallel.strides()[d];
    }
    const int64_t place = index_data[index_offset];
    TORCH_CHECK(place >= 0 && place < limit, "index ", place, " is out of bounds for dimension ",
                dim, " with size ", limit);
    f(base + place * indexed.strides()[static_cast<size_t>(dim)], other);
    for (size_t d = ndim; d-- > 0;) {
      if (++counter[d] < index.sizes()[d]) break;
      counter[d] = 0;
    }
  }
}

void gather_kernel(const TensorBase& result, const TensorBase& self, int64_t dim,
                   const TensorBase& index) {
  dispatch_element_size(static_cast<int64_t>(self.element_size()), [&](auto element) {
    using opaque_t = decltype(element);
    const auto* in = static_cast<const opaque_t*>(self.const_data_ptr());
    auto* out = static_cast<opaque_t*>(result.mutable_data_ptr());
    for_each_index(index, self, result, dim,
                   [&](int64_t indexed, int64_t parallel) { out[parallel] = in[indexed]; });
  });
}

void scatter_kernel(const TensorBase& self, int64_t dim, const TensorBase& index,
                    const TensorBase& src) {
  dispatch_element_size(static_cast<int64_t>(self.element_size()), [&](auto element) {
    using opaque_t = decltype(element);
    auto* out = static_cast<opaque_t*>(self.mutable_data_ptr());
    const auto* in = static_cast<const opaque_t*>(src.const_data_ptr());
    for_each_index(index, self, src, dim,
                   [&](int64_t indexed, int64_t parallel) { out[indexed] = in[parallel]; });
  });
}

void scatter_add_kernel(const TensorBase& self, int64_t dim, const TensorBase& index,
                        const TensorBase& src) {
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
      kBool, kHalf, kBFloat16, self.scalar_type(), "scatter_add", [&] {
        auto* out = static_cast<scalar_t*>(self.mutable_data_ptr());
        const auto* in = static_cast<const scalar_t*>(src.const_data_ptr());
        for_each_index(index, self, src, dim, [&](int64_t indexed, int64_t parallel) {
          if constexpr (std::is_same_v<scalar_t, bool>) {
            out[indexed] = out[indexed] || in[parallel];
          } else {
            out[indexed] = wrapping_add(out[indexed], in[parallel]);
          }
        });
      });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(index_stub, &CPU_CAPABILITY::index_kernel)
REGISTER_DISPATCH(index_put_stub, &CPU_CAPABILITY::index_put_kernel)
REGISTER_DISPATCH(masked_fill_stub, &CPU_CAPABILITY::masked_fill_kernel)
REGISTER_DISPATCH(gather_stub, &CPU_CAPABILITY::gather_kernel)
REGISTER_DISPATCH(scatter_stub, &CPU_CAPABILITY::scatter_kernel)
REGISTER_DISPATCH(scatter_add_stub, &CPU_CAPABILITY::scatter_add_kernel)

}  // namespace at::native
