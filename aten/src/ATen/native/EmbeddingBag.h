#pragma once

// The loop of embedding bags.

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

// Sums, or means, of bags of rows: bag b has the indices [begins[b], begins[b + 1]), which are
// numbers of rows of the weight, (rows, size). Everything lies together.
struct EmbeddingBags {
  int64_t bags;
  int64_t size;
  const int64_t* begins;
  const int64_t* indices;
  int64_t padding_idx;  // an index that does not count, or -1
  bool mean;
  const void* weight;
  const void* factors;  // one for each index, or null
  void* output;         // (bags, size)
};

// For float, double, and Half and BFloat16, whose sums are floats.
using embedding_bags_fn = void (*)(const EmbeddingBags& bags, c10::ScalarType dtype);
DECLARE_DISPATCH(embedding_bags_fn, embedding_bags_stub)

}  // namespace at::native
