// Sums and means of bags of embeddings, in one pass over their rows.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/EmbeddingBag.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/ReducedFloat.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// One bag: features [first, first + count) of the sum of factor * row over its rows.
template <typename T, bool kWhole>
void sum_part(const EmbeddingBags& b, int64_t begin, int64_t end, int64_t first, int64_t count,
              T* out) {
  constexpr bool kReduced = vec::is_reduced_floating_point_v<T>;
  using sum_t = std::conditional_t<kReduced, float, T>;
  using Vec = vec::Vectorized<sum_t>;
  const auto* weight = static_cast<const T*>(b.weight);
  const auto* factors = static_cast<const T*>(b.factors);
  const auto load = [count](const T* p) {
    if constexpr (kReduced) {
      if constexpr (kWhole) return vec::load_as_float(p);
      T part[Vec::size()] = {};
      std::copy_n(p, count, part);
      return vec::load_as_float(part);
    } else {
      return kWhole ? Vec::loadu(p) : Vec::loadu(p, count);
    }
  };
  Vec sum(sum_t(0));
  int64_t counted = 0;
  for (int64_t i = begin; i < end; ++i) {
    if (b.indices[i] == b.padding_idx) continue;
    ++counted;
    const Vec row = load(weight + b.indices[i] * b.size + first);
    sum =
        factors == nullptr ? Vec(sum + row) : Vec(sum + row * Vec(static_cast<sum_t>(factors[i])));
  }
  if (b.mean && counted > 1) sum = sum / Vec(static_cast<sum_t>(counted));
  if constexpr (kReduced) {
    T part[Vec::size()];
    vec::store_from_float(part, sum);
    std::copy_n(part, count, out + first);
  } else {
    sum.store(out + first, static_cast<int>(count));
  }
}

void embedding_bags_kernel(const EmbeddingBags& b, c10::ScalarType dtype) {
  AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16, dtype, "embedding_bag", [&] {
    constexpr bool kReduced = vec::is_reduced_floating_point_v<scalar_t>;
    constexpr int64_t kLanes =
        vec::Vectorized<std::conditional_t<kReduced, float, scalar_t>>::size();
    auto* output = static_cast<scalar_t*>(b.output);
    const int64_t rows = b.bags == 0 ? 0 : (b.begins[b.bags] - b.begins[0]) / b.bags + 1;
    const int64_t grain = std::max<int64_t>(1, 8192 / (rows * std::max<int64_t>(b.size, 1)));
    at::parallel_for(0, b.bags, grain, [&](int64_t begin, int64_t end) {
      for (int64_t bag = begin; bag < end; ++bag) {
        scalar_t* out = output + bag * b.size;
        int64_t first = 0;
        for (; first + kLanes <= b.size; first += kLanes) {
          sum_part<scalar_t, true>(b, b.begins[bag], b.begins[bag + 1], first, kLanes, out);
        }
        if (first < b.size) {
          sum_part<scalar_t, false>(b, b.begins[bag], b.begins[bag + 1], first, b.size - first,
                                    out);
        }
      }
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(embedding_bags_stub, &CPU_CAPABILITY::embedding_bags_kernel)

}  // namespace at::native
