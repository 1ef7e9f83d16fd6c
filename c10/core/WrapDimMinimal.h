#pragma once

#include <c10/core/SymInt.h>
#include <c10/macros/Macros.h>

#include <cstdint>

namespace c10 {

namespace detail {
C10_API int64_t maybe_wrap_dim_slow(int64_t dim, int64_t dim_post_expr, bool wrap_scalar);
}

/// The dimension a possibly negative number names: -1 is the last. Throws c10::IndexError outside
/// [-dim_post_expr, dim_post_expr - 1]. With `wrap_scalar`, a tensor without dimensions takes 0
/// and -1 as if it had one.
inline int64_t maybe_wrap_dim(int64_t dim, int64_t dim_post_expr, bool wrap_scalar = true) {
  if (C10_LIKELY(dim_post_expr * -1 <= dim && dim < dim_post_expr)) {
    return dim < 0 ? dim + dim_post_expr : dim;
  }
  return detail::maybe_wrap_dim_slow(dim, dim_post_expr, wrap_scalar);
}

}  // namespace c10
