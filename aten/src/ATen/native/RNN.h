#pragma once

// Loops of recurrent cells.

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>

#include <cstdint>

namespace at::native {

// One step of an LSTM over `rows` of a batch. Gates are contiguous rows of 4 * size numbers, for
// the input, the forget, the new and the output gate; the others are contiguous rows of `size`.
struct LstmCell {
  int64_t rows;
  int64_t size;
  const void* input_gates;
  const void* hidden_gates;
  const void* input_bias;   // of 4 * size numbers, or null
  const void* hidden_bias;  // the same
  const void* cx;
  void* hy;
  void* cy;
  void* workspace;  // the gates behind their functions
};

// The way back: either of the first two may be null, which is a gradient of zeros.
struct LstmCellBackward {
  int64_t rows;
  int64_t size;
  const void* grad_hy;
  const void* grad_cy;
  const void* cx;
  const void* cy;
  const void* workspace;
  void* grad_gates;
  void* grad_cx;
};

using lstm_cell_fn = void (*)(const LstmCell& cell, c10::ScalarType dtype);
using lstm_cell_backward_fn = void (*)(const LstmCellBackward& cell, c10::ScalarType dtype);
DECLARE_DISPATCH(lstm_cell_fn, lstm_cell_stub)
DECLARE_DISPATCH(lstm_cell_backward_fn, lstm_cell_backward_stub)

}  // namespace at::native
