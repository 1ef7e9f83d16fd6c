#pragma once

// N-dimensional indexing over the data of a tensor, without dispatch and without checks of bounds.
//
//   auto a = x.accessor<float, 2>();             // CPU: borrows sizes and strides of x
//   float first = a[0][0];
//
//   // CUDA: carries sizes and strides by value, and so is an argument of a kernel.
//   template <typename scalar_t>
//   __global__ void f(torch::PackedTensorAccessor32<scalar_t, 2, torch::RestrictPtrTraits> x);
//   f<<<blocks, threads>>>(x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>());

#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace at {

// What an accessor's pointer is. Under RestrictPtrTraits the compiler may assume that nothing else
// points to the same elements.
template <typename T>
struct DefaultPtrTraits {
  typedef T* PtrType;
};
template <typename T>
struct RestrictPtrTraits {
  typedef T* C10_RESTRICT PtrType;
};

// Sizes and strides count elements.
template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
class TensorAccessorBase {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;

  C10_HOST_DEVICE TensorAccessorBase(PtrType data, const index_t* sizes, const index_t* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}

  C10_HOST c10::ArrayRef<index_t> sizes() const { return c10::ArrayRef<index_t>(sizes_, N); }
  C10_HOST c10::ArrayRef<index_t> strides() const { return c10::ArrayRef<index_t>(strides_, N); }
  C10_HOST_DEVICE index_t size(index_t i) const { return sizes_[i]; }
  C10_HOST_DEVICE index_t stride(index_t i) const { return strides_[i]; }
  C10_HOST_DEVICE PtrType data() { return data_; }
  C10_HOST_DEVICE const PtrType data() const { return data_; }

 protected:
  PtrType data_;
  const index_t* sizes_;
  const index_t* strides_;
};

template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
class TensorAccessor : public TensorAccessorBase<T, N, PtrTraits, index_t> {
 public:
  using TensorAccessorBase<T, N, PtrTraits, index_t>::TensorAccessorBase;

  C10_HOST_DEVICE TensorAccessor<T, N - 1, PtrTraits, index_t> operator[](index_t i) const {
    return TensorAccessor<T, N - 1, PtrTraits, index_t>(this->data_ + this->strides_[0] * i,
                                                        this->sizes_ + 1, this->strides_ + 1);
  }
};

template <typename T, template <typename> class PtrTraits, typename index_t>
class TensorAccessor<T, 1, PtrTraits, index_t>
    : public TensorAccessorBase<T, 1, PtrTraits, index_t> {
 public:
  using TensorAccessorBase<T, 1, PtrTraits, index_t>::TensorAccessorBase;

  C10_HOST_DEVICE T& operator[](index_t i) const {
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
    return this->data_[this->strides_[0] * i];
  }
};

// The same with sizes and strides of its own. `index_t` is int32_t for tensors of fewer than 2^31
// elements, whose places a GPU computes faster.
template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
class GenericPackedTensorAccessorBase {
 public:
  typedef typename PtrTraits<T>::PtrType PtrType;

  C10_HOST GenericPackedTensorAccessorBase(PtrType data, const index_t* sizes,
                                           const index_t* strides)
      : data_(data) {
    copy(sizes, strides);
  }
  // From sizes and strides of tensors, which are int64_t.
  template <typename source_index_t,
            typename = std::enable_if_t<std::is_same_v<source_index_t, int64_t> &&
                                        !std::is_same_v<source_index_t, index_t>>>
  C10_HOST GenericPackedTensorAccessorBase(PtrType data, const source_index_t* sizes,
                                           const source_index_t* strides)
      : data_(data) {
    copy(sizes, strides);
  }

  C10_HOST_DEVICE index_t size(index_t i) const { return sizes_[i]; }
  C10_HOST_DEVICE index_t stride(index_t i) const { return strides_[i]; }
  C10_HOST_DEVICE PtrType data() { return data_; }
  C10_HOST_DEVICE const PtrType data() const { return data_; }

 protected:
  PtrType data_;
  index_t sizes_[N];
  index_t strides_[N];

  C10_HOST void bounds_check_(index_t i) const {
    TORCH_CHECK_INDEX(0 <= i && i < index_t{N}, "Index ", i,
                      " is not within bounds of a tensor of dimension ", N);
  }

 private:
  template <typename source_index_t>
  C10_HOST void copy(const source_index_t* sizes, const source_index_t* strides) {
    for (size_t d = 0; d < N; ++d) {
      sizes_[d] = static_cast<index_t>(sizes[d]);
      strides_[d] = static_cast<index_t>(strides[d]);
    }
  }
};

template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits,
          typename index_t = int64_t>
class GenericPackedTensorAccessor
    : public GenericPackedTensorAccessorBase<T, N, PtrTraits, index_t> {
 public:
  using GenericPackedTensorAccessorBase<T, N, PtrTraits, index_t>::GenericPackedTensorAccessorBase;

  C10_HOST_DEVICE TensorAccessor<T, N - 1, PtrTraits, index_t> operator[](index_t i) {
    return row<T>(i);
  }
  C10_HOST_DEVICE const TensorAccessor<T, N - 1, PtrTraits, index_t> operator[](index_t i) const {
    return row<T>(i);
  }

  // The same elements with two dimensions exchanged. IndexError if there is no such dimension.
  C10_HOST GenericPackedTensorAccessor transpose(index_t dim1, index_t dim2) const {
    this->bounds_check_(dim1);
    this->bounds_check_(dim2);
    GenericPackedTensorAccessor result(this->data_, this->sizes_, this->strides_);
    result.sizes_[dim1] = this->sizes_[dim2];
    result.sizes_[dim2] = this->sizes_[dim1];
    result.strides_[dim1] = this->strides_[dim2];
    result.strides_[dim2] = this->strides_[dim1];
    return result;
  }

 private:
  template <typename U>
  C10_HOST_DEVICE TensorAccessor<U, N - 1, PtrTraits, index_t> row(index_t i) const {
    return TensorAccessor<U, N - 1, PtrTraits, index_t>(this->data_ + this->strides_[0] * i,
                                                        this->sizes_ + 1, this->strides_ + 1);
  }
};

template <typename T, template <typename> class PtrTraits, typename index_t>
class GenericPackedTensorAccessor<T, 1, PtrTraits, index_t>
    : public GenericPackedTensorAccessorBase<T, 1, PtrTraits, index_t> {
 public:
  using GenericPackedTensorAccessorBase<T, 1, PtrTraits, index_t>::GenericPackedTensorAccessorBase;

  C10_HOST_DEVICE T& operator[](index_t i) { return this->data_[this->strides_[0] * i]; }
  C10_HOST_DEVICE const T& operator[](index_t i) const {
    return this->data_[this->strides_[0] * i];
  }

  C10_HOST GenericPackedTensorAccessor transpose(index_t dim1, index_t dim2) const {
    this->bounds_check_(dim1);
    this->bounds_check_(dim2);
    return GenericPackedTensorAccessor(this->data_, this->sizes_, this->strides_);
  }
};

template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, PtrTraits, int32_t>;
template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, PtrTraits, int64_t>;

}  // namespace at
