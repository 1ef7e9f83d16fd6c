#pragma once

// A loop over n elements that any grid covers:
//
//   CUDA_KERNEL_LOOP(i, n) { y[i] = 2 * x[i]; }
//   kernel<<<GET_BLOCKS(n), CUDA_NUM_THREADS, 0, stream>>>(…)    // names of at::cuda::detail

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#define CUDA_KERNEL_LOOP_TYPE(i, n, index_type)                                           \
  for (int64_t _i_n_d_e_x = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,  \
               _s_t_r_i_d_e = static_cast<int64_t>(blockDim.x) * gridDim.x, _o_n_c_e = 1; \
       _o_n_c_e != 0; _o_n_c_e = 0)                                                       \
    for (index_type i = static_cast<index_type>(_i_n_d_e_x); _i_n_d_e_x < (n);            \
         _i_n_d_e_x += _s_t_r_i_d_e, i = static_cast<index_type>(_i_n_d_e_x))
#define CUDA_KERNEL_LOOP(i, n) CUDA_KERNEL_LOOP_TYPE(i, n, int)

namespace at::cuda::detail {

constexpr int CUDA_NUM_THREADS = 1024;

/// How many blocks of `max_threads_per_block` threads cover N elements. Error if N is not positive
/// or the grid would be too large.
inline int GET_BLOCKS(const int64_t N, const int64_t max_threads_per_block = CUDA_NUM_THREADS) {
  TORCH_CHECK(N > 0, "CUDA kernel launch blocks must be positive, but got N=", N);
  const int64_t blocks = (N - 1) / max_threads_per_block + 1;
  TORCH_CHECK(blocks <= std::numeric_limits<int>::max(),
              "Can't schedule too many blocks on CUDA device");
  return static_cast<int>(blocks);
}

}  // namespace at::cuda::detail
