#include <ATen/native/cuda/Loops.h>

#include <ATen/native/cuda/OffsetCalculator.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <cstring>

namespace at::native::loops {

namespace {

template <int kArity>
Operands<kArity> operands_of(const TensorIteratorBase& iter) {
  Operands<kArity> result;
  result.out = static_cast<char*>(iter.data_ptr(0));
  for (int arg = 0; arg < kArity; ++arg) {
    Input& in = result.in[arg];
    in.data = static_cast<const char*>(iter.data_ptr(arg + 1));
    if (iter.is_cpu_scalar(arg + 1)) {
      in.immediate = true;
      std::memcpy(in.value, in.data, static_cast<size_t>(iter.element_size(arg + 1)));
    }
  }
  return result;
}

// A mistake here would read past the end of an operand.
void check_operands(const TensorIteratorBase& iter, int arity, const int* element_sizes) {
  TORCH_INTERNAL_ASSERT(iter.ntensors() == arity + 1);
  for (int operand = 0; operand <= arity; ++operand) {
    TORCH_INTERNAL_ASSERT(iter.element_size(operand) == element_sizes[operand], "operand ", operand,
                          " has dtype ", iter.dtype(operand), " in a loop of elements of ",
                          element_sizes[operand], " bytes");
  }
}

// Whether all operands are contiguous, and aligned for vectors.
bool is_vectorizable(const TensorIteratorBase& iter, const Input* in, int vector_size) {
  if (iter.ndim() > 1) return false;
  for (int operand = 0; operand < iter.ntensors(); ++operand) {
    if (operand > 0 && in[operand - 1].immediate) continue;
    const int64_t size = iter.element_size(operand);
    if (iter.ndim() == 1 && iter.strides(operand)[0] != size) return false;
    if (reinterpret_cast<uintptr_t>(iter.data_ptr(operand)) % (size * vector_size) != 0) {
      return false;
    }
  }
  return true;
}

void launch_blocks(const void* kernel, int64_t blocks, void** arguments, cudaStream_t stream) {
  C10_CUDA_CHECK(cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(kThreads),
                                  arguments, 0, stream));
}

}  // namespace

template <int kArity>
void launch(TensorIteratorBase& iter, const void* f, const Kernels<kArity>& kernels) {
  check_operands(iter, kArity, kernels.element_sizes);
  if (iter.numel() > 0) {
    const c10::cuda::CUDAGuard guard(iter.device(0));
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    void* function = const_cast<void*>(f);
    auto operands = operands_of<kArity>(iter);
    int64_t count = iter.numel();
    const int64_t step = int64_t{kThreads} * kernels.vector_size;
    const int64_t blocks = (count + step - 1) / step;
    if (blocks <= INT32_MAX && is_vectorizable(iter, operands.in, kernels.vector_size)) {
      void* arguments[] = {&count, function, &operands};
      launch_blocks(kernels.vectorized, blocks, arguments, stream);
    } else {
      for_each_32bit(iter, [&](TensorIteratorBase& part) {
        auto part_count = static_cast<uint32_t>(part.numel());
        auto part_operands = operands_of<kArity>(part);
        OffsetCalculator<kArity + 1> calculator(part);
        void* arguments[] = {&part_count, function, &part_operands, &calculator};
        launch_blocks(kernels.strided, (int64_t{part_count} + kThreads - 1) / kThreads, arguments,
                      stream);
      });
    }
  }
  iter.cast_outputs();
}

template void launch(TensorIteratorBase&, const void*, const Kernels<0>&);
template void launch(TensorIteratorBase&, const void*, const Kernels<1>&);
template void launch(TensorIteratorBase&, const void*, const Kernels<2>&);
template void launch(TensorIteratorBase&, const void*, const Kernels<3>&);

}  // namespace at::native::loops
