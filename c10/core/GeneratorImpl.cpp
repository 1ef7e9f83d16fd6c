#include <c10/core/GeneratorImpl.h>

#include <random>

namespace c10 {

GeneratorImpl::GeneratorImpl(Device device_in, DispatchKeySet key_set)
    : device_(device_in), key_set_(key_set) {}
GeneratorImpl::~GeneratorImpl() = default;

intrusive_ptr<GeneratorImpl> GeneratorImpl::clone() const {
  return intrusive_ptr<GeneratorImpl>::unsafe_steal_from_new(clone_impl());
}

namespace detail {

uint64_t getNonDeterministicRandom(bool is_cuda) {
  std::random_device device;
  const uint64_t random = (static_cast<uint64_t>(device()) << 32) | device();
  return is_cuda ? random & ((uint64_t{1} << 53) - 1) : random;
}

}  // namespace detail
}  // namespace c10
