// Fourier transforms of lines: several at once as vectors, or one that is split into several.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/FourierTransform.h>

#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/complex.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

using vec::Vectorized;

namespace {

// The largest prime that has a loop of its own; lengths with larger ones are convolutions.
constexpr int64_t kLargestFactor = 31;
// Numbers of an array that a block of lines may have, so that the arrays stay in the cache.
constexpr int64_t kBlock = 8192;
// Longer lines are transformed one at a time.
constexpr int64_t kLongLine = 1024;

constexpr int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

// The prime factors, pairs of 2 as 4.
std::vector<int64_t> factors_of(int64_t n) {
  std::vector<int64_t> factors;
  for (; n % 4 == 0; n /= 4) factors.push_back(4);
  for (int64_t p = 2; p * p <= n; ++p) {
    for (; n % p == 0; n /= p) factors.push_back(p);
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

// exp(-2 pi i j / n), by the nearest multiple of a quarter, so that angles are small.
std::complex<double> root_of_unity(int64_t j, int64_t n) {
  const int64_t quarter = (4 * j + n / 2) / n;
  const double angle =
      -0.5 * std::numbers::pi * static_cast<double>(4 * j - quarter * n) / static_cast<double>(n);
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  switch (quarter % 4) {
    case 0:
      return {c, s};
    case 1:
      return {s, -c};
    case 2:
      return {-c, -s};
    default:
      return {-s, c};
  }
}

// Complex numbers as an array of real and one of imaginary parts.
template <typename T>
struct Parts {
  T* re;
  T* im;
  Parts operator+(int64_t i) const { return {re + i, im + i}; }
};

template <typename T>
struct Storage {
  explicit Storage(int64_t n = 0) : n(n), values(static_cast<size_t>(2 * n)) {}
  Parts<T> parts() { return {values.data(), values.data() + n}; }
  Parts<const T> parts() const { return {values.data(), values.data() + n}; }
  void set(int64_t i, std::complex<double> z) {
    values[i] = static_cast<T>(z.real());
    values[n + i] = static_cast<T>(z.imag());
  }
  int64_t n;
  std::vector<T> values;
};

template <typename V>
struct Complex {
  V re;
  V im;
  template <typename T>
  static Complex load(Parts<T> p) {
    return {V::loadu(p.re), V::loadu(p.im)};
  }
  template <typename T>
  void store(Parts<T> p) const {
    re.store(p.re);
    im.store(p.im);
  }
  friend Complex operator+(const Complex& a, const Complex& b) {
    return {a.re + b.re, a.im + b.im};
  }
  friend Complex operator-(const Complex& a, const Complex& b) {
    return {a.re - b.re, a.im - b.im};
  }
  friend Complex operator*(const Complex& a, const Complex& b) {
    return {vec::fmadd(a.re, b.re, -(a.im * b.im)), vec::fmadd(a.re, b.im, a.im * b.re)};
  }
};

// The transform of `radix` numbers at a[0], in place. `roots` are those of unity.
template <int radix, typename V>
inline void butterfly(Complex<V>* a, int64_t count, const Complex<V>* roots) {
  if constexpr (radix == 2) {
    const Complex<V> b = a[1];
    a[1] = a[0] - b;
    a[0] = a[0] + b;
  } else if constexpr (radix == 4) {
    const Complex<V> sum = a[0] + a[2];
    const Complex<V> difference = a[0] - a[2];
    const Complex<V> odd_sum = a[1] + a[3];
    const Complex<V> odd = a[1] - a[3];
    a[0] = sum + odd_sum;
    a[1] = {difference.re + odd.im, difference.im - odd.re};
    a[2] = sum - odd_sum;
    a[3] = {difference.re - odd.im, difference.im + odd.re};
  } else {
    // Odd: numbers at the same distance from both ends meet conjugate roots.
    constexpr int kMost = radix == 0 ? kLargestFactor : radix;
    const int64_t n = radix == 0 ? count : radix;
    const int64_t half = n / 2;
    Complex<V> sum[kMost / 2 + 1];
    Complex<V> difference[kMost / 2 + 1];
    Complex<V> total = a[0];
    for (int64_t k = 1; k <= half; ++k) {
      sum[k] = a[k] + a[n - k];
      difference[k] = a[k] - a[n - k];
      total = total + sum[k];
    }
    for (int64_t j = 1; j <= half; ++j) {
      Complex<V> even = a[0];
      V odd_re(0);
      V odd_im(0);
      int64_t at = 0;
      for (int64_t k = 1; k <= half; ++k) {
        at += j;
        if (at >= n) at -= n;
        const Complex<V>& w = roots[at];
        even.re = vec::fmadd(sum[k].re, w.re, even.re);
        even.im = vec::fmadd(sum[k].im, w.re, even.im);
        odd_re = vec::fmadd(difference[k].re, w.im, odd_re);
        odd_im = vec::fmadd(difference[k].im, w.im, odd_im);
      }
      a[j] = {even.re - odd_im, even.im + odd_re};
      a[n - j] = {even.re + odd_im, even.im - odd_re};
    }
    a[0] = total;
  }
}

// Transforms of `n` numbers that are products of small primes, of many lines at once: number j of
// line l is at j * lanes + l. Stockham's algorithm: it sorts as it goes.
template <typename T>
class Smooth {
 public:
  explicit Smooth(int64_t n) : n_(n), factors_(factors_of(n)), roots_(n) {
    for (int64_t j = 0; j < n; ++j) roots_.set(j, root_of_unity(j, n));
  }

  int64_t length() const { return n_; }

  // `lanes` is a multiple of a vector's size. Returns which of the two has the result.
  Parts<T> run(Parts<T> x, Parts<T> y, int64_t lanes) const {
    int64_t left = n_;
    int64_t stride = 1;
    for (const int64_t radix : factors_) {
      switch (radix) {
        case 2:
          pass<2>(x, y, left, stride, lanes, radix);
          break;
        case 3:
          pass<3>(x, y, left, stride, lanes, radix);
          break;
        case 4:
          pass<4>(x, y, left, stride, lanes, radix);
          break;
        case 5:
          pass<5>(x, y, left, stride, lanes, radix);
          break;
        case 7:
          pass<7>(x, y, left, stride, lanes, radix);
          break;
        default:
          pass<0>(x, y, left, stride, lanes, radix);
      }
      std::swap(x, y);
      left /= radix;
      stride *= radix;
    }
    return x;
  }

 private:
  using V = Vectorized<T>;

  Complex<V> root(int64_t j) const {
    const auto roots = roots_.parts();
    return {V(roots.re[j]), V(roots.im[j])};
  }

  template <int radix>
  void pass(Parts<T> x, Parts<T> y, int64_t left, int64_t stride, int64_t lanes,
            int64_t count) const {
    constexpr int kMost = radix == 0 ? kLargestFactor : radix;
    const int64_t r = radix == 0 ? count : radix;
    const int64_t m = left / r;
    const int64_t run = stride * lanes;
    Complex<V> own[kMost];
    if constexpr (radix != 2 && radix != 4) {
      for (int64_t j = 0; j < r; ++j) own[j] = root(j * (n_ / r));
    }
    for (int64_t p = 0; p < m; ++p) {
      Complex<V> twiddle[kMost];
      for (int64_t j = 1; j < r; ++j) twiddle[j] = root(p * j * stride);
      for (int64_t q = 0; q < run; q += V::size()) {
        Complex<V> a[kMost];
        for (int64_t k = 0; k < r; ++k) a[k] = Complex<V>::load(x + ((p + k * m) * run + q));
        butterfly<radix>(a, r, own);
        a[0].store(y + (r * p * run + q));
        for (int64_t j = 1; j < r; ++j) {
          (p == 0 ? a[j] : a[j] * twiddle[j]).store(y + ((r * p + j) * run + q));
        }
      }
    }
  }

  int64_t n_;
  std::vector<int64_t> factors_;
  Storage<T> roots_;
};

// Transforms of `n` numbers, of many lines at once or of one.
template <typename T>
class Plan {
 public:
  explicit Plan(int64_t n) : n_(n) {
    const std::vector<int64_t> factors = factors_of(n);
    if (!factors.empty() && factors.back() > kLargestFactor) {
      prepare_convolution();
      return;
    }
    // The two parts of a long line, of about the same length.
    int64_t first = 1;
    for (int64_t d = 2; d * d <= n; ++d) {
      if (n % d == 0) first = d;
    }
    const bool in_parts = first >= kLanes / 2 && n >= 8 * kLanes;
    if (!in_parts || n <= kLongLine) smooth_.emplace(n);
    if (!in_parts) return;
    first_.emplace(first);
    second_.emplace(n / first);
    twiddles_ = Storage<T>(n);
    for (int64_t k = 0; k < first; ++k) {
      for (int64_t j = 0; j < n / first; ++j) {
        twiddles_.set(k * (n / first) + j, root_of_unity(j * k % n, n));
      }
    }
  }

  static constexpr int64_t kLanes = Vectorized<T>::size();

  // Whether a line is transformed by itself as fast as among others, and whether it has to be.
  bool by_parts() const { return inner_ ? inner_->by_parts() : first_.has_value(); }
  bool alone() const { return inner_ ? inner_->alone() : !smooth_.has_value(); }

  // How many numbers both arguments of run() have room for.
  int64_t room(int64_t lanes) const {
    const int64_t n = inner_ ? inner_->n_ : n_;
    return (lanes == 1 && !by_parts() ? kLanes : lanes) * n;
  }

  // One line may be run by itself; else `lanes` is a multiple of kLanes. The arguments are both
  // overwritten. Returns which of them has the result.
  Parts<T> run(Parts<T> x, Parts<T> y, int64_t lanes) const {
    if (inner_) return convolve(x, y, lanes);
    if (lanes > 1) return smooth_->run(x, y, lanes);
    if (by_parts()) return run_by_parts(x, y);
    for (int64_t j = n_; j-- > 0;) {
      x.re[j * kLanes] = x.re[j];
      x.im[j * kLanes] = x.im[j];
      for (int64_t l = 1; l < kLanes; ++l) x.re[j * kLanes + l] = x.im[j * kLanes + l] = 0;
    }
    const Parts<T> result = smooth_->run(x, y, kLanes);
    for (int64_t j = 0; j < n_; ++j) {
      result.re[j] = result.re[j * kLanes];
      result.im[j] = result.im[j * kLanes];
    }
    return result;
  }

 private:
  // n = n1 * n2 as a matrix of n1 rows: transforms of its columns, factors, and transforms of its
  // rows, which are columns after transposing (Bailey, "FFTs in external or hierarchical memory").
  Parts<T> run_by_parts(Parts<T> x, Parts<T> y) const {
    const int64_t n1 = first_->length();
    const int64_t n2 = second_->length();
    constexpr int64_t kMost = 4 * kLanes;
    const int64_t room = std::max(n1, n2) * kMost;
    Storage<T> from(room);
    Storage<T> to(room);
    const auto columns = [&](const Smooth<T>& smooth, Parts<T> in, int64_t rows, int64_t width,
                             const auto& finish) {
      for (int64_t c = 0; c < width; c += kMost) {
        const int64_t count = std::min(kMost, width - c);
        const int64_t lanes = round_up(count, kLanes);
        const Parts<T> block = from.parts();
        for (int64_t j = 0; j < rows; ++j) {
          std::copy_n(in.re + j * width + c, count, block.re + j * lanes);
          std::copy_n(in.im + j * width + c, count, block.im + j * lanes);
          std::fill_n(block.re + j * lanes + count, lanes - count, T(0));
          std::fill_n(block.im + j * lanes + count, lanes - count, T(0));
        }
        finish(smooth.run(block, to.parts(), lanes), c, count, lanes);
      }
    };
    const auto twiddles = twiddles_.parts();
    columns(*first_, x, n1, n2, [&](Parts<T> block, int64_t c, int64_t count, int64_t lanes) {
      using V = Vectorized<T>;
      for (int64_t k = 1; k < n1; ++k) {
        for (int64_t l = 0; l < lanes; l += kLanes) {
          const int64_t valid = std::min(kLanes, count - l);
          const Complex<V> w = {V::loadu(twiddles.re + k * n2 + c + l, valid),
                                V::loadu(twiddles.im + k * n2 + c + l, valid)};
          const Parts<T> at = block + (k * lanes + l);
          (Complex<V>::load(at) * w).store(at);
        }
      }
      for (int64_t l = 0; l < count; ++l) {
        for (int64_t k = 0; k < n1; ++k) {
          y.re[(c + l) * n1 + k] = block.re[k * lanes + l];
          y.im[(c + l) * n1 + k] = block.im[k * lanes + l];
        }
      }
    });
    columns(*second_, y, n2, n1, [&](Parts<T> block, int64_t c, int64_t count, int64_t lanes) {
      for (int64_t k = 0; k < n2; ++k) {
        std::copy_n(block.re + k * lanes, count, x.re + k * n1 + c);
        std::copy_n(block.im + k * lanes, count, x.im + k * n1 + c);
      }
    });
    return x;
  }

  // Bluestein's algorithm, "A linear filtering approach to the computation of discrete Fourier
  // transform", 1970: a convolution with exp(i pi j^2 / n), by transforms of a smooth length.
  void prepare_convolution() {
    int64_t m = 2 * n_ - 1;
    while (factors_of(m).back() > 5) ++m;
    inner_ = std::make_unique<Plan>(m);
    chirp_ = Storage<T>(n_);
    Storage<T> around(inner_->room(1));
    Storage<T> other(inner_->room(1));
    for (int64_t j = 0; j < n_; ++j) {
      // The angle has the period 2 n, within which j^2 is exact.
      const auto square = static_cast<int64_t>(static_cast<unsigned __int128>(j) *
                                               static_cast<unsigned __int128>(j) % (2 * n_));
      const std::complex<double> z = root_of_unity(square, 2 * n_);
      chirp_.set(j, z);
      around.set(j, std::conj(z));
      if (j > 0) around.set(m - j, std::conj(z));
    }
    const Parts<T> found = inner_->run(around.parts(), other.parts(), 1);
    filter_ = Storage<T>(m);
    for (int64_t j = 0; j < m; ++j) {
      filter_.set(j, std::complex<double>(found.re[j], found.im[j]) / static_cast<double>(m));
    }
  }

  // Multiplies number j of each line by `by` j.
  static void multiply(Parts<T> x, const Storage<T>& by, int64_t n, int64_t lanes) {
    const auto w = by.parts();
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t l = 0; l < lanes; ++l) {
        const Parts<T> at = x + (j * lanes + l);
        const T re = *at.re * w.re[j] - *at.im * w.im[j];
        *at.im = *at.re * w.im[j] + *at.im * w.re[j];
        *at.re = re;
      }
    }
  }

  Parts<T> convolve(Parts<T> x, Parts<T> y, int64_t lanes) const {
    const int64_t m = inner_->n_;
    multiply(x, chirp_, n_, lanes);
    std::fill(x.re + n_ * lanes, x.re + m * lanes, T(0));
    std::fill(x.im + n_ * lanes, x.im + m * lanes, T(0));
    Parts<T> found = inner_->run(x, y, lanes);
    multiply(found, filter_, m, lanes);
    // Exchanged parts turn the sign of the exponent.
    const Parts<T> other = found.re == x.re ? y : x;
    const Parts<T> back = inner_->run({found.im, found.re}, {other.im, other.re}, lanes);
    found = {back.im, back.re};
    multiply(found, chirp_, n_, lanes);
    return found;
  }

  int64_t n_;
  std::optional<Smooth<T>> smooth_;
  std::optional<Smooth<T>> first_;
  std::optional<Smooth<T>> second_;
  Storage<T> twiddles_;
  std::unique_ptr<Plan> inner_;
  Storage<T> chirp_;
  Storage<T> filter_;
};

// The transforms of lines of complex numbers of type C, and what lines of an even number of real
// ones need beside one of half the length.
template <typename C>
struct Transform {
  Transform(int64_t n, bool halved) : plan(halved ? n / 2 : n), roots(halved ? n / 2 + 1 : 0) {
    for (int64_t k = 0; k < roots.n; ++k) roots.set(k, root_of_unity(k, n));
  }
  Plan<C> plan;
  Storage<C> roots;
};

// Transforms are kept for the next call: their roots take longer to compute than a line.
template <typename C>
std::shared_ptr<const Transform<C>> transform_for(int64_t n, bool halved) {
  struct Entry {
    int64_t n;
    bool halved;
    std::shared_ptr<const Transform<C>> transform;
  };
  constexpr int64_t kMostNumbers = 1 << 20;
  static std::mutex mutex;
  static std::list<Entry> recent;
  {
    const std::lock_guard<std::mutex> lock(mutex);
    for (auto entry = recent.begin(); entry != recent.end(); ++entry) {
      if (entry->n == n && entry->halved == halved) {
        recent.splice(recent.begin(), recent, entry);
        return recent.front().transform;
      }
    }
  }
  auto made = std::make_shared<const Transform<C>>(n, halved);
  if (n > kMostNumbers) return made;
  const std::lock_guard<std::mutex> lock(mutex);
  recent.push_front({n, halved, made});
  int64_t numbers = 0;
  for (auto entry = recent.begin(); entry != recent.end();) {
    numbers += entry->n;
    entry = numbers > kMostNumbers ? recent.erase(entry) : std::next(entry);
  }
  return made;
}

// Two arrays of complex numbers. A thread keeps them: the system takes long to give large ones.
template <typename C>
class Scratch {
 public:
  explicit Scratch(int64_t n) : n_(n) {
    if (static_cast<int64_t>(kept().size()) < 4 * n) kept().resize(4 * n);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (n_ > kMostKept) std::vector<C>().swap(kept());
  }
  Parts<C> parts(int64_t i) const {
    C* begin = kept().data() + 2 * i * n_;
    return {begin, begin + n_};
  }

 private:
  static constexpr int64_t kMostKept = 1 << 17;
  static std::vector<C>& kept() {
    static thread_local std::vector<C> values;
    return values;
  }
  int64_t n_;
};

// Lines that are transformed together.
struct Block {
  int64_t first;
  int64_t count;
  int64_t inner;

  // Where a line starts, of a tensor with `size` numbers in each.
  int64_t start(int64_t size, int64_t lane) const {
    const int64_t line = first + lane;
    return line / inner * size * inner + line % inner;
  }
  // Calls function(start, j, lane) for each number of each line, in the order of memory.
  template <typename F>
  void each(int64_t size, int64_t n, const F& function) const {
    if (inner > 1 && first / inner == (first + count - 1) / inner) {
      const int64_t begin = start(size, 0);
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t lane = 0; lane < count; ++lane) function(begin + lane, j, lane);
      }
    } else {
      for (int64_t lane = 0; lane < count; ++lane) {
        const int64_t begin = start(size, lane);
        for (int64_t j = 0; j < n; ++j) function(begin, j, lane);
      }
    }
  }
};

// Lines of T, or of complex numbers of it, computed in C.
template <typename T, typename C>
class Lines {
 public:
  explicit Lines(const FourierLines& lines)
      : f_(lines),
        halved_((lines.real_in || lines.real_out) && lines.n % 2 == 0),
        length_(halved_ ? lines.n / 2 : lines.n),
        transform_(transform_for<C>(lines.n, halved_)) {}

  void run() const {
    const Plan<C>& plan = transform_->plan;
    constexpr int64_t kLanes = Plan<C>::kLanes;
    int64_t lanes = 1;
    if (!plan.alone() && f_.lines > (plan.by_parts() ? kLanes / 2 : 1)) {
      const int64_t most = std::max(kLanes, kBlock / length_ / kLanes * kLanes);
      lanes = std::min(most, round_up(f_.lines, kLanes));
    }
    const int64_t blocks = (f_.lines + lanes - 1) / lanes;
    const int64_t grain = std::max<int64_t>(1, 16384 / (length_ * lanes));
    at::parallel_for(0, blocks, grain, [&](int64_t begin, int64_t end) {
      const Scratch<C> scratch(plan.room(lanes));
      for (int64_t b = begin; b < end; ++b) {
        const Block block{b * lanes, std::min(lanes, f_.lines - b * lanes), f_.inner};
        const Parts<C> x = scratch.parts(0);
        const Parts<C> y = scratch.parts(1);
        load(block, x, lanes);
        // Exchanged parts turn the sign of the exponent.
        Parts<C> found =
            f_.inverse ? plan.run({x.im, x.re}, {y.im, y.re}, lanes) : plan.run(x, y, lanes);
        if (f_.inverse) std::swap(found.re, found.im);
        store(block, found, lanes);
      }
    });
  }

 private:
  using Number = c10::complex<T>;

  void load(const Block& block, Parts<C> x, int64_t lanes) const {
    const int64_t inner = f_.inner;
    if (f_.real_in) {
      const T* in = static_cast<const T*>(f_.in);
      block.each(f_.in_size, length_, [=, this](int64_t start, int64_t j, int64_t lane) {
        const int64_t at = j * lanes + lane;
        x.re[at] = in[start + (halved_ ? 2 * j : j) * inner];
        x.im[at] = halved_ ? in[start + (2 * j + 1) * inner] : T(0);
      });
    } else if (!f_.real_out) {
      const auto* in = static_cast<const Number*>(f_.in);
      block.each(f_.in_size, length_, [=](int64_t start, int64_t j, int64_t lane) {
        const Number z = in[start + j * inner];
        x.re[j * lanes + lane] = z.real();
        x.im[j * lanes + lane] = z.imag();
      });
    } else if (halved_) {
      load_half_spectrum(block, x, lanes);
    } else {
      // The other half of the spectrum is the conjugate of this one; what belongs to no frequency
      // but its own is real.
      const auto* in = static_cast<const Number*>(f_.in);
      const int64_t n = f_.n;
      block.each(f_.in_size, n / 2 + 1, [=](int64_t start, int64_t j, int64_t lane) {
        const Number z = in[start + j * inner];
        x.re[j * lanes + lane] = z.real();
        x.im[j * lanes + lane] = j == 0 ? T(0) : z.imag();
        if (j == 0) return;
        x.re[(n - j) * lanes + lane] = z.real();
        x.im[(n - j) * lanes + lane] = -z.imag();
      });
    }
  }

  // With h = n / 2: (X[k] + conj X[h - k]) + i exp(2 pi i k / n) (X[k] - conj X[h - k]), whose
  // inverse transform has the numbers with even places as its real and the others as its imaginary
  // parts.
  void load_half_spectrum(const Block& block, Parts<C> x, int64_t lanes) const {
    const auto* in = static_cast<const Number*>(f_.in);
    const int64_t inner = f_.inner;
    const int64_t h = length_;
    const auto roots = transform_->roots.parts();
    block.each(f_.in_size, h, [=](int64_t start, int64_t k, int64_t lane) {
      const Number a = in[start + k * inner];
      const Number b = in[start + (h - k) * inner];
      const C a_im = k == 0 ? C(0) : C(a.imag());
      const C b_im = k == 0 ? C(0) : C(b.imag());
      const C re = C(a.real()) - C(b.real());
      const C im = a_im + b_im;
      const C w_re = roots.re[k];
      const C w_im = -roots.im[k];
      x.re[k * lanes + lane] = C(a.real()) + C(b.real()) - (w_re * im + w_im * re);
      x.im[k * lanes + lane] = a_im - b_im + (w_re * re - w_im * im);
    });
  }

  void store(const Block& block, Parts<C> x, int64_t lanes) const {
    const int64_t inner = f_.inner;
    const C factor = static_cast<C>(f_.factor);
    if (f_.real_out) {
      T* out = static_cast<T*>(f_.out);
      block.each(f_.out_size, length_, [=, this](int64_t start, int64_t j, int64_t lane) {
        const int64_t at = j * lanes + lane;
        out[start + (halved_ ? 2 * j : j) * inner] = static_cast<T>(x.re[at] * factor);
        if (halved_) out[start + (2 * j + 1) * inner] = static_cast<T>(x.im[at] * factor);
      });
    } else if (!halved_) {
      auto* out = static_cast<Number*>(f_.out);
      block.each(f_.out_size, f_.out_size, [=](int64_t start, int64_t j, int64_t lane) {
        const int64_t at = j * lanes + lane;
        out[start + j * inner] =
            Number(static_cast<T>(x.re[at] * factor), static_cast<T>(x.im[at] * factor));
      });
    } else {
      store_spectrum(block, x, lanes);
    }
  }

  // With h = n / 2 and Z the transform of x[2 j] + i x[2 j + 1]:
  // X[k] = (Z[k] + conj Z[h - k]) / 2 - i exp(-2 pi i k / n) (Z[k] - conj Z[h - k]) / 2.
  void store_spectrum(const Block& block, Parts<C> x, int64_t lanes) const {
    auto* out = static_cast<Number*>(f_.out);
    const int64_t inner = f_.inner;
    const int64_t n = f_.n;
    const int64_t h = length_;
    const bool both = f_.out_size == n;
    const auto roots = transform_->roots.parts();
    const C factor = static_cast<C>(0.5 * f_.factor);
    block.each(f_.out_size, h + 1, [=](int64_t start, int64_t k, int64_t lane) {
      const int64_t a = (k == h ? 0 : k) * lanes + lane;
      const int64_t b = (k == 0 ? 0 : h - k) * lanes + lane;
      const C re = x.re[a] - x.re[b];
      const C im = x.im[a] + x.im[b];
      const C w_re = roots.re[k];
      const C w_im = roots.im[k];
      const C x_re = x.re[a] + x.re[b] + (w_re * im + w_im * re);
      const C x_im = x.im[a] - x.im[b] - (w_re * re - w_im * im);
      const Number found(static_cast<T>(x_re * factor), static_cast<T>(x_im * factor));
      out[start + k * inner] = found;
      if (both && k > 0 && k < h) {
        out[start + (n - k) * inner] = Number(found.real(), -found.imag());
      }
    });
  }

  const FourierLines& f_;
  bool halved_;
  int64_t length_;
  std::shared_ptr<const Transform<C>> transform_;
};

template <typename T>
void transform_lines(const FourierLines& lines) {
  const bool halved = (lines.real_in || lines.real_out) && lines.n % 2 == 0;
  const std::vector<int64_t> factors = factors_of(halved ? lines.n / 2 : lines.n);
  // Convolutions multiply rounding errors: they are computed in double.
  if (!factors.empty() && factors.back() > kLargestFactor) {
    Lines<T, double>(lines).run();
  } else {
    Lines<T, T>(lines).run();
  }
}

void fourier_transform_kernel(c10::ScalarType real_type, const FourierLines& lines) {
  if (lines.lines == 0) return;
  if (real_type == kFloat) {
    transform_lines<float>(lines);
  } else {
    TORCH_INTERNAL_ASSERT(real_type == kDouble);
    transform_lines<double>(lines);
  }
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(fourier_transform_stub, &CPU_CAPABILITY::fourier_transform_kernel)

}  // namespace at::native
