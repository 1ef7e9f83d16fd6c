#pragma once

// The part of FunctionsManual.h for decompositions and solvers.

#include <ATen/core/Tensor.h>
#include <c10/macros/Export.h>

#include <string_view>
#include <tuple>

namespace torch::autograd::generated::details {

TORCH_API at::Tensor cholesky_backward(const at::Tensor& grad, bool upper,
                                       const at::Tensor& factor);
TORCH_API std::tuple<at::Tensor, at::Tensor> cholesky_solve_backward(const at::Tensor& grad,
                                                                     const at::Tensor& factor,
                                                                     const at::Tensor& X,
                                                                     bool upper);
TORCH_API at::Tensor cholesky_inverse_backward(const at::Tensor& grad, const at::Tensor& factor,
                                               bool upper, const at::Tensor& inverse);
TORCH_API at::Tensor pinv_backward(const at::Tensor& grad, const at::Tensor& pinv,
                                   const at::Tensor& A);
TORCH_API std::tuple<at::Tensor, at::Tensor> linalg_lstsq_backward(const at::Tensor& gX,
                                                                   const at::Tensor& g_residuals,
                                                                   const at::Tensor& A,
                                                                   const at::Tensor& B,
                                                                   const at::Tensor& X);
TORCH_API at::Tensor linalg_inv_backward(const at::Tensor& grad, const at::Tensor& inverse);
TORCH_API at::Tensor linalg_det_backward(const at::Tensor& grad, const at::Tensor& det,
                                         const at::Tensor& A, const at::Tensor& LU,
                                         const at::Tensor& pivots);
TORCH_API at::Tensor slogdet_backward(const at::Tensor& grad_sign, const at::Tensor& grad_logabsdet,
                                      const at::Tensor& A, const at::Tensor& sign,
                                      const at::Tensor& LU, const at::Tensor& pivots);
TORCH_API at::Tensor lu_factor_ex_backward(const at::Tensor& grad, const at::Tensor& LU,
                                           const at::Tensor& pivots);
TORCH_API std::tuple<at::Tensor, at::Tensor> linalg_lu_solve_backward(const at::Tensor& grad,
                                                                      const at::Tensor& LU,
                                                                      const at::Tensor& pivots,
                                                                      const at::Tensor& X,
                                                                      bool left, bool adjoint);
TORCH_API std::tuple<at::Tensor, at::Tensor> linalg_solve_backward(
    const at::Tensor& grad, const at::Tensor& X, const at::Tensor& A, const at::Tensor& LU,
    const at::Tensor& pivots, at::IntArrayRef B_sizes, bool left);
TORCH_API std::tuple<at::Tensor, at::Tensor> linalg_solve_triangular_backward(
    const at::Tensor& grad, const at::Tensor& A, const at::Tensor& X, bool upper, bool left,
    bool unitriangular);
TORCH_API at::Tensor linalg_qr_backward(const at::Tensor& gQ, const at::Tensor& gR,
                                        const at::Tensor& Q, const at::Tensor& R,
                                        std::string_view mode);
TORCH_API at::Tensor linalg_eigh_backward(const at::Tensor& gL, const at::Tensor& gV,
                                          const at::Tensor& L, const at::Tensor& V);
TORCH_API at::Tensor linalg_eig_backward(const at::Tensor& gL, const at::Tensor& gV,
                                         const at::Tensor& L, const at::Tensor& V);
TORCH_API at::Tensor svd_backward(const at::Tensor& gU, const at::Tensor& gS, const at::Tensor& gVh,
                                  const at::Tensor& U, const at::Tensor& S, const at::Tensor& Vh);

}  // namespace torch::autograd::generated::details
