// Sorting rows.
//
// Elements become unsigned keys whose order is theirs. Short rows are sorted by a block in shared
// memory (K. E. Batcher, "Sorting networks and their applications", 1968), longer ones all together
// by CUB's radix sort with the row as the upper digits of the key. Both carry the elements' places.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Sorting.h>

#include <ATen/Dispatch.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <ATen/native/cuda/LaunchUtils.cuh>

#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace at::native {
namespace {

namespace cub = at_cuda_detail::cub;

constexpr int kThreads = 256;
constexpr int kLongestShortRow = 2048;

template <typename T>
constexpr int kKeyBits = static_cast<int>(sizeof(T)) * 8;

// A number whose order is that of the elements, NaN last; all bits above kKeyBits are 0.
template <typename T>
C10_DEVICE uint64_t key_of(T x, bool descending) {
  constexpr uint64_t kMask = kKeyBits<T> == 64 ? ~uint64_t{0} : (uint64_t{1} << kKeyBits<T>)-1;
  constexpr uint64_t kSign = uint64_t{1} << (kKeyBits<T> - 1);
  uint64_t bits = 0;
  if constexpr (std::is_same_v<T, bool>) {
    bits = x ? 1 : 0;
  } else if constexpr (std::is_integral_v<T>) {
    bits = static_cast<uint64_t>(x) & kMask;
    if (std::is_signed_v<T>) bits ^= kSign;
  } else if (x != x) {
    bits = kMask;
  } else if (static_cast<double>(x) == 0) {
    bits = kSign;  // of both signs
  } else {
    memcpy(&bits, &x, sizeof(T));
    bits ^= (bits & kSign) != 0 ? kMask : kSign;
  }
  return descending ? bits ^ kMask : bits;
}

// ---- short rows

// An element on the way: equals are ordered by their places.
template <bool kWide>
struct Item;
template <>
struct Item<false> {  // key in the upper half, place in the lower
  uint64_t word;
  C10_DEVICE Item() : word(~uint64_t{0}) {}
  C10_DEVICE Item(uint64_t key, uint32_t place) : word(key << 32 | place) {}
  C10_DEVICE uint32_t place() const { return static_cast<uint32_t>(word); }
  C10_DEVICE bool operator<(const Item& other) const { return word < other.word; }
};
template <>
struct Item<true> {
  uint64_t key;
  uint32_t index;
  C10_DEVICE Item() : key(~uint64_t{0}), index(~uint32_t{0}) {}
  C10_DEVICE Item(uint64_t k, uint32_t place) : key(k), index(place) {}
  C10_DEVICE uint32_t place() const { return index; }
  C10_DEVICE bool operator<(const Item& other) const {
    return key != other.key ? key < other.key : index < other.index;
  }
};

// blockDim.y rows a block, whose lengths are filled up to `width`, a power of two, with items that
// come last.
template <typename T>
__global__ void sort_short_rows_kernel(T* values, int64_t* indices, const T* in, int64_t rows,
                                       int n, int k, int width, bool descending) {
  using item_t = Item<(sizeof(T) > 4)>;
  extern __shared__ __align__(16) char memory[];
  auto* items = reinterpret_cast<item_t*>(memory) + threadIdx.y * width;
  const int64_t row = static_cast<int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
  const bool there = row < rows;
  const auto threads = static_cast<int>(blockDim.x);
  const auto thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < width; i += threads) {
    items[i] = there && i < n
                   ? item_t(key_of(in[row * n + i], descending), static_cast<uint32_t>(i))
                   : item_t();
  }
#pragma unroll 1
  for (int size = 2; size <= width; size *= 2) {
#pragma unroll 1
    for (int distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      for (int pair = thread; pair < width / 2; pair += threads) {
        const int low = pair / distance * distance * 2 + pair % distance;
        const int high = low + distance;
        const bool up = (low & size) == 0;
        const item_t a = items[low];
        const item_t b = items[high];
        if ((b < a) == up) {
          items[low] = b;
          items[high] = a;
        }
      }
    }
  }
  __syncthreads();
  if (!there) return;
  for (int i = thread; i < k; i += threads) {
    const uint32_t place = items[i].place();
    values[row * k + i] = in[row * n + place];
    indices[row * k + i] = place;
  }
}

template <typename T>
void sort_short_rows(T* values, int64_t* indices, const T* in, int64_t rows, int64_t n, int64_t k,
                     bool descending, cudaStream_t stream) {
  const int width = static_cast<int>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(n, 2))));
  const int threads = std::min(width / 2, kThreads);
  const int together = kThreads / threads;
  const size_t bytes =
      static_cast<size_t>(together) * static_cast<size_t>(width) * sizeof(Item<(sizeof(T) > 4)>);
  sort_short_rows_kernel<<<grid_size(ceil_div(rows, together)),
                           dim3(static_cast<unsigned>(threads), static_cast<unsigned>(together)),
                           bytes, stream>>>(values, indices, in, rows, static_cast<int>(n),
                                            static_cast<int>(k), width, descending);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

// ---- long rows

// Keys and places of all elements; `row_shift` is where a key has its row, or -1 for nowhere.
template <typename T>
__global__ void __launch_bounds__(kThreads)
    keys_kernel(uint64_t* keys, uint32_t* places, const T* in, int64_t numel, int64_t n,
                int row_shift, bool descending) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * kThreads;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < numel;
       i += step) {
    uint64_t key = key_of(in[i], descending);
    if (row_shift >= 0) key |= static_cast<uint64_t>(i / n) << row_shift;
    keys[i] = key;
    places[i] = static_cast<uint32_t>(i);
  }
}

// Keys that are the rows of places.
__global__ void __launch_bounds__(kThreads)
    rows_of_places_kernel(uint64_t* keys, const uint32_t* places, int64_t numel, int64_t n) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * kThreads;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < numel;
       i += step) {
    keys[i] = places[i] / static_cast<uint64_t>(n);
  }
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    take_sorted_kernel(T* values, int64_t* indices, const T* in, const uint32_t* places,
                       int64_t numel, int64_t n, int64_t k) {
  const int64_t step = static_cast<int64_t>(gridDim.x) * kThreads;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < numel;
       i += step) {
    const int64_t row = i / k;
    const int64_t place = places[row * n + i % k];
    values[i] = in[place];
    indices[i] = place - row * n;
  }
}

void radix_sort(cub::DoubleBuffer<uint64_t>& keys, cub::DoubleBuffer<uint32_t>& places,
                int64_t numel, int bits, cudaStream_t stream) {
  size_t bytes = 0;
  C10_CUDA_CHECK(
      cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, places, numel, 0, bits, stream));
  Workspace temporary(bytes);
  C10_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(temporary.get<char>(), bytes, keys, places, numel,
                                                 0, bits, stream));
}

template <typename T>
void sort_long_rows(T* values, int64_t* indices, const T* in, int64_t rows, int64_t n, int64_t k,
                    bool descending, cudaStream_t stream) {
  const int64_t numel = rows * n;
  TORCH_CHECK(numel <= std::numeric_limits<uint32_t>::max(), "sort and topk on a GPU take up to ",
              std::numeric_limits<uint32_t>::max(), " elements at a time, but got ", numel,
              ": sort parts of the tensor");
  const int row_bits = std::bit_width(static_cast<uint64_t>(rows - 1));
  const bool together = kKeyBits<T> + row_bits <= 64;
  const auto count = static_cast<size_t>(numel);
  Workspace key_memory(2 * count * sizeof(uint64_t));
  Workspace place_memory(2 * count * sizeof(uint32_t));
  auto* first_keys = key_memory.get<uint64_t>();
  auto* first_places = place_memory.get<uint32_t>();
  cub::DoubleBuffer<uint64_t> keys(first_keys, first_keys + count);
  cub::DoubleBuffer<uint32_t> places(first_places, first_places + count);
  const unsigned blocks = loop_grid_size(numel, kThreads);
  keys_kernel<<<blocks, kThreads, 0, stream>>>(first_keys, first_places, in, numel, n,
                                               together && rows > 1 ? kKeyBits<T> : -1, descending);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  radix_sort(keys, places, numel, together ? kKeyBits<T> + row_bits : kKeyBits<T>, stream);
  if (!together) {
    // The order within a row stays, since radix sort keeps the order of equals.
    rows_of_places_kernel<<<blocks, kThreads, 0, stream>>>(keys.Current(), places.Current(), numel,
                                                           n);
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    radix_sort(keys, places, numel, row_bits, stream);
  }
  take_sorted_kernel<<<loop_grid_size(rows * k, kThreads), kThreads, 0, stream>>>(
      values, indices, in, places.Current(), rows * k, n, k);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void sort_rows_kernel_cuda(const TensorBase& values, const TensorBase& indices,
                           const TensorBase& input, bool descending) {
  check_same_gpu("sort", {&input, &values, &indices});
  const c10::cuda::CUDAGuard guard(input.device());
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  const int64_t n = input.size(-1);
  const int64_t k = values.size(-1);
  const int64_t rows = input.numel() / n;
  auto* places = static_cast<int64_t*>(indices.mutable_data_ptr());
  AT_DISPATCH_ALL_TYPES_AND3(kBool, kHalf, kBFloat16, input.scalar_type(), "sort_cuda", [&] {
    const auto* in = static_cast<const scalar_t*>(input.const_data_ptr());
    auto* out = static_cast<scalar_t*>(values.mutable_data_ptr());
    const auto sort = n <= kLongestShortRow ? sort_short_rows<scalar_t> : sort_long_rows<scalar_t>;
    sort(out, places, in, rows, n, k, descending, stream);
  });
}

}  // namespace

REGISTER_CUDA_DISPATCH(sort_rows_stub, &sort_rows_kernel_cuda)

}  // namespace at::native
