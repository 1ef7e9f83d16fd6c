// The passes over rows and columns that normalisations are made of.
//
// Sums of floats are kept in vectors, four at a time, so that each adds few of a row's elements.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Normalization.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/PartialVectors.h>
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
  // The first `count` elements, and zeros.
  static Vec load_part(const T* p, int64_t count) {
    if constexpr (std::is_same_v<T, Math>) {
      return vec::load_part(p, count);
    } else {
      T elements[Vec::size()] = {};
      std::copy_n(p, count, static_cast<T*>(elements));
      return vec::load_as_float(static_cast<const T*>(elements));
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

// Pieces of a row, which threads take where there are few rows. They do not depend on the threads.
struct Pieces {
  static constexpr int64_t kLength = 2 * kGrain;

  int64_t length;
  int64_t count;

  explicit Pieces(int64_t length) : length(length), count(std::max<int64_t>(1, length / kLength)) {}

  // f(piece, begin, end)
  template <typename F>
  void for_each(const F& f) const {
    if (count == 1) {
      f(0, 0, length);
      return;
    }
    at::parallel_for(0, count, 1, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i) {
        f(i, i * kLength, i + 1 < count ? (i + 1) * kLength : length);
      }
    });
  }
};

// Adds `Sums` sums over [begin, end): add_vector(i, vectors) adds whole vectors at i,
// add_element(i, sums) one element. Vectors are emptied into doubles often enough that rounding
// stays that of short sums.
template <int Sums, typename Math, typename F, typename G>
void piece_sums(int64_t begin, int64_t end, double* sums, const F& add_vector,
                const G& add_element) {
  using Vec = Vectorized<Math>;
  constexpr int64_t kStep = 4 * Vec::size();
  constexpr int64_t kChunk = 256 * kStep;
  for (int s = 0; s < Sums; ++s) sums[s] = 0;
  int64_t i = begin;
  while (i + kStep <= end) {
    Vec lanes[Sums][4];
    const int64_t stop = std::min(end - kStep + 1, i + kChunk);
    for (; i < stop; i += kStep) {
      for (int u = 0; u < 4; ++u) add_vector(i + u * Vec::size(), lanes, u);
    }
    for (int s = 0; s < Sums; ++s) {
      sums[s] += sum_of<Math>((lanes[s][0] + lanes[s][1]) + (lanes[s][2] + lanes[s][3]));
    }
  }
  if (i + Vec::size() <= end) {
    Vec lanes[Sums][4];
    for (; i + Vec::size() <= end; i += Vec::size()) add_vector(i, lanes, 0);
    for (int s = 0; s < Sums; ++s) sums[s] += sum_of<Math>(lanes[s][0]);
  }
  for (; i < end; ++i) add_element(i, sums);
}

// The same over a row.
template <int Sums, typename Math, typename F, typename G>
void row_sums(int64_t length, double* sums, const F& add_vector, const G& add_element) {
  const Pieces pieces(length);
  if (pieces.count == 1) {
    piece_sums<Sums, Math>(0, length, sums, add_vector, add_element);
    return;
  }
  std::vector<double> partial(static_cast<size_t>(Sums * pieces.count));
  pieces.for_each([&](int64_t piece, int64_t begin, int64_t end) {
    piece_sums<Sums, Math>(begin, end, partial.data() + piece * Sums, add_vector, add_element);
  });
  for (int s = 0; s < Sums; ++s) sums[s] = 0;
  for (size_t i = 0; i < partial.size(); ++i) sums[i % Sums] += partial[i];
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

// y[i] = vector(i) for vectors, of which the last of a piece may overlap the one before it: y is
// not what it is made from. element(i) serves rows shorter than a vector.
template <typename T, typename F, typename G>
void fill_row(int64_t length, T* y, const F& vector, const G& element) {
  using Vec = typename Row<T>::Vec;
  Pieces(length).for_each([&](int64_t, int64_t begin, int64_t end) {
    int64_t i = begin;
    for (; i + Vec::size() <= end; i += Vec::size()) Row<T>::store(y + i, vector(i));
    if (i > begin && i < end) {
      i = end - Vec::size();
      Row<T>::store(y + i, vector(i));
      return;
    }
    for (; i < end; ++i) y[i] = static_cast<T>(element(i));
  });
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

// f(i, load) for the vectors of [begin, end): load(p) is the one at p, an element of any type that
// is computed in this one. The last vector may have fewer elements; its others are zeros.
template <typename Vec, typename F>
void for_each_vector(int64_t begin, int64_t end, const F& f) {
  int64_t i = begin;
  for (; i + Vec::size() <= end; i += Vec::size()) {
    f(i, []<typename T>(const T* p) { return Row<T>::load(p); });
  }
  if (i < end) f(i, [&]<typename T>(const T* p) { return Row<T>::load_part(p, end - i); });
}

// Rows of which each column has values of its own. Short ones are joined until they fill vectors:
// the columns repeat then, and the last row may end early.
template <typename T>
struct Columns {
  using Math = at::opmath_type<T>;
  using Vec = Vectorized<Math>;
  static constexpr int kTogether = 4;      // rows
  static constexpr int64_t kBlock = 2048;  // columns

  int64_t elements;
  int64_t length;
  int64_t width;
  int64_t rows;

  Columns(int64_t count, int64_t length) : elements(count * length), length(length), width(length) {
    if (length < 4 * Vec::size()) width = length * Vec::size();
    rows = (elements + width - 1) / width;
  }

  // The values of the columns of a row.
  std::vector<Math> repeated(const double* values) const {
    std::vector<Math> all(static_cast<size_t>(width));
    for (auto part = all.begin(); part != all.end(); part += length) {
      std::transform(values, values + length, part,
                     [](double value) { return static_cast<Math>(value); });
    }
    return all;
  }

  // f(begin, end, column) for parts of rows: elements [begin, end), the first in that column.
  template <typename F>
  void for_each_part(const F& f) const {
    const int64_t block = std::min(width, kGrain);
    const int64_t blocks = (width + block - 1) / block;
    at::parallel_for(0, rows * blocks, row_grain(block), [&](int64_t first, int64_t last) {
      for (int64_t part = first; part < last; ++part) {
        const int64_t column = part % blocks * block;
        const int64_t begin = part / blocks * width + column;
        const int64_t end = std::min({begin + block, (part / blocks + 1) * width, elements});
        if (begin < end) f(begin, end, column);
      }
    });
  }

  // Adds `Sums` sums over each column, the second after all of the first: add(load, i, column,
  // vectors) adds the elements at i. Vectors are emptied into doubles often enough that rounding
  // stays that of short sums. The parts of rows that threads take do not depend on their number.
  template <int Sums, typename F>
  void sum(double* sums, const F& add) const {
    constexpr int64_t kChunk = 64 * kTogether;
    const int64_t most = std::clamp<int64_t>(rows / 64, 1, 16);
    const int64_t parts = std::clamp<int64_t>(elements / (4 * kGrain), 1, most);
    const int64_t block = std::min(kBlock, (width + Vec::size() - 1) / Vec::size() * Vec::size());
    const int64_t blocks = (width + block - 1) / block;
    std::vector<double> partial(static_cast<size_t>(Sums * parts * width));
    const int64_t grain = row_grain(elements / (parts * blocks));
    at::parallel_for(0, parts * blocks, grain, [&](int64_t first, int64_t last) {
      std::vector<Math> totals(static_cast<size_t>(Sums * block));
      for (int64_t task = first; task < last; ++task) {
        const int64_t part = task / blocks;
        const int64_t begin = task % blocks * block;
        const int64_t end = std::min(begin + block, width);
        const int64_t last_row = rows * (part + 1) / parts;
        for (int64_t r = rows * part / parts; r < last_row; r += kChunk) {
          std::fill(totals.begin(), totals.end(), Math(0));
          add_rows<Sums>(r, std::min(r + kChunk, last_row), begin, end, totals, add);
          for (int s = 0; s < Sums; ++s) {
            double* out = partial.data() + (part * Sums + s) * width + begin;
            const Math* in = totals.data() + s * block;
            for (int64_t i = 0; i < end - begin; ++i) out[i] += static_cast<double>(in[i]);
          }
        }
      }
    });
    std::fill_n(sums, Sums * length, 0.0);
    for (int64_t part = 0; part < parts; ++part) {
      for (int s = 0; s < Sums; ++s) {
        const double* in = partial.data() + (part * Sums + s) * width;
        for (int64_t i = 0; i < width; i += length) {
          for (int64_t c = 0; c < length; ++c) sums[s * length + c] += in[i + c];
        }
      }
    }
  }

 private:
  // Adds rows [first, last), columns [begin, end), to `Sums` blocks of totals.
  template <int Sums, typename F>
  void add_rows(int64_t first, int64_t last, int64_t begin, int64_t end, std::vector<Math>& totals,
                const F& add) const {
    int64_t r = first;
    // The last row may be shorter.
    for (; r + kTogether < last; r += kTogether) {
      add_together<Sums, kTogether>(r, begin, end, totals, add);
    }
    for (; r < last; ++r) {
      add_together<Sums, 1>(r, begin, std::min(end, elements - r * width), totals, add);
    }
  }
  template <int Sums, int Together, typename F>
  void add_together(int64_t r, int64_t begin, int64_t end, std::vector<Math>& totals,
                    const F& add) const {
    const auto block = static_cast<int64_t>(totals.size()) / Sums;
    for_each_vector<Vec>(begin, end, [&](int64_t i, const auto& load) {
      Vec lanes[Sums];
      Math* const out = totals.data() + (i - begin);
#pragma GCC unroll 2
      for (int s = 0; s < Sums; ++s) lanes[s] = Vec::loadu(out + s * block);
#pragma GCC unroll 4
      for (int u = 0; u < Together; ++u) add(load, (r + u) * width + i, i, lanes);
#pragma GCC unroll 2
      for (int s = 0; s < Sums; ++s) lanes[s].store(out + s * block);
    });
  }
};

template <typename T>
void column_moments(int64_t count, int64_t length, const T* x, double* mean, double* squares) {
  const Columns<T> columns(count, length);
  columns.template sum<1>(
      mean, [&](const auto& load, int64_t i, int64_t, auto& lanes) { lanes[0] += load(x + i); });
  for (int64_t c = 0; c < length; ++c) mean[c] /= static_cast<double>(count);
  const auto centers = columns.repeated(mean);
  columns.template sum<1>(squares, [&](const auto& load, int64_t i, int64_t column, auto& lanes) {
    const auto delta = load(x + i) - load(centers.data() + column);
    lanes[0] = vec::fmadd(delta, delta, lanes[0]);
  });
}

template <typename T>
void row_moments(int64_t count, int64_t length, const T* x, double* mean, double* squares) {
  at::parallel_for(0, count, row_grain(length), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      mean[r] = row_mean(x + r * length, length);
      squares[r] = row_squares(x + r * length, length, mean[r]);
    }
  });
}

void norm_moments_kernel(ScalarType dtype, StatisticsOf of, int64_t count, int64_t length,
                         const void* x, double* mean, double* squares) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "batch_norm", [&] {
    const auto moments =
        of == StatisticsOf::Rows ? &row_moments<scalar_t> : &column_moments<scalar_t>;
    moments(count, length, static_cast<const scalar_t*>(x), mean, squares);
  });
}

template <typename T>
void column_affine(int64_t count, int64_t length, const T* x, const double* scale,
                   const double* shift, T* y) {
  const Columns<T> columns(count, length);
  const auto scales = columns.repeated(scale);
  const auto shifts = columns.repeated(shift);
  columns.for_each_part([&](int64_t begin, int64_t end, int64_t column) {
    const T* in = x + begin;
    const auto* a = scales.data() + column;
    const auto* b = shifts.data() + column;
    using Vec = typename Row<T>::Vec;
    fill_row(
        end - begin, y + begin,
        [&](int64_t i) {
          return vec::fmadd(Row<T>::load(in + i), Vec::loadu(a + i), Vec::loadu(b + i));
        },
        [&](int64_t i) { return static_cast<typename Row<T>::Math>(in[i]) * a[i] + b[i]; });
  });
}

template <typename T>
void row_affine(int64_t count, int64_t length, const T* x, const double* scale, const double* shift,
                T* y) {
  at::parallel_for(0, count, row_grain(length), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      affine_row(length, x + r * length, scale[r], shift[r], y + r * length);
    }
  });
}

void norm_affine_kernel(ScalarType dtype, StatisticsOf of, int64_t count, int64_t length,
                        const void* x, const double* scale, const double* shift, void* y) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "batch_norm", [&] {
    const auto affine = of == StatisticsOf::Rows ? &row_affine<scalar_t> : &column_affine<scalar_t>;
    affine(count, length, static_cast<const scalar_t*>(x), scale, shift, static_cast<scalar_t*>(y));
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

template <typename T>
void row_dots(int64_t count, int64_t length, const T* dy, const T* x, const double* mean,
              double* sum, double* dot) {
  at::parallel_for(0, count, row_grain(length), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      double sums[2];
      dots_row(length, dy + r * length, x + r * length, mean[r], sums);
      sum[r] = sums[0];
      dot[r] = sums[1];
    }
  });
}

template <typename T>
void column_dots(int64_t count, int64_t length, const T* dy, const T* x, const double* mean,
                 double* sum, double* dot) {
  const Columns<T> columns(count, length);
  const auto centers = columns.repeated(mean);
  std::vector<double> sums(static_cast<size_t>(2 * length));
  columns.template sum<2>(
      sums.data(), [&](const auto& load, int64_t i, int64_t column, auto& lanes) {
        const auto g = load(dy + i);
        lanes[0] += g;
        lanes[1] = vec::fmadd(g, load(x + i) - load(centers.data() + column), lanes[1]);
      });
  std::copy_n(sums.data(), length, sum);
  std::copy_n(sums.data() + length, length, dot);
}

void norm_dots_kernel(ScalarType dtype, StatisticsOf of, int64_t count, int64_t length,
                      const void* dy, const void* x, const double* mean, double* sum, double* dot) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "batch_norm_backward", [&] {
    const auto dots = of == StatisticsOf::Rows ? &row_dots<scalar_t> : &column_dots<scalar_t>;
    dots(count, length, static_cast<const scalar_t*>(dy), static_cast<const scalar_t*>(x), mean,
         sum, dot);
  });
}

template <typename T>
void row_gradient(int64_t count, int64_t length, const T* dy, const T* x, const double* a,
                  const double* b, const double* c, T* dx) {
  using Math = at::opmath_type<T>;
  using Vec = Vectorized<Math>;
  at::parallel_for(0, count, row_grain(length), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const T* g = dy + r * length;
      const T* in = x + r * length;
      const auto va = static_cast<Math>(a[r]);
      const auto vb = static_cast<Math>(b[r]);
      const auto vc = static_cast<Math>(c[r]);
      fill_row(
          length, dx + r * length,
          [&](int64_t i) {
            return vec::fmadd(Row<T>::load(g + i), Vec(va),
                              vec::fmadd(Row<T>::load(in + i), Vec(vb), Vec(vc)));
          },
          [&](int64_t i) {
            return static_cast<Math>(g[i]) * va + static_cast<Math>(in[i]) * vb + vc;
          });
    }
  });
}

template <typename T>
void column_gradient(int64_t count, int64_t length, const T* dy, const T* x, const double* a,
                     const double* b, const double* c, T* dx) {
  using Math = at::opmath_type<T>;
  using Vec = Vectorized<Math>;
  const Columns<T> columns(count, length);
  const auto as = columns.repeated(a);
  const auto bs = columns.repeated(b);
  const auto cs = columns.repeated(c);
  columns.for_each_part([&](int64_t begin, int64_t end, int64_t column) {
    const T* g = dy + begin;
    const T* in = x + begin;
    const Math* va = as.data() + column;
    const Math* vb = bs.data() + column;
    const Math* vc = cs.data() + column;
    fill_row(
        end - begin, dx + begin,
        [&](int64_t i) {
          return vec::fmadd(
              Row<T>::load(g + i), Vec::loadu(va + i),
              vec::fmadd(Row<T>::load(in + i), Vec::loadu(vb + i), Vec::loadu(vc + i)));
        },
        [&](int64_t i) {
          return static_cast<Math>(g[i]) * va[i] + static_cast<Math>(in[i]) * vb[i] + vc[i];
        });
  });
}

void norm_gradient_kernel(ScalarType dtype, StatisticsOf of, int64_t count, int64_t length,
                          const void* dy, const void* x, const double* a, const double* b,
                          const double* c, void* dx) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "batch_norm_backward", [&] {
    const auto gradient =
        of == StatisticsOf::Rows ? &row_gradient<scalar_t> : &column_gradient<scalar_t>;
    gradient(count, length, static_cast<const scalar_t*>(dy), static_cast<const scalar_t*>(x), a, b,
             c, static_cast<scalar_t*>(dx));
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
    Pieces(length).for_each([&](int64_t, int64_t begin, int64_t end) {
      int64_t i = begin;
      for (; i + Vec::size() <= end; i += Vec::size()) {
        const Vec g = Row<T>::load(dy + i);
        const Vec normal = (Row<T>::load(x + i) - Vec(m)) * Vec(r);
        vec::fmadd(g, normal, Vec::loadu(gammas + i)).store(gammas + i);
        (Vec::loadu(betas + i) + g).store(betas + i);
      }
      for (; i < end; ++i) {
        const auto g = static_cast<Math>(dy[i]);
        gammas[i] += g * (static_cast<Math>(x[i]) - m) * r;
        betas[i] += g;
      }
    });
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
    const int64_t parts = std::min<int64_t>(
        {at::get_num_threads(), count, std::max<int64_t>(1, count * length / kGrain)});
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

REGISTER_DISPATCH(norm_moments_stub, &CPU_CAPABILITY::norm_moments_kernel)
REGISTER_DISPATCH(norm_affine_stub, &CPU_CAPABILITY::norm_affine_kernel)
REGISTER_DISPATCH(norm_dots_stub, &CPU_CAPABILITY::norm_dots_kernel)
REGISTER_DISPATCH(norm_gradient_stub, &CPU_CAPABILITY::norm_gradient_kernel)
REGISTER_DISPATCH(layer_norm_stub, &CPU_CAPABILITY::layer_norm_kernel)
REGISTER_DISPATCH(layer_norm_backward_stub, &CPU_CAPABILITY::layer_norm_backward_kernel)
REGISTER_DISPATCH(group_norm_stub, &CPU_CAPABILITY::group_norm_kernel)
REGISTER_DISPATCH(group_norm_backward_stub, &CPU_CAPABILITY::group_norm_backward_kernel)

}  // namespace at::native
