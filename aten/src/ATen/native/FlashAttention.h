#pragma once

// The stub of attention that never stores all scores.

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <array>
#include <cstdint>

namespace at::native {

// A tensor (batch, head, position, feature) whose last stride is 1.
template <typename Pointer>
struct AttentionOperand {
  Pointer data = nullptr;
  std::array<int64_t, 3> strides = {0, 0, 0};
};

struct AttentionProblem {
  int64_t batch;
  int64_t heads;
  int64_t queries;
  int64_t keys;
  int64_t features;        // of queries and keys
  int64_t value_features;  // of values and the output
  bool causal;             // query i sees keys up to i
  double scale;
  AttentionOperand<const void*> query;
  AttentionOperand<const void*> key;
  AttentionOperand<const void*> value;
  // Added to the scores, where not null; the last stride is 1 or, broadcast, 0.
  AttentionOperand<const void*> mask;
  int64_t mask_column_stride;
  AttentionOperand<void*> output;
  void* logsumexp;  // (batch, head, query), contiguous
};

// For float and double, of which all operands are.
using flash_attention_fn = void (*)(const AttentionProblem& problem, c10::ScalarType dtype);
DECLARE_DISPATCH(flash_attention_fn, flash_attention_stub)

}  // namespace at::native
