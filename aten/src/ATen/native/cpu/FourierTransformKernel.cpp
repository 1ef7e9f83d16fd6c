// Discrete Fourier transforms, by DUCC.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/FourierTransform.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <c10/core/ScalarType.h>
#include <c10/util/complex_type.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
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

void fft_c2c_kernel(const TensorBase& out, const TensorBase& in, IntArrayRef dim, bool forward,
                    double factor) {
  AT_DISPATCH_COMPLEX_TYPES(in.scalar_type(), "_fft_c2c", [&] {
    using Real = typename scalar_t::value_type;
    using Element = std::complex<Real>;
    const std::vector<size_t> axes(dim.begin(), dim.end());
    ducc0::c2c(read<Element, scalar_t>(in), written<Element, scalar_t>(out), axes, forward,
               static_cast<Real>(factor), threads());
  });
}

void fft_r2c_kernel(const TensorBase& out, const TensorBase& in, int64_t dim, double factor) {
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "_fft_r2c", [&] {
    using Element = std::complex<scalar_t>;
    ducc0::r2c(read<scalar_t, scalar_t>(in), written<Element, c10::complex<scalar_t>>(out),
               static_cast<size_t>(dim), /*forward=*/true, static_cast<scalar_t>(factor),
               threads());
  });
}

void fft_c2r_kernel(const TensorBase& out, const TensorBase& in, int64_t dim, double factor) {
  AT_DISPATCH_FLOATING_TYPES(out.scalar_type(), "_fft_c2r", [&] {
    using Element = std::complex<scalar_t>;
    ducc0::c2r(read<Element, c10::complex<scalar_t>>(in), written<scalar_t, scalar_t>(out),
               static_cast<size_t>(dim), /*forward=*/false, static_cast<scalar_t>(factor),
               threads());
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(fft_c2c_stub, &CPU_CAPABILITY::fft_c2c_kernel)
REGISTER_DISPATCH(fft_r2c_stub, &CPU_CAPABILITY::fft_r2c_kernel)
REGISTER_DISPATCH(fft_c2r_stub, &CPU_CAPABILITY::fft_c2r_kernel)

}  // namespace at::native
