// Products of vectors and matrices beyond matmul: added to a tensor, outer and inner ones,
// Kronecker's, chains of matrices.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ExpandUtils.h>
#include <ATen/TensorMeta.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/addbmm.h>
#include <ATen/ops/addbmm_native.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/addr.h>
#include <ATen/ops/addr_native.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/baddbmm_native.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/chain_matmul.h>
#include <ATen/ops/chain_matmul_native.h>
#include <ATen/ops/dot_native.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ger_native.h>
#include <ATen/ops/inner.h>
#include <ATen/ops/inner_native.h>
#include <ATen/ops/kron.h>
#include <ATen/ops/kron_native.h>
#include <ATen/ops/linalg_matmul_native.h>
#include <ATen/ops/linalg_vecdot.h>
#include <ATen/ops/linalg_vecdot_native.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/matmul_native.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/mv_native.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/outer_native.h>
#include <ATen/ops/result_type_native.h>
#include <ATen/ops/split_native.h>
#include <ATen/ops/tensordot.h>
#include <ATen/ops/vdot.h>
#include <ATen/ops/vdot_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace at::meta {

TORCH_META_FUNC(baddbmm)
(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
 const Scalar& alpha) {
  TORCH_CHECK(batch1.dim() == 3, "batch1 must be a 3D tensor");
  TORCH_CHECK(batch2.dim() == 3, "batch2 must be a 3D tensor");
  TORCH_CHECK(batch2.size(0) == batch1.size(0) && batch2.size(1) == batch1.size(2),
              "Expected size for first two dimensions of batch2 tensor to be: [", batch1.size(0),
              ", ", batch1.size(2), "] but got: [", batch2.size(0), ", ", batch2.size(1), "].");
  TORCH_CHECK(
      self.scalar_type() == batch1.scalar_type() && self.scalar_type() == batch2.scalar_type(),
      "Input dtypes must be the same, got: input ", self.scalar_type(),
      ", batch1: ", batch1.scalar_type(), ", batch2: ", batch2.scalar_type());
  const std::vector<int64_t> shape = {batch1.size(0), batch1.size(1), batch2.size(2)};
  TORCH_CHECK(at::is_expandable_to(self.sizes(), shape), "The expanded size of the tensor (",
              IntArrayRef(shape), ") must match the existing size ", self.sizes());
  const Tensor& out = maybe_get_output();
  TORCH_CHECK(!(out.defined() && out.is_same(self)) || self.sizes() == IntArrayRef(shape),
              "Bad in-place call: input tensor size ", self.sizes(), " and output tensor size ",
              IntArrayRef(shape), " should match");
  set_output_raw_strided(0, shape, {}, batch2.options());
}

}  // namespace at::meta

namespace at::native {

// ---- products added to a tensor: beta * self + alpha * product

TORCH_IMPL_FUNC(baddbmm_out_cpu)
(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
 const Scalar& alpha, const Tensor& result) {
  const ScalarType dtype = self.scalar_type();
  if (dtype == kBFloat16 || dtype == kHalf) {
    // In float, rounded once.
    result.copy_(at::baddbmm(self.to(kFloat), batch1.to(kFloat), batch2.to(kFloat), beta, alpha));
    return;
  }
  // Factors of integers are integers.
  const bool integral = c10::isIntegralType(dtype, /*includeBool=*/true);
  const auto factor = [integral](const Scalar& s) {
    return integral ? Scalar(s.to<int64_t>()) : s;
  };
  Tensor product = at::bmm(batch1, batch2);
  if (!alpha.equal(1)) product.mul_(factor(alpha));
  if (beta.equal(0)) {
    // What `self` holds does not matter, NaN neither.
    result.copy_(product);
    return;
  }
  const Tensor scaled = beta.equal(1) ? self : self.mul(factor(beta));
  result.copy_(product.add_(scaled));
}

Tensor& addbmm_(Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                const Scalar& alpha) {
  return self.copy_(at::addbmm(self, batch1, batch2, beta, alpha));
}

Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
              const Scalar& alpha) {
  TORCH_CHECK(batch1.dim() == 3, "batch1 must be a 3D tensor");
  TORCH_CHECK(batch2.dim() == 3, "batch2 must be a 3D tensor");
  TORCH_CHECK(batch1.size(0) == batch2.size(0),
              "batch1 and batch2 must have same number of batches, got ", batch1.size(0), " and ",
              batch2.size(0));
  TORCH_CHECK(batch1.size(2) == batch2.size(1), "Incompatible matrix sizes for bmm (",
              batch1.size(1), "x", batch1.size(2), " and ", batch2.size(1), "x", batch2.size(2),
              ")");
  // One product: the batches lie beside each other.
  const int64_t depth = batch1.size(0) * batch1.size(2);
  const Tensor left = batch1.permute({1, 0, 2}).reshape({batch1.size(1), depth});
  const Tensor right = batch2.reshape({depth, batch2.size(2)});
  return at::addmm(self, left, right, beta, alpha);
}

Tensor& addbmm_out(const Tensor& self, const Tensor& batch1, const Tensor& batch2,
                   const Scalar& beta, const Scalar& alpha, Tensor& result) {
  return write_out(result, at::addbmm(self, batch1, batch2, beta, alpha));
}

namespace {

void check_addr(const Tensor& vec1, const Tensor& vec2, const Tensor& self, const Scalar& beta,
                const Scalar& alpha) {
  TORCH_CHECK(vec1.dim() == 1 && vec2.dim() == 1,
              "addr: Expected 1-D argument vec1 and vec2, but got ", vec1.dim(), "-D and ",
              vec2.dim(), "-D");
  const ScalarType type = native::result_type({self, vec1, vec2});
  TORCH_CHECK(type == kBool || !beta.isBoolean(),
              "Boolean beta only supported for Boolean results.");
  TORCH_CHECK(type == kBool || !alpha.isBoolean(),
              "Boolean alpha only supported for Boolean results.");
  const bool integral = c10::isIntegralType(type, /*includeBool=*/true);
  TORCH_CHECK(!integral || beta.isIntegral(true),
              "For integral input tensors, argument beta must not be a floating point number.");
  TORCH_CHECK(!integral || alpha.isIntegral(true),
              "For integral input tensors, argument alpha must not be a floating point number.");
}

}  // namespace

Tensor addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
            const Scalar& alpha) {
  check_addr(vec1, vec2, self, beta, alpha);
  const Tensor column = vec1.unsqueeze(1);
  const Tensor base = self.expand({vec1.size(0), vec2.size(0)});
  const ScalarType dtype = native::result_type({self, vec1, vec2});
  if (dtype == kBool) {
    const Tensor product = column.mul(vec2);
    const Tensor scaled = product.logical_and(at::full_like(product, alpha));
    return beta.toBool() ? base.logical_or(scaled) : scaled;
  }
  if (beta.equal(1)) return at::addcmul(base, column, vec2, alpha);
  if (dtype == kBFloat16 || dtype == kHalf) {
    return at::addr(self.to(kFloat), vec1.to(kFloat), vec2.to(kFloat), beta, alpha).to(dtype);
  }
  if (!beta.equal(0)) return at::addcmul(base.mul(beta), column, vec2, alpha);
  const Tensor product = column.mul(vec2);
  return (alpha.equal(1) ? product : product.mul(alpha)).to(dtype);
}

Tensor& addr_out(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
                 const Scalar& alpha, Tensor& result) {
  return write_to_out(at::addr(self, vec1, vec2, beta, alpha), result);
}

Tensor& addr_(Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
              const Scalar& alpha) {
  const Tensor result = at::addr(self, vec1, vec2, beta, alpha);
  TORCH_CHECK(self.sizes() == result.sizes(), "size mismatch, input: ", self.sizes(),
              ", v1: ", vec1.sizes(), ", v2: ", vec2.sizes());
  TORCH_CHECK(c10::canCast(result.scalar_type(), self.scalar_type()), "result type ",
              result.scalar_type(), " can't be cast to the desired output type ",
              self.scalar_type());
  return self.copy_(result);
}

// ---- vectors

Tensor& mv_out(const Tensor& self, const Tensor& vec, Tensor& result) {
  return write_out(result, at::mv(self, vec));
}

Tensor& dot_out(const Tensor& self, const Tensor& other, Tensor& result) {
  TORCH_CHECK(result.scalar_type() == self.scalar_type(), "result dtype ", result.scalar_type(),
              " does not match input dtype ", self.scalar_type());
  return write_to_out(self.dot(other), result);
}

Tensor vdot(const Tensor& self, const Tensor& other) { return self.conj().dot(other); }

Tensor& vdot_out(const Tensor& self, const Tensor& other, Tensor& result) {
  TORCH_CHECK(result.scalar_type() == self.scalar_type(), "result dtype ", result.scalar_type(),
              " does not match input dtype ", self.scalar_type());
  return write_to_out(at::vdot(self, other), result);
}

Tensor& outer_out(const Tensor& self, const Tensor& vec2, Tensor& result) {
  return write_to_out(at::outer(self, vec2), result);
}

Tensor ger(const Tensor& self, const Tensor& vec2) { return at::outer(self, vec2); }

Tensor& ger_out(const Tensor& self, const Tensor& vec2, Tensor& result) {
  return at::outer_out(result, self, vec2);
}

Tensor& matmul_out(const Tensor& self, const Tensor& other, Tensor& result) {
  return write_out(result, at::matmul(self, other));
}

Tensor linalg_matmul(const Tensor& self, const Tensor& other) { return at::matmul(self, other); }

Tensor& linalg_matmul_out(const Tensor& self, const Tensor& other, Tensor& result) {
  return at::matmul_out(result, self, other);
}

Tensor inner(const Tensor& self, const Tensor& other) {
  if (self.dim() == 0 || other.dim() == 0) return self * other;
  TORCH_CHECK(self.size(-1) == other.size(-1),
              "inner() the last dimension must match on both input tensors but got shapes ",
              self.sizes(), " and ", other.sizes());
  return at::tensordot(self, other, {-1}, {-1});
}

Tensor& inner_out(const Tensor& self, const Tensor& other, Tensor& out) {
  if (self.dim() == 0 || other.dim() == 0) return at::mul_out(out, self, other);
  return write_out(out, at::inner(self, other));
}

Tensor linalg_vecdot(const Tensor& x, const Tensor& y, int64_t dim) {
  TORCH_CHECK(x.is_floating_point() || x.is_complex(),
              "linalg.vecdot: Expected a floating point or complex tensor as input. Got ",
              x.scalar_type());
  TORCH_CHECK(x.scalar_type() == y.scalar_type(),
              "linalg.vecdot: Expected x and y to have the same dtype, but found x of type ",
              x.scalar_type(), " and y of type ", y.scalar_type(), " instead");
  return x.conj().mul(y).sum({dim});
}

Tensor& linalg_vecdot_out(const Tensor& x, const Tensor& y, int64_t dim, Tensor& out) {
  return write_out(out, at::linalg_vecdot(x, y, dim));
}

// ---- Kronecker's product

Tensor kron(const Tensor& self, const Tensor& other) {
  // Each dimension of the result is a pair of dimensions, made one.
  const int64_t ndim = std::max(self.dim(), other.dim());
  std::vector<int64_t> left, right, shape;
  for (int64_t d = 0; d < ndim; ++d) {
    const int64_t a = d - (ndim - self.dim());
    const int64_t b = d - (ndim - other.dim());
    const int64_t a_size = a >= 0 ? self.size(a) : 1;
    const int64_t b_size = b >= 0 ? other.size(b) : 1;
    left.insert(left.end(), {a_size, 1});
    right.insert(right.end(), {1, b_size});
    shape.push_back(a_size * b_size);
  }
  return at::_unsafe_view(self.reshape(left).mul(other.reshape(right)), shape);
}

Tensor& kron_out(const Tensor& self, const Tensor& other, Tensor& result) {
  return write_to_out(at::kron(self, other), result);
}

// ---- products of several matrices, in the order that multiplies least

namespace {

Tensor chain(TensorList matrices, const std::vector<std::vector<int64_t>>& split, int64_t i,
             int64_t j) {
  if (i == j) return matrices[static_cast<size_t>(i)];
  const int64_t k = split[static_cast<size_t>(i)][static_cast<size_t>(j)];
  return at::mm(chain(matrices, split, i, k), chain(matrices, split, k + 1, j));
}

Tensor multiply_chain(TensorList matrices) {
  const size_t n = matrices.size();
  if (n == 1) return matrices[0];
  std::vector<int64_t> p{matrices[0].size(0)};
  for (const Tensor& matrix : matrices) p.push_back(matrix.size(1));
  // Cormen et al., Introduction to Algorithms, 15.2.
  std::vector<std::vector<int64_t>> cost(n, std::vector<int64_t>(n, 0));
  std::vector<std::vector<int64_t>> split(n, std::vector<int64_t>(n, 0));
  for (size_t length = 1; length < n; ++length) {
    for (size_t i = 0; i + length < n; ++i) {
      const size_t j = i + length;
      cost[i][j] = std::numeric_limits<int64_t>::max();
      for (size_t k = i; k < j; ++k) {
        const int64_t c = cost[i][k] + cost[k + 1][j] + p[i] * p[k + 1] * p[j + 1];
        if (c < cost[i][j]) {
          cost[i][j] = c;
          split[i][j] = static_cast<int64_t>(k);
        }
      }
    }
  }
  return chain(matrices, split, 0, static_cast<int64_t>(n) - 1);
}

}  // namespace

Tensor chain_matmul(TensorList matrices) {
  TORCH_CHECK(!matrices.empty(), "chain_matmul(): Expected one or more matrices");
  for (const Tensor& matrix : matrices) {
    TORCH_CHECK(matrix.dim() == 2, "Tensor dimension is ", matrix.dim(), ", expected 2 instead.");
  }
  return multiply_chain(matrices);
}

Tensor& chain_matmul_out(TensorList matrices, Tensor& result) {
  return write_to_out(at::chain_matmul(matrices), result);
}

}  // namespace at::native
