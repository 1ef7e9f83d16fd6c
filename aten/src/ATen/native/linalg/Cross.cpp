// Cross products of vectors of three elements.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/TensorIterator.h>
#include <ATen/TensorMeta.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Cross.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/cross.h>
#include <ATen/ops/cross_native.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/linalg_cross.h>
#include <ATen/ops/linalg_cross_native.h>
#include <c10/util/Exception.h>

#include <optional>
#include <vector>

namespace at::meta {

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

DEFINE_DISPATCH(cross_stub);

TORCH_IMPL_FUNC(linalg_cross_out)
(const Tensor& input, const Tensor& other, int64_t dim, const Tensor& out) {
  if (out.numel() == 0) return;
  // Three elements are written for each six that are read.
  const bool overlaps = at::get_overlap_status(out, input) != MemOverlapStatus::No ||
                        at::get_overlap_status(out, other) != MemOverlapStatus::No;
  const Tensor result = overlaps ? at::empty_like(out) : out;
  const Tensor a = input.expand(out.sizes());
  const Tensor b = other.expand(out.sizes());
  auto iter = TensorIteratorConfig()
                  .set_check_mem_overlap(false)
                  .resize_outputs(false)
                  .add_output(result.select(dim, 0))
                  .add_const_input(a.select(dim, 0))
                  .add_const_input(b.select(dim, 0))
                  .build();
  cross_stub(iter.device_type(), iter, result.stride(dim), a.stride(dim), b.stride(dim));
  if (overlaps) out.copy_(result);
}

Tensor cross(const Tensor& input, const Tensor& other, const std::optional<int64_t> dimension) {
  if (dimension.has_value()) return at::linalg_cross(input, other, *dimension);
  TORCH_WARN_ONCE(
      "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or simply use torch.linalg.cross.");
  for (int64_t d = 0; d < input.dim(); ++d) {
    if (input.size(d) == 3) return at::linalg_cross(input, other, d);
  }
  TORCH_CHECK(false, "no dimension of size 3 in input");
}

Tensor& cross_out(const Tensor& input, const Tensor& other, const std::optional<int64_t> dim,
                  Tensor& out) {
  return write_out(out, at::cross(input, other, dim));
}

}  // namespace at::native
