// Layer and root-mean-square normalisation of rows, and its gradients.
//
// Rows that fit into registers are read once; the mean comes first, then squares of distances from
// it. Longer rows go through Welford's algorithm and are read twice. The gradients of gamma and
// beta are sums over rows: blocks add up some rows each, and a second kernel adds up the blocks.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/Normalization.h>

#include <ATen/Dispatch.h>
#include <ATen/OpMathType.h>
#include <ATen/native/ReduceFormulas.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Macros.h>
#include <ATen/native/cuda/LaunchUtils.cuh>
#include <ATen/native/cuda/RowTile.cuh>

#include <algorithm>
#include <cstdint>

namespace at::native {
namespace {

constexpr int kRowThreads = 512;  // of a long row

// One row's statistics; `centred` is false for the root mean square, whose mean is 0.
using reduction::Moments;

template <typename T>
C10_DEVICE void add(Moments<T>& moments, T x, bool centred) {
  if (centred) {
    moments.add(x);
  } else {
    moments.count += T(1);
    moments.squares += x * x;
  }
}

struct JoinMoments {
  template <typename T>
  C10_DEVICE Moments<T> operator()(const Moments<T>& a, const Moments<T>& b) const {
    return Moments<T>::join(a, b);
  }
};

// What the forward kernels are given. Statistics are of the type that is computed in.
template <typename T>
struct Forward {
  using acc_t = opmath_type<T>;
  const T* x;
  const T* gamma;  // may be null, as beta
  const T* beta;
  T* y;
  acc_t* mean;  // may be null, as rstd
  acc_t* rstd;
  int64_t rows;
  int64_t length;
  acc_t eps;
  bool centred;

  C10_DEVICE void write_statistics(int64_t row, acc_t m, acc_t r) const {
    if (mean != nullptr) mean[row] = m;
    if (rstd != nullptr) rstd[row] = r;
  }
  // kSize elements from `i` on of a row with these statistics.
  template <int kSize>
  C10_DEVICE Pack<T, kSize> normalized(const Pack<T, kSize>& in, int64_t i, acc_t m,
                                       acc_t r) const {
    Pack<T, kSize> g;
    Pack<T, kSize> b;
    if (gamma != nullptr) g = *reinterpret_cast<const Pack<T, kSize>*>(gamma + i);
    if (beta != nullptr) b = *reinterpret_cast<const Pack<T, kSize>*>(beta + i);
    Pack<T, kSize> out;
#pragma unroll
    for (int k = 0; k < kSize; ++k) {
      acc_t v = (static_cast<acc_t>(in.at[k]) - m) * r;
      if (gamma != nullptr) v *= static_cast<acc_t>(g.at[k]);
      if (beta != nullptr) v += static_cast<acc_t>(b.at[k]);
      out.at[k] = static_cast<T>(v);
    }
    return out;
  }
};

template <int kSize, typename T>
__global__ void __launch_bounds__(kTileThreads) layer_norm_tile_kernel(Forward<T> f) {
  using acc_t = opmath_type<T>;
  using Tile = RowTile<T, kSize>;
  __shared__ acc_t shared[kTileWarps];
  const int64_t row = tile_row();
  const int n = static_cast<int>(f.length);
  const int length = row < f.rows ? n : 0;
  Tile tile;
  tile.load(f.x + row * f.length, length);
  acc_t mean = 0;
  if (f.centred) {
    tile.for_each(length,
                  [&](int, int p, int k) { mean += static_cast<acc_t>(tile.packs[p].at[k]); });
    mean = row_reduce(mean, Add(), shared) / static_cast<acc_t>(n);
  }
  acc_t squares = 0;
  tile.for_each(length, [&](int, int p, int k) {
    const acc_t d = static_cast<acc_t>(tile.packs[p].at[k]) - mean;
    squares += d * d;
  });
  squares = row_reduce(squares, Add(), shared);
  const acc_t rstd = ::rsqrt(squares / static_cast<acc_t>(n) + f.eps);
  if (threadIdx.x == 0 && row < f.rows) f.write_statistics(row, mean, rstd);
#pragma unroll
  for (int p = 0; p < kTilePacks; ++p) {
    const int i = Tile::first(p);
    if (i < length) tile.packs[p] = f.template normalized<kSize>(tile.packs[p], i, mean, rstd);
  }
  tile.store(f.y + row * f.length, length);
}

// One block for each row.
template <int kSize, typename T>
__global__ void __launch_bounds__(kRowThreads) layer_norm_row_kernel(Forward<T> f) {
  using acc_t = opmath_type<T>;
  using Packed = Pack<T, kSize>;
  __shared__ alignas(16) char memory[kRowThreads / kWarp * sizeof(Moments<acc_t>)];
  const int64_t row = blockIdx.x;
  const auto* in = reinterpret_cast<const Packed*>(f.x + row * f.length);
  auto* out = reinterpret_cast<Packed*>(f.y + row * f.length);
  const int64_t packs = f.length / kSize;
  Moments<acc_t> moments;
  for (int64_t i = threadIdx.x; i < packs; i += kRowThreads) {
    const Packed x = in[i];
#pragma unroll
    for (int k = 0; k < kSize; ++k) add(moments, static_cast<acc_t>(x.at[k]), f.centred);
  }
  moments = block_reduce(moments, JoinMoments(), reinterpret_cast<Moments<acc_t>*>(memory));
  const acc_t rstd = ::rsqrt(moments.squares / static_cast<acc_t>(f.length) + f.eps);
  if (threadIdx.x == 0) f.write_statistics(row, moments.mean, rstd);
  for (int64_t i = threadIdx.x; i < packs; i += kRowThreads) {
    out[i] = f.template normalized<kSize>(in[i], i * kSize, moments.mean, rstd);
  }
}

template <typename T>
struct Backward {
  using acc_t = opmath_type<T>;
  const T* dy;
  const T* x;
  const acc_t* mean;  // null where not centred
  const acc_t* rstd;
  const T* gamma;  // may be null
  T* dx;
  int64_t rows;
  int64_t length;

  C10_DEVICE acc_t mean_of(int64_t row) const { return mean == nullptr ? acc_t(0) : mean[row]; }
};

// The sums of g and of g * n over a row, where g = dy * gamma and n is the normalised x.
template <typename T>
struct GradientSums {
  T g = 0;
  T dot = 0;
};
struct AddGradientSums {
  template <typename T>
  C10_DEVICE GradientSums<T> operator()(const GradientSums<T>& a, const GradientSums<T>& b) const {
    return {a.g + b.g, a.dot + b.dot};
  }
};

// g * gamma of one pack.
template <int kSize, typename T>
struct GradientPack {
  using acc_t = opmath_type<T>;
  acc_t g[kSize];
  acc_t n[kSize];

  C10_DEVICE GradientPack(const Backward<T>& b, const Pack<T, kSize>& dy, const Pack<T, kSize>& x,
                          int64_t i, acc_t mean, acc_t rstd) {
    Pack<T, kSize> gamma;
    if (b.gamma != nullptr) gamma = *reinterpret_cast<const Pack<T, kSize>*>(b.gamma + i);
#pragma unroll
    for (int k = 0; k < kSize; ++k) {
      g[k] = static_cast<acc_t>(dy.at[k]);
      if (b.gamma != nullptr) g[k] *= static_cast<acc_t>(gamma.at[k]);
      n[k] = (static_cast<acc_t>(x.at[k]) - mean) * rstd;
    }
  }
  C10_DEVICE void add_to(GradientSums<acc_t>& sums) const {
#pragma unroll
    for (int k = 0; k < kSize; ++k) {
      sums.g += g[k];
      sums.dot += g[k] * n[k];
    }
  }
  // dx = rstd * (g - mean(g) - n * mean(g * n))
  C10_DEVICE Pack<T, kSize> result(acc_t rstd, acc_t mean_g, acc_t mean_dot) const {
    Pack<T, kSize> out;
#pragma unroll
    for (int k = 0; k < kSize; ++k) {
      out.at[k] = static_cast<T>(rstd * (g[k] - mean_g - n[k] * mean_dot));
    }
    return out;
  }
};

template <int kSize, typename T>
__global__ void __launch_bounds__(kTileThreads) layer_norm_backward_tile_kernel(Backward<T> b) {
  using acc_t = opmath_type<T>;
  using Tile = RowTile<T, kSize>;
  using Grad = GradientPack<kSize, T>;
  __shared__ alignas(16) char memory[kTileWarps * sizeof(GradientSums<acc_t>)];
  const int64_t row = tile_row();
  const bool there = row < b.rows;
  const int length = there ? static_cast<int>(b.length) : 0;
  Tile dy;
  Tile x;
  dy.load(b.dy + row * b.length, length);
  x.load(b.x + row * b.length, length);
  const acc_t mean = there ? b.mean_of(row) : acc_t(0);
  const acc_t rstd = there ? b.rstd[row] : acc_t(0);
  GradientSums<acc_t> sums;
#pragma unroll
  for (int p = 0; p < kTilePacks; ++p) {
    const int i = Tile::first(p);
    if (i < length) Grad(b, dy.packs[p], x.packs[p], i, mean, rstd).add_to(sums);
  }
  sums = row_reduce(sums, AddGradientSums(), reinterpret_cast<GradientSums<acc_t>*>(memory));
  const auto n = static_cast<acc_t>(b.length);
  const acc_t mean_g = b.mean == nullptr ? acc_t(0) : sums.g / n;
  const acc_t mean_dot = sums.dot / n;
#pragma unroll
  for (int p = 0; p < kTilePacks; ++p) {
    const int i = Tile::first(p);
    if (i < length) {
      dy.packs[p] = Grad(b, dy.packs[p], x.packs[p], i, mean, rstd).result(rstd, mean_g, mean_dot);
    }
  }
  dy.store(b.dx + row * b.length, length);
}

template <int kSize, typename T>
__global__ void __launch_bounds__(kRowThreads) layer_norm_backward_row_kernel(Backward<T> b) {
  using acc_t = opmath_type<T>;
  using Packed = Pack<T, kSize>;
  using Grad = GradientPack<kSize, T>;
  __shared__ alignas(16) char memory[kRowThreads / kWarp * sizeof(GradientSums<acc_t>)];
  const int64_t row = blockIdx.x;
  const auto* dy = reinterpret_cast<const Packed*>(b.dy + row * b.length);
  const auto* x = reinterpret_cast<const Packed*>(b.x + row * b.length);
  auto* dx = reinterpret_cast<Packed*>(b.dx + row * b.length);
  const int64_t packs = b.length / kSize;
  const acc_t mean = b.mean_of(row);
  const acc_t rstd = b.rstd[row];
  GradientSums<acc_t> sums;
  for (int64_t i = threadIdx.x; i < packs; i += kRowThreads) {
    Grad(b, dy[i], x[i], i * kSize, mean, rstd).add_to(sums);
  }
  sums = block_reduce(sums, AddGradientSums(), reinterpret_cast<GradientSums<acc_t>*>(memory));
  const auto n = static_cast<acc_t>(b.length);
  const acc_t mean_g = b.mean == nullptr ? acc_t(0) : sums.g / n;
  const acc_t mean_dot = sums.dot / n;
  for (int64_t i = threadIdx.x; i < packs; i += kRowThreads) {
    dx[i] = Grad(b, dy[i], x[i], i * kSize, mean, rstd).result(rstd, mean_g, mean_dot);
  }
}

// ---- gradients of gamma and beta

constexpr int kColumnRows = 8;  // rows that a block reads at once
constexpr int kColumnThreads = kWarp * kColumnRows;

// Sums of dy * n and of dy over rows [part * rows_a_part, ...), for kSize columns a thread, into
// partial[part][0 or 1][column].
template <int kSize, typename T>
__global__ void __launch_bounds__(kColumnThreads)
    layer_norm_columns_kernel(Backward<T> b, int64_t rows_a_part, opmath_type<T>* partial) {
  using acc_t = opmath_type<T>;
  using Packed = Pack<T, kSize>;
  __shared__ acc_t shared[kColumnRows][2 * kSize][kWarp];
  const int64_t column = (static_cast<int64_t>(blockIdx.x) * kWarp + threadIdx.x) * kSize;
  const int64_t begin = static_cast<int64_t>(blockIdx.y) * rows_a_part;
  const int64_t end = min(begin + rows_a_part, b.rows);
  acc_t dgamma[kSize] = {};
  acc_t dbeta[kSize] = {};
  if (column < b.length) {
#pragma unroll 2
    for (int64_t row = begin + threadIdx.y; row < end; row += kColumnRows) {
      const Packed dy = *reinterpret_cast<const Packed*>(b.dy + row * b.length + column);
      const Packed x = *reinterpret_cast<const Packed*>(b.x + row * b.length + column);
      const acc_t mean = b.mean_of(row);
      const acc_t rstd = b.rstd[row];
#pragma unroll
      for (int k = 0; k < kSize; ++k) {
        const auto g = static_cast<acc_t>(dy.at[k]);
        dgamma[k] += g * (static_cast<acc_t>(x.at[k]) - mean) * rstd;
        dbeta[k] += g;
      }
    }
  }
#pragma unroll
  for (int k = 0; k < kSize; ++k) {
    shared[threadIdx.y][k][threadIdx.x] = dgamma[k];
    shared[threadIdx.y][kSize + k][threadIdx.x] = dbeta[k];
  }
  __syncthreads();
  // Each row of threads adds up some of the columns.
  for (int k = static_cast<int>(threadIdx.y); k < 2 * kSize; k += kColumnRows) {
    acc_t sum = 0;
#pragma unroll
    for (int r = 0; r < kColumnRows; ++r) sum += shared[r][k][threadIdx.x];
    if (column < b.length) {
      partial[(int64_t{2} * blockIdx.y + k / kSize) * b.length + column + k % kSize] = sum;
    }
  }
}

template <typename acc_t>
__global__ void __launch_bounds__(kColumnThreads)
    layer_norm_join_kernel(const acc_t* partial, int64_t length, int parts, double* dgamma,
                           double* dbeta) {
  const int64_t column = static_cast<int64_t>(blockIdx.x) * kColumnThreads + threadIdx.x;
  if (column >= length) return;
  double sums[2] = {0, 0};
  for (int part = 0; part < parts; ++part) {
    sums[0] += static_cast<double>(partial[int64_t{2} * part * length + column]);
    sums[1] += static_cast<double>(partial[(int64_t{2} * part + 1) * length + column]);
  }
  if (dgamma != nullptr) dgamma[column] = sums[0];
  if (dbeta != nullptr) dbeta[column] = sums[1];
}

// ---- choice of the kernel

template <int kSize, typename T>
void launch_forward(const Forward<T>& f, cudaStream_t stream) {
  if (f.length <= kLongestTile<kSize>) {
    const TileLaunch launch = tile_launch(f.rows, f.length, kSize);
    layer_norm_tile_kernel<kSize><<<launch.blocks, launch.threads, 0, stream>>>(f);
  } else {
    layer_norm_row_kernel<kSize><<<grid_size(f.rows), kRowThreads, 0, stream>>>(f);
  }
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <int kSize, typename T>
void launch_backward(const Backward<T>& b, double* dgamma, double* dbeta, cudaStream_t stream) {
  if (b.dx != nullptr) {
    if (b.length <= kLongestTile<kSize>) {
      const TileLaunch launch = tile_launch(b.rows, b.length, kSize);
      layer_norm_backward_tile_kernel<kSize><<<launch.blocks, launch.threads, 0, stream>>>(b);
    } else {
      layer_norm_backward_row_kernel<kSize><<<grid_size(b.rows), kRowThreads, 0, stream>>>(b);
    }
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  }
  if (dgamma == nullptr && dbeta == nullptr) return;
  using acc_t = opmath_type<T>;
  constexpr int kBlocksPerProcessor = 4;
  constexpr int64_t kLeastRows = 4 * kColumnRows;
  const int64_t blocks = ceil_div(b.length, kWarp * kSize);
  const int64_t wanted = ceil_div(int64_t{multiprocessor_count()} * kBlocksPerProcessor, blocks);
  const int64_t most = std::min(ceil_div(b.rows, kLeastRows), kMaxGridY);
  const int64_t rows_a_part = ceil_div(b.rows, std::max(std::min(wanted, most), int64_t{1}));
  const int64_t parts = ceil_div(b.rows, rows_a_part);
  Workspace partial(sizeof(acc_t) * static_cast<size_t>(2 * parts * b.length));
  layer_norm_columns_kernel<kSize>
      <<<dim3(grid_size(blocks), static_cast<unsigned>(parts)), dim3(kWarp, kColumnRows), 0,
         stream>>>(b, rows_a_part, partial.get<acc_t>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  layer_norm_join_kernel<<<grid_size(ceil_div(b.length, kColumnThreads)), kColumnThreads, 0,
                           stream>>>(partial.get<acc_t>(), b.length, static_cast<int>(parts),
                                     dgamma, dbeta);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

void layer_norm_kernel_cuda(ScalarType dtype, int64_t count, int64_t length, const void* x,
                            const void* gamma, const void* beta, double eps, bool centred, void* y,
                            void* mean, void* rstd) {
  if (count == 0 || length == 0) return;
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "layer_norm_cuda", [&] {
    using acc_t = opmath_type<scalar_t>;
    Forward<scalar_t> f{static_cast<const scalar_t*>(x),
                        static_cast<const scalar_t*>(gamma),
                        static_cast<const scalar_t*>(beta),
                        static_cast<scalar_t*>(y),
                        static_cast<acc_t*>(mean),
                        static_cast<acc_t*>(rstd),
                        count,
                        length,
                        static_cast<acc_t>(eps),
                        centred};
    constexpr int kSize = kPack<scalar_t>;
    const bool packs = length % kSize == 0 && is_packable(f.x) && is_packable(f.y) &&
                       is_packable(f.gamma) && is_packable(f.beta);
    packs ? launch_forward<kSize>(f, stream) : launch_forward<1>(f, stream);
  });
}

void layer_norm_backward_kernel_cuda(ScalarType dtype, int64_t count, int64_t length,
                                     const void* dy, const void* x, const void* mean,
                                     const void* rstd, const void* gamma, bool centred, void* dx,
                                     void* gamma_sums, void* beta_sums) {
  auto* dgamma = static_cast<double*>(gamma_sums);
  auto* dbeta = static_cast<double*>(beta_sums);
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  if (count == 0 || length == 0) {
    for (double* sums : {dgamma, dbeta}) {
      if (sums == nullptr) continue;
      C10_CUDA_CHECK(
          cudaMemsetAsync(sums, 0, sizeof(double) * static_cast<size_t>(length), stream));
    }
    return;
  }
  AT_DISPATCH_FLOATING_TYPES_AND2(kBFloat16, kHalf, dtype, "layer_norm_backward_cuda", [&] {
    using acc_t = opmath_type<scalar_t>;
    Backward<scalar_t> b{static_cast<const scalar_t*>(dy),
                         static_cast<const scalar_t*>(x),
                         centred ? static_cast<const acc_t*>(mean) : nullptr,
                         static_cast<const acc_t*>(rstd),
                         static_cast<const scalar_t*>(gamma),
                         static_cast<scalar_t*>(dx),
                         count,
                         length};
    constexpr int kSize = kPack<scalar_t>;
    const bool packs = length % kSize == 0 && is_packable(b.dy) && is_packable(b.x) &&
                       is_packable(b.dx) && is_packable(b.gamma);
    packs ? launch_backward<kSize>(b, dgamma, dbeta, stream)
          : launch_backward<1>(b, dgamma, dbeta, stream);
  });
}

}  // namespace

REGISTER_CUDA_DISPATCH(layer_norm_stub, &layer_norm_kernel_cuda)
REGISTER_CUDA_DISPATCH(layer_norm_backward_stub, &layer_norm_backward_kernel_cuda)

}  // namespace at::native
