// Derivatives of decompositions and solvers.
//
// Formulas: M. Giles, Collected matrix derivative results for forward and reverse mode algorithmic
// differentiation (2008); J. Townsend, Differentiating the singular value decomposition (2016);
// Hubig, Use and implementation of autodifferentiation in tensor network methods with complex
// scalars (2019).

#include <torch/csrc/autograd/FunctionsManualLinalg.h>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cholesky_solve.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/linalg_det.h>
#include <ATen/ops/linalg_lu_solve.h>
#include <ATen/ops/linalg_pinv.h>
#include <ATen/ops/linalg_solve.h>
#include <ATen/ops/linalg_solve_triangular.h>
#include <ATen/ops/linalg_svd.h>
#include <ATen/ops/lu_unpack.h>
#include <ATen/ops/real.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace torch::autograd::generated::details {

using at::IntArrayRef;
using at::Scalar;
using at::Tensor;

namespace {

const Scalar kImaginaryUnit(c10::complex<double>(0.0, 1.0));

// The Hermitian matrix with this lower triangle and the real part of its diagonal.
Tensor hermitian_by_tril(const Tensor& x) {
  const Tensor below = x.tril(-1);
  const Tensor diagonal = x.diagonal(0, -2, -1);
  const Tensor real = x.is_complex() ? at::real(diagonal).to(x.scalar_type()) : diagonal;
  return below + below.mH() + real.diag_embed();
}

// The matrix x_j - x_i, with ones on the diagonal.
Tensor differences(const Tensor& x) {
  const Tensor e = x.unsqueeze(-2) - x.unsqueeze(-1);
  return e + at::eye(x.size(-1), x.options());
}

Tensor skew(const Tensor& x) { return x - x.mH(); }

// The X with A^H X = B, or X A^H = B. A derivative of it needs A; the factors do without it.
Tensor solve_adjoint(const Tensor& A, const Tensor& LU, const Tensor& pivots, const Tensor& B,
                     bool left = true) {
  if (c10::GradMode::is_enabled()) return at::linalg_solve(A.mH(), B, left);
  return at::linalg_lu_solve(LU, pivots, B, left, /*adjoint=*/true);
}

Tensor scaled_columns(const Tensor& matrix, const Tensor& factors) {
  return matrix * factors.unsqueeze(-2).to(matrix.scalar_type());
}

Tensor scaled_rows(const Tensor& matrix, const Tensor& factors) {
  return matrix * factors.unsqueeze(-1).to(matrix.scalar_type());
}

}  // namespace

Tensor cholesky_backward(const Tensor& grad, bool upper, const Tensor& factor) {
  // L^-H (P + P^H) L^-1 / 2, where P is the lower triangle of L^H gL with half of the diagonal.
  const Tensor L = upper ? factor.mH() : factor;
  const Tensor gL = upper ? grad.mH() : grad;
  const Tensor inner = L.mH().matmul(gL).tril();
  const Tensor left = at::linalg_solve_triangular(L.mH(), inner + inner.tril(-1).mH(),
                                                  /*upper=*/true, /*left=*/true);
  return at::linalg_solve_triangular(L, left, /*upper=*/false, /*left=*/false) * 0.5;
}

std::tuple<Tensor, Tensor> cholesky_solve_backward(const Tensor& grad, const Tensor& factor,
                                                   const Tensor& X, bool upper) {
  if (!grad.defined()) return {};
  // X = A^-1 B with A = L L^H: gB = A^-1 gX, gA = -gB X^H, gL = (gA + gA^H) L.
  const Tensor gB = at::cholesky_solve(grad, factor, upper);
  Tensor both = gB.matmul(X.mH());
  both = both + both.mH();
  return {gB, upper ? -factor.matmul(both) : -both.matmul(factor)};
}

Tensor cholesky_inverse_backward(const Tensor& grad, const Tensor& factor, bool upper,
                                 const Tensor& inverse) {
  const Tensor both = inverse.matmul(grad + grad.mH()).matmul(inverse);
  return upper ? -factor.matmul(both) : -both.matmul(factor);
}

Tensor pinv_backward(const Tensor& grad, const Tensor& pinv, const Tensor& A) {
  // dP by Golub and Pereyra (1973), equation 4.12.
  const Tensor grad_h = grad.mH();
  const Tensor pinv_h = pinv.mH();
  const Tensor rows = grad_h.matmul(pinv).matmul(pinv_h);
  const Tensor columns = pinv_h.matmul(pinv).matmul(grad_h);
  return rows - A.matmul(pinv.matmul(rows)) + columns - columns.matmul(pinv).matmul(A) -
         pinv_h.matmul(grad).matmul(pinv_h);
}

std::tuple<Tensor, Tensor> linalg_lstsq_backward(const Tensor& gX, const Tensor& g_residuals,
                                                 const Tensor& A, const Tensor& B,
                                                 const Tensor& X) {
  if (!gX.defined() && !g_residuals.defined()) return {};
  const bool vector = B.dim() == 1 || (A.dim() - 1 == B.dim() &&
                                       B.sizes() == A.sizes().slice(0, A.sizes().size() - 1));
  const auto matrix = [vector](const Tensor& t) { return vector ? t.unsqueeze(-1) : t; };
  const Tensor b = matrix(B);
  Tensor gA;
  Tensor gB;
  if (gX.defined()) {
    // X = P B, where P is the pseudo-inverse.
    const Tensor P = at::linalg_pinv(A);
    gA = pinv_backward(matrix(gX).matmul(b.mH()), P, A);
    gB = P.mH().matmul(matrix(gX));
  }
  if (g_residuals.defined() && g_residuals.numel() > 0) {
    // The residuals' derivative by X is 0 at the solution, so only A and B count.
    const Tensor x = matrix(X);
    const Tensor r = (A.matmul(x) - b) * (g_residuals * 2).unsqueeze(-2);
    const Tensor by_a = r.matmul(x.mH());
    gA = gA.defined() ? gA + by_a : by_a;
    gB = gB.defined() ? gB - r : -r;
  }
  return {gA, vector && gB.defined() ? gB.squeeze(-1) : gB};
}

Tensor linalg_inv_backward(const Tensor& grad, const Tensor& inverse) {
  return -inverse.mH().matmul(grad).matmul(inverse.mH());
}

Tensor linalg_det_backward(const Tensor& grad, const Tensor& det, const Tensor& A, const Tensor& LU,
                           const Tensor& pivots) {
  if (A.numel() == 0) return at::zeros_like(A);
  if (A.size(-1) == 1) return grad.unsqueeze(-1).unsqueeze(-1);
  if (!(det == 0).any().item().toBool()) {
    const Tensor g =
        (grad * det.conj()).unsqueeze(-1).expand(A.sizes().slice(0, A.sizes().size() - 1));
    return solve_adjoint(A, LU, pivots, g.diag_embed());
  }
  // The cofactors, from singular values: each is the product of the others.
  const auto [U, S, Vh] = at::linalg_svd(A);
  const int64_t n = S.size(-1);
  std::vector<Tensor> others;
  for (int64_t i = 0; i < n; ++i) {
    others.push_back(at::cat({S.narrow(-1, 0, i), S.narrow(-1, i + 1, n - i - 1)}, -1).prod(-1));
  }
  const Tensor cofactors = at::stack(others, -1);
  const Tensor phase = (at::linalg_det(U) * at::linalg_det(Vh)).conj();
  return (grad * phase).unsqueeze(-1).unsqueeze(-1) * scaled_columns(U, cofactors).matmul(Vh);
}

Tensor slogdet_backward(const Tensor& grad_sign, const Tensor& grad_logabsdet, const Tensor& A,
                        const Tensor& sign, const Tensor& LU, const Tensor& pivots) {
  if (!grad_sign.defined() && !grad_logabsdet.defined()) return Tensor();
  Tensor g = grad_logabsdet.defined() ? grad_logabsdet.to(A.scalar_type()) : at::zeros_like(sign);
  if (A.is_complex() && grad_sign.defined()) {
    const Tensor turn = at::imag(grad_sign.conj() * sign).neg();
    g = g + turn.to(A.scalar_type()) * kImaginaryUnit;
  }
  g = g.unsqueeze(-1).expand(A.sizes().slice(0, A.sizes().size() - 1));
  return solve_adjoint(A, LU, pivots, g.diag_embed());
}

Tensor lu_factor_ex_backward(const Tensor& grad, const Tensor& LU, const Tensor& pivots) {
  const int64_t m = LU.size(-2);
  const int64_t n = LU.size(-1);
  const int64_t k = std::min(m, n);
  const auto [P, L, U] = at::lu_unpack(LU, pivots);
  Tensor gL = grad.narrow(-1, 0, k).tril(-1);
  Tensor gU = grad.narrow(-2, 0, k).triu();
  // The lower rows of a tall matrix, or the right columns of a wide one, follow by solving.
  Tensor rest;
  if (m > k) {
    const Tensor L2 = L.narrow(-2, k, m - k);
    rest = at::linalg_solve_triangular(U.mH(), gL.narrow(-2, k, m - k), /*upper=*/false,
                                       /*left=*/false);
    gL = gL.narrow(-2, 0, k);
    gU = gU - L2.mH().matmul(rest).triu();
  } else if (n > k) {
    const Tensor U2 = U.narrow(-1, k, n - k);
    const Tensor L1 = L.narrow(-2, 0, k);
    rest = at::linalg_solve_triangular(L1.mH(), gU.narrow(-1, k, n - k), /*upper=*/true,
                                       /*left=*/true, /*unitriangular=*/true);
    gU = gU.narrow(-1, 0, k);
    gL = gL - rest.matmul(U2.mH()).tril(-1);
  }
  const Tensor L1 = L.narrow(-2, 0, k);
  const Tensor U1 = U.narrow(-1, 0, k);
  const Tensor inner = L1.mH().matmul(gL).tril(-1) + gU.matmul(U1.mH()).triu();
  Tensor gA = at::linalg_solve_triangular(L1.mH(), inner, /*upper=*/true, /*left=*/true,
                                          /*unitriangular=*/true);
  gA = at::linalg_solve_triangular(U1.mH(), gA, /*upper=*/false, /*left=*/false);
  if (m > k) gA = at::cat({gA, rest}, -2);
  if (n > k) gA = at::cat({gA, rest}, -1);
  return P.matmul(gA);
}

std::tuple<Tensor, Tensor> linalg_lu_solve_backward(const Tensor& grad, const Tensor& LU,
                                                    const Tensor& pivots, const Tensor& X,
                                                    bool left, bool adjoint) {
  if (!grad.defined()) return {};
  const Tensor gB = at::linalg_lu_solve(LU, pivots, grad, left, !adjoint);
  // Of A = P L U, then of its factors.
  const Tensor gA = left ? (adjoint ? -X.matmul(gB.mH()) : -gB.matmul(X.mH()))
                         : (adjoint ? -gB.mH().matmul(X) : -X.mH().matmul(gB));
  const auto [P, L, U] = at::lu_unpack(LU, pivots);
  const Tensor rows = P.mT().matmul(gA);
  return {rows.matmul(U.mH()).tril(-1) + L.mH().matmul(rows).triu(), gB};
}

std::tuple<Tensor, Tensor> linalg_solve_backward(const Tensor& grad, const Tensor& X,
                                                 const Tensor& A, const Tensor& LU,
                                                 const Tensor& pivots, IntArrayRef B_sizes,
                                                 bool left) {
  if (!grad.defined()) return {};
  const bool vector = B_sizes.size() == 1 || B_sizes == A.sizes().slice(0, A.sizes().size() - 1);
  const Tensor g = vector ? grad.unsqueeze(-1) : grad;
  const Tensor x = vector ? X.unsqueeze(-1) : X;
  const Tensor gB = solve_adjoint(A, LU, pivots, g, left);
  const Tensor gA = left ? -gB.matmul(x.mH()) : -x.mH().matmul(gB);
  return {gA, vector ? gB.squeeze(-1) : gB};
}

std::tuple<Tensor, Tensor> linalg_solve_triangular_backward(const Tensor& grad, const Tensor& A,
                                                            const Tensor& X, bool upper, bool left,
                                                            bool unitriangular) {
  if (!grad.defined()) return {};
  const Tensor gB = at::linalg_solve_triangular(A.mH(), grad, !upper, left, unitriangular);
  const Tensor full = left ? -gB.matmul(X.mH()) : -X.mH().matmul(gB);
  const int64_t skip = unitriangular ? 1 : 0;
  return {upper ? full.triu(skip) : full.tril(-skip), gB};
}

Tensor linalg_qr_backward(const Tensor& gQ, const Tensor& gR, const Tensor& Q, const Tensor& R,
                          std::string_view mode) {
  // Before Q is read: it is empty then.
  TORCH_CHECK(
      mode != "r",
      "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. "
      "Please use linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr.");
  const int64_t m = Q.size(-2);
  const int64_t n = R.size(-1);
  TORCH_CHECK(mode == "reduced" || m <= n,
              "The QR decomposition is not differentiable when mode='complete' and nrows > ncols. "
              "Found ",
              m, " x ", n);
  if (!gQ.defined() && !gR.defined()) return Tensor();
  // A wide matrix is a square one and columns that follow from it.
  Tensor q = gQ.defined() ? gQ : at::zeros_like(Q);
  Tensor r = gR.defined() ? gR : at::zeros_like(R);
  Tensor rest;
  Tensor square = R;
  if (m < n) {
    const Tensor V = R.narrow(-1, m, n - m);
    const Tensor gV = r.narrow(-1, m, n - m);
    rest = Q.matmul(gV);
    q = q + Q.matmul(V).matmul(gV.mH());
    r = r.narrow(-1, 0, m);
    square = R.narrow(-1, 0, m);
  }
  const Tensor M = square.matmul(r.mH()) - q.mH().matmul(Q);
  const Tensor inner = q + Q.matmul(hermitian_by_tril(M));
  const Tensor gA = at::linalg_solve_triangular(square.mH(), inner, /*upper=*/false,
                                                /*left=*/false);
  return rest.defined() ? at::cat({gA, rest}, -1) : gA;
}

Tensor linalg_eigh_backward(const Tensor& gL, const Tensor& gV, const Tensor& L, const Tensor& V) {
  if (!gL.defined() && !gV.defined()) return Tensor();
  if (!gV.defined()) return scaled_columns(V, gL).matmul(V.mH());
  // The vectors turn by skew-Hermitian matrices only.
  Tensor inner = skew(V.mH().matmul(gV)) * 0.5 / differences(L);
  inner = inner - inner.diagonal(0, -2, -1).diag_embed();
  if (gL.defined()) inner = inner + gL.to(V.scalar_type()).diag_embed();
  return V.matmul(inner).matmul(V.mH());
}

Tensor linalg_eig_backward(const Tensor& gL, const Tensor& gV, const Tensor& L, const Tensor& V) {
  if (!gL.defined() && !gV.defined()) return Tensor();
  Tensor inner;
  if (gV.defined()) {
    const Tensor overlap = V.mH().matmul(gV);
    const Tensor diagonal = at::real(overlap.diagonal(0, -2, -1)).to(V.scalar_type());
    inner = (overlap - scaled_columns(V.mH().matmul(V), diagonal)) / differences(L.conj());
    inner = inner - inner.diagonal(0, -2, -1).diag_embed();
  }
  if (gL.defined()) inner = inner.defined() ? inner + gL.diag_embed() : gL.diag_embed();
  return at::linalg_solve(V.mH(), inner.matmul(V.mH()));
}

Tensor svd_backward(const Tensor& gU, const Tensor& gS, const Tensor& gVh, const Tensor& U,
                    const Tensor& S, const Tensor& Vh) {
  if (!gU.defined() && !gS.defined() && !gVh.defined()) return Tensor();
  TORCH_CHECK(U.numel() != 0 || S.numel() == 0,
              "The derivative of linalg.svd depends on U and Vh, which were not computed.");
  const int64_t m = U.size(-2);
  const int64_t n = Vh.size(-1);
  const int64_t k = S.size(-1);
  const Tensor u = U.narrow(-1, 0, k);
  const Tensor vh = Vh.narrow(-2, 0, k);
  if (!gU.defined() && !gVh.defined()) return scaled_columns(u, gS).matmul(vh);
  const Tensor square = S * S;
  const Tensor E = differences(square);
  Tensor inner = gS.defined() ? gS.to(u.scalar_type()).diag_embed() : Tensor();
  const auto add = [](Tensor& sum, const Tensor& term) { sum = sum.defined() ? sum + term : term; };
  Tensor outer;
  if (gU.defined()) {
    const Tensor g = gU.narrow(-1, 0, k);
    const Tensor overlap = u.mH().matmul(g);
    Tensor turned = skew(overlap) / E;
    turned = turned - turned.diagonal(0, -2, -1).diag_embed();
    add(inner, scaled_columns(turned, S));
    if (u.is_complex()) {
      const Tensor phases = at::imag(overlap.diagonal(0, -2, -1)) / S;
      add(inner, (phases.to(u.scalar_type()) * kImaginaryUnit).diag_embed());
    }
    if (m > k) {
      const Tensor scaled = scaled_columns(g, S.reciprocal());
      add(outer, (scaled - u.matmul(u.mH().matmul(scaled))).matmul(vh));
    }
  }
  if (gVh.defined()) {
    const Tensor g = gVh.narrow(-2, 0, k);
    Tensor turned = skew(vh.matmul(g.mH())) / E;
    turned = turned - turned.diagonal(0, -2, -1).diag_embed();
    add(inner, scaled_rows(turned, S));
    if (n > k) {
      const Tensor scaled = scaled_rows(g, S.reciprocal());
      add(outer, u.matmul(scaled - scaled.matmul(vh.mH()).matmul(vh)));
    }
  }
  const Tensor result = u.matmul(inner).matmul(vh);
  return outer.defined() ? result + outer : result;
}

}  // namespace torch::autograd::generated::details
