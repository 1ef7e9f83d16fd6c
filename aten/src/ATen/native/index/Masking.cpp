// Taking and writing elements where a mask is true, and the places where a tensor is not zero.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/TensorAdvancedIndexing.h>

#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/ScalarConversion.h>
#include <ATen/native/cpu/OpaqueElement.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/masked_fill_native.h>
#include <ATen/ops/masked_scatter_native.h>
#include <ATen/ops/masked_select_backward_native.h>
#include <ATen/ops/masked_select_native.h>
#include <ATen/ops/nonzero_native.h>
#include <ATen/ops/nonzero_numpy_native.h>
#include <ATen/ops/one_hot_native.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(masked_fill_stub);
DEFINE_DISPATCH(nonzero_stub);

// ---- masks

namespace {

int64_t count_true(const uint8_t* data, int64_t n) {
  constexpr int64_t kBlock = 64;  // A known number of steps, which the compiler makes vectors of.
  int64_t count = 0;
  int64_t i = 0;
  for (; i + kBlock <= n; i += kBlock) {
    int block = 0;
    for (int64_t k = 0; k < kBlock; ++k) block += data[i + k] != 0 ? 1 : 0;
    count += block;
  }
  for (; i < n; ++i) count += data[i] != 0 ? 1 : 0;
  return count;
}

// Bytes that are passed over together where all of them are 0.
constexpr int64_t kSkipped = 64;

bool all_false(const uint8_t* data) {
  uint64_t words[kSkipped / 8];
  std::memcpy(words, data, kSkipped);
  uint64_t all = 0;
  for (const uint64_t word : words) all |= word;
  return all == 0;
}

void check_mask(const Tensor& mask) {
  TORCH_CHECK(mask.scalar_type() == kBool,
              "masked_fill_ only supports boolean masks, but got mask with dtype ", mask.dtype());
}

}  // namespace

Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Scalar& value) {
  check_mask(mask);
  check_convert(value, self.scalar_type());
  if (at::has_internal_overlap(self) == MemOverlap::Yes) {
    TORCH_WARN(
        "Use of masked_fill_ on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This also applies to advanced indexing e.g. tensor[mask] = scalar");
  }
  at::assert_no_partial_overlap(self, mask);
  auto iter = TensorIteratorConfig()
                  .set_check_mem_overlap(false)
                  .check_all_same_dtype(false)
                  .resize_outputs(false)
                  .add_output(self)
                  .add_const_input(mask)
                  .build();
  masked_fill_stub(iter.device_type(), iter, value);
  return self;
}

Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Tensor& value) {
  TORCH_CHECK(value.dim() == 0,
              "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ",
              value.dim(), " dimension(s).");
  return native::masked_fill_(self, mask, value.item());
}

namespace {

template <typename Value>
Tensor masked_fill_impl(const Tensor& self, const Tensor& mask, const Value& value) {
  const auto [broadcast_mask, broadcast_self] = expand_outplace(mask, self);
  Tensor result = broadcast_self.clone(MemoryFormat::Contiguous);
  result.masked_fill_(mask, value);
  return result;
}

}  // namespace

Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value) {
  return masked_fill_impl(self, mask, value);
}

Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value) {
  return masked_fill_impl(self, mask, value);
}

Tensor& masked_select_out(const Tensor& self, const Tensor& mask, Tensor& result) {
  TORCH_CHECK(mask.scalar_type() == kBool, "masked_select: expected BoolTensor for mask");
  TORCH_CHECK(self.scalar_type() == result.scalar_type(),
              "masked_select(): self and result must have the same scalar type");
  at::assert_no_internal_overlap(result);
  at::assert_no_overlap(result, self);
  at::assert_no_overlap(result, mask);
  const auto [m, s] = expand_outplace(mask.to(kBool), self);
  const Tensor selected = s.reshape({-1}).index_select(0, m.reshape({-1}).nonzero().reshape({-1}));
  resize_output(result, selected.sizes());
  result.copy_(selected);
  return result;
}

Tensor masked_select(const Tensor& self, const Tensor& mask) {
  Tensor result = at::empty({0}, self.options());
  return native::masked_select_out(self, mask, result);
}

Tensor masked_select_backward(const Tensor& grad, const Tensor& input, const Tensor& mask) {
  Tensor result = at::zeros_like(input.expand(at::infer_size(input.sizes(), mask.sizes())),
                                 MemoryFormat::Contiguous);
  return result.masked_scatter_(mask, grad);
}

namespace {

// Elements of `from`, one after the other, to those of `to` where the mask is not 0.
template <typename T>
void fill_by_mask(T* to, const uint8_t* mask, int64_t n, const T* from) {
  for (int64_t begin = 0; begin < n; begin += kSkipped, to += kSkipped, mask += kSkipped) {
    const int64_t size = std::min(kSkipped, n - begin);
    // Every place is written, and the next one over it unless it is true: there is no branch.
    int64_t places[kSkipped];
    int64_t count = 0;
    for (int64_t i = 0; i < size; ++i) {
      places[count] = i;
      count += mask[i] != 0 ? 1 : 0;
    }
    if (count == size) {
      std::copy_n(from, size, to);
    } else {
      for (int64_t k = 0; k < count; ++k) to[places[k]] = from[k];
    }
    from += count;
  }
}

}  // namespace

Tensor& masked_scatter_(Tensor& self, const Tensor& mask, const Tensor& source) {
  TORCH_CHECK(self.scalar_type() == source.scalar_type(),
              "masked_scatter_: expected self and source to have same dtypes but got ",
              self.scalar_type(), " and ", source.scalar_type());
  TORCH_CHECK(mask.scalar_type() == kBool,
              "masked_scatter_ only supports boolean masks, but got mask with dtype ",
              mask.scalar_type());
  const Tensor m = expand_inplace(self, mask, "masked_scatter_");
  const auto check_source = [&](int64_t count) {
    TORCH_CHECK(source.numel() >= count, "Number of elements of source < number of ones in mask");
  };
  Tensor flat =
      self.is_contiguous() ? self.view({-1}) : self.clone(MemoryFormat::Contiguous).view({-1});
  if (self.is_cpu()) {
    const Tensor truth = m.contiguous();
    const Tensor from = source.contiguous();
    const auto* bytes = static_cast<const uint8_t*>(truth.const_data_ptr());
    check_source(count_true(bytes, truth.numel()));
    dispatch_element_size(static_cast<int64_t>(self.element_size()), [&](auto element) {
      using T = decltype(element);
      fill_by_mask(static_cast<T*>(flat.mutable_data_ptr()), bytes, truth.numel(),
                   static_cast<const T*>(from.const_data_ptr()));
    });
  } else {
    const Tensor places = m.reshape({-1}).nonzero().reshape({-1});
    check_source(places.numel());
    flat.scatter_(0, places, source.reshape({-1}).narrow(0, 0, places.numel()));
  }
  if (!self.is_contiguous()) self.copy_(flat.view(self.sizes()));
  return self;
}

Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  const auto [m, s] = expand_outplace(mask, self);
  return s.clone(MemoryFormat::Contiguous).masked_scatter_(m, source);
}

// ---- nonzero

namespace {

void nonzero_kernel(const TensorBase& truth, c10::function_ref<TensorBase(int64_t)> allocate) {
  // Any byte but 0 is true.
  const auto* data = static_cast<const uint8_t*>(truth.const_data_ptr());
  const int64_t numel = truth.numel();
  const int64_t ndim = truth.dim();
  const int64_t count = count_true(data, numel);
  const TensorBase places = allocate(count);
  if (count == 0 || ndim == 0) return;
  auto* out = places.mutable_data_ptr<int64_t>();
  const int64_t row = places.stride(0);
  const int64_t column = places.stride(1);
  const int64_t width = truth.size(ndim - 1);
  std::vector<int64_t> line(static_cast<size_t>(ndim - 1), 0);  // The other dimensions' indices.
  int64_t found = 0;
  for (const uint8_t* p = data; found < count; p += width) {
    const int64_t first = found;
    int64_t* last = out + (ndim - 1) * column;
    for (int64_t begin = 0; begin < width; begin += kSkipped) {
      const int64_t end = std::min(begin + kSkipped, width);
      if (end - begin == kSkipped && all_false(p + begin)) continue;
      // Every place is written, and the next one over it unless it is true: there is no branch.
      for (int64_t i = begin; i < end && found < count; ++i) {
        last[found * row] = i;
        found += p[i] != 0 ? 1 : 0;
      }
    }
    for (int64_t d = 0; d < ndim - 1; ++d) {
      int64_t* const to = out + d * column;
      for (int64_t k = first; k < found; ++k) to[k * row] = line[static_cast<size_t>(d)];
    }
    for (int64_t d = ndim - 1; d-- > 0;) {
      if (++line[static_cast<size_t>(d)] < truth.size(d)) break;
      line[static_cast<size_t>(d)] = 0;
    }
  }
}

}  // namespace

REGISTER_ALL_CPU_DISPATCH(nonzero_stub, &nonzero_kernel)

Tensor& nonzero_out(const Tensor& self, Tensor& result) {
  TORCH_CHECK(result.scalar_type() == kLong,
              "nonzero: Expected out tensor to have scalar type Long but got ",
              result.scalar_type());
  Tensor places;
  nonzero_stub(self.device().type(), self.to(kBool).contiguous(), [&](int64_t count) -> TensorBase {
    places = at::empty({count, self.dim()}, result.options());
    return places;
  });
  resize_output(result, places.sizes());
  result.copy_(places);
  return result;
}

Tensor nonzero(const Tensor& self) {
  if (self.is_cpu()) {
    Tensor places;
    nonzero_stub(DeviceType::CPU, self.to(kBool).contiguous(), [&](int64_t count) -> TensorBase {
      places = at::empty_strided({count, self.dim()}, {1, count}, self.options().dtype(kLong));
      return places;
    });
    return places;
  }
  Tensor rows = at::empty({0}, self.options().dtype(kLong));
  native::nonzero_out(self, rows);
  // Each dimension's indices lie together, as in PyTorch: `unbind(1)` gives contiguous ones.
  Tensor result = at::empty_strided(rows.sizes(), {1, rows.size(0)}, rows.options());
  return result.copy_(rows);
}

std::vector<Tensor> nonzero_numpy(const Tensor& self) {
  if (self.dim() == 0) return self.unsqueeze(0).nonzero().unbind(1);
  return self.nonzero().unbind(1);
}

Tensor one_hot(const Tensor& self, int64_t num_classes) {
  TORCH_CHECK(self.scalar_type() == kLong,
              "one_hot is only applicable to index tensor of type LongTensor.");
  std::vector<int64_t> shape = self.sizes().vec();
  if (self.numel() == 0) {
    TORCH_CHECK(num_classes > 0, "Can not infer total number of classes from empty tensor.");
    shape.push_back(num_classes);
    return at::empty(shape, self.options());
  }
  TORCH_CHECK(self.min().item().toLong() >= 0, "Class values must be non-negative.");
  const int64_t largest = self.max().item().toLong();
  if (num_classes == -1) {
    num_classes = largest + 1;
  } else {
    TORCH_CHECK(num_classes > largest, "Class values must be smaller than num_classes.");
  }
  shape.push_back(num_classes);
  Tensor result = at::zeros(shape, self.options());
  result.scatter_(-1, self.unsqueeze(-1), 1);
  return result;
}

}  // namespace at::native
