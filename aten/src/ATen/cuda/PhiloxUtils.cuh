#pragma once

// Where a kernel's random numbers begin, for curand_init.
//
//   const auto [seed, offset] = at::cuda::philox::unpack(state);
//   curand_init(seed, thread, offset, &curand_state);

#include <ATen/cuda/PhiloxState.h>

#include <cstdint>
#include <tuple>

namespace at::cuda::philox {

/// The seed, and an offset that counts numbers; generators count blocks of four.
__host__ __device__ __forceinline__ std::tuple<uint64_t, uint64_t> unpack(PhiloxCudaState state) {
  return {state.current_seed(), 4 * state.current_offset()};
}

}  // namespace at::cuda::philox
