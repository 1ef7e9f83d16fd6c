#include <ATen/CPUGeneratorImpl.h>

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <cstring>
#include <type_traits>

namespace at {

namespace detail {

const Generator& getDefaultCPUGenerator() {
  static const Generator generator = createCPUGenerator();
  return generator;
}

Generator createCPUGenerator(uint64_t seed_val) {
  return make_generator<CPUGeneratorImpl>(seed_val);
}

}  // namespace detail

CPUGeneratorImpl::CPUGeneratorImpl(uint64_t seed_in)
    : c10::GeneratorImpl(c10::Device(c10::DeviceType::CPU),
                         c10::DispatchKeySet(c10::DispatchKey::CPU)),
      engine_(seed_in) {}

void CPUGeneratorImpl::set_current_seed(uint64_t seed) {
  next_float_normal_sample_.reset();
  next_double_normal_sample_.reset();
  engine_ = mt19937(seed);
}

void CPUGeneratorImpl::set_offset(uint64_t) {
  TORCH_CHECK(false, "CPU Generator does not use offset");
}
uint64_t CPUGeneratorImpl::get_offset() const {
  TORCH_CHECK(false, "CPU Generator does not use offset");
}

uint64_t CPUGeneratorImpl::seed() {
  const uint64_t random = c10::detail::getNonDeterministicRandom();
  set_current_seed(random);
  return random;
}

uint64_t CPUGeneratorImpl::random64() {
  const uint64_t high = engine_();
  const uint64_t low = engine_();
  return (high << 32) | low;
}

CPUGeneratorImpl* CPUGeneratorImpl::clone_impl() const {
  auto* gen = new CPUGeneratorImpl();
  gen->engine_ = engine_;
  gen->next_float_normal_sample_ = next_float_normal_sample_;
  gen->next_double_normal_sample_ = next_double_normal_sample_;
  return gen;
}

namespace {

// What get_state returns, byte for byte.
struct SavedState {
  mt19937_data_pod engine;
  double next_double;
  float next_float;
  bool has_next_double;
  bool has_next_float;
};
static_assert(std::is_trivially_copyable_v<SavedState>);

}  // namespace

Tensor Generator::get_state() const {
  const auto* gen = check_generator<CPUGeneratorImpl>(*this);
  SavedState saved;
  std::memset(static_cast<void*>(&saved), 0, sizeof(saved));
  saved.engine = gen->engine().data();
  saved.has_next_double = gen->next_double_normal_sample().has_value();
  saved.has_next_float = gen->next_float_normal_sample().has_value();
  saved.next_double = gen->next_double_normal_sample().value_or(0);
  saved.next_float = gen->next_float_normal_sample().value_or(0);
  TensorBase state = detail::empty_cpu({static_cast<int64_t>(sizeof(saved))}, ScalarType::Byte);
  std::memcpy(state.mutable_data_ptr(), &saved, sizeof(saved));
  return Tensor(std::move(state));
}

void Generator::set_state(const Tensor& new_state) {
  auto* gen = check_generator<CPUGeneratorImpl>(*this);
  TORCH_CHECK_TYPE(new_state.defined() && new_state.is_cpu() &&
                       new_state.scalar_type() == ScalarType::Byte && new_state.is_contiguous(),
                   "RNG state must be a torch.ByteTensor");
  TORCH_CHECK(new_state.numel() == static_cast<int64_t>(sizeof(SavedState)),
              "Expected a CPUGeneratorImplState of size ", sizeof(SavedState),
              " but found the input RNG state size to be ", new_state.numel());
  SavedState saved;
  std::memcpy(static_cast<void*>(&saved), new_state.const_data_ptr(), sizeof(saved));
  mt19937 engine;
  engine.set_data(saved.engine);
  TORCH_CHECK(engine.is_valid(), "Invalid mt19937 state");
  gen->set_engine(engine);
  gen->set_next_double_normal_sample(saved.has_next_double ? std::make_optional(saved.next_double)
                                                           : std::nullopt);
  gen->set_next_float_normal_sample(saved.has_next_float ? std::make_optional(saved.next_float)
                                                         : std::nullopt);
}

}  // namespace at
