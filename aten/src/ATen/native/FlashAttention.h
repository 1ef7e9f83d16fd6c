#pragma once

// The stub of attention that never stores all scores.

#include <ATen/native/DispatchStub.h>
#include <c10/core/Device.h>
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

// For operands of type `dtype`: on the CPU float and double, on a GPU Half and BFloat16, where
// `logsumexp` is float.
using flash_attention_fn = void (*)(const AttentionProblem& problem, c10::ScalarType dtype);
DECLARE_DISPATCH(flash_attention_fn, flash_attention_stub)

// The gradients of that, on a GPU alone.
struct AttentionGradients {
  AttentionProblem problem;  // with what the forward pass wrote
  AttentionOperand<const void*> grad_output;
  // (batch, head, query, feature), contiguous, zeros at first: sums meet there by atomic additions.
  float* grad_query;
  AttentionOperand<void*> grad_key;
  AttentionOperand<void*> grad_value;
};
using flash_attention_backward_fn = void (*)(const AttentionGradients& gradients,
                                             c10::ScalarType dtype);
DECLARE_DISPATCH(flash_attention_backward_fn, flash_attention_backward_stub)

// Whether a GPU has what its kernels need.
DECLARE_DISPATCH(bool (*)(c10::Device device), has_flash_attention_stub)

}  // namespace at::native
