#include <ATen/cuda/CUDAGeneratorImpl.h>

#include <c10/core/DispatchKeySet.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/Exception.h>

#include <deque>
#include <mutex>
#include <utility>

namespace at {
namespace cuda::detail {
namespace {

c10::DeviceIndex or_current(c10::DeviceIndex device) {
  if (device == -1) return c10::cuda::current_device();
  const c10::DeviceIndex count = c10::cuda::device_count_ensure_non_zero();
  TORCH_CHECK(device >= 0 && device < count, "there is no CUDA device ", static_cast<int>(device),
              "; devices are 0 to ", count - 1);
  return device;
}

struct Defaults {
  std::mutex mutex;
  uint64_t seed = c10::default_rng_seed_val;
  std::deque<Generator> generators;
};

Defaults& defaults() {
  static Defaults* const all = new Defaults;  // outlives all tensors
  return *all;
}

}  // namespace

const Generator& getDefaultCUDAGenerator(c10::DeviceIndex device_index) {
  Defaults& all = defaults();
  const auto index = static_cast<size_t>(or_current(device_index));
  const std::lock_guard lock(all.mutex);
  if (all.generators.empty()) {
    const c10::DeviceIndex count = c10::cuda::device_count_ensure_non_zero();
    for (c10::DeviceIndex device = 0; device < count; ++device) {
      all.generators.push_back(make_generator<CUDAGeneratorImpl>(device));
      all.generators.back().set_current_seed(all.seed);
    }
  }
  return all.generators[index];
}

void manualSeedAll(uint64_t seed) {
  Defaults& all = defaults();
  const std::lock_guard lock(all.mutex);
  all.seed = seed;
  for (Generator& generator : all.generators) {
    const std::lock_guard generator_lock(generator.mutex());
    generator.set_current_seed(seed);
  }
}

Generator createCUDAGenerator(c10::DeviceIndex device_index) {
  return make_generator<CUDAGeneratorImpl>(or_current(device_index));
}

}  // namespace cuda::detail

CUDAGeneratorImpl::CUDAGeneratorImpl(c10::DeviceIndex device_index)
    : c10::GeneratorImpl(c10::Device(c10::DeviceType::CUDA, device_index),
                         c10::DispatchKeySet(c10::DispatchKey::CUDA)) {}

void CUDAGeneratorImpl::set_current_seed(uint64_t seed) {
  TORCH_CHECK(captured_state_ == nullptr,
              "a generator cannot be seeded while a graph that uses it is captured");
  seed_ = seed;
  offset_ = 0;
}

uint64_t CUDAGeneratorImpl::seed() {
  const uint64_t random = c10::detail::getNonDeterministicRandom(/*is_cuda=*/true);
  set_current_seed(random);
  return random;
}

PhiloxCudaState CUDAGeneratorImpl::philox_cuda_state(uint64_t blocks) {
  if (captured_state_ != nullptr) {
    return {0, std::exchange(captured_offset_, captured_offset_ + blocks), captured_state_};
  }
  return {seed_, std::exchange(offset_, offset_ + blocks), nullptr};
}

void CUDAGeneratorImpl::capture_prologue(const uint64_t* state) {
  captured_state_ = state;
  captured_offset_ = 0;
}

uint64_t CUDAGeneratorImpl::capture_epilogue() {
  captured_state_ = nullptr;
  return captured_offset_;
}

CUDAGeneratorImpl* CUDAGeneratorImpl::clone_impl() const {
  auto* generator = new CUDAGeneratorImpl(device().index());
  generator->seed_ = seed_;
  generator->offset_ = offset_;
  return generator;
}

}  // namespace at
