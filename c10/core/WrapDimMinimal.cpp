#include <c10/core/WrapDimMinimal.h>
#include <c10/util/Exception.h>

namespace c10::detail {

int64_t maybe_wrap_dim_slow(int64_t dim, int64_t dim_post_expr, bool wrap_scalar) {
  TORCH_CHECK_INDEX(dim_post_expr >= 0, "Rank cannot be negative but got ", dim_post_expr);
  if (dim_post_expr == 0) {
    TORCH_CHECK_INDEX(wrap_scalar, "Dimension specified as ", dim, " but tensor has no dimensions");
    return c10::maybe_wrap_dim(dim, /*dim_post_expr=*/1, /*wrap_scalar=*/false);
  }
  TORCH_CHECK_INDEX(false, "Dimension out of range (expected to be in range of [", -dim_post_expr,
                    ", ", dim_post_expr - 1, "], but got ", dim, ")");
}

}  // namespace c10::detail
