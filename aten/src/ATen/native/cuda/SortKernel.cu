// Sorting rows through CUB's radix sort.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/cuda/SortKernel.h>

#include <ATen/Dispatch.h>
#include <ATen/EmptyTensor.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/ScalarType.h>
#include <c10/core/TensorOptions.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <limits>
#include <type_traits>

namespace at::native {
namespace {

constexpr int kThreads = 256;

// Unsigned numbers whose order is that of the elements; one sort serves all types of a size.
template <typename scalar_t>
using Key = std::conditional_t<sizeof(scalar_t) == 8, uint64_t, uint32_t>;

template <typename scalar_t>
C10_DEVICE Key<scalar_t> key_of(scalar_t value) {
  using K = Key<scalar_t>;
  constexpr K kSign = K{1} << (sizeof(K) * 8 - 1);
  if constexpr (std::is_same_v<scalar_t, bool> || std::is_unsigned_v<scalar_t>) {
    return static_cast<K>(value);
  } else if constexpr (std::is_integral_v<scalar_t>) {
    using Signed = std::make_signed_t<K>;
    return static_cast<K>(static_cast<Signed>(value)) ^ kSign;
  } else {
    using Float = std::conditional_t<sizeof(K) == 8, double, float>;
    auto wide = static_cast<Float>(value);
    if (wide != wide) return std::numeric_limits<K>::max();
    if (wide == 0) wide = 0;  // -0 and 0 are equal
    K bits;
    memcpy(&bits, &wide, sizeof(K));
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  }
}

template <typename scalar_t>
__global__ void __launch_bounds__(kThreads)
    make_keys(const scalar_t* in, int64_t count, int64_t n, bool descending, Key<scalar_t>* keys,
              int64_t* places) {
  const int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const Key<scalar_t> key = key_of(in[i]);
  // The complement turns the order round, and equal elements still keep theirs.
  keys[i] = descending ? ~key : key;
  places[i] = i % n;
}

TensorBase bytes(const TensorBase& like, size_t count) {
  return at::detail::empty_on_device({static_cast<int64_t>(count)}, like.options().dtype(kByte));
}

// Where segment i begins.
struct SegmentStart {
  int64_t n;
  __host__ __device__ int64_t operator()(int64_t segment) const { return segment * n; }
};

template <typename K>
void sort_pairs(const TensorBase& like, const K* keys, K* sorted_keys, const int64_t* places,
                int64_t* sorted_places, int64_t rows, int64_t n, cudaStream_t stream) {
  const auto run = [&](void* temporary, size_t& size) {
    if (rows == 1) {
      return cub::DeviceRadixSort::SortPairs(temporary, size, keys, sorted_keys, places,
                                             sorted_places, n, 0, sizeof(K) * 8, stream);
    }
    const auto starts =
        cuda::make_transform_iterator(cuda::make_counting_iterator(int64_t{0}), SegmentStart{n});
    return cub::DeviceSegmentedRadixSort::SortPairs(
        temporary, size, keys, sorted_keys, places, sorted_places, rows * n, rows, starts,
        starts + 1, 0, static_cast<int>(sizeof(K) * 8), stream);
  };
  size_t size = 0;
  C10_CUDA_CHECK(run(nullptr, size));
  const TensorBase temporary = bytes(like, size == 0 ? 1 : size);
  C10_CUDA_CHECK(run(temporary.mutable_data_ptr(), size));
}

}  // namespace

void sort_rows(const TensorBase& self, const TensorBase& indices, bool descending) {
  const int64_t count = self.numel();
  if (count == 0) return;
  const c10::cuda::CUDAGuard guard(self.device());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const int64_t n = self.dim() == 0 ? 1 : self.size(-1);
  const int64_t blocks = (count + kThreads - 1) / kThreads;
  TORCH_CHECK(blocks <= std::numeric_limits<int32_t>::max(), "sorting ", count,
              " elements is more than a GPU launches");
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, self.scalar_type(), "sort_cuda", [&] {
    using K = Key<scalar_t>;
    const auto size = static_cast<size_t>(count);
    const TensorBase keys = bytes(self, size * sizeof(K));
    const TensorBase sorted_keys = bytes(self, size * sizeof(K));
    const TensorBase places = bytes(self, size * sizeof(int64_t));
    auto* k = static_cast<K*>(keys.mutable_data_ptr());
    auto* p = static_cast<int64_t*>(places.mutable_data_ptr());
    make_keys<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(
        self.const_data_ptr<scalar_t>(), count, n, descending, k, p);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    sort_pairs<K>(self, k, static_cast<K*>(sorted_keys.mutable_data_ptr()), p,
                  indices.mutable_data_ptr<int64_t>(), count / n, n, stream);
  });
}

}  // namespace at::native
