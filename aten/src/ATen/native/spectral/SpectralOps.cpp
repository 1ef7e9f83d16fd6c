// Fourier transforms of tensors and their names in torch.fft.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/FourierTransform.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/_fft_c2c.h>
#include <ATen/ops/_fft_c2c_native.h>
#include <ATen/ops/_fft_c2r.h>
#include <ATen/ops/_fft_c2r_native.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/_fft_r2c_native.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/conj_physical.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fft_fft2_native.h>
#include <ATen/ops/fft_fft_native.h>
#include <ATen/ops/fft_fftfreq.h>
#include <ATen/ops/fft_fftfreq_native.h>
#include <ATen/ops/fft_fftn_native.h>
#include <ATen/ops/fft_fftshift_native.h>
#include <ATen/ops/fft_hfft2_native.h>
#include <ATen/ops/fft_hfft_native.h>
#include <ATen/ops/fft_hfftn_native.h>
#include <ATen/ops/fft_ifft2_native.h>
#include <ATen/ops/fft_ifft_native.h>
#include <ATen/ops/fft_ifftn_native.h>
#include <ATen/ops/fft_ifftshift_native.h>
#include <ATen/ops/fft_ihfft2_native.h>
#include <ATen/ops/fft_ihfft_native.h>
#include <ATen/ops/fft_ihfftn_native.h>
#include <ATen/ops/fft_irfft2_native.h>
#include <ATen/ops/fft_irfft_native.h>
#include <ATen/ops/fft_irfftn_native.h>
#include <ATen/ops/fft_rfft2_native.h>
#include <ATen/ops/fft_rfft_native.h>
#include <ATen/ops/fft_rfftfreq.h>
#include <ATen/ops/fft_rfftfreq_native.h>
#include <ATen/ops/fft_rfftn_native.h>
#include <ATen/ops/roll.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>
#include <c10/util/DimVector.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(fft_c2c_stub);
DEFINE_DISPATCH(fft_r2c_stub);
DEFINE_DISPATCH(fft_c2r_stub);

namespace {

// The argument `normalization` of the operators; the numbers are PyTorch's.
enum class Factor : int64_t { none = 0, by_root_n = 1, by_n = 2 };

double factor_of(int64_t normalization, int64_t n) {
  switch (static_cast<Factor>(normalization)) {
    case Factor::none:
      return 1.0;
    case Factor::by_root_n:
      return 1.0 / std::sqrt(static_cast<double>(n));
    case Factor::by_n:
      return 1.0 / static_cast<double>(n);
  }
  TORCH_CHECK(false, "Unsupported normalization type: ", normalization);
}

// The order of the dimensions in which the result of a transform lies in memory: those that are
// not transformed by their strides in the argument, then those that are, in the order of `dim`.
c10::DimVector order_of(const Tensor& self, IntArrayRef dim) {
  c10::DimVector order;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (std::find(dim.begin(), dim.end(), d) == dim.end()) order.push_back(d);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return self.stride(a) > self.stride(b); });
  order.append(dim.begin(), dim.end());
  return order;
}

// `dim` by strides, the largest first, without the last `kept` ones, which stay where they are.
c10::DimVector sorted_by_stride(const Tensor& self, IntArrayRef dim, int64_t kept) {
  c10::DimVector sorted;
  for (int64_t d : dim) sorted.push_back(at::maybe_wrap_dim(d, self.dim()));
  std::stable_sort(sorted.begin(), sorted.end() - kept,
                   [&](int64_t a, int64_t b) { return self.stride(a) > self.stride(b); });
  return sorted;
}

// Undoes permute(order).
Tensor out_of_order(const Tensor& tensor, IntArrayRef order) {
  c10::DimVector back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  return tensor.permute(back);
}

// The last `count` of so many dimensions, the last first.
c10::DimVector last_dims(int64_t dims, size_t count) {
  c10::DimVector last(count);
  for (int64_t& d : last) d = --dims;
  return last;
}

void check_points(int64_t n) {
  TORCH_CHECK(n >= 1, "Invalid number of data points (", n, ") specified");
}

double factor_of(const Tensor& self, IntArrayRef dim, int64_t normalization) {
  int64_t n = 1;
  for (int64_t d : dim) n *= self.size(d);
  return factor_of(normalization, n);
}

}  // namespace

Tensor _fft_c2c(const Tensor& self, IntArrayRef dim, int64_t normalization, bool forward) {
  TORCH_CHECK(self.is_complex(), "_fft_c2c expects a complex input tensor, but got ",
              self.scalar_type());
  if (dim.empty()) return self.clone();
  const c10::DimVector order = order_of(self, sorted_by_stride(self, dim, /*kept=*/0));
  const Tensor in = self.permute(order);
  const Tensor out = at::empty(in.sizes(), self.options());
  if (!self.is_meta() && out.numel() > 0) {
    fft_c2c_stub(self.device().type(), out, in, last_dims(self.dim(), dim.size()), forward,
                 factor_of(self, dim, normalization));
  }
  return out_of_order(out, order);
}

Tensor _fft_r2c(const Tensor& self, IntArrayRef dim, int64_t normalization, bool onesided) {
  TORCH_CHECK(self.is_floating_point(), "_fft_r2c expects a real input tensor, but got ",
              self.scalar_type());
  TORCH_CHECK(!dim.empty(), "_fft_r2c transforms at least one dimension, but got none");
  const c10::DimVector order = order_of(self, sorted_by_stride(self, dim, /*kept=*/1));
  const Tensor in = self.permute(order);
  const int64_t last = self.dim() - 1;
  const int64_t n = in.size(last);
  check_points(n);
  const int64_t half = n / 2 + 1;
  std::vector<int64_t> sizes = in.sizes().vec();
  sizes[last] = onesided ? half : n;
  const auto options = self.options().dtype(c10::toComplexType(self.scalar_type()));
  const Tensor out = at::empty(sizes, options);
  if (!self.is_meta() && out.numel() > 0) {
    fft_r2c_stub(self.device().type(), out.narrow(last, 0, half), in, last,
                 factor_of(self, dim, normalization));
    if (const int64_t rest = sizes[last] - half; rest > 0) {
      // The other half of a real line's spectrum is the conjugate of this one.
      out.narrow(last, half, rest).copy_(out.narrow(last, 1, rest).flip(last).conj());
    }
    if (dim.size() > 1) {
      c10::DimVector others = last_dims(self.dim(), dim.size());
      others.erase(others.begin());
      fft_c2c_stub(self.device().type(), out, out, others, /*forward=*/true, 1.0);
    }
  }
  return out_of_order(out, order);
}

Tensor _fft_c2r(const Tensor& self, IntArrayRef dim, int64_t normalization, int64_t last_dim_size) {
  TORCH_CHECK(self.is_complex(), "_fft_c2r expects a complex input tensor, but got ",
              self.scalar_type());
  TORCH_CHECK(!dim.empty(), "_fft_c2r transforms at least one dimension, but got none");
  const int64_t given = maybe_wrap_dim(dim.back(), self.dim());
  const int64_t n = last_dim_size;
  check_points(n);
  TORCH_CHECK(self.is_meta() || self.size(given) >= n / 2 + 1, "_fft_c2r of ", n, " numbers needs ",
              n / 2 + 1, " in dimension ", given, ", but it has ", self.size(given));
  const Tensor spectrum = dim.size() == 1 ? self
                                          : native::_fft_c2c(self, dim.slice(0, dim.size() - 1),
                                                             static_cast<int64_t>(Factor::none),
                                                             /*forward=*/false);
  const c10::DimVector order = order_of(spectrum, given);
  const Tensor in = spectrum.permute(order);
  const int64_t last = self.dim() - 1;
  std::vector<int64_t> sizes = in.sizes().vec();
  sizes[last] = n;
  const Tensor out =
      at::empty(sizes, self.options().dtype(c10::toRealValueType(self.scalar_type())));
  if (!self.is_meta() && out.numel() > 0) {
    int64_t points = n;
    for (int64_t d : dim.slice(0, dim.size() - 1)) points *= self.size(d);
    fft_c2r_stub(self.device().type(), out, in.narrow(last, 0, n / 2 + 1), last,
                 factor_of(normalization, points));
  }
  return out_of_order(out, order);
}

// ---- torch.fft

namespace {

// `self` as a type that can be transformed.
Tensor promoted(const Tensor& self, bool to_complex) {
  ScalarType type = self.scalar_type();
  if (!c10::isComplexType(type) && !c10::isFloatingType(type)) {
    type = c10::get_default_dtype_as_scalartype();
  }
  TORCH_CHECK(type != ScalarType::Half && type != ScalarType::BFloat16, "Unsupported dtype ", type);
  if (to_complex) type = c10::toComplexType(type);
  return self.to(type);
}

int64_t factor_from(std::optional<std::string_view> norm, bool forward) {
  if (!norm || *norm == "backward") {
    return static_cast<int64_t>(forward ? Factor::none : Factor::by_n);
  }
  if (*norm == "forward") return static_cast<int64_t>(forward ? Factor::by_n : Factor::none);
  TORCH_CHECK(*norm == "ortho", "Invalid normalization mode: \"", *norm, "\"");
  return static_cast<int64_t>(Factor::by_root_n);
}

// Cuts each dimension, or pads it with zeros at the end.
Tensor resized(Tensor x, IntArrayRef dims, IntArrayRef sizes) {
  bool pads = false;
  std::vector<int64_t> pad(2 * x.dim());
  for (size_t i = 0; i < dims.size(); ++i) {
    if (sizes[i] == -1) continue;
    if (x.size(dims[i]) < sizes[i]) {
      pads = true;
      pad[2 * (x.dim() - 1 - dims[i]) + 1] = sizes[i] - x.size(dims[i]);
    } else if (x.size(dims[i]) > sizes[i]) {
      x = x.slice(dims[i], 0, sizes[i]);
    }
  }
  return pads ? at::constant_pad_nd(x, pad) : x;
}

Tensor fft_c2c(std::string_view name, const Tensor& self, std::optional<int64_t> n, int64_t dim,
               std::optional<std::string_view> norm, bool forward) {
  TORCH_CHECK(self.is_complex(), name, " expects a complex input tensor, but got ",
              self.scalar_type());
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim(), /*wrap_scalar=*/false);
  const int64_t points = n.value_or(self.size(wrapped));
  check_points(points);
  const Tensor input = n ? resized(self, {wrapped}, {points}) : self;
  return at::_fft_c2c(input, {wrapped}, factor_from(norm, forward), forward);
}

Tensor fft_r2c(std::string_view name, const Tensor& self, std::optional<int64_t> n, int64_t dim,
               std::optional<std::string_view> norm, bool forward, bool onesided) {
  TORCH_CHECK(!self.is_complex(), name, " expects a real input tensor, but got ",
              self.scalar_type());
  Tensor input = promoted(self, /*to_complex=*/false);
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim(), /*wrap_scalar=*/false);
  const int64_t points = n.value_or(self.size(wrapped));
  check_points(points);
  if (n) input = resized(input, {wrapped}, {points});
  const Tensor result = at::_fft_r2c(input, {wrapped}, factor_from(norm, forward), onesided);
  return forward ? result : result.conj();
}

Tensor fft_c2r(const Tensor& self, std::optional<int64_t> n, int64_t dim,
               std::optional<std::string_view> norm, bool forward) {
  Tensor input = promoted(self, /*to_complex=*/true);
  const int64_t wrapped = maybe_wrap_dim(dim, self.dim(), /*wrap_scalar=*/false);
  const int64_t points = n.value_or(2 * (self.size(wrapped) - 1));
  check_points(points);
  if (n) input = resized(input, {wrapped}, {points / 2 + 1});
  if (forward) input = at::conj_physical(input);
  return at::_fft_c2r(input, {wrapped}, factor_from(norm, forward), points);
}

Tensor fft_any(std::string_view name, const Tensor& self, std::optional<int64_t> n, int64_t dim,
               std::optional<std::string_view> norm, bool forward) {
  if (self.is_complex()) return fft_c2c(name, self, n, dim, norm, forward);
  return fft_r2c(name, self, n, dim, norm, forward, /*onesided=*/false);
}

struct Lines {
  std::vector<int64_t> dim;
  std::vector<int64_t> shape;
};

// Which dimensions are transformed, and of how many points, by the arguments `s` and `dim`.
Lines lines_of(const Tensor& input, OptionalIntArrayRef s, OptionalIntArrayRef dim) {
  Lines lines;
  const int64_t ndim = input.dim();
  if (dim) {
    lines.dim = dim->vec();
    for (int64_t& d : lines.dim) d = maybe_wrap_dim(d, ndim, /*wrap_scalar=*/false);
    std::vector<int64_t> sorted = lines.dim;
    std::sort(sorted.begin(), sorted.end());
    TORCH_CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(),
                "FFT dims must be unique");
  }
  if (s) {
    TORCH_CHECK(!dim || dim->size() == s->size(),
                "When given, dim and shape arguments must have the same length");
    const auto count = static_cast<int64_t>(s->size());
    TORCH_CHECK(count <= ndim, "Got shape with ", count, " values but input tensor only has ", ndim,
                " dimensions.");
    for (int64_t i = 0; i < count; ++i) {
      if (!dim) lines.dim.push_back(ndim - count + i);
      const int64_t n = (*s)[i];
      lines.shape.push_back(n == -1 ? input.size(lines.dim[i]) : n);
    }
  } else {
    if (!dim) {
      for (int64_t d = 0; d < ndim; ++d) lines.dim.push_back(d);
    }
    for (int64_t d : lines.dim) lines.shape.push_back(input.size(d));
  }
  for (int64_t n : lines.shape) check_points(n);
  return lines;
}

Tensor fftn_c2c(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                std::optional<std::string_view> norm, bool forward) {
  const Lines lines = lines_of(self, s, dim);
  const Tensor input = resized(promoted(self, /*to_complex=*/true), lines.dim, lines.shape);
  return at::_fft_c2c(input, lines.dim, factor_from(norm, forward), forward);
}

Tensor fftn_r2c(std::string_view name, const Tensor& self, OptionalIntArrayRef s,
                OptionalIntArrayRef dim, std::optional<std::string_view> norm, bool forward) {
  TORCH_CHECK(!self.is_complex(), name, " expects a real-valued input tensor, but got ",
              self.scalar_type());
  Lines lines = lines_of(self, s, dim);
  TORCH_CHECK(!lines.shape.empty(), name, " must transform at least one axis");
  const Tensor input = resized(promoted(self, /*to_complex=*/false), lines.dim, lines.shape);
  const int64_t factor = factor_from(norm, forward);
  if (forward) return at::_fft_r2c(input, lines.dim, factor, /*onesided=*/true);
  const Tensor result = at::_fft_r2c(input, lines.dim.back(), factor, /*onesided=*/true);
  if (lines.dim.size() == 1) return result.conj();
  lines.dim.pop_back();
  return at::_fft_c2c(at::conj_physical(result), lines.dim, factor, /*forward=*/false);
}

// Writes a spectrum, which may be conjugated as a view, to `out`; one without elements takes the
// spectrum's strides then.
Tensor& write_spectrum(const Tensor& spectrum, Tensor& out) {
  if (!spectrum.is_conj()) return write_to_out(spectrum, out);
  return at::conj_physical_out(out, spectrum.conj());
}

Tensor fftn_c2r(std::string_view name, const Tensor& self, OptionalIntArrayRef s,
                OptionalIntArrayRef dim, std::optional<std::string_view> norm, bool forward) {
  Lines lines = lines_of(self, s, dim);
  TORCH_CHECK(!lines.shape.empty(), name, " must transform at least one axis");
  // Without a size, or with -1, the last dimension is the half of an even number of points.
  const bool given = s && s->back() != -1;
  const int64_t points = given ? s->back() : 2 * (self.size(lines.dim.back()) - 1);
  check_points(points);
  lines.shape.back() = points / 2 + 1;
  Tensor input = resized(promoted(self, /*to_complex=*/true), lines.dim, lines.shape);
  if (forward) input = at::conj_physical(input);
  return at::_fft_c2r(input, lines.dim, factor_from(norm, forward), points);
}

}  // namespace

// ---- transforms of one dimension, of several, and of the last two

Tensor fft_fft(const Tensor& self, std::optional<int64_t> n, int64_t dim,
               std::optional<std::string_view> norm) {
  return fft_any("fft", self, n, dim, norm, true);
}
Tensor& fft_fft_out(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                    std::optional<std::string_view> norm, Tensor& out) {
  return write_to_out(native::fft_fft(self, n, dim, norm), out);
}

Tensor fft_ifft(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                std::optional<std::string_view> norm) {
  return fft_any("ifft", self, n, dim, norm, false);
}
Tensor& fft_ifft_out(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                     std::optional<std::string_view> norm, Tensor& out) {
  return write_spectrum(native::fft_ifft(self, n, dim, norm), out);
}

Tensor fft_rfft(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                std::optional<std::string_view> norm) {
  return fft_r2c("rfft", self, n, dim, norm, true, true);
}
Tensor& fft_rfft_out(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                     std::optional<std::string_view> norm, Tensor& out) {
  return write_to_out(native::fft_rfft(self, n, dim, norm), out);
}

Tensor fft_irfft(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                 std::optional<std::string_view> norm) {
  return fft_c2r(self, n, dim, norm, false);
}
Tensor& fft_irfft_out(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                      std::optional<std::string_view> norm, Tensor& out) {
  return write_to_out(native::fft_irfft(self, n, dim, norm), out);
}

Tensor fft_hfft(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                std::optional<std::string_view> norm) {
  return fft_c2r(self, n, dim, norm, true);
}
Tensor& fft_hfft_out(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                     std::optional<std::string_view> norm, Tensor& out) {
  return write_to_out(native::fft_hfft(self, n, dim, norm), out);
}

Tensor fft_ihfft(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                 std::optional<std::string_view> norm) {
  return fft_r2c("ihfft", self, n, dim, norm, false, true);
}
Tensor& fft_ihfft_out(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                      std::optional<std::string_view> norm, Tensor& out) {
  return write_spectrum(native::fft_ihfft(self, n, dim, norm), out);
}

Tensor fft_fftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                std::optional<std::string_view> norm) {
  return fftn_c2c(self, s, dim, norm, true);
}
Tensor& fft_fftn_out(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                     std::optional<std::string_view> norm, Tensor& out) {
  return write_to_out(native::fft_fftn(self, s, dim, norm), out);
}

Tensor fft_ifftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                 std::optional<std::string_view> norm) {
  return fftn_c2c(self, s, dim, norm, false);
}
Tensor& fft_ifftn_out(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                      std::optional<std::string_view> norm, Tensor& out) {
  return write_to_out(native::fft_ifftn(self, s, dim, norm), out);
}

Tensor fft_rfftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                 std::optional<std::string_view> norm) {
  return fftn_r2c("rfftn", self, s, dim, norm, true);
}
Tensor& fft_rfftn_out(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                      std::optional<std::string_view> norm, Tensor& out) {
  return write_to_out(native::fft_rfftn(self, s, dim, norm), out);
}

Tensor fft_irfftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                  std::optional<std::string_view> norm) {
  return fftn_c2r("irfftn", self, s, dim, norm, false);
}
Tensor& fft_irfftn_out(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                       std::optional<std::string_view> norm, Tensor& out) {
  return write_to_out(native::fft_irfftn(self, s, dim, norm), out);
}

Tensor fft_hfftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                 std::optional<std::string_view> norm) {
  return fftn_c2r("hfftn", self, s, dim, norm, true);
}
Tensor& fft_hfftn_out(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                      std::optional<std::string_view> norm, Tensor& out) {
  return write_to_out(native::fft_hfftn(self, s, dim, norm), out);
}

Tensor fft_ihfftn(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                  std::optional<std::string_view> norm) {
  return fftn_r2c("ihfftn", self, s, dim, norm, false);
}
Tensor& fft_ihfftn_out(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                       std::optional<std::string_view> norm, Tensor& out) {
  return write_spectrum(native::fft_ihfftn(self, s, dim, norm), out);
}

#define FFT_OF_TWO_DIMENSIONS(name, of_many)                                     \
  Tensor name(const Tensor& self, OptionalIntArrayRef s, IntArrayRef dim,        \
              std::optional<std::string_view> norm) {                            \
    return native::of_many(self, s, dim, norm);                                  \
  }                                                                              \
  Tensor& name##_out(const Tensor& self, OptionalIntArrayRef s, IntArrayRef dim, \
                     std::optional<std::string_view> norm, Tensor& out) {        \
    return write_spectrum(native::name(self, s, dim, norm), out);                \
  }
FFT_OF_TWO_DIMENSIONS(fft_fft2, fft_fftn)
FFT_OF_TWO_DIMENSIONS(fft_ifft2, fft_ifftn)
FFT_OF_TWO_DIMENSIONS(fft_rfft2, fft_rfftn)
FFT_OF_TWO_DIMENSIONS(fft_irfft2, fft_irfftn)
FFT_OF_TWO_DIMENSIONS(fft_hfft2, fft_hfftn)
FFT_OF_TWO_DIMENSIONS(fft_ihfft2, fft_ihfftn)
#undef FFT_OF_TWO_DIMENSIONS

// ---- sample frequencies, and shifts of the zero frequency

namespace {

TensorOptions frequency_options(std::optional<ScalarType> dtype, std::optional<Layout> layout,
                                std::optional<Device> device, std::optional<bool> pin_memory) {
  return TensorOptions()
      .dtype(dtype.value_or(c10::get_default_dtype_as_scalartype()))
      .layout(layout)
      .device(device)
      .pinned_memory(pin_memory);
}

}  // namespace

Tensor fft_fftfreq(int64_t n, double d, std::optional<ScalarType> dtype,
                   std::optional<Layout> layout, std::optional<Device> device,
                   std::optional<bool> pin_memory) {
  const TensorOptions options = frequency_options(dtype, layout, device, pin_memory);
  TORCH_CHECK(isFloatingType(options.dtype().toScalarType()) ||
                  isComplexType(options.dtype().toScalarType()),
              "fftfreq requires a floating point or complex dtype");
  Tensor result = at::arange(n, options);
  result.slice(0, (n + 1) / 2).sub_(n);
  return result.mul_(1.0 / (static_cast<double>(n) * d));
}

Tensor& fft_fftfreq_out(int64_t n, double d, Tensor& out) {
  return write_to_out(at::fft_fftfreq(n, d, out.options()), out);
}

Tensor fft_rfftfreq(int64_t n, double d, std::optional<ScalarType> dtype,
                    std::optional<Layout> layout, std::optional<Device> device,
                    std::optional<bool> pin_memory) {
  const TensorOptions options = frequency_options(dtype, layout, device, pin_memory);
  TORCH_CHECK(isFloatingType(options.dtype().toScalarType()) ||
                  isComplexType(options.dtype().toScalarType()),
              "rfftfreq requires a floating point or complex dtype");
  return at::arange(n / 2 + 1, options).mul_(1.0 / (static_cast<double>(n) * d));
}

Tensor& fft_rfftfreq_out(int64_t n, double d, Tensor& out) {
  return write_to_out(at::fft_rfftfreq(n, d, out.options()), out);
}

namespace {

// Rolled by half of each size, rounded up where `up`.
Tensor roll_by_half(const Tensor& self, OptionalIntArrayRef dim, bool up) {
  std::vector<int64_t> dims;
  if (dim) {
    dims = dim->vec();
  } else {
    for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  }
  if (dims.empty()) return self.clone();
  std::vector<int64_t> shifts;
  for (int64_t d : dims) shifts.push_back((self.size(d) + (up ? 1 : 0)) / 2);
  return at::roll(self, shifts, dims);
}

}  // namespace

Tensor fft_fftshift(const Tensor& self, OptionalIntArrayRef dim) {
  return roll_by_half(self, dim, /*up=*/false);
}

Tensor fft_ifftshift(const Tensor& self, OptionalIntArrayRef dim) {
  return roll_by_half(self, dim, /*up=*/true);
}

}  // namespace at::native
