#pragma once

// State of the whole library: default generators, what it was built with, and the switches for
// determinism.

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>
#include <c10/macros/Export.h>

#include <atomic>
#include <cstdint>
#include <string>

namespace at {

class TORCH_API Context {
 public:
  // The default generator of a device; throws for a device without one.
  const Generator& defaultGenerator(c10::Device device);

  static bool hasOpenMP();
  static bool hasMKL() { return false; }
  static bool hasLAPACK() { return false; }
  // Whether there is a GPU to compute on.
  static bool hasCUDA();
  static bool hasMPS() { return false; }
  static bool hasXPU() { return false; }

  bool deterministicAlgorithms() const { return deterministic_algorithms_; }
  bool deterministicAlgorithmsWarnOnly() const { return deterministic_warn_only_; }
  void setDeterministicAlgorithms(bool b, bool warn_only = false) {
    deterministic_algorithms_ = b;
    deterministic_warn_only_ = warn_only;
  }
  // Makes the calling thread take denormal numbers as zero, or no longer. False where the processor
  // cannot: on others than x86-64 and AArch64.
  static bool setFlushDenormal(bool on);
  // Throws, or warns, that `caller` has no deterministic implementation.
  void alertNotDeterministic(const char* caller) const;

 private:
  std::atomic<bool> deterministic_algorithms_{false};
  std::atomic<bool> deterministic_warn_only_{false};
};

TORCH_API Context& globalContext();
// Seeds the default generator of every device.
TORCH_API void manual_seed(uint64_t seed);
// The capability in use, as torch.backends.cpu.get_cpu_capability() shows it.
TORCH_API std::string get_cpu_capability();
// A new seed for every default generator.
TORCH_API uint64_t seed();

inline bool hasCUDA() { return Context::hasCUDA(); }
inline bool hasMPS() { return Context::hasMPS(); }
inline bool hasXPU() { return Context::hasXPU(); }

}  // namespace at
