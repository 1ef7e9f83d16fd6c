#pragma once

#include <ATen/core/Generator.h>
#include <ATen/cuda/PhiloxState.h>
#include <c10/core/Device.h>
#include <c10/core/GeneratorImpl.h>
#include <c10/macros/Export.h>

#include <cstdint>

namespace at {

// The state of random numbers on a GPU: a seed and an offset. Each kernel advances the offset by
// the numbers that it uses. The numbers do not depend on the launch, so every GPU draws the same.
struct TORCH_CUDA_CPP_API CUDAGeneratorImpl : public c10::GeneratorImpl {
  explicit CUDAGeneratorImpl(c10::DeviceIndex device_index = -1);
  ~CUDAGeneratorImpl() override = default;

  void set_current_seed(uint64_t seed) override;
  void set_offset(uint64_t offset) override { offset_ = offset; }
  uint64_t get_offset() const override { return offset_; }
  uint64_t current_seed() const override { return seed_; }
  uint64_t seed() override;
  static c10::DeviceType device_type() { return c10::DeviceType::CUDA; }

  // Takes `blocks` blocks of four numbers of every subsequence.
  PhiloxCudaState philox_cuda_state(uint64_t blocks);

  // While a graph is captured, kernels count from 0 and find the rest at `state`, in the GPU's
  // memory. capture_epilogue returns how many blocks they take.
  void capture_prologue(const uint64_t* state);
  uint64_t capture_epilogue();

 private:
  CUDAGeneratorImpl* clone_impl() const override;

  uint64_t seed_ = c10::default_rng_seed_val;
  uint64_t offset_ = 0;
  const uint64_t* captured_state_ = nullptr;
  uint64_t captured_offset_ = 0;
};

namespace cuda::detail {
// The generator of operators that were given none; -1 is the current device.
TORCH_CUDA_CPP_API const Generator& getDefaultCUDAGenerator(c10::DeviceIndex device_index = -1);
// Seeds them all. Before a GPU is used this wakes up no driver: the seed is kept until then.
TORCH_CUDA_CPP_API void manualSeedAll(uint64_t seed);
TORCH_CUDA_CPP_API Generator createCUDAGenerator(c10::DeviceIndex device_index = -1);
}  // namespace cuda::detail

}  // namespace at
