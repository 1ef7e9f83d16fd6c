#include <c10/util/SmallVector.h>

#include <cstddef>
#include <cstdint>

namespace c10::detail {

size_t smallVectorGrowth(size_t capacity, size_t needed) {
  constexpr size_t kMaximum = SIZE_MAX / 16;
  TORCH_CHECK(needed <= kMaximum, "SmallVector unable to grow. Requested capacity (", needed,
              ") is larger than maximum value for size type (", kMaximum, ")");
  const size_t doubled = 2 * capacity + 1;
  return doubled < needed ? needed : doubled;
}

}  // namespace c10::detail
