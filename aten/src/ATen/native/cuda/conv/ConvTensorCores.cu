// Convolutions of Half and BFloat16 on tensor cores: the implicit GEMM of ConvGather.cuh.
//
// A block computes a 128 x 64 tile of the result with K tiles of 64; each of its four warps
// accumulates 32 x 64 in registers. Loads are double-buffered: 16 bytes at a time where eight
// channels are contiguous, otherwise single elements, with neighbouring threads on neighbouring
// pixels.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/cuda/CUDAContext.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/macros/Macros.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <ATen/native/cuda/ConvGather.cuh>
#include <ATen/native/cuda/LaunchUtils.cuh>
#include <ATen/native/cuda/TensorCores.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace at::native::conv {
namespace {

constexpr int kThreads = 128;
constexpr int kRows = 128;
constexpr int kColumns = 64;
constexpr int kDepth = 64;
constexpr int kWarpRows = 32;
constexpr int kVector = 8;  // elements of sixteen bytes
constexpr int kStages = 2;

// Which dimension of the weight is read in vectors of eight, if any.
enum class WeightOrder : uint8_t { ANY, TAPS, CHANNELS };

struct Vectors {
  bool gathered, dense;
  WeightOrder weight;
};

template <typename T>
using Narrow = tensor_cores::Tile<T, kDepth>;
template <typename T>
using Wide = tensor_cores::Tile<T, kRows>;

template <typename T>
struct Shared {
  T large[kStages][kRows * kDepth];
  T small[kStages][kColumns * kDepth];
  Pixel pixels[kRows];  // of all steps, or of two for kWeight
  Tap taps[2 * kDepth];
  Residue residue;
};

// Packs value(0) to value(7) as eight elements of one row of a tile.
template <typename T, typename F>
C10_DEVICE void store_eight(T* to, const F& value) {
  alignas(16) T eight[kVector];
#pragma unroll
  for (int e = 0; e < kVector; ++e) eight[e] = value(e);
  *reinterpret_cast<uint4*>(to) = *reinterpret_cast<const uint4*>(eight);
}

// Calls f(row, first column) for this thread's share of a tile. Neighbouring threads share a row or
// a column.
template <int kTileRows, int kTileColumns, typename F>
C10_DEVICE void for_each_piece(bool along_rows, const F& f) {
  constexpr int kPieces = kTileColumns / kVector;
#pragma unroll 1
  for (int i = static_cast<int>(threadIdx.x); i < kTileRows * kPieces; i += kThreads) {
    if (along_rows) {
      f(i / kPieces, i % kPieces * kVector);
    } else {
      f(i % kTileRows, i / kTileRows * kVector);
    }
  }
}

template <int kTileRows, typename T>
C10_DEVICE void fill_gathered(const Narrow<T>& tile, const Problem& p, const T* data,
                              const Pixel* pixels, const Tap* taps, bool vectors) {
  for_each_piece<kTileRows, kDepth>(vectors, [&](int row, int column) {
    const Pixel pixel = pixels[row];
    if (vectors) {
      const Tap tap = taps[column];
      const bool inside = is_inside(p, pixel, tap);
      tensor_cores::copy_async(tile.at(row, column),
                               inside ? data + pixel.gathered + tap.gathered : data, inside);
      return;
    }
    store_eight(tile.at(row, column), [&](int e) {
      const Tap tap = taps[column + e];
      return is_inside(p, pixel, tap) ? data[pixel.gathered + tap.gathered] : T(0);
    });
  });
}

// Tile rows are channels of the dense image, columns taps; transposed for WeightOrder::CHANNELS.
template <typename T>
C10_DEVICE void fill_weight(const Narrow<T>& tile, const Problem& p, const T* data,
                            int first_channel, const Tap* taps, WeightOrder order) {
  for_each_piece<kColumns, kDepth>(order != WeightOrder::ANY, [&](int row, int column) {
    const bool turned = order == WeightOrder::CHANNELS;
    const int dense_channel = first_channel + (turned ? column : row);
    if (order != WeightOrder::ANY) {
      const Tap tap = taps[turned ? row : column];
      const bool there = dense_channel < p.dense_channels && tap.exists();
      tensor_cores::copy_async(tile.at(row, column),
                               there ? data + dense_channel * p.weight.batch + tap.weight : data,
                               there);
      return;
    }
    store_eight(tile.at(row, column), [&](int e) {
      const Tap tap = taps[column + e];
      return dense_channel < p.dense_channels && tap.exists()
                 ? data[dense_channel * p.weight.batch + tap.weight]
                 : T(0);
    });
  });
}

template <typename T>
C10_DEVICE void fill_dense(const Wide<T>& tile, const Problem& p, const T* data, int first_channel,
                           const Pixel* pixels, bool vectors) {
  for_each_piece<kDepth, kRows>(vectors, [&](int row, int column) {
    const Pixel pixel = pixels[row];
    const int dense_channel = first_channel + column;
    if (vectors) {
      const bool there = pixel.exists() && dense_channel < p.dense_channels;
      tensor_cores::copy_async(tile.at(row, column),
                               there ? data + pixel.dense + dense_channel * p.dense.channel : data,
                               there);
      return;
    }
    store_eight(tile.at(row, column), [&](int e) {
      return pixel.exists() && dense_channel + e < p.dense_channels
                 ? data[pixel.dense + (dense_channel + e) * p.dense.channel]
                 : T(0);
    });
  });
}

// M, N and K are those of ConvGather.cuh: kWeight is BACKWARD_WEIGHT, whose K is split among
// blocks.
template <typename T, bool kWeight>
__global__ void __launch_bounds__(kThreads)
    conv_kernel(Problem p, Operands<T> all, Vectors vectors, Parts parts, float* sums_of_parts) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  extern __shared__ __align__(128) char memory[];
  Shared<T>& shared = *reinterpret_cast<Shared<T>*>(memory);
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  const int warp_row = thread / 32 * kWarpRows;
  const uint32_t first_row = blockIdx.x * kRows;
  const uint32_t first_column = blockIdx.y * kColumns;
  const int turns = p.groups * (kWeight ? parts.count : p.residues());

  for (int turn = static_cast<int>(blockIdx.z); turn < turns; turn += static_cast<int>(gridDim.z)) {
    __syncthreads();
    if (thread == 0) shared.residue.set(p, kWeight ? 0 : turn / p.groups);
    __syncthreads();
    const Residue& residue = shared.residue;
    const Operands<T> group = all.of(p, turn % p.groups);
    const uint32_t begin = kWeight ? turn / p.groups * parts.pixels : 0;
    const uint32_t end = kWeight ? min(residue.pixels, begin + parts.pixels) : residue.taps;
    const int steps = static_cast<int>((end - begin + kDepth - 1) / kDepth);
    if (!kWeight && first_row >= residue.pixels) continue;

    // Fills the table of a step's elements. Steps alternate between two tables.
    const auto describe = [&](int step) {
      if (thread >= kDepth) return;
      const uint32_t index = begin + step * kDepth + thread;
      const int at = step % 2 * kDepth + thread;
      if constexpr (kWeight) {
        shared.pixels[at] = residue.pixel(p, index, end);
      } else {
        shared.taps[at] = residue.tap(p, index);
      }
    };
    const auto fill = [&](int step) {
      T* large = shared.large[step % kStages];
      const Narrow<T> small{shared.small[step % kStages]};
      const int at = step % 2 * kDepth;
      if constexpr (kWeight) {
        fill_dense(Wide<T>{large}, p, group.dense, static_cast<int>(first_row), shared.pixels + at,
                   vectors.dense);
        fill_gathered<kDepth>(small, p, group.gathered, shared.pixels + at, shared.taps,
                              vectors.gathered);
      } else {
        fill_gathered<kRows>(Narrow<T>{large}, p, group.gathered, shared.pixels, shared.taps + at,
                             vectors.gathered);
        fill_weight(small, p, group.weight, static_cast<int>(first_column), shared.taps + at,
                    vectors.weight);
      }
      tensor_cores::commit_copies();
    };

    if constexpr (kWeight) {
      if (thread < kColumns) shared.taps[thread] = residue.tap(p, first_column + thread);
    } else {
      shared.pixels[thread] = residue.pixel(p, first_row + thread, residue.pixels);
    }
    describe(0);
    describe(1);
    __syncthreads();
    if (steps > 0) fill(0);

    float sums[kWarpRows / 16][kColumns / 8][4] = {};
    for (int step = 0; step < steps; ++step) {
      tensor_cores::wait_copies<0>();
      __syncthreads();  // this step's tiles are loaded, and the previous ones are consumed
      if (step + 1 < steps) fill(step + 1);
      T* large = shared.large[step % kStages];
      const Narrow<T> small{shared.small[step % kStages]};
#pragma unroll
      for (int depth = 0; depth < kDepth; depth += 16) {
        uint32_t a[kWarpRows / 16][4];
#pragma unroll
        for (int i = 0; i < kWarpRows / 16; ++i) {
          if constexpr (kWeight) {
            Wide<T>{large}.load_a_transposed(a[i], depth, warp_row + i * 16);
          } else {
            Narrow<T>{large}.load_a(a[i], warp_row + i * 16, depth);
          }
        }
#pragma unroll
        for (int column = 0; column < kColumns; column += 16) {
          uint32_t b[4];
          if (kWeight || vectors.weight == WeightOrder::CHANNELS) {
            small.load_b(b, depth, column);
          } else {
            small.load_b_transposed(b, column, depth);
          }
#pragma unroll
          for (int i = 0; i < kWarpRows / 16; ++i) {
            tensor_cores::multiply_add<T>(sums[i][column / 8], a[i], b[0], b[1]);
            tensor_cores::multiply_add<T>(sums[i][column / 8 + 1], a[i], b[2], b[3]);
          }
        }
      }
      describe(step + 2);
    }

#pragma unroll
    for (int i = 0; i < kWarpRows / 16; ++i) {
#pragma unroll
      for (int j = 0; j < kColumns / 8; ++j) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          const int row = warp_row + i * 16 + lane / 4 + e / 2 * 8;
          const uint32_t column = first_column + j * 8 + lane % 4 * 2 + e % 2;
          if constexpr (kWeight) {
            const uint32_t dense_channel = first_row + row;
            if (dense_channel >= static_cast<uint32_t>(p.dense_channels) || column >= residue.taps)
              continue;
            sums_of_parts[(int64_t{turn} * p.dense_channels + dense_channel) * residue.taps +
                          column] = sums[i][j][e];
          } else {
            const Pixel& pixel = shared.pixels[row];
            if (!pixel.exists() || column >= static_cast<uint32_t>(p.dense_channels)) continue;
            float value = sums[i][j][e];
            if (group.bias != nullptr) value += static_cast<float>(group.bias[column]);
            group.dense[pixel.dense + column * p.dense.channel] = static_cast<T>(value);
          }
        }
      }
    }
  }
#endif
}

bool all_vectors(const void* data, std::initializer_list<int64_t> numbers) {
  return reinterpret_cast<uintptr_t>(data) % 16 == 0 &&
         std::all_of(numbers.begin(), numbers.end(), [](int64_t n) { return n % kVector == 0; });
}

// Whether eight consecutive channels can be loaded as 16 aligned bytes.
bool has_vectors(const Strides& s, int64_t channels, const void* data) {
  return s.channel == 1 && all_vectors(data, {channels, s.batch, s.dims[0], s.dims[1], s.dims[2]});
}

WeightOrder weight_order(const Problem& p, const void* data) {
  const Strides& w = p.weight;
  const int64_t taps = int64_t{p.channels} * p.kernel[0] * p.kernel[1] * p.kernel[2];
  if (w.batch == 1 && all_vectors(data, {p.dense_channels, p.weight_group, w.channel, w.dims[0],
                                         w.dims[1], w.dims[2]})) {
    return WeightOrder::CHANNELS;
  }
  if (p.channels_fastest && w.channel == 1 &&
      all_vectors(data, {p.channels, p.weight_group, w.batch, w.dims[0], w.dims[1], w.dims[2]})) {
    return WeightOrder::TAPS;
  }
  // Taps are contiguous, and their number is a multiple of eight.
  int64_t next = 1;
  bool in_order = !p.channels_fastest && !p.backward_input;
  for (int d = 2; d >= 0; --d) {
    in_order = in_order && (p.kernel[d] == 1 || w.dims[d] == next);
    next *= p.kernel[d];
  }
  in_order = in_order && (p.channels == 1 || w.channel == next);
  return in_order && all_vectors(data, {taps, p.weight_group, w.batch}) ? WeightOrder::TAPS
                                                                        : WeightOrder::ANY;
}

template <typename T, bool kWeight>
void launch(const Problem& p, const Tensors& t, const Vectors& vectors, dim3 grid,
            const Parts& parts, float* sums) {
  const auto kernel = &conv_kernel<T, kWeight>;
  constexpr int kBytes = static_cast<int>(sizeof(Shared<T>));
  C10_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  kernel<<<grid, kThreads, kBytes, c10::cuda::getCurrentCUDAStream()>>>(p, t.as<T>(), vectors,
                                                                        parts, sums);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <typename T>
void run(ConvProduct product, const Problem& p, const Tensors& t) {
  Residue residue{};
  residue.set(p, 0);  // has the most pixels
  const Vectors vectors{has_vectors(p.gathered, p.channels, t.gathered) && p.channels_fastest,
                        has_vectors(p.dense, p.dense_channels, t.dense), weight_order(p, t.weight)};
  const auto z = [&](int64_t turns) { return static_cast<unsigned>(std::min(turns, kMaxGridY)); };
  if (product != ConvProduct::BACKWARD_WEIGHT) {
    const dim3 grid(grid_size(ceil_div(residue.pixels, kRows)),
                    static_cast<unsigned>(ceil_div(p.dense_channels, kColumns)),
                    z(int64_t{p.groups} * p.residues()));
    launch<T, false>(p, t, vectors, grid, Parts{}, nullptr);
    return;
  }
  dim3 grid(grid_size(ceil_div(p.dense_channels, kRows)),
            static_cast<unsigned>(ceil_div(residue.taps, kColumns)));
  const Parts parts = parts_of(residue.pixels, int64_t{grid.x} * grid.y * p.groups, kDepth);
  grid.z = z(int64_t{p.groups} * parts.count);
  Workspace sums(sizeof(float) * static_cast<size_t>(parts.count) * p.groups * p.dense_channels *
                 residue.taps);
  launch<T, true>(p, t, vectors, grid, parts, sums.get<float>());
  add_parts(p, t, sums.get<float>(), parts.count);
}

}  // namespace

bool run_on_tensor_cores(ConvProduct product, const Problem& p, const Tensors& t) {
  if (at::cuda::getCurrentDeviceProperties()->major < 8) return false;
  if (t.dtype == ScalarType::Half) {
    run<c10::Half>(product, p, t);
  } else if (t.dtype == ScalarType::BFloat16) {
    run<c10::BFloat16>(product, p, t);
  } else {
    return false;
  }
  return true;
}

}  // namespace at::native::conv
