#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/MT19937RNGEngine.h>
#include <c10/core/GeneratorImpl.h>
#include <c10/macros/Export.h>

#include <cstdint>
#include <optional>

namespace at {

class Tensor;

// Random numbers on the CPU: the draws, in order, are PyTorch's for the same seed.
struct TORCH_API CPUGeneratorImpl : public c10::GeneratorImpl {
  explicit CPUGeneratorImpl(uint64_t seed_in = c10::default_rng_seed_val);
  ~CPUGeneratorImpl() override = default;

  void set_current_seed(uint64_t seed) override;
  // The engine has no place to jump to: both throw.
  void set_offset(uint64_t offset) override;
  uint64_t get_offset() const override;
  uint64_t current_seed() const override { return engine_.seed(); }
  uint64_t seed() override;
  static c10::DeviceType device_type() { return c10::DeviceType::CPU; }

  uint32_t random() { return engine_(); }
  uint64_t random64();

  // Normal samples come in pairs; the second waits for the next call.
  std::optional<float> next_float_normal_sample() const { return next_float_normal_sample_; }
  std::optional<double> next_double_normal_sample() const { return next_double_normal_sample_; }
  void set_next_float_normal_sample(std::optional<float> x) { next_float_normal_sample_ = x; }
  void set_next_double_normal_sample(std::optional<double> x) { next_double_normal_sample_ = x; }

  mt19937 engine() const { return engine_; }
  void set_engine(mt19937 engine) { engine_ = engine; }

 private:
  CPUGeneratorImpl* clone_impl() const override;
  mt19937 engine_;
  std::optional<float> next_float_normal_sample_;
  std::optional<double> next_double_normal_sample_;
};

namespace detail {
// The generator of operators that were given none.
TORCH_API const Generator& getDefaultCPUGenerator();
TORCH_API Generator createCPUGenerator(uint64_t seed_val = c10::default_rng_seed_val);
}  // namespace detail

}  // namespace at
