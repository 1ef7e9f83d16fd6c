#include <ATen/core/Generator.h>

#include <c10/core/GeneratorImpl.h>
#include <c10/util/Exception.h>

namespace at {

Generator::Generator() = default;
Generator::Generator(c10::intrusive_ptr<c10::GeneratorImpl> gen_impl) : impl_(std::move(gen_impl)) {
  TORCH_CHECK(impl_.get() != nullptr, "GeneratorImpl with nullptr is not supported");
}
Generator::Generator(const Generator&) = default;
Generator::Generator(Generator&&) noexcept = default;
Generator& Generator::operator=(const Generator&) = default;
Generator& Generator::operator=(Generator&&) noexcept = default;
Generator::~Generator() = default;

void Generator::set_current_seed(uint64_t seed) { impl_->set_current_seed(seed); }
uint64_t Generator::current_seed() const { return impl_->current_seed(); }
uint64_t Generator::seed() { return impl_->seed(); }
c10::DispatchKeySet Generator::key_set() const { return impl_->key_set(); }
c10::Device Generator::device() const { return impl_->device(); }
Generator Generator::clone() const { return Generator(impl_->clone()); }

}  // namespace at
