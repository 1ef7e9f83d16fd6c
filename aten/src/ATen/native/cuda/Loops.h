#pragma once

// What runs on the host for the kernels of Loops.cuh.

#include <ATen/TensorIterator.h>

namespace at::native::loops {

constexpr int kThreads = 256;

// Where an argument comes from.
struct Input {
  const char* data = nullptr;
  bool immediate = false;
  alignas(16) char value[16] = {};
};

template <int kArity>
struct Operands {
  char* out = nullptr;
  Input in[kArity == 0 ? 1 : kArity];
};

// The kernels of a function of kArity arguments.
template <int kArity>
struct Kernels {
  // Bytes of an element of the result, and of each argument.
  const int* element_sizes;
  // Elements that a thread of `vectorized` takes.
  int vector_size;
  // __global__ void(int64_t count, F f, Operands<kArity>)
  const void* vectorized;
  // __global__ void(uint32_t count, F f, Operands<kArity>, OffsetCalculator<kArity + 1>)
  const void* strided;
};

// Launches one of them, or `strided` for each part of an iteration, with the function object at
// `f`. Throws where the iterator has other operands than the function. For up to three arguments.
template <int kArity>
void launch(TensorIteratorBase& iter, const void* f, const Kernels<kArity>& kernels);

}  // namespace at::native::loops
