// Random numbers, which the processor's generator draws: the same on every device.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/Device.h>
#include <torch/library.h>

#include <optional>
#include <utility>

namespace at::native {
namespace {

// A tensor of the same sizes in the processor's memory.
Tensor host_like(const Tensor& self) {
  return at::empty(self.sizes(), self.options().device(c10::Device(c10::DeviceType::CPU)),
                   std::nullopt);
}

Tensor& normal_shader_(Tensor& self, double mean, double std, std::optional<Generator> generator) {
  return self.copy_(host_like(self).normal_(mean, std, std::move(generator)));
}

Tensor& uniform_shader_(Tensor& self, double from, double to, std::optional<Generator> generator) {
  return self.copy_(host_like(self).uniform_(from, to, std::move(generator)));
}

Tensor& bernoulli_shader_(Tensor& self, double p, std::optional<Generator> generator) {
  return self.copy_(host_like(self).bernoulli_(p, std::move(generator)));
}

Tensor& bernoulli_of_tensor_shader_(Tensor& self, const Tensor& p,
                                    std::optional<Generator> generator) {
  const Tensor probabilities = p.to(c10::Device(c10::DeviceType::CPU), p.scalar_type());
  return self.copy_(host_like(self).bernoulli_(probabilities, std::move(generator)));
}

Tensor& random_shader_(Tensor& self, std::optional<Generator> generator) {
  return self.copy_(host_like(self).random_(std::move(generator)));
}

Tensor& random_from_shader_(Tensor& self, int64_t from, std::optional<int64_t> to,
                            std::optional<Generator> generator) {
  return self.copy_(host_like(self).random_(from, to, std::move(generator)));
}

Tensor& random_to_shader_(Tensor& self, int64_t to, std::optional<Generator> generator) {
  return self.copy_(host_like(self).random_(to, std::move(generator)));
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, TORCH_SHADERS_BACKEND, m) {
  m.impl("normal_", TORCH_FN(normal_shader_));
  m.impl("uniform_", TORCH_FN(uniform_shader_));
  m.impl("bernoulli_.float", TORCH_FN(bernoulli_shader_));
  m.impl("bernoulli_.Tensor", TORCH_FN(bernoulli_of_tensor_shader_));
  m.impl("random_", TORCH_FN(random_shader_));
  m.impl("random_.from", TORCH_FN(random_from_shader_));
  m.impl("random_.to", TORCH_FN(random_to_shader_));
}

}  // namespace at::native
