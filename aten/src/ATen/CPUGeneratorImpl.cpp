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

// The state of a generator that is a seed and an offset, as GPUs' are.
struct SavedOffset {
  uint64_t seed;
  uint64_t offset;
};

Tensor state_tensor(const void* saved, size_t size) {
  TensorBase state = detail::empty_cpu({static_cast<int64_t>(size)}, ScalarType::Byte);
  std::memcpy(state.mutable_data_ptr(), saved, size);
  return Tensor(std::move(state));
}

// Throws unless a tensor holds `size` bytes, which it copies to `saved`.
void read_state(const Tensor& state, const char* what, void* saved, size_t size) {
  TORCH_CHECK_TYPE(state.defined() && state.is_cpu() && state.scalar_type() == ScalarType::Byte &&
                       state.is_contiguous(),
                   "RNG state must be a torch.ByteTensor");
  TORCH_CHECK(state.numel() == static_cast<int64_t>(size), "Expected a ", what, " of size ", size,
              " but found the input RNG state size to be ", state.numel());
  std::memcpy(saved, state.const_data_ptr(), size);
}

}  // namespace

Tensor Generator::get_state() const {
  if (!device().is_cpu()) {
    const SavedOffset saved{impl_->current_seed(), impl_->get_offset()};
    return state_tensor(&saved, sizeof(saved));
  }
  const auto* gen = check_generator<CPUGeneratorImpl>(*this);
  SavedState saved;
  std::memset(static_cast<void*>(&saved), 0, sizeof(saved));
  saved.engine = gen->engine().data();
  saved.has_next_double = gen->next_double_normal_sample().has_value();
  saved.has_next_float = gen->next_float_normal_sample().has_value();
  saved.next_double = gen->next_double_normal_sample().value_or(0);
  saved.next_float = gen->next_float_normal_sample().value_or(0);
  return state_tensor(&saved, sizeof(saved));
}

void Generator::set_state(const Tensor& new_state) {
  if (!device().is_cpu()) {
    SavedOffset saved{};
    read_state(new_state, "state of a seed and an offset", &saved, sizeof(saved));
    impl_->set_current_seed(saved.seed);
    impl_->set_offset(saved.offset);
    return;
  }
  auto* gen = check_generator<CPUGeneratorImpl>(*this);
  SavedState saved;
  read_state(new_state, "CPUGeneratorImplState", static_cast<void*>(&saved), sizeof(saved));
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
