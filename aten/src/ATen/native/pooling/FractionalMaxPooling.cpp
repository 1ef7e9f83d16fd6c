// Maxima over windows at random places (Graham 2014, "Fractional max-pooling").

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/fractional_max_pool2d_native.h>
#include <ATen/ops/fractional_max_pool3d_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace at::native {
namespace {

// Depth, height and width; two dimensions have a depth of 1.
using Dims = std::array<int64_t, 3>;

// Steps of a mean alpha are rounded so that their sum is exact, and the last window ends where the
// image does. In the arithmetic of the random number's type.
template <typename T>
void first_of_windows(T u, int64_t size, int64_t kernel, int64_t windows, int64_t* first) {
  TORCH_CHECK(u >= T(0) && u <= T(1), "expected random samples between 0 and 1, but got ", u);
  const auto whole = [](T x) { return static_cast<int64_t>(static_cast<double>(x)); };
  if (windows > 1) {
    const T alpha = static_cast<T>(size - kernel) / static_cast<T>(windows - 1);
    for (int64_t i = 0; i < windows - 1; ++i) {
      const int64_t at = whole((static_cast<T>(i) + u) * alpha) - whole(u * alpha);
      first[i] = std::min(at, size - kernel);  // 16 bits round that far.
    }
  }
  first[windows - 1] = size - kernel;
}

struct Sizes {
  Dims in = {1, 1, 1};
  Dims kernel = {1, 1, 1};
  Dims out = {1, 1, 1};
};

int64_t volume(const Dims& sizes) { return sizes[0] * sizes[1] * sizes[2]; }

template <typename T>
void pool_plane(const Sizes& s, const std::array<std::vector<int64_t>, 3>& first, const T* x, T* y,
                int64_t* indices) {
  for (const int64_t d : first[0]) {
    for (const int64_t h : first[1]) {
      for (const int64_t w : first[2]) {
        T best = -std::numeric_limits<T>::infinity();
        int64_t place = (d * s.in[1] + h) * s.in[2] + w;
        for (int64_t kd = d; kd < d + s.kernel[0]; ++kd) {
          for (int64_t kh = h; kh < h + s.kernel[1]; ++kh) {
            const int64_t row = (kd * s.in[1] + kh) * s.in[2];
            for (int64_t at = row + w; at < row + w + s.kernel[2]; ++at) {
              if (x[at] > best || x[at] != x[at]) {
                best = x[at];
                place = at;
              }
            }
          }
        }
        *y++ = best;
        *indices++ = place;
      }
    }
  }
}

std::tuple<Tensor, Tensor> fractional_max_pool(const char* name, const Tensor& self,
                                               IntArrayRef kernel_size, IntArrayRef output_size,
                                               const Tensor& samples, int64_t dims) {
  const int64_t ndim = self.dim();
  TORCH_CHECK(ndim == dims + 1 || ndim == dims + 2, name, ": Expected ", dims + 1, "D or ",
              dims + 2, "D tensor, got ", ndim, "D");
  TORCH_CHECK(static_cast<int64_t>(kernel_size.size()) == dims &&
                  static_cast<int64_t>(output_size.size()) == dims,
              name, ": kernel_size and output_size must have ", dims, " numbers");
  const int64_t batch = ndim == dims + 2 ? self.size(0) : 1;
  const int64_t channels = self.size(-dims - 1);
  const std::vector<int64_t> wanted = {batch, channels, dims};
  TORCH_CHECK(samples.sizes() == IntArrayRef(wanted), name, ": Expect _random_samples of shape (",
              batch, ", ", channels, ", ", dims, "), but got ", samples.sizes());
  TORCH_CHECK(samples.scalar_type() == self.scalar_type(),
              "Expect _random_samples to have the same dtype as input");
  Sizes s;
  std::vector<int64_t> shape = self.sizes().vec();
  for (int64_t d = 0; d < dims; ++d) {
    const auto at = static_cast<size_t>(3 - dims + d);
    const auto given = static_cast<size_t>(d);
    s.in[at] = self.size(ndim - dims + d);
    s.kernel[at] = kernel_size[given];
    s.out[at] = output_size[given];
    shape[static_cast<size_t>(ndim - dims + d)] = s.out[at];
    TORCH_CHECK(s.kernel[at] >= 1 && s.out[at] >= 1 && s.kernel[at] + s.out[at] - 1 <= s.in[at],
                name, ": windows of size ", s.kernel[at], " at ", s.out[at],
                " places do not fit into a dimension of size ", s.in[at]);
  }
  const Tensor x = self.contiguous();
  const Tensor u = samples.contiguous();
  Tensor y = at::empty(shape, x.options());
  Tensor indices = at::empty(shape, x.options().dtype(kLong));
  if (y.numel() == 0) return {y, indices};
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, x.scalar_type(), name, [&] {
    const auto* xd = x.const_data_ptr<scalar_t>();
    const auto* ud = u.const_data_ptr<scalar_t>();
    auto* yd = y.mutable_data_ptr<scalar_t>();
    auto* places = indices.mutable_data_ptr<int64_t>();
    const int64_t in_size = volume(s.in);
    const int64_t out_size = volume(s.out);
    constexpr int64_t kGrain = 8192;  // elements that are worth a thread
    const int64_t grain = std::max<int64_t>(1, kGrain / (out_size * volume(s.kernel)));
    at::parallel_for(0, batch * channels, grain, [&](int64_t begin, int64_t end) {
      std::array<std::vector<int64_t>, 3> first;
      for (size_t d = 0; d < 3; ++d) first[d].resize(static_cast<size_t>(s.out[d]));
      for (int64_t plane = begin; plane < end; ++plane) {
        for (int64_t d = 0; d < dims; ++d) {
          const auto at = static_cast<size_t>(3 - dims + d);
          // Of two numbers the first is for the width, of three for the depth.
          const scalar_t random = ud[plane * dims + (dims == 2 ? 1 - d : d)];
          first_of_windows(random, s.in[at], s.kernel[at], s.out[at], first[at].data());
        }
        pool_plane(s, first, xd + plane * in_size, yd + plane * out_size,
                   places + plane * out_size);
      }
    });
  });
  return {y, indices};
}

}  // namespace

std::tuple<Tensor, Tensor> fractional_max_pool2d(const Tensor& self, IntArrayRef kernel_size,
                                                 IntArrayRef output_size,
                                                 const Tensor& random_samples) {
  return fractional_max_pool("fractional_max_pool2d", self, kernel_size, output_size,
                             random_samples, 2);
}

std::tuple<Tensor, Tensor> fractional_max_pool3d(const Tensor& self, IntArrayRef kernel_size,
                                                 IntArrayRef output_size,
                                                 const Tensor& random_samples) {
  return fractional_max_pool("fractional_max_pool3d", self, kernel_size, output_size,
                             random_samples, 3);
}

}  // namespace at::native
