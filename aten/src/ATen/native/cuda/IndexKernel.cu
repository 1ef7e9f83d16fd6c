// Elements at places that tensors of indices or masks give.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/TensorAdvancedIndexing.h>

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/cuda/OffsetCalculator.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>
#include <ATen/native/cuda/Atomic.cuh>
#include <ATen/native/cuda/Loops.cuh>
#include <ATen/native/cuda/OpaqueElement.cuh>

#include <cstring>

namespace at::native {
namespace {

constexpr int kMaxIndices = 8;

// Where the operands of one element are: two tensors, and up to kMaxIndices tensors of indices.
// Offsets are of 64 bits: index tensors make any possible.
struct Indexed {
  Indexed(const TensorIteratorBase& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides)
      : dims(iter.ndim()),
        indices(static_cast<int>(sizes.size())),
        count(iter.numel()),
        element_size(iter.element_size(0)) {
    TORCH_CHECK(dims <= kMaxDims, "tensor has too many (>", kMaxDims, ") dims");
    TORCH_CHECK(indices <= kMaxIndices, "a GPU indexes by at most ", kMaxIndices,
                " tensors at a time, got ", indices);
    for (int dim = 0; dim < dims; ++dim) {
      shape[dim] = iter.shape()[dim];
      for (int operand = 0; operand < indices + 2; ++operand) {
        operand_strides[dim][operand] = iter.strides(operand)[dim];
      }
    }
    for (int i = 0; i < indices; ++i) {
      indexed_sizes[i] = sizes[i];
      indexed_strides[i] = strides[i];
      data[i] = static_cast<const char*>(iter.data_ptr(i + 2));
    }
    set_divisors();
  }

  // Takes sixteen bytes for one element, where rows of neighbours move together: an embedding's,
  // say.
  void widen(const TensorIteratorBase& iter) {
    constexpr int64_t kBytes = sizeof(Opaque16);
    const auto whole = [](int64_t bytes) { return bytes % kBytes == 0; };
    if (dims == 0 || element_size >= kBytes || !whole(shape[0] * element_size)) return;
    for (int operand = 0; operand < indices + 2; ++operand) {
      if (operand_strides[0][operand] != (operand < 2 ? element_size : 0)) return;
    }
    for (int operand = 0; operand < 2; ++operand) {
      if (reinterpret_cast<uintptr_t>(iter.data_ptr(operand)) % kBytes != 0) return;
      for (int dim = 1; dim < dims; ++dim) {
        if (!whole(operand_strides[dim][operand])) return;
      }
    }
    for (int i = 0; i < indices; ++i) {
      if (!whole(indexed_strides[i])) return;
    }
    shape[0] = shape[0] * element_size / kBytes;
    count = count * element_size / kBytes;
    operand_strides[0][0] = operand_strides[0][1] = element_size = kBytes;
    set_divisors();
  }

  // Byte offsets in operand 0 and in operand 1, and what the indices add.
  struct Place {
    int64_t first, second, indexed;
  };
  C10_DEVICE Place at(int64_t linear) const {
    Place place{0, 0, 0};
    int64_t offsets[kMaxIndices] = {};
#pragma unroll 1
    for (int dim = 0; dim < dims; ++dim) {
      const int64_t rest =
          narrow ? int64_t{divisors[dim].div(static_cast<uint32_t>(linear))} : linear / shape[dim];
      const int64_t i = linear - rest * shape[dim];
      linear = rest;
      place.first += i * operand_strides[dim][0];
      place.second += i * operand_strides[dim][1];
#pragma unroll
      for (int k = 0; k < kMaxIndices; ++k) {
        if (k < indices) offsets[k] += i * operand_strides[dim][k + 2];
      }
    }
#pragma unroll
    for (int k = 0; k < kMaxIndices; ++k) {
      if (k >= indices) break;
      int64_t index = *reinterpret_cast<const int64_t*>(data[k] + offsets[k]);
      CUDA_KERNEL_ASSERT(index >= -indexed_sizes[k] && index < indexed_sizes[k] &&
                         "index out of bounds");
      if (index < 0) index += indexed_sizes[k];
      place.indexed += index * indexed_strides[k];
    }
    return place;
  }

  void set_divisors() {
    narrow = count > 0 && count <= INT32_MAX;
    for (int dim = 0; narrow && dim < dims; ++dim) {
      divisors[dim] = Divider(static_cast<uint32_t>(shape[dim]));
    }
  }

  int dims;
  int indices;
  int64_t count;
  int64_t element_size;
  bool narrow = false;  // elements can be counted in 32 bits
  Divider divisors[kMaxDims];
  int64_t shape[kMaxDims];
  int64_t operand_strides[kMaxDims][kMaxIndices + 2];
  const char* data[kMaxIndices] = {};
  int64_t indexed_sizes[kMaxIndices];
  int64_t indexed_strides[kMaxIndices];
};

// Calls f(place) for each element.
template <typename F>
__global__ void __launch_bounds__(loops::kThreads)
    indexed_kernel(int64_t count, Indexed indexed, F f) {
  const int64_t i = int64_t{blockIdx.x} * loops::kThreads + threadIdx.x;
  if (i < count) f(indexed.at(i));
}

template <typename F>
void for_indexed(const TensorIteratorBase& iter, const Indexed& indexed, const F& f) {
  const int64_t count = indexed.count;
  if (count == 0) return;
  const int64_t blocks = (count + loops::kThreads - 1) / loops::kThreads;
  TORCH_CHECK(blocks <= INT32_MAX, "indexing ", count, " elements is more than a GPU launches");
  const c10::cuda::CUDAGuard guard(iter.device(0));
  indexed_kernel<<<static_cast<unsigned>(blocks), loops::kThreads, 0,
                   c10::cuda::getCurrentCUDAStream()>>>(count, indexed, f);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <typename T>
struct Take {
  char* out;
  const char* in;
  C10_DEVICE void operator()(const Indexed::Place& place) const {
    *reinterpret_cast<T*>(out + place.first) =
        *reinterpret_cast<const T*>(in + place.second + place.indexed);
  }
};
template <typename T>
struct Put {
  char* out;
  const char* in;
  C10_DEVICE void operator()(const Indexed::Place& place) const {
    *reinterpret_cast<T*>(out + place.first + place.indexed) =
        *reinterpret_cast<const T*>(in + place.second);
  }
};
template <typename T>
struct Accumulate {
  char* out;
  const char* in;
  C10_DEVICE void operator()(const Indexed::Place& place) const {
    atomic_add(reinterpret_cast<T*>(out + place.first + place.indexed),
               *reinterpret_cast<const T*>(in + place.second));
  }
};

void index_kernel_cuda(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  Indexed indexed(iter, sizes, strides);
  indexed.widen(iter);
  auto* out = static_cast<char*>(iter.data_ptr(0));
  const auto* in = static_cast<const char*>(iter.data_ptr(1));
  dispatch_opaque(indexed.element_size, [&](auto element) {
    for_indexed(iter, indexed, Take<decltype(element)>{out, in});
  });
}

void index_put_kernel_cuda(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                           bool accumulate) {
  Indexed indexed(iter, sizes, strides);
  auto* out = static_cast<char*>(iter.data_ptr(0));
  const auto* in = static_cast<const char*>(iter.data_ptr(1));
  if (!accumulate) {
    indexed.widen(iter);
    dispatch_opaque(indexed.element_size, [&](auto element) {
      for_indexed(iter, indexed, Put<decltype(element)>{out, in});
    });
    return;
  }
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
      kHalf, kBFloat16, kBool, iter.dtype(), "index_put_cuda",
      [&] { for_indexed(iter, indexed, Accumulate<scalar_t>{out, in}); });
}

// Operand 0 is written where operand 1 is true.
template <typename T>
__global__ void __launch_bounds__(loops::kThreads)
    masked_fill_kernel(uint32_t count, char* self, const char* mask, T value,
                       OffsetCalculator<2> calculator) {
  const uint32_t i = blockIdx.x * loops::kThreads + threadIdx.x;
  if (i >= count) return;
  const auto offsets = calculator.get(i);
  if (*reinterpret_cast<const bool*>(mask + offsets.at[1])) {
    *reinterpret_cast<T*>(self + offsets.at[0]) = value;
  }
}

void masked_fill_kernel_cuda(TensorIterator& iter, const Scalar& value) {
  if (iter.numel() == 0) return;
  const c10::cuda::CUDAGuard guard(iter.device(0));
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
      kHalf, kBFloat16, kBool, iter.dtype(), "masked_fill_cuda", [&] {
        const auto fill = value.to<scalar_t>();
        for_each_32bit(iter, [&](TensorIteratorBase& part) {
          const auto count = static_cast<uint32_t>(part.numel());
          masked_fill_kernel<<<(count + loops::kThreads - 1) / loops::kThreads, loops::kThreads, 0,
                               stream>>>(count, static_cast<char*>(part.data_ptr(0)),
                                         static_cast<const char*>(part.data_ptr(1)), fill,
                                         OffsetCalculator<2>(part));
          C10_CUDA_KERNEL_LAUNCH_CHECK();
        });
      });
}

// The loop of gather and scatter over the elements of `index`, with the strides, in elements, of
// the tensor that is indexed along `dim` and of the other one.
struct AlongDim {
  AlongDim(const TensorBase& index, const TensorBase& indexed, const TensorBase& other, int64_t dim)
      : dims(static_cast<int>(index.dim())),
        along(static_cast<int>(dim)),
        size(indexed.size(dim)),
        count(index.numel()),
        narrow(count > 0 && count <= INT32_MAX) {
    TORCH_CHECK(dims <= kMaxDims, "tensor has too many (>", kMaxDims, ") dims");
    for (int d = 0; d < dims; ++d) {
      shape[d] = index.size(d);
      index_strides[d] = index.stride(d);
      indexed_strides[d] = indexed.stride(d);
      other_strides[d] = other.stride(d);
      if (narrow) divisors[d] = Divider(static_cast<uint32_t>(shape[d]));
    }
  }
  struct Place {
    int64_t indexed, other;
  };
  C10_DEVICE Place at(int64_t linear, const int64_t* index) const {
    int64_t from_index = 0;
    Place place{0, 0};
#pragma unroll 1
    for (int d = dims - 1; d >= 0; --d) {
      const int64_t rest =
          narrow ? int64_t{divisors[d].div(static_cast<uint32_t>(linear))} : linear / shape[d];
      const int64_t i = linear - rest * shape[d];
      linear = rest;
      from_index += i * index_strides[d];
      place.other += i * other_strides[d];
      if (d != along) place.indexed += i * indexed_strides[d];
    }
    const int64_t i = index[from_index];
    CUDA_KERNEL_ASSERT(i >= 0 && i < size && "index out of bounds");
    place.indexed += i * indexed_strides[along];
    return place;
  }

  int dims;
  int along;
  int64_t size;
  int64_t count;
  bool narrow;  // elements can be counted in 32 bits
  Divider divisors[kMaxDims];
  int64_t shape[kMaxDims];
  int64_t index_strides[kMaxDims];
  int64_t indexed_strides[kMaxDims];
  int64_t other_strides[kMaxDims];
};

template <typename F>
__global__ void __launch_bounds__(loops::kThreads)
    along_dim_kernel(AlongDim places, const int64_t* index, F f) {
  const int64_t i = int64_t{blockIdx.x} * loops::kThreads + threadIdx.x;
  if (i < places.count) f(places.at(i, index));
}

template <typename F>
void for_along_dim(const AlongDim& places, const TensorBase& index, const F& f) {
  if (places.count == 0) return;
  const int64_t blocks = (places.count + loops::kThreads - 1) / loops::kThreads;
  TORCH_CHECK(blocks <= INT32_MAX, "indexing ", places.count,
              " elements is more than a GPU launches");
  const c10::cuda::CUDAGuard guard(index.device());
  along_dim_kernel<<<static_cast<unsigned>(blocks), loops::kThreads, 0,
                     c10::cuda::getCurrentCUDAStream()>>>(places, index.const_data_ptr<int64_t>(),
                                                          f);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

template <typename T>
struct Gather {
  T* other;
  const T* indexed;
  C10_DEVICE void operator()(const AlongDim::Place& place) const {
    other[place.other] = indexed[place.indexed];
  }
};
template <typename T>
struct Scatter {
  const T* other;
  T* indexed;
  C10_DEVICE void operator()(const AlongDim::Place& place) const {
    indexed[place.indexed] = other[place.other];
  }
};
template <typename T>
struct ScatterAdd {
  const T* other;
  T* indexed;
  C10_DEVICE void operator()(const AlongDim::Place& place) const {
    atomic_add(indexed + place.indexed, other[place.other]);
  }
};

void gather_kernel_cuda(const TensorBase& result, const TensorBase& self, int64_t dim,
                        const TensorBase& index) {
  const AlongDim places(index, self, result, dim);
  dispatch_opaque(static_cast<int64_t>(self.itemsize()), [&](auto element) {
    using T = decltype(element);
    for_along_dim(places, index,
                  Gather<T>{static_cast<T*>(result.mutable_data_ptr()),
                            static_cast<const T*>(self.const_data_ptr())});
  });
}

void scatter_kernel_cuda(const TensorBase& self, int64_t dim, const TensorBase& index,
                         const TensorBase& src) {
  const AlongDim places(index, self, src, dim);
  dispatch_opaque(static_cast<int64_t>(self.itemsize()), [&](auto element) {
    using T = decltype(element);
    for_along_dim(places, index,
                  Scatter<T>{static_cast<const T*>(src.const_data_ptr()),
                             static_cast<T*>(self.mutable_data_ptr())});
  });
}

void scatter_add_kernel_cuda(const TensorBase& self, int64_t dim, const TensorBase& index,
                             const TensorBase& src) {
  const AlongDim places(index, self, src, dim);
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND3(
      kHalf, kBFloat16, kBool, self.scalar_type(), "scatter_add_cuda", [&] {
        for_along_dim(places, index,
                      ScatterAdd<scalar_t>{src.const_data_ptr<scalar_t>(),
                                           self.mutable_data_ptr<scalar_t>()});
      });
}

}  // namespace

REGISTER_CUDA_DISPATCH(index_stub, &index_kernel_cuda)
REGISTER_CUDA_DISPATCH(index_put_stub, &index_put_kernel_cuda)
REGISTER_CUDA_DISPATCH(masked_fill_stub, &masked_fill_kernel_cuda)
REGISTER_CUDA_DISPATCH(gather_stub, &gather_kernel_cuda)
REGISTER_CUDA_DISPATCH(scatter_stub, &scatter_kernel_cuda)
REGISTER_CUDA_DISPATCH(scatter_add_stub, &scatter_add_kernel_cuda)

}  // namespace at::native
