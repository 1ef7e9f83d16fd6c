#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/FourierTransform.h>

#include <c10/util/Exception.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <vector>

#include <unsupported/Eigen/FFT>

namespace at::native {

namespace {

using Complex = std::complex<double>;

// KissFFT's loops for a factor p take p operations a number, so that large ones take too long.
constexpr int64_t kLargestFactor = 31;

int64_t largest_prime_factor(int64_t n) {
  int64_t largest = 1;
  for (int64_t p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) largest = p;
  }
  return std::max(largest, n);
}

// Eigen's transform of a line. Its factors are found once for each length.
class Kiss {
 public:
  void forward(const Complex* in, Complex* out, int64_t n) {
    transform_.fwd(out, in, static_cast<int>(n));
  }
  // Without the factor 1 / n.
  void inverse(const Complex* in, Complex* out, int64_t n) {
    transform_.SetFlag(Eigen::FFT<double>::Unscaled);
    transform_.inv(out, in, static_cast<int>(n));
  }

 private:
  Eigen::FFT<double> transform_;
};

}  // namespace

struct FourierTransform::Plan {
  int64_t n;
  bool inverse;
  Kiss kiss;
  // Of Bluestein's algorithm: the chirp exp(-i pi j^2 / n), and the transform of its conjugate,
  // around zero, with the factor of the inverse transform. Empty for other lengths.
  std::vector<Complex> chirp;
  std::vector<Complex> filter;
  std::vector<Complex> buffer;
  std::vector<Complex> spectrum;

  void prepare_bluestein() {
    int64_t m = 1;
    while (m < 2 * n - 1) m *= 2;
    chirp.resize(n);
    const double sign = inverse ? 1.0 : -1.0;
    for (int64_t j = 0; j < n; ++j) {
      // The angle has the period 2 n, within which j^2 is exact.
      const auto square = static_cast<double>(static_cast<int64_t>(
          static_cast<unsigned __int128>(j) * static_cast<unsigned __int128>(j) % (2 * n)));
      chirp[j] = std::polar(1.0, sign * std::numbers::pi * square / static_cast<double>(n));
    }
    std::vector<Complex> around(m, Complex(0));
    around[0] = std::conj(chirp[0]);
    for (int64_t j = 1; j < n; ++j) around[j] = around[m - j] = std::conj(chirp[j]);
    filter.resize(m);
    kiss.forward(around.data(), filter.data(), m);
    for (Complex& value : filter) value /= static_cast<double>(m);
    buffer.resize(m);
    spectrum.resize(m);
  }

  void run_bluestein(const Complex* in, Complex* out) {
    const auto m = static_cast<int64_t>(filter.size());
    for (int64_t j = 0; j < n; ++j) buffer[j] = in[j] * chirp[j];
    std::fill(buffer.begin() + n, buffer.end(), Complex(0));
    kiss.forward(buffer.data(), spectrum.data(), m);
    for (int64_t k = 0; k < m; ++k) spectrum[k] *= filter[k];
    kiss.inverse(spectrum.data(), buffer.data(), m);
    for (int64_t k = 0; k < n; ++k) out[k] = buffer[k] * chirp[k];
  }
};

FourierTransform::FourierTransform(int64_t n, bool inverse) : plan_(std::make_unique<Plan>()) {
  TORCH_CHECK(n < std::numeric_limits<int>::max() / 4, "cannot transform ", n,
              " numbers: the longest line has ", std::numeric_limits<int>::max() / 4 - 1);
  plan_->n = n;
  plan_->inverse = inverse;
  if (largest_prime_factor(n) > kLargestFactor) plan_->prepare_bluestein();
}

FourierTransform::~FourierTransform() = default;

void FourierTransform::run(const Complex* in, Complex* out) {
  Plan& plan = *plan_;
  if (!plan.filter.empty()) {
    plan.run_bluestein(in, out);
  } else if (plan.n == 1) {
    out[0] = in[0];
  } else if (plan.inverse) {
    plan.kiss.inverse(in, out, plan.n);
  } else {
    plan.kiss.forward(in, out, plan.n);
  }
}

}  // namespace at::native
