#pragma once

// The arithmetic of the texture operators, for the CPU and for CUDA.

#include <cmath>

#ifdef __CUDACC__
#define TEXTURE_INLINE __host__ __device__ inline
#else
#define TEXTURE_INLINE inline
#endif

namespace texture {

// One pixel's three channels, and the derivative of each CIELAB channel by each of RGB.
template <typename scalar_t>
struct Lab {
  scalar_t value[3];
  scalar_t derivative[3][3];
};

// From sRGB in [0, 1] to CIELAB with the white of illuminant D65 and the observer of 2 degrees:
// IEC 61966-2-1 for the linear values and their matrix to XYZ, CIE 15 for L*, a* and b*.
template <typename scalar_t>
TEXTURE_INLINE Lab<scalar_t> rgb_to_lab(const scalar_t (&rgb)[3]) {
  constexpr double kToXyz[3][3] = {{0.412453, 0.357580, 0.180423},
                                   {0.212671, 0.715160, 0.072169},
                                   {0.019334, 0.119193, 0.950227}};
  constexpr double kWhite[3] = {0.95047, 1.0, 1.08883};
  scalar_t linear[3];
  scalar_t slope[3];
  for (int c = 0; c < 3; ++c) {
    if (rgb[c] > scalar_t(0.04045)) {
      const scalar_t base = (rgb[c] + scalar_t(0.055)) / scalar_t(1.055);
      linear[c] = std::pow(base, scalar_t(2.4));
      slope[c] = scalar_t(2.4 / 1.055) * std::pow(base, scalar_t(1.4));
    } else {
      linear[c] = rgb[c] / scalar_t(12.92);
      slope[c] = scalar_t(1 / 12.92);
    }
  }
  scalar_t f[3];
  scalar_t df[3][3];
  for (int i = 0; i < 3; ++i) {
    scalar_t t = 0;
    for (int c = 0; c < 3; ++c) t += scalar_t(kToXyz[i][c] / kWhite[i]) * linear[c];
    scalar_t by_t;
    if (t > scalar_t(0.008856)) {
      f[i] = std::cbrt(t);
      by_t = scalar_t(1.0 / 3) / (f[i] * f[i]);
    } else {
      f[i] = scalar_t(7.787) * t + scalar_t(16.0 / 116);
      by_t = scalar_t(7.787);
    }
    for (int c = 0; c < 3; ++c) df[i][c] = by_t * scalar_t(kToXyz[i][c] / kWhite[i]) * slope[c];
  }
  Lab<scalar_t> lab;
  lab.value[0] = 116 * f[1] - 16;
  lab.value[1] = 500 * (f[0] - f[1]);
  lab.value[2] = 200 * (f[1] - f[2]);
  for (int c = 0; c < 3; ++c) {
    lab.derivative[0][c] = 116 * df[1][c];
    lab.derivative[1][c] = 500 * (df[0][c] - df[1][c]);
    lab.derivative[2][c] = 200 * (df[1][c] - df[2][c]);
  }
  return lab;
}

// The nearest index inside, with the edge repeated once: -1 is 0, `size` is `size - 1`.
TEXTURE_INLINE long mirrored(long index, long size) {
  return index < 0 ? 0 : (index >= size ? size - 1 : index);
}

// Sobel's weights of the neighbour (dy, dx), for the change along y; along x they are transposed.
TEXTURE_INLINE double sobel_weight(int dy, int dx) { return dy * (dx == 0 ? 2 : 1) / 4.0; }

// The change along both axes at one pixel.
template <typename scalar_t>
TEXTURE_INLINE void sobel_at(const scalar_t* image, long height, long width, long y, long x,
                             scalar_t* along_y, scalar_t* along_x) {
  *along_y = 0;
  *along_x = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const scalar_t value = image[mirrored(y + dy, height) * width + mirrored(x + dx, width)];
      *along_y += scalar_t(sobel_weight(dy, dx)) * value;
      *along_x += scalar_t(sobel_weight(dx, dy)) * value;
    }
  }
}

}  // namespace texture
