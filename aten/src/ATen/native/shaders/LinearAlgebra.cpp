// Products of vectors and matrices.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/DeviceGuard.h>
#include <ATen/StructuredOutput.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/op_registration/adaption.h>
#include <ATen/native/LinearAlgebraUtils.h>
#include <ATen/native/shaders/Launch.h>
#include <ATen/ops/addmm_meta.h>
#include <ATen/ops/addmv_meta.h>
#include <ATen/ops/baddbmm_meta.h>
#include <ATen/ops/bmm_meta.h>
#include <ATen/ops/mm_meta.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>

namespace at::native {
namespace {

using at::shaders::Binding;
using at::shaders::ComputeDevice;

constexpr uint32_t kTile = 32;
constexpr uint32_t kThreads = 64;

struct Matrix {
  uint32_t batch;
  uint32_t row;
  uint32_t column;
};

// `Arguments` of product.comp.
struct ProductArguments {
  uint32_t start[8];
  uint32_t m;
  uint32_t n;
  uint32_t k;
  uint32_t batches;
  Matrix a;
  Matrix b;
  Matrix source;
  Matrix result;
  std::array<uint32_t, 2> alpha;
  std::array<uint32_t, 2> beta;
};

// A matrix, or with three dimensions a batch of them.
Matrix matrix(const Tensor& t) {
  const int64_t d = t.dim();
  const auto stride = [&](int64_t i) { return t.size(i) == 1 ? 0 : shaders::narrow(t.stride(i)); };
  return {d == 3 ? stride(0) : 0, stride(d - 2), stride(d - 1)};
}

Binding binding(const Tensor& t) {
  return {t.const_data_ptr(), static_cast<size_t>(t.element_size())};
}

// result = alpha * a @ b + beta * source, whose shapes fit.
void product_into(const char* name, const Tensor& result, const Tensor& a, const Tensor& b,
                  const Tensor& source, const Scalar& beta, const Scalar& alpha) {
  ComputeDevice& device = at::shaders::compute_device(result.device().index());
  const ScalarType dtype = result.scalar_type();
  shaders::check_type(dtype, {kFloat, kHalf, kInt, kLong, kByte}, name, device);
  if (result.numel() == 0) return;
  const int64_t d = result.dim();
  ProductArguments arguments{};
  arguments.m = shaders::narrow(result.size(d - 2));
  arguments.n = shaders::narrow(result.size(d - 1));
  arguments.k = shaders::narrow(a.size(d - 1));
  arguments.batches = d == 3 ? shaders::narrow(result.size(0)) : 1;
  arguments.a = matrix(a);
  arguments.b = matrix(b);
  arguments.source = matrix(source);
  arguments.result = matrix(result);
  arguments.alpha = shaders::number_words(alpha, dtype);
  arguments.beta = shaders::number_words(beta, dtype);
  const int64_t tiles = int64_t{(arguments.m + kTile - 1) / kTile} *
                        int64_t{(arguments.n + kTile - 1) / kTile} * int64_t{arguments.batches};
  const bool adds = beta.to<double>() != 0;
  shaders::launch(device, "product_" + shaders::shader_type(dtype, name, device), {adds ? 1U : 0U},
                  {binding(result), binding(a), binding(b), binding(source)}, arguments,
                  {shaders::groups_for(int64_t{shaders::narrow(tiles)}, device, 1), 1, 1},
                  kThreads);
}

// Runs the operator's checks on the result that is given, then `compute` on the one that they ask
// for. The other variants of an operator come from this one.
template <typename Meta, typename Compute, typename... Args>
Tensor& run_out(Tensor& out, const Compute& compute, const Tensor& self, const Args&... args) {
  const c10::OptionalDeviceGuard guard(at::device_of(self));
  at::impl::OutKernel<Meta, 1, at::impl::DefaultOutputs> op(out);
  op.meta(self, args...);
  compute(op.maybe_get_output(0));
  op.copy_back();
  return out;
}

void check_devices(const char* name,
                   std::initializer_list<std::reference_wrapper<const Tensor>> all) {
  std::optional<c10::Device> device;
  for (const Tensor& t : all) {
    c10::impl::check_and_update_common_device(device, t, name, "argument");
  }
}

Tensor& mm_out_shader(const Tensor& self, const Tensor& mat2, Tensor& out) {
  check_devices("mm", {out, self, mat2});
  return run_out<at::meta::structured_mm>(
      out, [&](const Tensor& result) { product_into("mm", result, self, mat2, result, 0, 1); },
      self, mat2);
}

Tensor& bmm_out_shader(const Tensor& self, const Tensor& mat2, Tensor& out) {
  check_devices("bmm", {out, self, mat2});
  return run_out<at::meta::structured_bmm>(
      out, [&](const Tensor& result) { product_into("bmm", result, self, mat2, result, 0, 1); },
      self, mat2);
}

Tensor& addmm_out_shader(const Tensor& self, const Tensor& mat1, const Tensor& mat2,
                         const Scalar& beta, const Scalar& alpha, Tensor& out) {
  check_devices("addmm", {out, self, mat1, mat2});
  return run_out<at::meta::structured_addmm>(
      out,
      [&](const Tensor& result) {
        product_into("addmm", result, mat1, mat2, self.expand(result.sizes()), beta, alpha);
      },
      self, mat1, mat2, beta, alpha);
}

Tensor& baddbmm_out_shader(const Tensor& self, const Tensor& batch1, const Tensor& batch2,
                           const Scalar& beta, const Scalar& alpha, Tensor& out) {
  check_devices("baddbmm", {out, self, batch1, batch2});
  return run_out<at::meta::structured_baddbmm>(
      out,
      [&](const Tensor& result) {
        product_into("baddbmm", result, batch1, batch2, self.expand(result.sizes()), beta, alpha);
      },
      self, batch1, batch2, beta, alpha);
}

Tensor& addmv_out_shader(const Tensor& self, const Tensor& mat, const Tensor& vec,
                         const Scalar& beta, const Scalar& alpha, Tensor& out) {
  check_devices("addmv", {out, self, mat, vec});
  return run_out<at::meta::structured_addmv>(
      out,
      [&](const Tensor& result) {
        product_into("addmv", result.unsqueeze(1), mat, vec.unsqueeze(1),
                     self.expand(result.sizes()).unsqueeze(1), beta, alpha);
      },
      self, mat, vec, beta, alpha);
}

Tensor dot_shader(const Tensor& self, const Tensor& tensor) {
  dot_check(self, tensor);
  return self.mul(tensor).sum(self.scalar_type());
}

}  // namespace

TORCH_LIBRARY_IMPL(aten, TORCH_SHADERS_BACKEND, m) {
  m.impl("mm.out", TORCH_FN(mm_out_shader));
  m.impl("bmm.out", TORCH_FN(bmm_out_shader));
  m.impl("addmm.out", TORCH_FN(addmm_out_shader));
  m.impl("baddbmm.out", TORCH_FN(baddbmm_out_shader));
  m.impl("addmv.out", TORCH_FN(addmv_out_shader));
  m.impl("dot", TORCH_FN(dot_shader));
}

}  // namespace at::native
