#pragma once

// Loops of recurrent cells.

#include <ATen/native/DispatchStub.h>
#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>

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

// PyTorch's numbers.
enum class RecurrentMode : int64_t { Relu = 0, Tanh = 1, Lstm = 2, Gru = 3 };

// One layer in one direction over all steps of sequences, the longest first. Step t has the first
// batch_sizes[t] of them, no more than the step before it; their rows follow those of that step.
// There are `gates` numbers for each of `size` hidden units: 4 of an LSTM, 3 of a GRU, else 1. All
// tensors are contiguous.
struct RecurrentLayer {
  RecurrentMode mode;
  int64_t size;
  bool reverse;  // from the last step to the first
  c10::IntArrayRef batch_sizes;
  const void* weight;  // of the recurrent product, (gates * size, size)
  const void* hx;      // (batch, size)
  const void* cx;      // the same, of an LSTM
};

// What the way back needs of a step: of an LSTM the four gates and the cell, of a GRU its three
// gates and the recurrent part of the third.
inline constexpr int64_t kLstmKept = 5;
inline constexpr int64_t kGruKept = 4;

struct RecurrentForward {
  const void* gates;  // what the inputs give, biases too, (rows, gates * size)
  const void* bias;   // of the recurrent product of a GRU, or null
  void* output;       // (rows, size)
  void* hidden;       // the last states, (batch, size)
  void* cell;         // the same, of an LSTM, else null
  void* workspace;    // (rows, kept * size), or null
};

struct RecurrentBackward {
  const void* output;
  const void* workspace;
  const void* grad_output;  // or null: zeros
  void* grad_hidden;        // in: of the last states; out: of the first ones
  void* grad_cell;          // the same, of an LSTM
  void* grad_gates;         // (rows, gates * size)
  void* grad_recurrent;     // of a GRU: by the results of the recurrent product, which differ
  void* before;             // out: the states before each step, (rows, size)
};

using recurrent_forward_fn = void (*)(const RecurrentLayer& layer, const RecurrentForward& to,
                                      c10::ScalarType dtype);
using recurrent_backward_fn = void (*)(const RecurrentLayer& layer, const RecurrentBackward& to,
                                       c10::ScalarType dtype);
DECLARE_DISPATCH(recurrent_forward_fn, recurrent_forward_stub)
DECLARE_DISPATCH(recurrent_backward_fn, recurrent_backward_stub)

}  // namespace at::native
