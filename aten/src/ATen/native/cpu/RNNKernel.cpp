// Loops of recurrent cells.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/RNN.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/cpu/Formulas.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using vec::Vectorized;

template <typename T>
T logistic(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return T(1) / (T(1) + std::exp(-x));
  } else {
    return sigmoid_of(x);
  }
}

// Loads numbers and vectors alike.
template <typename V, typename T>
V load(const T* p) {
  if constexpr (std::is_floating_point_v<V>) {
    return *p;
  } else {
    return V::loadu(p);
  }
}
template <typename T, typename V>
void store(T* p, const V& v) {
  if constexpr (std::is_floating_point_v<V>) {
    *p = v;
  } else {
    v.store(p);
  }
}

// Calls `body` for the places of every row, with a vector of them or with a number.
template <typename T, typename F>
void for_each_place(int64_t rows, int64_t size, const F& body) {
  const int64_t grain =
      std::max<int64_t>(1, at::internal::GRAIN_SIZE / (16 * std::max<int64_t>(size, 1)));
  at::parallel_for(0, rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      int64_t j = 0;
      for (; j + Vectorized<T>::size() <= size; j += Vectorized<T>::size()) {
        body(row, j, Vectorized<T>(T(0)));
      }
      for (; j < size; ++j) body(row, j, T(0));
    }
  });
}

void lstm_cell_kernel(const LstmCell& cell, c10::ScalarType dtype) {
  AT_DISPATCH_FLOATING_TYPES(dtype, "lstm_cell", [&] {
    const int64_t n = cell.size;
    const auto* input_gates = static_cast<const scalar_t*>(cell.input_gates);
    const auto* hidden_gates = static_cast<const scalar_t*>(cell.hidden_gates);
    const auto* input_bias = static_cast<const scalar_t*>(cell.input_bias);
    const auto* hidden_bias = static_cast<const scalar_t*>(cell.hidden_bias);
    const auto* cx = static_cast<const scalar_t*>(cell.cx);
    auto* hy = static_cast<scalar_t*>(cell.hy);
    auto* cy = static_cast<scalar_t*>(cell.cy);
    auto* workspace = static_cast<scalar_t*>(cell.workspace);
    for_each_place<scalar_t>(cell.rows, n, [&](int64_t row, int64_t j, auto zero) {
      using V = decltype(zero);
      const auto gate = [&](int64_t k) {
        const int64_t at = row * 4 * n + k * n + j;
        V sum = load<V>(input_gates + at) + load<V>(hidden_gates + at);
        if (input_bias) sum = sum + load<V>(input_bias + k * n + j);
        if (hidden_bias) sum = sum + load<V>(hidden_bias + k * n + j);
        return sum;
      };
      const V into = logistic(gate(0));
      const V forget = logistic(gate(1));
      const V fresh = tanh_of(gate(2));
      const V out = logistic(gate(3));
      const V state = forget * load<V>(cx + row * n + j) + into * fresh;
      store(cy + row * n + j, state);
      store(hy + row * n + j, V(out * tanh_of(state)));
      scalar_t* kept = workspace + row * 4 * n + j;
      store(kept, into);
      store(kept + n, forget);
      store(kept + 2 * n, fresh);
      store(kept + 3 * n, out);
    });
  });
}

void lstm_cell_backward_kernel(const LstmCellBackward& cell, c10::ScalarType dtype) {
  AT_DISPATCH_FLOATING_TYPES(dtype, "lstm_cell_backward", [&] {
    const int64_t n = cell.size;
    const auto* grad_hy = static_cast<const scalar_t*>(cell.grad_hy);
    const auto* grad_cy = static_cast<const scalar_t*>(cell.grad_cy);
    const auto* cx = static_cast<const scalar_t*>(cell.cx);
    const auto* cy = static_cast<const scalar_t*>(cell.cy);
    const auto* workspace = static_cast<const scalar_t*>(cell.workspace);
    auto* grad_gates = static_cast<scalar_t*>(cell.grad_gates);
    auto* grad_cx = static_cast<scalar_t*>(cell.grad_cx);
    for_each_place<scalar_t>(cell.rows, n, [&](int64_t row, int64_t j, auto zero) {
      using V = decltype(zero);
      const V one(1);
      const int64_t at = row * n + j;
      const scalar_t* kept = workspace + row * 4 * n + j;
      const V into = load<V>(kept);
      const V forget = load<V>(kept + n);
      const V fresh = load<V>(kept + 2 * n);
      const V out = load<V>(kept + 3 * n);
      const V shown = tanh_of(load<V>(cy + at));
      const V dh = grad_hy ? load<V>(grad_hy + at) : zero;
      V dc = dh * out * (one - shown * shown);
      if (grad_cy) dc = dc + load<V>(grad_cy + at);
      scalar_t* to = grad_gates + row * 4 * n + j;
      store(to, V(dc * fresh * into * (one - into)));
      store(to + n, V(dc * load<V>(cx + at) * forget * (one - forget)));
      store(to + 2 * n, V(dc * into * (one - fresh * fresh)));
      store(to + 3 * n, V(dh * shown * out * (one - out)));
      store(grad_cx + at, V(dc * forget));
    });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(lstm_cell_stub, &CPU_CAPABILITY::lstm_cell_kernel)
REGISTER_DISPATCH(lstm_cell_backward_stub, &CPU_CAPABILITY::lstm_cell_backward_kernel)

}  // namespace at::native
