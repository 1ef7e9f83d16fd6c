#pragma once

// What GPUs did and when, by CUPTI in builds with --cupti.

#include <c10/macros/Export.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace at::native {

enum class GpuWork : uint8_t { KERNEL, COPY, FILL };

// A kernel, or a copy or filling of memory.
struct GpuActivity {
  GpuWork work = GpuWork::KERNEL;
  std::string name;    // a kernel's as it is written in C++
  uint64_t start = 0;  // nanoseconds, by one clock for all GPUs
  uint64_t end = 0;
  uint32_t device = 0;
  uint32_t stream = 0;
  std::array<int32_t, 3> grid{};  // the rest of a kernel alone
  std::array<int32_t, 3> block{};
  int64_t shared_memory = 0;
  uint64_t bytes = 0;  // of a copy or a filling
};

// Whether this build has CUPTI.
TORCH_CUDA_CPP_API bool has_activity_trace();

// Records what begins on any GPU from now on. Throws if it does so already, if another profiler has
// CUPTI, and in a build without it.
TORCH_CUDA_CPP_API void start_activity_trace();

// What has ended since, in the order in which it began: synchronize before. Throws unless it
// records.
TORCH_CUDA_CPP_API std::vector<GpuActivity> stop_activity_trace();

}  // namespace at::native
