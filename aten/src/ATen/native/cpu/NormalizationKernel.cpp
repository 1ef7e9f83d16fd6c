// The passes over rows that normalisations are made of.
//
// Sums of floats are kept in vectors, four at a time, so that each adds few of a row's elements.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Normalization.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/ReducedElement.h>
#include <ATen/native/cpu/ReducedFloat.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using vec::Vectorized;

constexpr int64_t kGrain = 16384;  // elements

int64_t row_grain(int64_t length) {
  return std::max<int64_t>(1, kGrain / std::max<int64_t>(length, 1));
}

// Elements of a row as vectors of the type that is computed in.
template <typename T>
struct Row {
  using Math = at::opmath_type<T>;
  using Vec = Vectorized<Math>;

  static Vec load(const T* p) {
    if constexpr (std::is_same_v<T, Math>) {
      return Vec::loadu(p);
    } else {
      return vec::load_as_float(p);
    }
  }
  static void store(T* p, const Vec& v) {
    if constexpr (std::is_same_v<T, Math>) {
      v.store(p);
    } else {
      vec::store_from_float(p, v);
    }
  }
};

template <typename T>
double element(T x) {
  return static_cast<double>(vec::to_float(x));
}

template <typename Math>
double sum_of(const Vectorized<Math>& v) {
#if AT_VEC_ON_HIGHWAY
  namespace hw = at::vec::hw;
  using Wide = Vectorized<double>::D;
  if constexpr (std::is_same_v<Math, double>) {
    return hw::GetLane(hw::SumOfLanes(Wide(), v.values));
  } else {
    const hw::Half<typename Vectorized<Math>::D> half;
    return hw::GetLane(
        hw::SumOfLanes(Wide(), hw::Add(hw::PromoteTo(Wide(), hw::LowerHalf(half, v.values)),
                                       hw::PromoteTo(Wide(), hw::UpperHalf(half, v.values)))));
  }
#else
  Math lanes[Vectorized<Math>::size()];
  v.store(lanes);
  double sums[2] = {0, 0};  // Neither waits for the other.
  for (int i = 0; i < Vectorized<Math>::size(); ++i) sums[i % 2] += static_cast<double>(lanes[i]);
  return sums[0] + sums[1];
#endif
}

// Adds `Sums` sums over [0, length): f(i, vectors) adds whole vectors at i, g(i, sums) one element.
// Vectors are emptied into doubles often enough that rounding stays that of short sums.
template <int Sums, typename Math, typename F, typename G>
void row_sums(int64_t length, double* sums, const F& add_vector, const G& add_element) {
  using Vec = Vectorized<Math>;
  constexpr int64_t kStep = 4 * Vec::size();
  constexpr int64_t kChunk = 256 * kStep;
  for (int s = 0; s < Sums; ++s) sums[s] = 0;
  int64_t i = 0;
  while (i + kStep <= length) {
    Vec lanes[Sums][4];
    const int64_t end = std::min(length - kStep + 1, i + kChunk);
    for (; i < end; i += kStep) {
      for (int u = 0; u < 4; ++u) add_vector(i + u * Vec::size(), lanes, u);
    }
    for (int s = 0; s < Sums; ++s) {
      sums[s] += sum_of<Math>((lanes[s][0] + lanes[s][1]) + (lanes[s][2] + lanes[s][3]));
    }
  }
  if (i + Vec::size() <= length) {
    Vec lanes[Sums][4];
    for (; i + Vec::size() <= length; i += Vec::size()) add_vector(i, lanes, 0);
    for (int s = 0; s < Sums; ++s) sums[s] += sum_of<Math>(lanes[s][0]);
  }
  for (; i < length; ++i) add_element(i, sums);
}

template <typename T>
double row_mean(const T* x, int64_t length) {
  using Math = at::opmath_type<T>;
  double sum = 0;
  row_sums<1, Math>(
      length, &sum, [&](int64_t i, auto& lanes, int u) { lanes[0][u] += Row<T>::load(x + i); },
      [&](int64_t i, double* sums) { sums[0] += element(x[i]); });
  return length == 0 ? 0 : sum / static_cast<double>(length);
}

template <typename T>
double row_squares(const T* x, int64_t length, double mean) {
  using Math = at::opmath_type<T>;
  using Vec = Vectorized<Math>;
  const Vec center(static_cast<Math>(mean));
  double sum = 0;
  row_sums<1, Math>(
      length, &sum,
      [&](int64_t i, auto& lanes, int u) {
        const Vec delta = Row<T>::load(x + i) - center;
        lanes[0][u] = vec::fmadd(delta, delta, lanes[0][u]);
      },
      [&](int64_t i, double* sums) {
        const double delta = element(x[i]) - mean;
        sums[0] += delta * delta;
      });
  return sum;
}

// y[i] = vector(i) for vectors, of which the last may overlap the one before it: y is not what it
// is made from. element(i) serves rows shorter than a vector.
template <typename T, typename F, typename G>
void fill_row(int64_t length, T* y, const F& vector, const G& element) {
  using Vec = typename Row<T>::Vec;
  int64_t i = 0;
  for (; i + Vec::size() <= length; i += Vec::size()) Row<T>::store(y + i, vector(i));
  if (i > 0 && i < length) {
    i = length - Vec::size();
    Row<T>::store(y + i, vector(i));
    return;
  }
  for (; i < length; ++i) y[i] = static_cast<T>(element(i));
}

template <typename T>
void affine_row(int64_t length, const T* x, double scale, double shift, T* y) {
  using Math = at::opmath_type<T>;
  using Vec = Vectorized<Math>;
  const auto a = static_cast<Math>(scale);
  const auto b = static_cast<Math>(shift);
  fill_row(
      length, y, [&](int64_t i) { return vec::fmadd(Row<T>::load(x + i), Vec(a), Vec(b)); },
      [&](int64_t i) { return static_cast<Math>(x[i]) * a + b; });
}

void row_moments_kernel(ScalarType dtype, int64_t count, int64_t length, const void* x,
                        double* mean, double* squares) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "batch_norm", [&] {
    at::parallel_for(0, count, row_grain(length), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const scalar_t* row = static_cast<const scalar_t*>(x) + r * length;
        mean[r] = row_mean(row, length);
        squares[r] = row_squares(row, length, mean[r]);
      }
    });
  });
}

void row_affine_kernel(ScalarType dtype, int64_t count, int64_t length, const void* x,
                       const double* scale, const double* shift, void* y) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "batch_norm", [&] {
    at::parallel_for(0, count, row_grain(length), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        affine_row(length, static_cast<const scalar_t*>(x) + r * length, scale[r], shift[r],
                   static_cast<scalar_t*>(y) + r * length);
      }
    });
  });
}

template <typename T>
void dots_row(int64_t length, const T* dy, const T* x, double mean, double* sums) {
  using Math = at::opmath_type<T>;
  using Vec = Vectorized<Math>;
  const Vec center(static_cast<Math>(mean));
  row_sums<2, Math>(
      length, sums,
      [&](int64_t i, auto& lanes, int u) {
        const Vec g = Row<T>::load(dy + i);
        lanes[0][u] += g;
        lanes[1][u] = vec::fmadd(g, Row<T>::load(x + i) - center, lanes[1][u]);
      },
      [&](int64_t i, double* out) {
        out[0] += element(dy[i]);
        out[1] += element(dy[i]) * (element(x[i]) - mean);
      });
}

void row_dots_kernel(ScalarType dtype, int64_t count, int64_t length, const void* dy, const void* x,
                     const double* mean, double* sum, double* dot) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "batch_norm_backward", [&] {
    at::parallel_for(0, count, row_grain(length), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        double sums[2];
        dots_row(length, static_cast<const scalar_t*>(dy) + r * length,
                 static_cast<const scalar_t*>(x) + r * length, mean[r], sums);
        sum[r] = sums[0];
        dot[r] = sums[1];
      }
    });
  });
}

void row_gradient_kernel(ScalarType dtype, int64_t count, int64_t length, const void* dy,
                         const void* x, const double* a, const double* b, const double* c,
                         void* dx) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "batch_norm_backward", [&] {
    using Math = at::opmath_type<scalar_t>;
    using Vec = Vectorized<Math>;
    at::parallel_for(0, count, row_grain(length), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const scalar_t* g = static_cast<const scalar_t*>(dy) + r * length;
        const scalar_t* in = static_cast<const scalar_t*>(x) + r * length;
        const auto va = static_cast<Math>(a[r]);
        const auto vb = static_cast<Math>(b[r]);
        const auto vc = static_cast<Math>(c[r]);
        fill_row(
            length, static_cast<scalar_t*>(dx) + r * length,
            [&](int64_t i) {
              return vec::fmadd(Row<scalar_t>::load(g + i), Vec(va),
                                vec::fmadd(Row<scalar_t>::load(in + i), Vec(vb), Vec(vc)));
            },
            [&](int64_t i) {
              return static_cast<Math>(g[i]) * va + static_cast<Math>(in[i]) * vb + vc;
            });
      }
    });
  });
}

// y = (x - m) s gamma + beta. Whether there are gamma and beta is known to the compiler: it would
// make loads without effect of absent ones, and those of no memory take hundreds of cycles.
template <bool kGamma, bool kBeta, typename T>
void normalised_row(int64_t length, const T* x, double mean, double scale, const T* gamma,
                    const T* beta, T* y) {
  using Math = at::opmath_type<T>;
  using Vec = Vectorized<Math>;
  const auto m = static_cast<Math>(mean);
  const auto s = static_cast<Math>(scale);
  fill_row(
      length, y,
      [&](int64_t i) {
        Vec v = (Row<T>::load(x + i) - Vec(m)) * Vec(s);
        if constexpr (kGamma) v *= Row<T>::load(gamma + i);
        if constexpr (kBeta) v += Row<T>::load(beta + i);
        return v;
      },
      [&](int64_t i) {
        Math v = (static_cast<Math>(x[i]) - m) * s;
        if constexpr (kGamma) v *= static_cast<Math>(gamma[i]);
        if constexpr (kBeta) v += static_cast<Math>(beta[i]);
        return v;
      });
}

// Row r has the gammas and betas of group r % groups.
void normalise_rows(ScalarType dtype, int64_t count, int64_t length, int64_t groups, const void* x,
                    const void* gamma, const void* beta, double eps, bool centred, void* y,
                    void* mean, void* rstd) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "LayerNormKernelImpl", [&] {
    const auto* g = static_cast<const scalar_t*>(gamma);
    const auto* b = static_cast<const scalar_t*>(beta);
    const auto normalise = g != nullptr ? (b != nullptr ? &normalised_row<true, true, scalar_t>
                                                        : &normalised_row<true, false, scalar_t>)
                                        : (b != nullptr ? &normalised_row<false, true, scalar_t>
                                                        : &normalised_row<false, false, scalar_t>);
    at::parallel_for(0, count, row_grain(length), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const scalar_t* row = static_cast<const scalar_t*>(x) + r * length;
        const double mu = centred ? row_mean(row, length) : 0.0;
        const double variance = row_squares(row, length, mu) / static_cast<double>(length);
        const double scale = 1.0 / std::sqrt(variance + eps);
        if (mean != nullptr) static_cast<scalar_t*>(mean)[r] = static_cast<scalar_t>(mu);
        if (rstd != nullptr) static_cast<scalar_t*>(rstd)[r] = static_cast<scalar_t>(scale);
        const int64_t group = r % groups * length;
        normalise(length, row, mu, scale, g == nullptr ? g : g + group,
                  b == nullptr ? b : b + group, static_cast<scalar_t*>(y) + r * length);
      }
    });
  });
}

void layer_norm_kernel(ScalarType dtype, int64_t count, int64_t length, const void* x,
                       const void* gamma, const void* beta, double eps, bool centred, void* y,
                       void* mean, void* rstd) {
  normalise_rows(dtype, count, length, 1, x, gamma, beta, eps, centred, y, mean, rstd);
}
void group_norm_kernel(ScalarType dtype, int64_t count, int64_t length, int64_t groups,
                       const void* x, const void* gamma, const void* beta, double eps, void* y,
                       void* mean, void* rstd) {
  normalise_rows(dtype, count, length, groups, x, gamma, beta, eps, /*centred=*/true, y, mean,
                 rstd);
}

template <typename T, bool kGamma>
struct LayerNormGradient {
  using Math = at::opmath_type<T>;
  using Vec = Vectorized<Math>;

  int64_t length;
  const T* gamma;  // of the row's group, whose sums begin at `group`
  int64_t group;
  bool centred;
  // Sums of this thread.
  std::vector<Math> dgamma;
  std::vector<Math> dbeta;

  Vec weighted(const T* dy, int64_t i) const {
    const Vec g = Row<T>::load(dy + i);
    if constexpr (kGamma) return g * Row<T>::load(gamma + i);
    return g;
  }
  double weighted_element(const T* dy, int64_t i) const {
    const double g = element(dy[i]);
    if constexpr (kGamma) return g * element(gamma[i]);
    return g;
  }

  void add_parameters(const T* dy, const T* x, Math m, Math r) {
    Math* const gammas = dgamma.data() + group;
    Math* const betas = dbeta.data() + group;
    int64_t i = 0;
    for (; i + Vec::size() <= length; i += Vec::size()) {
      const Vec g = Row<T>::load(dy + i);
      const Vec normal = (Row<T>::load(x + i) - Vec(m)) * Vec(r);
      vec::fmadd(g, normal, Vec::loadu(gammas + i)).store(gammas + i);
      (Vec::loadu(betas + i) + g).store(betas + i);
    }
    for (; i < length; ++i) {
      const auto g = static_cast<Math>(dy[i]);
      gammas[i] += g * (static_cast<Math>(x[i]) - m) * r;
      betas[i] += g;
    }
  }

  // dx = r (g - mean(g) - n mean(g n)) for g = dy gamma and n the normalised x.
  void input(const T* dy, const T* x, Math m, Math r, T* dx) const {
    double sums[2];
    const Vec vm(m);
    row_sums<2, Math>(
        length, sums,
        [&](int64_t i, auto& lanes, int u) {
          const Vec g = weighted(dy, i);
          lanes[0][u] += g;
          lanes[1][u] = vec::fmadd(g, Row<T>::load(x + i) - vm, lanes[1][u]);
        },
        [&](int64_t i, double* out) {
          const double g = weighted_element(dy, i);
          out[0] += g;
          out[1] += g * (element(x[i]) - static_cast<double>(m));
        });
    const auto n = static_cast<double>(length);
    const auto rd = static_cast<double>(r);
    const double slope = -sums[1] * rd * rd * rd / n;
    const double offset = (centred ? -sums[0] * rd / n : 0.0);
    const auto a = static_cast<Math>(slope);
    const auto c = static_cast<Math>(offset);
    fill_row(
        length, dx,
        [&](int64_t i) {
          return vec::fmadd(weighted(dy, i), Vec(r),
                            vec::fmadd(Row<T>::load(x + i) - vm, Vec(a), Vec(c)));
        },
        [&](int64_t i) {
          return static_cast<Math>(weighted_element(dy, i)) * r +
                 (static_cast<Math>(x[i]) - m) * a + c;
        });
  }
};

template <bool kGamma>
void gradients_of_rows(ScalarType dtype, int64_t count, int64_t length, int64_t groups,
                       const void* dy, const void* x, const void* mean, const void* rstd,
                       const void* gamma, bool centred, void* dx, double* dgamma, double* dbeta) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "LayerNormBackwardKernelImpl", [&] {
    using Math = at::opmath_type<scalar_t>;
    const bool parameters = dgamma != nullptr || dbeta != nullptr;
    // As many parts as threads at most: each has sums of its own, which are added in order.
    const int64_t parts =
        std::min<int64_t>(at::get_num_threads(), std::max<int64_t>(1, count * length / kGrain));
    std::vector<LayerNormGradient<scalar_t, kGamma>> gradients(
        static_cast<size_t>(std::max<int64_t>(parts, 1)));
    at::parallel_for(0, parts, 1, [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        auto& gradient = gradients[static_cast<size_t>(part)];
        gradient.length = length;
        gradient.centred = centred;
        if (parameters) {
          gradient.dgamma.assign(static_cast<size_t>(groups * length), Math(0));
          gradient.dbeta.assign(static_cast<size_t>(groups * length), Math(0));
        }
        for (int64_t r = count * part / parts; r < count * (part + 1) / parts; ++r) {
          const scalar_t* g = static_cast<const scalar_t*>(dy) + r * length;
          const scalar_t* in = static_cast<const scalar_t*>(x) + r * length;
          const auto m =
              mean != nullptr ? static_cast<Math>(static_cast<const scalar_t*>(mean)[r]) : Math(0);
          const auto s = static_cast<Math>(static_cast<const scalar_t*>(rstd)[r]);
          gradient.group = r % groups * length;
          if constexpr (kGamma) {
            gradient.gamma = static_cast<const scalar_t*>(gamma) + gradient.group;
          }
          if (parameters) gradient.add_parameters(g, in, m, s);
          if (dx != nullptr) {
            gradient.input(g, in, m, s, static_cast<scalar_t*>(dx) + r * length);
          }
        }
      }
    });
    if (!parameters) return;
    for (int64_t i = 0; i < groups * length; ++i) {
      double g = 0;
      double b = 0;
      for (const auto& gradient : gradients) {
        if (gradient.dgamma.empty()) continue;
        g += static_cast<double>(gradient.dgamma[static_cast<size_t>(i)]);
        b += static_cast<double>(gradient.dbeta[static_cast<size_t>(i)]);
      }
      if (dgamma != nullptr) dgamma[i] = g;
      if (dbeta != nullptr) dbeta[i] = b;
    }
  });
}

void layer_norm_backward_kernel(ScalarType dtype, int64_t count, int64_t length, const void* dy,
                                const void* x, const void* mean, const void* rstd,
                                const void* gamma, bool centred, void* dx, void* dgamma,
                                void* dbeta) {
  const auto run = gamma != nullptr ? &gradients_of_rows<true> : &gradients_of_rows<false>;
  run(dtype, count, length, 1, dy, x, mean, rstd, gamma, centred, dx, static_cast<double*>(dgamma),
      static_cast<double*>(dbeta));
}
void group_norm_backward_kernel(ScalarType dtype, int64_t count, int64_t length, int64_t groups,
                                const void* dy, const void* x, const void* mean, const void* rstd,
                                const void* gamma, void* dx, double* dgamma, double* dbeta) {
  const auto run = gamma != nullptr ? &gradients_of_rows<true> : &gradients_of_rows<false>;
  run(dtype, count, length, groups, dy, x, mean, rstd, gamma, /*centred=*/true, dx, dgamma, dbeta);
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(row_moments_stub, &CPU_CAPABILITY::row_moments_kernel)
REGISTER_DISPATCH(row_affine_stub, &CPU_CAPABILITY::row_affine_kernel)
REGISTER_DISPATCH(row_dots_stub, &CPU_CAPABILITY::row_dots_kernel)
REGISTER_DISPATCH(row_gradient_stub, &CPU_CAPABILITY::row_gradient_kernel)
REGISTER_DISPATCH(layer_norm_stub, &CPU_CAPABILITY::layer_norm_kernel)
REGISTER_DISPATCH(layer_norm_backward_stub, &CPU_CAPABILITY::layer_norm_backward_kernel)
REGISTER_DISPATCH(group_norm_stub, &CPU_CAPABILITY::group_norm_kernel)
REGISTER_DISPATCH(group_norm_backward_stub, &CPU_CAPABILITY::group_norm_backward_kernel)

}  // namespace at::native
