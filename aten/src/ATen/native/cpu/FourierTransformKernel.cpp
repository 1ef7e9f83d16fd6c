// Discrete Fourier transforms, by DUCC.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/FourierTransform.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/native/cpu/PartialVectors.h>
#include <ATen/native/cpu/Transpose.h>
#include <c10/core/ScalarType.h>
#include <c10/util/DimVector.h>
#include <c10/util/SmallVector.h>
#include <c10/util/complex_type.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

// DUCC's functions are inline or templates: under one name for all capabilities the linker would
// keep only one of them, with instructions that another processor may not have.
#define TORCH_DUCC_NAMESPACE_OF(capability) ducc0_##capability
#define TORCH_DUCC_NAMESPACE(capability) TORCH_DUCC_NAMESPACE_OF(capability)
#define ducc0 TORCH_DUCC_NAMESPACE(CPU_CAPABILITY)
// Its transforms of long double, which no tensor has, stay out.
#include <ducc0/fft/fftnd_impl.h>

// What DUCC asks of its pool of threads, by ours: it has no threads of its own.
namespace ducc0::detail_threading {

namespace {

// One of the shares of a loop: one range of its work.
class Share final : public Scheduler {
 public:
  Share(size_t shares, size_t share, Range range) : shares_(shares), share_(share), range_(range) {}
  size_t num_threads() const override { return shares_; }
  size_t thread_num() const override { return share_; }
  Range getNext() override { return std::exchange(range_, Range()); }

 private:
  size_t shares_;
  size_t share_;
  Range range_;
};

}  // namespace

size_t adjust_nthreads(size_t nthreads) {
  if (at::in_parallel_region()) return 1;
  const auto most = static_cast<size_t>(at::get_num_threads());
  return nthreads == 0 ? most : std::min(nthreads, most);
}

void execStatic(size_t work, size_t nthreads, size_t chunk, std::function<void(Scheduler&)> func) {
  const size_t most = adjust_nthreads(nthreads);
  if (chunk == 0) chunk = (work + most - 1) / most;
  const size_t shares = (work + chunk - 1) / chunk;
  at::parallel_for(0, static_cast<int64_t>(shares), 1, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      Share share(shares, i, Range(i * chunk, std::min(work, (i + 1) * chunk)));
      func(share);
    }
  });
}

void execParallel(size_t nthreads, std::function<void(Scheduler&)> func) {
  execStatic(adjust_nthreads(nthreads), nthreads, 1, std::move(func));
}

}  // namespace ducc0::detail_threading

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

std::vector<size_t> sizes_of(const TensorBase& tensor) {
  return {tensor.sizes().begin(), tensor.sizes().end()};
}

std::vector<std::ptrdiff_t> strides_of(const TensorBase& tensor) {
  return {tensor.strides().begin(), tensor.strides().end()};
}

// The elements of a tensor as DUCC takes them; complex numbers are std's, of the same layout as
// ours.
template <typename Element, typename T>
ducc0::cfmav<Element> read(const TensorBase& tensor) {
  const auto* data = reinterpret_cast<const Element*>(tensor.const_data_ptr<T>());
  return ducc0::cfmav<Element>(data, sizes_of(tensor), strides_of(tensor));
}

template <typename Element, typename T>
ducc0::vfmav<Element> written(const TensorBase& tensor) {
  auto* data = reinterpret_cast<Element*>(tensor.mutable_data_ptr<T>());
  return ducc0::vfmav<Element>(data, sizes_of(tensor), strides_of(tensor));
}

size_t threads() { return static_cast<size_t>(at::get_num_threads()); }

// DUCC transforms several lines at a time, one in each lane of its vectors, but takes their
// elements one by one. Here squares of floats are transposed instead, or vectors of lines that lie
// beside each other are loaded as they are; of doubles, whose vectors have half as many lanes, that
// is no gain.
namespace fft = ducc0::detail_fft;

template <typename T>
constexpr auto kLanes = static_cast<int64_t>(fft::fft_simdlen<T>);
template <typename T>
using Lanes = fft::fft_simd<T>;

// Shorter lines are not worth the offsets of a group; longer ones leave the nearer caches.
constexpr int64_t kShortLine = 16;
constexpr int64_t kLongLine = 4096;

// The lines along a dimension of two tensors that differ in its size at most. Offsets count
// elements.
class Lines {
 public:
  Lines(const TensorBase& in, const TensorBase& out, int64_t dim)
      : in_step_(in.stride(dim)), out_step_(out.stride(dim)) {
    for (int64_t d = 0; d < in.dim(); ++d) {
      if (d == dim || in.size(d) == 1) continue;
      const Side side{in.size(d), in.stride(d), out.stride(d)};
      if (!sides_.empty() && sides_.back().in == side.size * side.in &&
          sides_.back().out == side.size * side.out) {
        sides_.back() = {sides_.back().size * side.size, side.in, side.out};
      } else {
        sides_.push_back(side);
      }
      count_ *= side.size;
    }
  }

  int64_t count() const { return count_; }
  // Between the elements of a line.
  int64_t in_step() const { return in_step_; }
  int64_t out_step() const { return out_step_; }

  // Where lines [first, first + count) begin.
  void offsets(int64_t first, int64_t count, int64_t* in, int64_t* out) const {
    if (sides_.size() == 1) {
      for (int64_t k = 0; k < count; ++k) {
        in[k] = (first + k) * sides_[0].in;
        out[k] = (first + k) * sides_[0].out;
      }
      return;
    }
    c10::DimVector index(sides_.size());
    int64_t in_offset = 0;
    int64_t out_offset = 0;
    for (size_t d = sides_.size(); d-- > 0;) {
      index[d] = first % sides_[d].size;
      first /= sides_[d].size;
      in_offset += index[d] * sides_[d].in;
      out_offset += index[d] * sides_[d].out;
    }
    for (int64_t k = 0; k < count; ++k) {
      in[k] = in_offset;
      out[k] = out_offset;
      for (size_t d = sides_.size(); d-- > 0;) {
        in_offset += sides_[d].in;
        out_offset += sides_[d].out;
        if (++index[d] < sides_[d].size) break;
        in_offset -= sides_[d].size * sides_[d].in;
        out_offset -= sides_[d].size * sides_[d].out;
        index[d] = 0;
      }
    }
  }

 private:
  struct Side {
    int64_t size;
    int64_t in;
    int64_t out;
  };
  c10::SmallVector<Side, 4> sides_;
  int64_t count_ = 1;
  int64_t in_step_;
  int64_t out_step_;
};

// At most kLanes lines of `n` elements of kParts numbers each.
template <typename T>
struct Group {
  std::array<int64_t, static_cast<size_t>(kLanes<T>)> offsets;
  int64_t step;
  int64_t n;
  int64_t count;

  // Whether lines are equally far from each other; `distance` is that.
  bool regular(int64_t& distance) const {
    distance = count > 1 ? offsets[1] - offsets[0] : 1;
    for (int64_t k = 2; k < count; ++k) {
      if (offsets[k] - offsets[k - 1] != distance) return false;
    }
    return true;
  }
};

template <typename T>
using Row = typename SideOf<T, static_cast<int>(kLanes<T>)>::type;

// Elements of lines as rows of their parts: row kParts * i + part has that of element i of each
// line.
template <typename T, int kParts>
void load_lines(const T* from, const Group<T>& group, T* rows) {
  constexpr int64_t kWidth = kLanes<T>;
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  int64_t distance = 0;
  const bool regular = group.regular(distance);
  const T* first = from + kParts * group.offsets[0];
  if (group.count < kWidth) std::fill_n(rows, kParts * group.n * kWidth, T(0));
  if (regular && group.step == 1) {
    copy_tile<T>(reinterpret_cast<char*>(rows), kWidth * kSize,
                 reinterpret_cast<const char*>(first), distance * kParts * kSize, 0,
                 kParts * group.n, 0, group.count);
    return;
  }
  for (int64_t i = 0; i < group.n; ++i) {
    T* row = rows + kParts * i * kWidth;
    if (regular && distance == 1 && group.count == kWidth) {
      Row<T> parts[kParts];
      std::memcpy(&parts, first + kParts * i * group.step, sizeof(parts));
      if constexpr (kParts == 2) {
        const Row<T> low = parts[0];
        const Row<T> high = parts[1];
        const auto every_second = [&]<int kFirst>() {
          return vec::make_lanes<Row<T>>([&]<int kLane>() {
            constexpr int kFrom = 2 * kLane + kFirst;
            return kFrom < kWidth ? low[kFrom % kWidth] : high[kFrom % kWidth];
          });
        };
        parts[0] = every_second.template operator()<0>();
        parts[1] = every_second.template operator()<1>();
      }
      std::memcpy(row, &parts, sizeof(parts));
      continue;
    }
    for (int64_t k = 0; k < group.count; ++k) {
      const T* element = from + kParts * (group.offsets[k] + i * group.step);
      for (int part = 0; part < kParts; ++part) row[part * kWidth + k] = element[part];
    }
  }
}

// The opposite.
template <typename T, int kParts>
void store_lines(const T* rows, const Group<T>& group, T* to) {
  constexpr int64_t kWidth = kLanes<T>;
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  int64_t distance = 0;
  const bool regular = group.regular(distance);
  T* first = to + kParts * group.offsets[0];
  if (regular && group.step == 1) {
    copy_tile<T>(reinterpret_cast<char*>(first), distance * kParts * kSize,
                 reinterpret_cast<const char*>(rows), kWidth * kSize, 0, group.count, 0,
                 kParts * group.n);
    return;
  }
  for (int64_t i = 0; i < group.n; ++i) {
    const T* row = rows + kParts * i * kWidth;
    if (regular && distance == 1 && group.count == kWidth) {
      Row<T> parts[kParts];
      std::memcpy(&parts, row, sizeof(parts));
      if constexpr (kParts == 2) {
        const Row<T> real = parts[0];
        const Row<T> imag = parts[1];
        const auto pairs = [&]<int kFirst>() {
          return vec::make_lanes<Row<T>>([&]<int kLane>() {
            constexpr int kFrom = kFirst + kLane / 2;
            return kLane % 2 == 0 ? real[kFrom] : imag[kFrom];
          });
        };
        parts[0] = pairs.template operator()<0>();
        parts[1] = pairs.template operator()<static_cast<int>(kWidth / 2)>();
      }
      std::memcpy(first + kParts * i * group.step, &parts, sizeof(parts));
      continue;
    }
    for (int64_t k = 0; k < group.count; ++k) {
      T* element = to + kParts * (group.offsets[k] + i * group.step);
      for (int part = 0; part < kParts; ++part) element[part] = row[part * kWidth + k];
    }
  }
}

// Calls transform(in, out, state) for groups of lines; false, and nothing done, where DUCC's own
// loops are at least as fast.
template <typename T, typename F>
bool for_each_group(const TensorBase& in, const TensorBase& out, int64_t dim, const F& transform) {
  constexpr int64_t kWidth = kLanes<T>;
  if constexpr (kWidth == 1 || !std::is_same_v<T, float>) {
    return false;
  } else {
    const Lines lines(in, out, dim);
    const int64_t n = in.size(dim);
    const int64_t out_n = out.size(dim);
    const auto [shortest, longest] = std::minmax(n, out_n);
    if (lines.count() < kWidth || shortest < kShortLine || longest > kLongLine) return false;
    const int64_t groups = (lines.count() + kWidth - 1) / kWidth;
    const int64_t grain = std::max<int64_t>(1, 16384 / (n * kWidth));
    at::parallel_for(0, groups, grain, [&](int64_t begin, int64_t end) {
      auto state = transform.state();
      Group<T> from{{}, lines.in_step(), n, 0};
      Group<T> to{{}, lines.out_step(), out_n, 0};
      for (int64_t group = begin; group < end; ++group) {
        from.count = to.count = std::min(kWidth, lines.count() - group * kWidth);
        lines.offsets(group * kWidth, from.count, from.offsets.data(), to.offsets.data());
        transform(from, to, state);
      }
    });
    return true;
  }
}

template <typename T>
struct ComplexTransform {
  using Number = ducc0::Cmplx<Lanes<T>>;
  struct State {
    std::unique_ptr<Number[]> data;
    std::unique_ptr<Number[]> buffer;
  };

  const T* in;
  T* out;
  bool forward;
  T factor;
  std::shared_ptr<fft::pocketfft_c<T>> plan;

  State state() const {
    return {std::make_unique_for_overwrite<Number[]>(plan->length()),
            std::make_unique_for_overwrite<Number[]>(plan->bufsize())};
  }
  void operator()(const Group<T>& from, const Group<T>& to, const State& state) const {
    load_lines<T, 2>(in, from, reinterpret_cast<T*>(state.data.get()));
    const Number* result = plan->exec(state.data.get(), state.buffer.get(), factor, forward);
    store_lines<T, 2>(reinterpret_cast<const T*>(result), to, out);
  }
};

// Spectra of real lines lie in DUCC's results without the imaginary parts that are 0.
template <typename T, bool kForward>
struct RealTransform {
  struct State {
    std::unique_ptr<Lanes<T>[]> data;
    std::unique_ptr<Lanes<T>[]> buffer;
    std::unique_ptr<Lanes<T>[]> spectrum;
  };

  const T* in;
  T* out;
  T factor;
  std::shared_ptr<fft::pocketfft_r<T>> plan;

  State state() const {
    return {std::make_unique_for_overwrite<Lanes<T>[]>(plan->length()),
            std::make_unique_for_overwrite<Lanes<T>[]>(plan->bufsize()),
            std::make_unique_for_overwrite<Lanes<T>[]>(2 * (plan->length() / 2 + 1))};
  }
  void operator()(const Group<T>& from, const Group<T>& to, const State& state) const {
    const size_t n = plan->length();
    Lanes<T>* data = state.data.get();
    Lanes<T>* spectrum = state.spectrum.get();
    if constexpr (kForward) {
      load_lines<T, 1>(in, from, reinterpret_cast<T*>(data));
      const Lanes<T>* result = plan->exec(data, state.buffer.get(), factor, kForward);
      spectrum[0] = result[0];
      spectrum[1] = T(0);
      std::copy_n(result + 1, n - 1, spectrum + 2);
      if (n % 2 == 0) spectrum[n + 1] = T(0);
      store_lines<T, 2>(reinterpret_cast<const T*>(spectrum), to, out);
    } else {
      load_lines<T, 2>(in, from, reinterpret_cast<T*>(spectrum));
      data[0] = spectrum[0];
      std::copy_n(spectrum + 2, n - 1, data + 1);
      const Lanes<T>* result = plan->exec(data, state.buffer.get(), factor, kForward);
      store_lines<T, 1>(reinterpret_cast<const T*>(result), to, out);
    }
  }
};

// Tensors of complex numbers as their parts.
template <typename T>
const T* parts_of(const TensorBase& tensor) {
  return static_cast<const T*>(tensor.const_data_ptr());
}
template <typename T>
T* written_parts_of(const TensorBase& tensor) {
  return static_cast<T*>(tensor.mutable_data_ptr());
}

void fft_c2c_kernel(const TensorBase& out, const TensorBase& in, IntArrayRef dim, bool forward,
                    double factor) {
  AT_DISPATCH_COMPLEX_TYPES(in.scalar_type(), "_fft_c2c", [&] {
    using Real = typename scalar_t::value_type;
    using Element = std::complex<Real>;
    for (size_t i = 0; i < dim.size(); ++i) {
      // The first transform takes the numbers, and the factor, to the result.
      const TensorBase& from = i == 0 ? in : out;
      const auto scale = i == 0 ? static_cast<Real>(factor) : Real(1);
      const ComplexTransform<Real> transform{
          parts_of<Real>(from), written_parts_of<Real>(out), forward, scale,
          fft::get_plan<fft::pocketfft_c<Real>>(static_cast<size_t>(in.size(dim[i])))};
      if (for_each_group<Real>(from, out, dim[i], transform)) continue;
      ducc0::c2c(read<Element, scalar_t>(from), written<Element, scalar_t>(out),
                 {static_cast<size_t>(dim[i])}, forward, scale, threads());
    }
  });
}

void fft_r2c_kernel(const TensorBase& out, const TensorBase& in, int64_t dim, double factor) {
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "_fft_r2c", [&] {
    using Element = std::complex<scalar_t>;
    const auto scale = static_cast<scalar_t>(factor);
    const RealTransform<scalar_t, true> transform{
        parts_of<scalar_t>(in), written_parts_of<scalar_t>(out), scale,
        fft::get_plan<fft::pocketfft_r<scalar_t>>(static_cast<size_t>(in.size(dim)))};
    if (for_each_group<scalar_t>(in, out, dim, transform)) return;
    ducc0::r2c(read<scalar_t, scalar_t>(in), written<Element, c10::complex<scalar_t>>(out),
               static_cast<size_t>(dim), /*forward=*/true, scale, threads());
  });
}

void fft_c2r_kernel(const TensorBase& out, const TensorBase& in, int64_t dim, double factor) {
  AT_DISPATCH_FLOATING_TYPES(out.scalar_type(), "_fft_c2r", [&] {
    using Element = std::complex<scalar_t>;
    const auto scale = static_cast<scalar_t>(factor);
    const RealTransform<scalar_t, false> transform{
        parts_of<scalar_t>(in), written_parts_of<scalar_t>(out), scale,
        fft::get_plan<fft::pocketfft_r<scalar_t>>(static_cast<size_t>(out.size(dim)))};
    if (for_each_group<scalar_t>(in, out, dim, transform)) return;
    ducc0::c2r(read<Element, c10::complex<scalar_t>>(in), written<scalar_t, scalar_t>(out),
               static_cast<size_t>(dim), /*forward=*/false, scale, threads());
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(fft_c2c_stub, &CPU_CAPABILITY::fft_c2c_kernel)
REGISTER_DISPATCH(fft_r2c_stub, &CPU_CAPABILITY::fft_r2c_kernel)
REGISTER_DISPATCH(fft_c2r_stub, &CPU_CAPABILITY::fft_c2r_kernel)

}  // namespace at::native
