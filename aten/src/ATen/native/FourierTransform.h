#pragma once

// Discrete Fourier transforms of one line of numbers.

#include <c10/macros/Export.h>

#include <complex>
#include <cstdint>
#include <memory>

namespace at::native {

/// X[k] = sum over j of x[j] * exp(-2 pi i j k / n), without a factor; `inverse` has the other sign
/// in the exponent. Lengths of small prime factors go to Eigen's KissFFT, in O(n log n); others
/// through Bluestein's algorithm, which is a convolution by transforms of a power of two ("A linear
/// filtering approach to the computation of discrete Fourier transform", 1970), so that no length
/// takes O(n^2).
///
/// All arithmetic is in double precision, also for tensors of float: their elements are rounded
/// once, at the end. An object belongs to one thread.
class TORCH_API FourierTransform final {
 public:
  FourierTransform(int64_t n, bool inverse);
  ~FourierTransform();
  FourierTransform(const FourierTransform&) = delete;
  FourierTransform& operator=(const FourierTransform&) = delete;

  /// Reads `n` numbers and writes `n`; the two do not overlap.
  void run(const std::complex<double>* in, std::complex<double>* out);

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace at::native
