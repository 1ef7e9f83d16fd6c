// Products of tensors beyond matmul: outer and inner ones, Kronecker's, sums over chosen
// dimensions, and einsum.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/Parallel.h>
#include <ATen/TensorMeta.h>
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/ops/_cdist_backward_native.h>
#include <ATen/ops/_cdist_forward.h>
#include <ATen/ops/_cdist_forward_native.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/addbmm.h>
#include <ATen/ops/addbmm_native.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/addr.h>
#include <ATen/ops/addr_native.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/baddbmm_native.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cdist_native.h>
#include <ATen/ops/chain_matmul.h>
#include <ATen/ops/chain_matmul_native.h>
#include <ATen/ops/cross.h>
#include <ATen/ops/cross_native.h>
#include <ATen/ops/dot_native.h>
#include <ATen/ops/einsum_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ger_native.h>
#include <ATen/ops/inner.h>
#include <ATen/ops/inner_native.h>
#include <ATen/ops/kron.h>
#include <ATen/ops/kron_native.h>
#include <ATen/ops/linalg_cross.h>
#include <ATen/ops/linalg_cross_native.h>
#include <ATen/ops/linalg_matmul_native.h>
#include <ATen/ops/linalg_vecdot.h>
#include <ATen/ops/linalg_vecdot_native.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/matmul_native.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/mv.h>
#include <ATen/ops/mv_native.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/outer.h>
#include <ATen/ops/outer_native.h>
#include <ATen/ops/result_type_native.h>
#include <ATen/ops/split_native.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/sum_native.h>
#include <ATen/ops/tensordot.h>
#include <ATen/ops/tensordot_native.h>
#include <ATen/ops/vdot.h>
#include <ATen/ops/vdot_native.h>
#include <ATen/ops/where_native.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
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

TORCH_META_FUNC(linalg_cross)(const Tensor& input, const Tensor& other, int64_t dim) {
  TORCH_CHECK(input.dim() == other.dim(),
              "linalg.cross: inputs must have the same number of dimensions.");
  at::maybe_wrap_dim(dim, input.dim());
  TORCH_CHECK(input.dim() > 0 && input.size(dim) == 3 && other.size(dim) == 3,
              "linalg.cross: inputs dimension ", dim, " must have length 3. Got ",
              input.dim() > 0 ? input.size(dim) : 0, " and ",
              other.dim() > 0 ? other.size(dim) : 0);
  TORCH_CHECK(input.scalar_type() == other.scalar_type(),
              "linalg.cross: expected both inputs to have the same dtype, but got ",
              input.scalar_type(), " and ", other.scalar_type());
  set_output_raw_strided(0, at::infer_size(input.sizes(), other.sizes()), {}, input.options());
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
  const Tensor left = batch1.permute({1, 0, 2}).reshape({batch1.size(1), -1});
  const Tensor right = batch2.reshape({-1, batch2.size(2)});
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
  TORCH_CHECK(type == kBool || (!beta.isBoolean() && !alpha.isBoolean()),
              "Boolean beta and alpha only supported for Boolean results.");
  TORCH_CHECK(c10::isFloatingType(type) || c10::isComplexType(type) ||
                  (beta.isIntegral(true) && alpha.isIntegral(true)),
              "For integral input tensors, argument beta and alpha must not be floating point "
              "numbers.");
}

}  // namespace

Tensor addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
            const Scalar& alpha) {
  check_addr(vec1, vec2, self, beta, alpha);
  const Tensor product = vec1.unsqueeze(1).mul(vec2);
  const Tensor base = self.expand({vec1.size(0), vec2.size(0)});
  if (native::result_type({self, vec1, vec2}) == kBool) {
    const Tensor scaled = product.logical_and(at::full_like(product, alpha));
    return beta.toBool() ? base.logical_or(scaled) : scaled;
  }
  const ScalarType dtype = native::result_type({self, vec1, vec2});
  if (dtype == kBFloat16 || dtype == kHalf) {
    return at::addr(self.to(kFloat), vec1.to(kFloat), vec2.to(kFloat), beta, alpha).to(dtype);
  }
  const Tensor scaled = alpha.equal(1) ? product : product.mul(alpha);
  if (beta.equal(0)) return scaled.to(dtype);
  return (beta.equal(1) ? base : base.mul(beta)).add(scaled);
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

// ---- cross products

TORCH_IMPL_FUNC(linalg_cross_out)
(const Tensor& input, const Tensor& other, int64_t dim, const Tensor& out) {
  const std::vector<int64_t> shape = out.sizes().vec();
  const Tensor a = input.expand(shape);
  const Tensor b = other.expand(shape);
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < 3; ++i) {
    const int64_t j = (i + 1) % 3;
    const int64_t k = (i + 2) % 3;
    parts.push_back(a.select(dim, j) * b.select(dim, k) - a.select(dim, k) * b.select(dim, j));
  }
  out.copy_(at::stack(parts, dim));
}

Tensor cross(const Tensor& input, const Tensor& other, const std::optional<int64_t> dimension) {
  if (dimension.has_value()) return at::linalg_cross(input, other, *dimension);
  TORCH_WARN_ONCE(
      "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim "
      "explicitly or simply use torch.linalg.cross.");
  for (int64_t d = 0; d < input.dim(); ++d) {
    if (input.size(d) == 3) return at::linalg_cross(input, other, d);
  }
  TORCH_CHECK(false, "no dimension of size 3 in input");
}

Tensor& cross_out(const Tensor& input, const Tensor& other, const std::optional<int64_t> dim,
                  Tensor& out) {
  return write_out(out, at::cross(input, other, dim));
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

// ---- tensordot: a matrix product of what is summed and what is not

Tensor tensordot(const Tensor& self, const Tensor& other, IntArrayRef dims_self,
                 IntArrayRef dims_other) {
  TORCH_CHECK(dims_self.size() == dims_other.size(),
              "both dimension lists should have same length");
  TORCH_CHECK(self.scalar_type() == other.scalar_type(), "both inputs should have same dtype");
  const auto mask_self = at::dim_list_to_bitset(dims_self, self.dim());
  const auto mask_other = at::dim_list_to_bitset(dims_other, other.dim());
  Tensor a = self;
  Tensor b = other;
  int64_t summed = 1;
  std::vector<int64_t> order_a, order_b, shape;
  int64_t rows = 1;
  int64_t columns = 1;
  for (size_t i = 0; i < dims_self.size(); ++i) {
    const int64_t d1 = at::maybe_wrap_dim(dims_self[i], self.dim());
    const int64_t d2 = at::maybe_wrap_dim(dims_other[i], other.dim());
    const int64_t s1 = self.size(d1);
    const int64_t s2 = other.size(d2);
    // A dimension of size 1 is summed out of the other tensor.
    if (s2 == 1) {
      a = a.sum({d1}, /*keepdim=*/true, a.scalar_type());
      continue;
    }
    if (s1 == 1) {
      b = b.sum({d2}, /*keepdim=*/true, b.scalar_type());
      continue;
    }
    TORCH_CHECK(s1 == s2, "contracted dimensions need to match, but first has size ", s1,
                " in dim ", d1, " and second has size ", s2, " in dim ", d2);
    summed *= s1;
  }
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (mask_self[static_cast<size_t>(d)]) continue;
    order_a.push_back(d);
    rows *= self.size(d);
    shape.push_back(self.size(d));
  }
  for (const int64_t d : dims_self) order_a.push_back(at::maybe_wrap_dim(d, self.dim()));
  for (const int64_t d : dims_other) order_b.push_back(at::maybe_wrap_dim(d, other.dim()));
  for (int64_t d = 0; d < other.dim(); ++d) {
    if (mask_other[static_cast<size_t>(d)]) continue;
    order_b.push_back(d);
    columns *= other.size(d);
    shape.push_back(other.size(d));
  }
  return at::mm(a.permute(order_a).reshape({rows, summed}),
                b.permute(order_b).reshape({summed, columns}))
      .reshape(shape);
}

Tensor& tensordot_out(const Tensor& self, const Tensor& other, IntArrayRef dims_self,
                      IntArrayRef dims_other, Tensor& result) {
  return write_to_out(at::tensordot(self, other, dims_self, dims_other), result);
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

// ---- einsum

namespace {

constexpr int kLabels = 52;
constexpr int kEllipsis = kLabels;

int label_of(char c) {
  return std::isupper(static_cast<unsigned char>(c)) ? c - 'A' : c - 'a' + 26;
}

// The labels of an operand, with kEllipsis for "...".
std::vector<int> parse_labels(std::string_view text, bool output) {
  std::vector<int> labels;
  bool ellipsis = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (text[i] == '.') {
      const char* where = output ? "for the output" : "for operand";
      TORCH_CHECK(!ellipsis, "einsum(): found \'.\' ", where,
                  " for which an ellipsis was already found");
      TORCH_CHECK(i + 2 < text.size() && text[i + 1] == '.' && text[i + 2] == '.',
                  "einsum(): found \'.\' ", where, " that is not part of any ellipsis");
      i += 2;
      ellipsis = true;
      labels.push_back(kEllipsis);
      continue;
    }
    TORCH_CHECK(std::isalpha(static_cast<unsigned char>(text[i])),
                "einsum(): invalid subscript given at index ", i,
                " in the equation string, subscripts must be in [a-zA-Z]");
    labels.push_back(label_of(text[i]));
  }
  return labels;
}

// Sums the product of `a` and `b`, both with all dimensions of the equation, over the dimensions in
// `sum`: a batched matrix product.
Tensor sum_product_pair(Tensor a, Tensor b, const std::vector<bool>& sum) {
  const auto ndim = static_cast<int64_t>(sum.size());
  // batch: in both; left, right: in one; summed: in both and gone after.
  std::vector<int64_t> batch, left, right, summed;
  for (int64_t d = 0; d < ndim; ++d) {
    const bool in_a = a.size(d) != 1;
    const bool in_b = b.size(d) != 1;
    if (sum[static_cast<size_t>(d)]) {
      if (in_a && in_b) {
        TORCH_CHECK(a.size(d) == b.size(d), "einsum(): operands do not broadcast");
        summed.push_back(d);
      } else if (in_a) {
        a = a.sum({d}, /*keepdim=*/true, a.scalar_type());
      } else if (in_b) {
        b = b.sum({d}, /*keepdim=*/true, b.scalar_type());
      }
    } else if (in_a && in_b) {
      batch.push_back(d);
    } else if (in_a) {
      left.push_back(d);
    } else {
      right.push_back(d);
    }
  }
  for (int64_t d = 0; d < ndim; ++d) {
    if (sum[static_cast<size_t>(d)] && std::find(summed.begin(), summed.end(), d) == summed.end()) {
      right.push_back(d);  // of size 1 in both
    }
  }
  const auto size_of = [&](const Tensor& t, const std::vector<int64_t>& dims) {
    int64_t size = 1;
    for (const int64_t d : dims) size *= t.size(d);
    return size;
  };
  const auto joined = [](const std::vector<std::vector<int64_t>>& lists) {
    std::vector<int64_t> all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
  };
  const int64_t batches = size_of(a, batch);
  const int64_t rows = size_of(a, left);
  const int64_t columns = size_of(b, right);
  const int64_t inner = size_of(a, summed);
  // The dimensions that a tensor lacks have size 1 and go anywhere.
  const Tensor x = a.permute(joined({batch, left, summed, right})).reshape({batches, rows, inner});
  const Tensor y =
      b.permute(joined({batch, summed, right, left})).reshape({batches, inner, columns});
  std::vector<int64_t> shape;
  for (const int64_t d : batch) shape.push_back(a.size(d));
  for (const int64_t d : left) shape.push_back(a.size(d));
  for (const int64_t d : right) shape.push_back(b.size(d));
  for (size_t i = 0; i < summed.size(); ++i) shape.push_back(1);
  const std::vector<int64_t> order = joined({batch, left, right, summed});
  std::vector<int64_t> back(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return x.bmm(y).reshape(shape).permute(back);
}

}  // namespace

Tensor einsum(std::string_view equation, TensorList operands, OptionalIntArrayRef path) {
  TORCH_CHECK(!operands.empty(), "einsum(): must provide at least one operand");
  const size_t arrow = equation.find("->");
  const std::string_view lhs = equation.substr(0, arrow);
  // ---- the operands' labels
  std::vector<std::vector<int>> labels;
  for (size_t start = 0;;) {
    const size_t comma = lhs.find(',', start);
    TORCH_CHECK(labels.size() < operands.size(),
                "einsum(): more operands specified in the equation than were provided");
    labels.push_back(parse_labels(lhs.substr(start, comma - start), /*output=*/false));
    if (comma == std::string_view::npos) break;
    start = comma + 1;
  }
  TORCH_CHECK(labels.size() == operands.size(),
              "einsum(): fewer operands were provided than specified in the equation");
  // ---- counts, and the dimensions that "..." stands for
  int count[kLabels] = {};
  int64_t ellipsis_dims = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    const int64_t ndim = operands[i].dim();
    int64_t named = 0;
    bool ellipsis = false;
    for (const int label : labels[i]) {
      if (label == kEllipsis) {
        ellipsis = true;
      } else {
        ++count[label];
        ++named;
      }
    }
    TORCH_CHECK(ellipsis ? named <= ndim : named == ndim,
                "einsum(): the number of subscripts in the equation (", named,
                ellipsis ? ") is more than the number of dimensions ("
                         : ") does not match the number of dimensions (",
                ndim, ") for operand ", i, ellipsis ? "" : " and no ellipsis was given");
    if (ellipsis) ellipsis_dims = std::max(ellipsis_dims, ndim - named);
  }
  // ---- the output's labels, and a place for every label: first those of the output
  int place[kLabels];
  std::fill(std::begin(place), std::end(place), -1);
  int64_t places = 0;
  int64_t ellipsis_place = -1;
  if (arrow == std::string_view::npos) {
    // "..." first, then the labels that occur once, in their order.
    ellipsis_place = 0;
    places = ellipsis_dims;
    for (int label = 0; label < kLabels; ++label) {
      if (count[label] == 1) place[label] = static_cast<int>(places++);
    }
  } else {
    for (const int label : parse_labels(equation.substr(arrow + 2), /*output=*/true)) {
      if (label == kEllipsis) {
        ellipsis_place = places;
        places += ellipsis_dims;
        continue;
      }
      const char name = static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26);
      TORCH_CHECK(place[label] == -1, "einsum(): output subscript ", name,
                  " appears more than once in the output");
      TORCH_CHECK(count[label] > 0, "einsum(): output subscript ", name,
                  " does not appear in the equation for any input operand");
      place[label] = static_cast<int>(places++);
    }
  }
  const int64_t output_dims = places;
  if (ellipsis_place < 0) {
    ellipsis_place = places;
    places += ellipsis_dims;
  }
  for (int label = 0; label < kLabels; ++label) {
    if (count[label] > 0 && place[label] == -1) place[label] = static_cast<int>(places++);
  }
  // ---- every operand with all dimensions, in the order of places
  std::vector<Tensor> tensors;
  std::vector<int64_t> uses(static_cast<size_t>(places), 0);
  for (size_t i = 0; i < operands.size(); ++i) {
    Tensor t = operands[i];
    const int64_t named =
        static_cast<int64_t>(labels[i].size()) -
        static_cast<int64_t>(std::count(labels[i].begin(), labels[i].end(), kEllipsis));
    const int64_t own_ellipsis = t.dim() - named;
    std::vector<int64_t> where(static_cast<size_t>(places), -1);
    int64_t d = 0;
    for (const int label : labels[i]) {
      if (label == kEllipsis) {
        for (int64_t e = 0; e < own_ellipsis; ++e) {
          where[static_cast<size_t>(ellipsis_place + ellipsis_dims - own_ellipsis + e)] = d++;
        }
        continue;
      }
      int64_t& at = where[static_cast<size_t>(place[label])];
      if (at == -1) {
        at = d++;
        continue;
      }
      // Met before in this operand: the diagonal.
      const char name = static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26);
      TORCH_CHECK(t.size(at) == t.size(d), "einsum(): subscript ", name,
                  " is repeated for operand ", i, " but the sizes don't match, ", t.size(d),
                  " != ", t.size(at));
      t = t.diagonal(0, at, d).movedim(-1, at);
    }
    std::vector<int64_t> order;
    for (const int64_t dim : where) {
      if (dim >= 0) order.push_back(dim);
    }
    t = t.permute(order);
    for (size_t p = 0; p < where.size(); ++p) {
      if (where[p] < 0) {
        t = t.unsqueeze(static_cast<int64_t>(p));
      } else if (t.size(static_cast<int64_t>(p)) != 1) {
        ++uses[p];
      }
    }
    tensors.push_back(t);
  }
  for (int64_t p = 0; p < places; ++p) {
    int64_t size = 1;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const int64_t own = tensors[i].size(p);
      TORCH_CHECK(own == 1 || size == 1 || own == size, "einsum(): subscript at dimension ", p,
                  " has size ", own, " for operand ", i,
                  " which does not broadcast with previously seen size ", size);
      if (own != 1) size = own;
    }
  }
  // ---- pairs are multiplied, by `path` or from the left, and summed as soon as nobody else needs
  // a dimension
  const auto contract = [&](const Tensor& a, const Tensor& b) {
    std::vector<bool> sum(static_cast<size_t>(places), false);
    for (int64_t p = 0; p < places; ++p) {
      const auto at = static_cast<size_t>(p);
      const int64_t here = (a.size(p) != 1 ? 1 : 0) + (b.size(p) != 1 ? 1 : 0);
      sum[at] = p >= output_dims && uses[at] == here && here > 0;
      uses[at] += (sum[at] ? 0 : (here > 0 ? 1 : 0)) - here;
    }
    return sum_product_pair(a, b, sum);
  };
  size_t step = 0;
  while (tensors.size() > 1) {
    size_t first = 0;
    size_t second = 1;
    if (path.has_value()) {
      TORCH_CHECK(path->size() == 2 * (operands.size() - 1),
                  "einsum(): expected contraction path given in path parameter to have size ",
                  2 * (operands.size() - 1), " but got ", path->size());
      first = static_cast<size_t>((*path)[2 * step]);
      second = static_cast<size_t>((*path)[2 * step + 1]);
      if (first > second) std::swap(first, second);
      TORCH_CHECK(first != second && second < tensors.size(),
                  "einsum(): invalid contraction path (", first, ", ", second, ")");
      ++step;
    }
    const Tensor product = contract(tensors[first], tensors[second]);
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(second));
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(first));
    if (path.has_value()) {
      tensors.push_back(product);
    } else {
      tensors.insert(tensors.begin(), product);
    }
  }
  Tensor result = tensors[0];
  std::vector<int64_t> rest;
  for (int64_t p = output_dims; p < places; ++p) rest.push_back(p);
  if (rest.empty()) return result;
  bool all_one = true;
  for (const int64_t p : rest) all_one = all_one && result.size(p) == 1;
  return all_one ? result.squeeze(rest) : result.sum(rest);
}

// ---- distances between the rows of two matrices

Tensor _cdist_forward(const Tensor& x1, const Tensor& x2, double p,
                      std::optional<int64_t> compute_mode) {
  const int64_t n = x1.size(-2);
  const int64_t m = x2.size(-2);
  const int64_t k = x1.size(-1);
  std::vector<int64_t> shape =
      at::infer_size(x1.sizes().slice(0, static_cast<size_t>(x1.dim() - 2)),
                     x2.sizes().slice(0, static_cast<size_t>(x2.dim() - 2)));
  std::vector<int64_t> shape1 = shape;
  std::vector<int64_t> shape2 = shape;
  shape1.insert(shape1.end(), {n, k});
  shape2.insert(shape2.end(), {m, k});
  shape.insert(shape.end(), {n, m});
  const Tensor left = x1.expand(shape1).contiguous();
  const Tensor right = x2.expand(shape2).contiguous();
  Tensor result = at::empty(shape, x1.options());
  if (result.numel() == 0) return result;
  if (k == 0) return result.zero_();
  AT_DISPATCH_FLOATING_TYPES(x1.scalar_type(), "cdist", [&] {
    const auto* a = left.const_data_ptr<scalar_t>();
    const auto* b = right.const_data_ptr<scalar_t>();
    auto* out = result.mutable_data_ptr<scalar_t>();
    const auto rows = [&](auto add, auto finish) {
      at::parallel_for(0, result.numel() / m, std::max<int64_t>(1, 16384 / (m * k)),
                       [&](int64_t begin, int64_t end) {
                         for (int64_t i = begin; i < end; ++i) {
                           const scalar_t* x = a + i * k;
                           const scalar_t* batch = b + i / n * m * k;
                           for (int64_t j = 0; j < m; ++j) {
                             const scalar_t* y = batch + j * k;
                             scalar_t acc(0);
                             for (int64_t d = 0; d < k; ++d) acc = add(acc, std::abs(x[d] - y[d]));
                             out[i * m + j] = finish(acc);
                           }
                         }
                       });
    };
    using T = scalar_t;
    const auto same = [](T acc) { return acc; };
    if (p == 0) {
      rows([](T acc, T x) { return acc + (x != 0 ? T(1) : T(0)); }, same);
    } else if (p == 1) {
      rows([](T acc, T x) { return acc + x; }, same);
    } else if (p == 2) {
      rows([](T acc, T x) { return acc + x * x; }, [](T acc) { return std::sqrt(acc); });
    } else if (std::isinf(p)) {
      rows([](T acc, T x) { return acc < x || x != x ? x : acc; }, same);
    } else {
      const T power = static_cast<T>(p);
      rows([power](T acc, T x) { return acc + std::pow(x, power); },
           [power](T acc) { return std::pow(acc, T(1) / power); });
    }
  });
  return result;
}

Tensor _cdist_backward(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p,
                       const Tensor& cdist) {
  const Tensor difference = x1.unsqueeze(-2) - x2.unsqueeze(-3);
  const Tensor norms = cdist.unsqueeze(-1);
  Tensor slope;
  if (p == 1) {
    slope = difference.sign();
  } else if (p == 0) {
    slope = at::zeros_like(difference);
  } else if (p == std::numeric_limits<double>::infinity()) {
    slope = difference.sign() * difference.abs().eq(norms);
  } else {
    slope = (difference.sign() * (difference.abs() / norms).pow(p - 1)).masked_fill(norms.eq(0), 0);
  }
  return (grad.unsqueeze(-1) * slope).sum({-2});
}

Tensor cdist(const Tensor& x1, const Tensor& x2, double p, std::optional<int64_t> compute_mode) {
  TORCH_CHECK(x1.is_floating_point(),
              "cdist only supports floating-point dtypes, X1 got: ", x1.scalar_type());
  TORCH_CHECK(x2.is_floating_point(),
              "cdist only supports floating-point dtypes, X2 got: ", x2.scalar_type());
  TORCH_CHECK(x1.dim() >= 2, "cdist only supports at least 2D tensors, X1 got: ", x1.dim(), "D");
  TORCH_CHECK(x2.dim() >= 2, "cdist only supports at least 2D tensors, X2 got: ", x2.dim(), "D");
  TORCH_CHECK(x1.size(-1) == x2.size(-1),
              "X1 and X2 must have the same number of columns. X1: ", x1.size(-1),
              " X2: ", x2.size(-1));
  TORCH_CHECK(p >= 0, "cdist only supports non-negative p values");
  const int64_t mode = compute_mode.value_or(0);
  TORCH_CHECK(mode >= 0 && mode <= 2, "possible modes: 0, 1, 2, but was: ", mode);
  const int64_t rows1 = x1.size(-2);
  const int64_t rows2 = x2.size(-2);
  if (p == 2 && x1.numel() > 0 && x2.numel() > 0 &&
      (mode == 1 || (mode == 0 && (rows1 > 25 || rows2 > 25)))) {
    // |a|^2 - 2 a b + |b|^2, in one matrix product: many rows.
    const Tensor a = x1.pow(2).sum({-1}, /*keepdim=*/true);
    const Tensor b = x2.pow(2).sum({-1}, /*keepdim=*/true);
    const Tensor left = at::cat({x1.mul(-2), a, at::ones_like(a)}, -1);
    const Tensor right = at::cat({x2, at::ones_like(b), b}, -1);
    return left.matmul(right.mT()).clamp_min(0).sqrt();
  }
  return at::_cdist_forward(x1, x2, p, mode);
}

}  // namespace at::native
