// Resampling of images one axis after the other, by windows of any width: with antialiasing, and of
// bytes.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/UpSample.h>
#include <ATen/ops/_upsample_bicubic2d_aa.h>
#include <ATen/ops/_upsample_bicubic2d_aa_backward_native.h>
#include <ATen/ops/_upsample_bicubic2d_aa_native.h>
#include <ATen/ops/_upsample_bilinear2d_aa.h>
#include <ATen/ops/_upsample_bilinear2d_aa_backward_native.h>
#include <ATen/ops/_upsample_bilinear2d_aa_native.h>
#include <ATen/ops/empty.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/TypeCast.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

namespace at::native {
namespace upsampling {
namespace {

using Scales = std::array<std::optional<double>, 2>;

// The elements of an axis that each position of the output reads: `size` of them from `first`, by
// the weights from `position * width`.
template <typename Weight>
struct Windows {
  int64_t width = 0;
  std::vector<int64_t> first;
  std::vector<int64_t> size;
  std::vector<Weight> weight;
  int shift = 0;  // weights are multiples of 2^-shift, if they are integers
};

// Keys' kernel (Keys, 1981) at distance x >= 0.
template <typename Real>
Real cubic(Real x, Real a) {
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

template <typename Real>
Real filter_at(Filter filter, bool antialias, Real x) {
  x = std::abs(x);
  if (filter == Filter::Linear) return std::max(1 - x, Real(0));
  return cubic(x, antialias ? Real(-0.5) : Real(-0.75));
}

// Weights of what lies below an output pixel, and of its neighbourhood; they sum to 1.
template <typename Real>
void wide_window(Windows<Real>& windows, int64_t i, int64_t in, Real scale, Real support,
                 Filter filter) {
  const auto middle =
      static_cast<Real>(static_cast<double>(scale) * (static_cast<double>(i) + 0.5));
  const Real shrink = scale >= 1 ? 1 / scale : Real(1);
  const auto first =
      std::max<int64_t>(static_cast<int64_t>(static_cast<double>(middle - support) + 0.5), 0);
  const auto end =
      std::min<int64_t>(static_cast<int64_t>(static_cast<double>(middle + support) + 0.5), in);
  const int64_t size = std::clamp<int64_t>(end - first, 0, windows.width);
  Real* weight = windows.weight.data() + i * windows.width;
  Real total = 0;
  for (int64_t j = 0; j < size; ++j) {
    const double distance = static_cast<double>(static_cast<Real>(j + first) - middle) + 0.5;
    weight[j] = filter_at(filter, true, static_cast<Real>(distance * static_cast<double>(shrink)));
    total += weight[j];
  }
  if (total != 0) {
    for (int64_t j = 0; j < size; ++j) weight[j] /= total;
  }
  windows.first[static_cast<size_t>(i)] = first;
  windows.size[static_cast<size_t>(i)] = size;
}

// Weights of the neighbours of a place; what lies outside counts for the element at the edge.
// Returns the greatest sum of weights on the way, by which bytes choose their precision.
double narrow_window(Windows<double>& windows, int64_t i, int64_t in, double scale,
                     bool align_corners, Filter filter) {
  double place = static_cast<double>(i) * scale;
  if (!align_corners) {
    place = scale * (static_cast<double>(i) + 0.5) - 0.5;
    if (filter == Filter::Linear) place = std::max(place, 0.0);
  }
  const auto low = std::min(static_cast<int64_t>(std::floor(place)), in - 1);
  const double part = std::clamp(place - static_cast<double>(low), 0.0, 1.0);
  const int64_t reach = windows.width / 2;
  const int64_t first = std::max<int64_t>(low - reach + 1, 0);
  const int64_t end = std::min(low + reach + 1, in);
  double* weight = windows.weight.data() + i * windows.width;
  double greatest = 0;
  for (int64_t j = 0; j < windows.width; ++j) {
    const int64_t at = std::clamp<int64_t>(low - reach + 1 + j, 0, in - 1) - first;
    weight[at] += filter_at(filter, false, static_cast<double>(j + 1 - reach) - part);
    greatest = std::max(greatest, weight[at]);
  }
  windows.first[static_cast<size_t>(i)] = first;
  windows.size[static_cast<size_t>(i)] = end - first;
  return greatest;
}

template <typename Real>
Windows<Real> make_windows(int64_t in, int64_t out, Filter filter, bool align_corners,
                           std::optional<double> scale_factor, bool antialias, Real& greatest) {
  const Real scale = place_scale<Real>(in, out, align_corners, scale_factor);
  const int64_t taps = filter == Filter::Linear ? 2 : 4;
  const Real support = Real(0.5) * static_cast<Real>(taps) * std::max(scale, Real(1));
  Windows<Real> windows;
  windows.width = antialias ? static_cast<int64_t>(std::ceil(support)) * 2 + 1 : taps;
  windows.first.resize(static_cast<size_t>(out));
  windows.size.resize(static_cast<size_t>(out));
  windows.weight.resize(static_cast<size_t>(out * windows.width));
  greatest = 0;
  for (int64_t i = 0; i < out; ++i) {
    if (antialias) {
      wide_window(windows, i, in, scale, support, filter);
    } else if constexpr (std::is_same_v<Real, double>) {
      greatest = std::max(greatest, narrow_window(windows, i, in, scale, align_corners, filter));
    }
  }
  if (antialias) {
    greatest = *std::max_element(windows.weight.begin(), windows.weight.end());
  }
  return windows;
}

// The weights as integers of 16 bits, as precise as the greatest of them lets them be.
Windows<int16_t> fixed_point(const Windows<double>& windows, double greatest) {
  Windows<int16_t> result{windows.width, windows.first, windows.size, {}, 0};
  while (result.shift < 22 &&
         static_cast<int>(0.5 + greatest * (1 << (result.shift + 1))) < (1 << 15)) {
    ++result.shift;
  }
  result.weight.reserve(windows.weight.size());
  for (const double weight : windows.weight) {
    const double scaled = weight * (1 << result.shift);
    result.weight.push_back(static_cast<int16_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5));
  }
  return result;
}

template <typename T>
auto windows_for(int64_t in, int64_t out, Filter filter, bool align_corners,
                 std::optional<double> scale, bool antialias) {
  using Real = std::conditional_t<std::is_same_v<T, float>, float, double>;
  Real greatest = 0;
  auto windows = make_windows<Real>(in, out, filter, align_corners, scale, antialias, greatest);
  if constexpr (std::is_same_v<T, uint8_t>) {
    return fixed_point(windows, greatest);
  } else {
    return windows;
  }
}

constexpr int64_t kGrain = 32768;  // products that are worth a thread

template <typename T, typename Sum>
T rounded(Sum sum, int shift) {
  if constexpr (std::is_same_v<T, uint8_t>) {
    return static_cast<uint8_t>(std::clamp(sum >> shift, 0, 255));
  } else {
    return sum;
  }
}

// x: (outer, in, inner), y: (outer, out, inner).
template <typename T, typename Weight>
void resample_axis(const T* x, T* y, int64_t outer, int64_t in, int64_t out, int64_t inner,
                   const Windows<Weight>& windows) {
  using Sum = std::conditional_t<std::is_same_v<T, uint8_t>, int32_t, T>;
  const Sum half = windows.shift > 0 ? Sum(1 << (windows.shift - 1)) : Sum(0);
  const int64_t grain = std::max<int64_t>(1, kGrain / (inner * windows.width));
  at::parallel_for(0, outer * out, grain, [&](int64_t begin, int64_t end) {
    std::vector<Sum> sums(static_cast<size_t>(inner));
    for (int64_t row = begin; row < end; ++row) {
      const auto i = static_cast<size_t>(row % out);
      const T* from = x + (row / out * in + windows.first[i]) * inner;
      const Weight* weight = windows.weight.data() + static_cast<int64_t>(i) * windows.width;
      const int64_t size = windows.size[i];
      if (inner == 1) {
        Sum sum = half;
        for (int64_t t = 0; t < size; ++t) sum += static_cast<Sum>(weight[t]) * from[t];
        y[row] = rounded<T>(sum, windows.shift);
        continue;
      }
      std::fill(sums.begin(), sums.end(), half);
      for (int64_t t = 0; t < size; ++t, from += inner) {
        const auto w = static_cast<Sum>(weight[t]);
        for (int64_t k = 0; k < inner; ++k) sums[static_cast<size_t>(k)] += w * from[k];
      }
      T* to = y + row * inner;
      for (int64_t k = 0; k < inner; ++k) {
        to[k] = rounded<T>(sums[static_cast<size_t>(k)], windows.shift);
      }
    }
  });
}

// The transpose: gy: (outer, out, inner), gx: (outer, in, inner).
template <typename T>
void scatter_axis(const T* gy, T* gx, int64_t outer, int64_t in, int64_t out, int64_t inner,
                  const Windows<T>& windows) {
  const int64_t grain = std::max<int64_t>(1, kGrain / (out * inner * windows.width));
  at::parallel_for(0, outer, grain, [&](int64_t begin, int64_t end) {
    std::fill(gx + begin * in * inner, gx + end * in * inner, T(0));
    for (int64_t o = begin; o < end; ++o) {
      for (int64_t i = 0; i < out; ++i) {
        const T* from = gy + (o * out + i) * inner;
        const auto at = static_cast<size_t>(i);
        T* to = gx + (o * in + windows.first[at]) * inner;
        for (int64_t t = 0; t < windows.size[at]; ++t, to += inner) {
          const T w = windows.weight[static_cast<size_t>(i * windows.width + t)];
          for (int64_t k = 0; k < inner; ++k) to[k] += w * from[k];
        }
      }
    }
  });
}

// One axis of x, an image in `format`, at another size; or its gradient, from the size `x` has.
template <typename T>
Tensor along_axis(const Tensor& x, int64_t dim, int64_t size, MemoryFormat format, Filter filter,
                  bool align_corners, std::optional<double> scale, bool antialias, bool gradient) {
  std::vector<int64_t> sizes = x.sizes().vec();
  sizes[static_cast<size_t>(dim)] = size;
  const Tensor y = at::empty(sizes, x.options(), format);
  const bool last = format == MemoryFormat::ChannelsLast;
  const int64_t outer = x.size(0) * (last ? 1 : x.size(1)) * (dim == 3 ? x.size(2) : 1);
  const int64_t inner = (last ? x.size(1) : 1) * (dim == 2 ? x.size(3) : 1);
  const int64_t in = gradient ? size : x.size(dim);
  const int64_t out = gradient ? x.size(dim) : size;
  const auto windows = windows_for<T>(in, out, filter, align_corners, scale, antialias);
  if constexpr (!std::is_same_v<T, uint8_t>) {
    if (gradient) {
      scatter_axis(x.const_data_ptr<T>(), y.mutable_data_ptr<T>(), outer, in, out, inner, windows);
      return y;
    }
  }
  resample_axis(x.const_data_ptr<T>(), y.mutable_data_ptr<T>(), outer, in, out, inner, windows);
  return y;
}

// The same as a product with a matrix, (out, in), for devices without the loops above.
Tensor by_matrix(const Tensor& x, int64_t dim, int64_t size, Filter filter, bool align_corners,
                 std::optional<double> scale, bool antialias, bool gradient) {
  const int64_t in = gradient ? size : x.size(dim);
  const int64_t out = gradient ? x.size(dim) : size;
  const auto windows = windows_for<float>(in, out, filter, align_corners, scale, antialias);
  const Tensor host = at::empty({out, in}, x.options().dtype(kFloat).device(kCPU)).zero_();
  auto* to = host.mutable_data_ptr<float>();
  for (int64_t i = 0; i < out; ++i) {
    const auto at = static_cast<size_t>(i);
    std::copy_n(windows.weight.data() + i * windows.width, windows.size[at],
                to + i * in + windows.first[at]);
  }
  Tensor matrix = host.to(x.options());
  if (gradient) matrix = matrix.t();
  return dim == 2 ? matrix.matmul(x) : x.matmul(matrix.t());
}

// Both axes; sizes that stay as they are leave their axis alone.
Tensor along_axes(const Tensor& x, IntArrayRef size, Filter filter, bool align_corners,
                  const Scales& scales, bool antialias, bool gradient) {
  const ScalarType dtype = x.scalar_type();
  if (isReducedFloatingType(dtype)) {
    return along_axes(x.to(kFloat), size, filter, align_corners, scales, antialias, gradient)
        .to(dtype);
  }
  TORCH_CHECK_NOT_IMPLEMENTED(x.is_cpu() || isFloatingType(dtype),
                              "\"compute_index_ranges_weights\" not implemented for '", dtype,
                              "' on ", x.device());
  const auto wanted = x.suggest_memory_format();
  const auto format = wanted == MemoryFormat::ChannelsLast ? wanted : MemoryFormat::Contiguous;
  Tensor y = x.contiguous(format);
  // A gradient takes the way back.
  const std::array<int64_t, 2> dims =
      gradient ? std::array<int64_t, 2>{2, 3} : std::array<int64_t, 2>{3, 2};
  for (const int64_t dim : dims) {
    const int64_t to = size[static_cast<size_t>(dim - 2)];
    if (to == y.size(dim)) continue;
    const auto scale = scales[static_cast<size_t>(dim - 2)];
    if (!x.is_cpu()) {
      y = by_matrix(y, dim, to, filter, align_corners, scale, antialias, gradient);
      continue;
    }
    const auto run = [&](auto zero) {
      using T = decltype(zero);
      y = along_axis<T>(y, dim, to, format, filter, align_corners, scale, antialias, gradient);
    };
    if (gradient) {
      const char* name = filter == Filter::Cubic ? "upsample_bicubic2d_aa_backward_cpu"
                                                 : "upsample_bilinear2d_aa_backward_cpu";
      AT_DISPATCH_FLOATING_TYPES(dtype, name, [&] { run(scalar_t(0)); });
    } else {
      AT_DISPATCH_FLOATING_TYPES_AND(kByte, dtype, "compute_index_ranges_weights",
                                     [&] { run(scalar_t(0)); });
    }
  }
  return y.is_same(x) ? x.clone() : y.contiguous(wanted);
}

Tensor resample_backward(const Tensor& grad_output, IntArrayRef output_size, IntArrayRef input_size,
                         Filter filter, bool align_corners, const Scales& scales) {
  check_sizes(input_size, output_size, 2);
  const std::vector<int64_t> expected = {input_size[0], input_size[1], output_size[0],
                                         output_size[1]};
  TORCH_CHECK(grad_output.sizes() == IntArrayRef(expected),
              "Expected grad_output to have the same shape as output; output.size() = ",
              IntArrayRef(expected), " but got grad_output.size() = ", grad_output.sizes());
  return along_axes(grad_output, input_size.slice(2), filter, align_corners, scales, true, true);
}

}  // namespace

Tensor resample(const Tensor& self, IntArrayRef output_size, Filter filter, bool align_corners,
                const Scales& scales, bool antialias) {
  check_sizes(self.sizes(), output_size, 2);
  return along_axes(self, output_size, filter, align_corners, scales, antialias, false);
}

void check_sizes(IntArrayRef input_size, IntArrayRef output_size, int64_t dims) {
  TORCH_CHECK(static_cast<int64_t>(output_size.size()) == dims,
              "It is expected output_size equals to ", dims, ", but got size ", output_size.size());
  TORCH_CHECK(static_cast<int64_t>(input_size.size()) == dims + 2,
              "It is expected input_size equals to ", dims + 2, ", but got size ",
              input_size.size());
  const auto positive = [](int64_t size) { return size > 0; };
  TORCH_CHECK(std::all_of(input_size.begin() + 2, input_size.end(), positive) &&
                  std::all_of(output_size.begin(), output_size.end(), positive),
              "Input and output sizes should be greater than 0, but got input ",
              input_size.slice(2), " output ", output_size);
  TORCH_CHECK(input_size[1] != 0, "Non-empty ", dims + 2,
              "D data tensor expected but got a tensor with sizes ", input_size);
}

std::vector<int64_t> wanted_size(const Tensor& input, OptionalIntArrayRef output_size,
                                 const std::optional<ArrayRef<double>>& factors) {
  const int64_t dims = input.dim() - 2;
  if (output_size.has_value()) {
    TORCH_CHECK(!factors.has_value(), "Must specify exactly one of output_size and scale_factors");
    TORCH_CHECK(static_cast<int64_t>(output_size->size()) == dims, "output_size must have ", dims,
                " elements, but got ", *output_size);
    return output_size->vec();
  }
  TORCH_CHECK(factors.has_value(), "Must specify exactly one of output_size and scale_factors");
  TORCH_CHECK(static_cast<int64_t>(factors->size()) == dims, "scale_factors must have ", dims,
              " elements, but got ", factors->size());
  std::vector<int64_t> sizes;
  for (int64_t d = 0; d < dims; ++d) {
    const double wanted =
        static_cast<double>(input.size(d + 2)) * (*factors)[static_cast<size_t>(d)];
    sizes.push_back(c10::checked_convert<int64_t>(wanted, "int64_t"));
  }
  return sizes;
}

std::optional<double> factor(const std::optional<ArrayRef<double>>& factors, size_t d) {
  if (!factors.has_value() || d >= factors->size()) return std::nullopt;
  return (*factors)[d];
}

}  // namespace upsampling

#define TORCH_RESAMPLE(name, filter)                                                            \
  Tensor name(const Tensor& self, IntArrayRef output_size, bool align_corners,                  \
              std::optional<double> scales_h, std::optional<double> scales_w) {                 \
    return upsampling::resample(self, output_size, filter, align_corners, {scales_h, scales_w}, \
                                /*antialias=*/true);                                            \
  }                                                                                             \
  Tensor& name##_out(const Tensor& self, IntArrayRef output_size, bool align_corners,           \
                     std::optional<double> scales_h, std::optional<double> scales_w,            \
                     Tensor& out) {                                                             \
    return write_out(out, native::name(self, output_size, align_corners, scales_h, scales_w));  \
  }                                                                                             \
  Tensor name##_backward(const Tensor& grad_output, IntArrayRef output_size,                    \
                         IntArrayRef input_size, bool align_corners,                            \
                         std::optional<double> scales_h, std::optional<double> scales_w) {      \
    return upsampling::resample_backward(grad_output, output_size, input_size, filter,          \
                                         align_corners, {scales_h, scales_w});                  \
  }                                                                                             \
  Tensor name(const Tensor& input, OptionalIntArrayRef output_size, bool align_corners,         \
              std::optional<ArrayRef<double>> scale_factors) {                                  \
    return at::name(input, upsampling::wanted_size(input, output_size, scale_factors),          \
                    align_corners, upsampling::factor(scale_factors, 0),                        \
                    upsampling::factor(scale_factors, 1));                                      \
  }

TORCH_RESAMPLE(_upsample_bilinear2d_aa, upsampling::Filter::Linear)
TORCH_RESAMPLE(_upsample_bicubic2d_aa, upsampling::Filter::Cubic)

}  // namespace at::native
