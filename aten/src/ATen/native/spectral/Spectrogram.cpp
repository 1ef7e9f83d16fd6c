// Fourier transforms of windows that slide along a signal, and back.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_fft_c2c.h>
#include <ATen/ops/_fft_c2r.h>
#include <ATen/ops/_fft_r2c.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/istft_native.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/pad.h>
#include <ATen/ops/stft.h>
#include <ATen/ops/stft_native.h>
#include <ATen/ops/unfold_backward.h>
#include <ATen/ops/view_as_real.h>
#include <c10/util/Exception.h>

#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace at::native {

namespace {

// The factors of _fft_r2c and its like.
constexpr int64_t kNoFactor = 0;
constexpr int64_t kByRootN = 1;
constexpr int64_t kByN = 2;

std::string text(const std::optional<bool>& value) {
  return value ? std::to_string(static_cast<int>(*value)) : "None";
}
std::string text(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "None";
}
std::string text(const Tensor& tensor) {
  std::ostringstream out;
  out << "torch." << tensor.scalar_type() << "Tensor" << tensor.sizes();
  return out.str();
}
std::string text(const std::optional<Tensor>& tensor) {
  return tensor && tensor->defined() ? text(*tensor) : "None";
}

// The window in the middle of `n_fft` numbers, the others zero; all ones where there is none.
Tensor whole_window(const std::optional<Tensor>& window, int64_t n_fft, int64_t win_length,
                    const TensorOptions& options) {
  const Tensor given = window && window->defined() ? *window : at::ones({win_length}, options);
  if (win_length == n_fft) return given;
  const int64_t left = (n_fft - win_length) / 2;
  return at::constant_pad_nd(given, {left, n_fft - win_length - left});
}

void warn_without_window(const std::optional<Tensor>& window, const char* advice) {
  if (window && window->defined()) return;
  TORCH_WARN_ONCE(
      "A window was not provided. A rectangular window will be applied, ", advice,
      " To suppress this warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, device=<device>)`.");
}

}  // namespace

Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length,
            std::optional<int64_t> win_length, const std::optional<Tensor>& window, bool normalized,
            std::optional<bool> onesided, std::optional<bool> return_complex,
            std::optional<bool> align_to_window) {
  return at::stft(self, n_fft, hop_length, win_length, window, /*center=*/false, "constant",
                  normalized, onesided, return_complex, align_to_window);
}

// X[w, m] = sum over k of window[k] * self[m * hop + k] * exp(-2 pi i w k / n_fft).
Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length,
            std::optional<int64_t> win_length, const std::optional<Tensor>& window, bool center,
            std::string_view pad_mode, bool normalized, std::optional<bool> onesided,
            std::optional<bool> return_complex, std::optional<bool> align_to_window) {
  const int64_t hop = hop_length.value_or(n_fft / 4);
  const int64_t length = win_length.value_or(n_fft);
  Tensor input = self;
  const auto where = [&] {
    std::ostringstream out;
    out << "stft(" << text(input) << ", n_fft=" << n_fft << ", hop_length=" << hop
        << ", win_length=" << length << ", window=" << text(window) << ", normalized=" << normalized
        << ", onesided=" << text(onesided) << ", return_complex=" << text(return_complex)
        << ", align_to_window=" << text(align_to_window) << ") : ";
    return out.str();
  };
  TORCH_CHECK(!center || !align_to_window,
              "stft align_to_window should only be set when center = false");
  const bool complex = self.is_complex() || (window && window->defined() && window->is_complex());
  TORCH_CHECK(
      return_complex || complex,
      "stft requires the return_complex parameter be given for real inputs, and will further require that return_complex=True in a future PyTorch release.");
  warn_without_window(
      window,
      "which is known to cause spectral leakage. Other windows such as torch.hann_window or torch.hamming_window are recommended to reduce spectral leakage.");
  TORCH_CHECK(self.is_floating_point() || self.is_complex(), where(),
              "expected a tensor of floating point or complex values");
  TORCH_CHECK(self.dim() == 1 || self.dim() == 2, where(), "expected a 1D or 2D tensor");
  const bool batched = self.dim() == 2;
  if (!batched) input = input.unsqueeze(0);
  if (center) {
    const int64_t half = n_fft / 2;
    input = at::pad(input.unsqueeze(0), {half, half}, pad_mode).squeeze(0);
  } else if (align_to_window.value_or(false)) {
    // Frames begin where the window does, not where its zeros do.
    const int64_t left = (n_fft - length) / 2;
    input = at::constant_pad_nd(input, {left, n_fft - length - left});
  }
  const int64_t points = input.size(1);
  TORCH_CHECK(n_fft > 0 && n_fft <= points, where(), "expected 0 < n_fft < ", points,
              ", but got n_fft=", n_fft);
  TORCH_CHECK(hop > 0, where(), "expected hop_length > 0, but got hop_length=", hop);
  TORCH_CHECK(length > 0 && length <= n_fft, where(),
              "expected 0 < win_length <= n_fft, but got win_length=", length);
  TORCH_CHECK(!window || !window->defined() || (window->dim() == 1 && window->size(0) == length),
              where(), "expected a 1D window tensor of size equal to win_length=", length,
              ", but got window with size ", window->sizes());
  const bool half_spectrum = onesided.value_or(!complex);
  TORCH_CHECK(!half_spectrum || !complex,
              "Cannot have onesided output if window or input is complex");
  const Tensor frames = input.unfold(1, n_fft, hop);
  Tensor signal = frames;
  if ((window && window->defined()) || length < n_fft) {
    signal = frames * whole_window(window, n_fft, length, input.options());
  }
  const int64_t factor = normalized ? kByRootN : kNoFactor;
  Tensor result = complex ? at::_fft_c2c(signal, {2}, factor, /*forward=*/true)
                          : at::_fft_r2c(signal, {2}, factor, half_spectrum);
  // In place: the result is no view.
  result.transpose_(1, 2);
  if (!batched) result.squeeze_(0);
  if (return_complex.value_or(true)) return result;
  TORCH_WARN_ONCE(
      "stft with return_complex=False is deprecated. "
      "In a future pytorch release, stft will return complex tensors for all inputs, and return_complex=False will raise an error.\n"
      "Note: you can still call torch.view_as_real on the complex output to recover the old return format.");
  return at::view_as_real(result);
}

// The signal whose stft is nearest to `self` by least squares: overlapping frames are added, each
// weighed by the window, and divided by the sum of the squared windows (Griffin and Lim, "Signal
// estimation from modified short-time Fourier transform", 1984).
Tensor istft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length,
             std::optional<int64_t> win_length, const std::optional<Tensor>& window, bool center,
             bool normalized, std::optional<bool> onesided, std::optional<int64_t> length,
             bool return_complex) {
  const int64_t hop = hop_length.value_or(n_fft / 4);
  const int64_t window_length = win_length.value_or(n_fft);
  const auto where = [&] {
    std::ostringstream out;
    out << "istft(" << text(self) << ", n_fft=" << n_fft << ", hop_length=" << hop
        << ", win_length=" << window_length << ", window=" << text(window) << ", center=" << center
        << ", normalized=" << normalized << ", onesided=" << text(onesided)
        << ", length=" << text(length) << ", return_complex=" << return_complex << ") ";
    return out.str();
  };
  warn_without_window(
      window, "Please provide the same window used by stft to make the inversion lossless.");
  TORCH_CHECK(
      self.is_complex(),
      "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.");
  TORCH_CHECK(self.numel() != 0, where(), ": input tensor cannot be empty.");
  TORCH_CHECK(self.dim() == 2 || self.dim() == 3, where(),
              ": expected a tensor with 3 or 4 dimensions, but got ", self.dim() + 1);
  const bool complex_window = window && window->defined() && window->is_complex();
  const int64_t frequencies = self.size(-2);
  const bool half_spectrum = onesided.value_or(frequencies != n_fft);
  if (half_spectrum) {
    TORCH_CHECK(
        n_fft / 2 + 1 == frequencies, where(),
        ": expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when onesided=True, but got ",
        frequencies);
  } else {
    TORCH_CHECK(
        n_fft == frequencies, where(),
        ": expected the frequency dimension (3rd to the last) of the input tensor to match n_fft when onesided=False, but got ",
        frequencies);
  }
  TORCH_CHECK(hop > 0 && hop <= window_length, where(), ": expected 0 < hop_length <= win_length");
  TORCH_CHECK(window_length > 0 && window_length <= n_fft, where(),
              ": expected 0 < win_length <= n_fft");
  TORCH_CHECK(
      !window || !window->defined() || (window->dim() == 1 && window->size(0) == window_length),
      where(), ": Invalid window shape. window has to be 1D and length of `win_length`");
  TORCH_CHECK(return_complex || !complex_window,
              "Complex windows are incompatible with return_complex=False");
  TORCH_CHECK(!return_complex || !half_spectrum,
              "Cannot have onesided output if window or input is complex");
  const TensorOptions real_options = self.options().dtype(c10::toRealValueType(self.scalar_type()));
  const Tensor weights = whole_window(window, n_fft, window_length, real_options);
  const bool batched = self.dim() == 3;
  const Tensor spectra = (batched ? self : self.unsqueeze(0)).transpose(1, 2);
  const int64_t frames = spectra.size(1);
  const int64_t factor = normalized ? kByRootN : kByN;
  Tensor lines;
  if (return_complex) {
    lines = at::_fft_c2c(spectra, {2}, factor, /*forward=*/false);
  } else {
    const Tensor half = half_spectrum ? spectra : spectra.slice(2, 0, n_fft / 2 + 1);
    lines = at::_fft_c2r(half, {2}, factor, n_fft);
  }
  lines = lines * weights;
  const int64_t total = n_fft + hop * (frames - 1);
  Tensor signal = at::unfold_backward(lines, {lines.size(0), total}, 1, n_fft, hop);
  Tensor envelope = at::unfold_backward((weights * weights).expand({1, frames, n_fft}), {1, total},
                                        1, n_fft, hop);
  const int64_t start = center ? n_fft / 2 : 0;
  const int64_t stop = [&] {
    if (length) return start + *length;
    return center ? total - n_fft / 2 : total;
  }();
  signal = signal.slice(1, start, stop);
  envelope = envelope.slice(1, start, stop);
  const Tensor smallest = envelope.abs().min();
  TORCH_CHECK(smallest.item().toDouble() > 1e-11, where(),
              "window overlap add min: ", smallest.item().toDouble());
  signal = signal / envelope;
  if (!batched) signal = signal.squeeze(0);
  if (stop > total) {
    TORCH_WARN_ONCE(
        "The length of signal is shorter than the length parameter. "
        "Result is being padded with zeros in the tail. "
        "Please check your center and hop_length settings.");
    signal = at::constant_pad_nd(signal, {0, stop - total});
  }
  return signal;
}

}  // namespace at::native
