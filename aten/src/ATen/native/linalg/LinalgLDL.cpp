// Factors L D L^T of symmetric matrices and L D L^H of Hermitian ones, and what is solved with
// them.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/BatchLinearAlgebra.h>
#include <ATen/native/LinalgSupport.h>
#include <ATen/ops/linalg_ldl_factor_ex.h>
#include <ATen/ops/linalg_ldl_factor_ex_native.h>
#include <ATen/ops/linalg_ldl_factor_native.h>
#include <ATen/ops/linalg_ldl_solve_native.h>
#include <ATen/ops/tril.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace at::meta {

TORCH_META_FUNC(linalg_ldl_factor_ex)(const Tensor& self, bool hermitian, bool check_errors) {
  native::check_square(self, "torch.linalg.ldl_factor_ex");
  native::check_floating_or_complex(self, "torch.linalg.ldl_factor_ex",
                                    /*allow_low_precision=*/true);
  set_output_strided(0, self.sizes(), native::column_major_strides(self.sizes()), self.options());
  const TensorOptions integers = self.options().dtype(kInt);
  set_output_contiguous(1, native::batch_sizes(self, 1), integers);
  set_output_contiguous(2, native::batch_sizes(self), integers);
}

TORCH_META_FUNC(linalg_ldl_solve)
(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian) {
  native::check_square(LD, "torch.linalg.ldl_solve");
  native::check_floating_or_complex(LD, "torch.linalg.ldl_solve", /*allow_low_precision=*/true);
  TORCH_CHECK(B.dim() >= 2,
              "torch.linalg.ldl_solve: Expected B to have at least 2 dimensions, but it has ",
              B.dim(), " dimensions instead");
  TORCH_CHECK(LD.device() == B.device(),
              "Expected b and A to be on the same device, but found b on ", B.device(),
              " and A on ", LD.device(), " instead.");
  TORCH_CHECK(LD.scalar_type() == B.scalar_type(),
              "Expected b and A to have the same dtype, but found b of type ", B.scalar_type(),
              " and A of type ", LD.scalar_type(), " instead.");
  const int64_t n = LD.size(-1);
  TORCH_CHECK(n == B.size(-2),
              "Incompatible matrix sizes for torch.linalg.ldl_solve: each A matrix is ", n, " by ",
              n, " but each b matrix is ", B.size(-2), " by ", B.size(-1));
  TORCH_CHECK(
      native::batch_sizes(LD, 1) == pivots.sizes(),
      "torch.linalg.ldl_solve: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape ",
      pivots.sizes(), " instead");
  TORCH_CHECK(c10::isIntegralType(pivots.scalar_type(), /*includeBool=*/false),
              "torch.linalg.ldl_solve: Expected pivots to be integers. Got ", pivots.scalar_type());
  const std::vector<int64_t> batch =
      at::infer_size(native::batch_sizes(B), native::batch_sizes(LD));
  const std::vector<int64_t> sizes = native::appended(batch, {n, B.size(-1)});
  set_output_strided(0, sizes, native::column_major_strides(sizes), B.options());
}

}  // namespace at::meta

namespace at::native {
namespace {

void check_library(const char* name) {
  TORCH_CHECK(
      lapack::has_sytrf(), "Calling ", name,
      " on a CPU tensor requires compiling PyTorch with LAPACK, but this build has Eigen only or does not find its library libscipy_openblas.so. ",
      "Type: ./bazelw build //torch:wheel --lapack=openblas");
}

// LAPACK follows pivots without a look at them: those of two rows are negative, and are two.
void check_pivots(const int32_t* pivots, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const bool pair = pivots[i] < 0;
    bool good = pivots[i] >= -n && pivots[i] <= n && pivots[i] != 0;
    if (pair) {
      ++i;
      good = good && i < n && pivots[i] < 0 && pivots[i] >= -n;
    }
    TORCH_CHECK(good, "torch.linalg.ldl_solve: Expected pivots between 1 and ", n,
                ", or pairs of negative ones. Did you properly pass the result of ldl_factor?");
  }
}

}  // namespace

TORCH_IMPL_FUNC(linalg_ldl_factor_ex_out)
(const Tensor& self, bool hermitian, bool check_errors, const Tensor& LD, const Tensor& pivots,
 const Tensor& info) {
  info.zero_();
  if (self.numel() == 0) return;
  check_library("torch.linalg.ldl_factor");
  LD.copy_(self.tril());
  const int64_t n = self.size(-1);
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(self.scalar_type(), "ldl_factor_kernel_cpu", [&] {
    auto* data = LD.mutable_data_ptr<scalar_t>();
    auto* places = pivots.mutable_data_ptr<int32_t>();
    auto* infos = info.mutable_data_ptr<int32_t>();
    for_each_matrix(batch_count(self), n * n * n, [&](int64_t b) {
      infos[b] = static_cast<int32_t>(
          lapack::sytrf(hermitian, 'L', n, data + b * n * n, n, places + b * n));
    });
  });
  if (check_errors) check_linalg_errors(info, "torch.linalg.ldl_factor_ex", self.dim() == 2);
}

std::tuple<Tensor, Tensor> linalg_ldl_factor(const Tensor& self, bool hermitian) {
  auto [LD, pivots, info] = at::linalg_ldl_factor_ex(self, hermitian, /*check_errors=*/false);
  check_linalg_errors(info, "torch.linalg.ldl_factor", self.dim() == 2);
  return {std::move(LD), std::move(pivots)};
}

TORCH_IMPL_FUNC(linalg_ldl_solve_out)
(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian, const Tensor& result) {
  if (result.numel() == 0) return;
  check_library("torch.linalg.ldl_solve");
  const int64_t n = LD.size(-1);
  const int64_t columns = B.size(-1);
  const IntArrayRef batch = batch_sizes(result);
  const Tensor places = pivots.to(kInt).expand(appended(batch, {n})).contiguous();
  const auto* all = places.const_data_ptr<int32_t>();
  for (int64_t b = 0; b < batch_count(result); ++b) check_pivots(all + b * n, n);
  const Tensor expanded = LD.expand(appended(batch, {n, n}));
  const bool readable =
      expanded.mT().is_contiguous() && at::get_overlap_status(result, LD) == MemOverlapStatus::No;
  const Tensor factors = readable ? expanded : column_major_copy(expanded);
  result.copy_(B);
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(LD.scalar_type(), "ldl_solve_kernel_cpu", [&] {
    const auto* ld = factors.const_data_ptr<scalar_t>();
    auto* x = result.mutable_data_ptr<scalar_t>();
    for_each_matrix(batch_count(result), n * n * columns, [&](int64_t b) {
      lapack::sytrs(hermitian, 'L', n, columns, ld + b * n * n, n, all + b * n, x + b * n * columns,
                    n);
    });
  });
}

}  // namespace at::native
