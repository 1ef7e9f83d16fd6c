// Powers, the exponential, products of many matrices, tensors as matrices.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/chain_matmul.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/linalg_inv.h>
#include <ATen/ops/linalg_matrix_exp.h>
#include <ATen/ops/linalg_matrix_exp_native.h>
#include <ATen/ops/linalg_matrix_power.h>
#include <ATen/ops/linalg_matrix_power_native.h>
#include <ATen/ops/linalg_multi_dot.h>
#include <ATen/ops/linalg_multi_dot_native.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/linalg_tensorinv.h>
#include <ATen/ops/linalg_tensorinv_native.h>
#include <ATen/ops/linalg_tensorsolve.h>
#include <ATen/ops/linalg_tensorsolve_native.h>
#include <ATen/ops/linalg_vander_native.h>
#include <ATen/ops/matrix_exp_native.h>
#include <ATen/ops/matrix_power_native.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/vander_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace at::native {

Tensor linalg_matrix_power(const Tensor& self, int64_t n) {
  check_square(self, "linalg.matrix_power");
  if (n == 0) return self.clone().copy_(at::eye(self.size(-1), self.options()));
  if (n == 1) return self.clone();
  Tensor base = n < 0 ? at::linalg_inv(self) : self;
  // By squaring.
  Tensor result;
  for (uint64_t rest = n < 0 ? 0 - static_cast<uint64_t>(n) : static_cast<uint64_t>(n); rest > 0;
       rest >>= 1) {
    if ((rest & 1) != 0) result = result.defined() ? result.matmul(base) : base;
    if (rest > 1) base = base.matmul(base);
  }
  return result;
}

Tensor& linalg_matrix_power_out(const Tensor& self, int64_t n, Tensor& result) {
  const Tensor power = at::linalg_matrix_power(self, n);
  return n == 0 || n == 1 ? write_to_out(power, result) : write_out(result, power);
}

Tensor matrix_power(const Tensor& self, int64_t n) { return at::linalg_matrix_power(self, n); }

Tensor& matrix_power_out(const Tensor& self, int64_t n, Tensor& result) {
  return at::linalg_matrix_power_out(result, self, n);
}

// The Taylor series of a matrix scaled to a norm below `limit`, squared back. The limits are those
// up to which 18 terms are exact to half a unit of the type: Bader, Blanes and Casas (2019),
// table 1.
Tensor linalg_matrix_exp(const Tensor& a) {
  check_square(a, "linalg.matrix_exp");
  check_floating_or_complex(a, "linalg.matrix_exp", /*allow_low_precision=*/true);
  if (a.numel() == 0) return a.clone();
  const double norm = a.detach().abs().sum({-2}).max().item().toDouble();
  int squarings = 0;
  const bool wide = c10::toRealValueType(a.scalar_type()) == kDouble;
  const double limit = wide ? 1.09 : 3.01;
  if (std::isfinite(norm) && norm > limit) {
    squarings = static_cast<int>(std::ceil(std::log2(norm / limit)));
  }
  const Tensor scaled = a * std::ldexp(1.0, -squarings);
  const Tensor identity = at::eye(a.size(-1), a.options()).expand_as(a);
  constexpr int kTerms = 18;
  Tensor sum = identity;
  for (int k = kTerms; k >= 1; --k) sum = identity + scaled.matmul(sum) * (1.0 / k);
  for (int i = 0; i < squarings; ++i) sum = sum.matmul(sum);
  return sum;
}

Tensor matrix_exp(const Tensor& a) { return at::linalg_matrix_exp(a); }

// ---- products of many, and tensors as matrices

Tensor linalg_multi_dot(TensorList tensors) {
  const size_t n = tensors.size();
  TORCH_CHECK(n >= 2, "multi_dot(): expected at least 2 tensors but got ", n);
  std::vector<Tensor> matrices = tensors.vec();
  const bool first_vector = matrices[0].dim() == 1;
  const bool last_vector = matrices[n - 1].dim() == 1;
  TORCH_CHECK(first_vector || matrices[0].dim() == 2,
              "multi_dot(): the first tensor must be 1D or 2D but got ", matrices[0].dim(), "D");
  TORCH_CHECK(last_vector || matrices[n - 1].dim() == 2,
              "multi_dot(): the last tensor must be 1D or 2D but got ", matrices[n - 1].dim(), "D");
  std::vector<int64_t> shape;
  if (first_vector) {
    matrices[0] = matrices[0].unsqueeze(0);
  } else {
    shape.push_back(matrices[0].size(0));
  }
  if (last_vector) {
    matrices[n - 1] = matrices[n - 1].unsqueeze(-1);
  } else {
    shape.push_back(matrices[n - 1].size(1));
  }
  for (size_t i = 0; i < n; ++i) {
    TORCH_CHECK(matrices[i].dim() == 2, "multi_dot(): tensor ", i, " must be 2D but got ",
                matrices[i].dim(), "D");
    TORCH_CHECK(matrices[i].scalar_type() == matrices[0].scalar_type(),
                "multi_dot(): all tensors must have be the same dtype but tensor 0 is ",
                matrices[0].scalar_type(), " and tensor ", i, " ", matrices[i].scalar_type());
    TORCH_CHECK(i == 0 || matrices[i - 1].size(1) == matrices[i].size(0), "multi_dot(): tensors ",
                i - 1, " and ", i, " with shapes ", matrices[i - 1].sizes(), " and ",
                matrices[i].sizes(), " cannot be multiplied");
  }
  return at::chain_matmul(matrices).view(shape);
}

Tensor& linalg_multi_dot_out(TensorList tensors, Tensor& result) {
  const Tensor product = at::linalg_multi_dot(tensors);
  TORCH_CHECK(result.scalar_type() == product.scalar_type(),
              "multi_dot(): expected out tensor to have dtype ", product.scalar_type(), " but got ",
              result.scalar_type());
  return write_to_out(product, result);
}

namespace {

int64_t product(IntArrayRef sizes) {
  int64_t result = 1;
  for (const int64_t size : sizes) result *= size;
  return result;
}

}  // namespace

Tensor linalg_tensorinv(const Tensor& self, int64_t ind) {
  TORCH_CHECK(ind > 0, "Expected a strictly positive integer for 'ind'");
  const auto place = static_cast<size_t>(std::min<int64_t>(ind, self.dim()));
  const IntArrayRef front = self.sizes().slice(0, place);
  const IntArrayRef back = self.sizes().slice(place);
  TORCH_CHECK(
      product(front) == product(back),
      "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got ",
      product(back), " != ", product(front));
  std::vector<int64_t> shape = back.vec();
  shape.insert(shape.end(), front.begin(), front.end());
  return at::linalg_inv(self.reshape({product(back), product(front)})).reshape(shape);
}

Tensor& linalg_tensorinv_out(const Tensor& self, int64_t ind, Tensor& result) {
  return write_to_out(at::linalg_tensorinv(self, ind), result);
}

Tensor linalg_tensorsolve(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims) {
  const int64_t ndim = self.dim();
  Tensor moved = self;
  if (dims.has_value()) {
    std::vector<int64_t> destinations;
    for (size_t i = 0; i < dims->size(); ++i) {
      destinations.push_back(ndim - static_cast<int64_t>(dims->size()) + static_cast<int64_t>(i));
    }
    moved = self.movedim(*dims, destinations);
  }
  const int64_t front = std::min(other.dim(), ndim);
  const std::vector<int64_t> shape = moved.sizes().slice(static_cast<size_t>(front)).vec();
  const int64_t n = product(shape);
  TORCH_CHECK(
      n == product(other.sizes()),
      "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but got ",
      n, " != ", product(other.sizes()));
  return at::linalg_solve(moved.reshape({n, n}), other.flatten()).reshape(shape);
}

Tensor& linalg_tensorsolve_out(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims,
                               Tensor& result) {
  return write_to_out(at::linalg_tensorsolve(self, other, dims), result);
}

Tensor linalg_vander(const Tensor& x, std::optional<int64_t> N) {
  TORCH_CHECK(x.scalar_type() == kFloat || x.scalar_type() == kDouble || x.is_complex() ||
                  c10::isIntegralType(x.scalar_type(), /*includeBool=*/false),
              "linalg.vander supports floating point, complex, and integer tensors, but got ",
              x.scalar_type());
  const Tensor column = x.dim() == 0 ? x.unsqueeze(-1) : x;
  TORCH_CHECK(!N.has_value() || *N > 1, "N must be greater than 1.");
  const int64_t n = N.value_or(column.size(-1));
  std::vector<int64_t> shape = column.sizes().vec();
  shape.push_back(n - 1);
  const Tensor powers = column.unsqueeze(-1).expand(shape).cumprod(-1);
  return at::cat({at::ones_like(column.unsqueeze(-1)), powers}, -1);
}

// Columns x^(N - 1), ..., x, 1, or the other way round.
Tensor vander(const Tensor& x, std::optional<int64_t> N, bool increasing) {
  TORCH_CHECK(x.dim() == 1, "x must be a one-dimensional tensor.");
  const int64_t columns = N.value_or(x.size(0));
  TORCH_CHECK(columns >= 0, "N must be non-negative.");
  // Powers of integers are int64, like torch.prod.
  const ScalarType type =
      c10::isIntegralType(x.scalar_type(), /*includeBool=*/true) ? kLong : x.scalar_type();
  if (columns == 0) return at::empty({x.size(0), 0}, x.options().dtype(type));
  const Tensor ones = at::ones({x.size(0), 1}, x.options().dtype(type));
  const Tensor powers = x.unsqueeze(1).to(type).expand({x.size(0), columns - 1}).cumprod(1);
  const Tensor result = at::cat({ones, powers}, 1);
  return increasing ? result : result.flip({1});
}

}  // namespace at::native
