#pragma once

// The tensor handle without operators.
//
// Code that only passes tensors around, or reads sizes, strides, types and data, includes this
// header: it does not change when an operator is added.

#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Storage.h>
#include <c10/core/SymInt.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/TensorOptions.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/SharedPtrFwd.h>
#include <c10/util/intrusive_ptr.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <ATen/core/TensorAccessor.h>

namespace torch::autograd {
struct Node;
}  // namespace torch::autograd

namespace at {

class Tensor;
class TensorBase;

using c10::DispatchKey;
using c10::DispatchKeySet;
using c10::IntArrayRef;
using c10::Layout;
using c10::MemoryFormat;
using c10::OptionalIntArrayRef;
using c10::OptionalSymIntArrayRef;
using c10::ScalarType;
using c10::SymFloat;
using c10::SymInt;
using c10::SymIntArrayRef;
using TensorImpl = c10::TensorImpl;
using TensorList = c10::ArrayRef<Tensor>;

namespace detail {
// A hook on a gradient with its type erased. `call` returns an undefined tensor to keep the
// gradient as it is.
struct TORCH_API TensorHook : c10::intrusive_ptr_target {
  ~TensorHook() override;
  virtual TensorBase call(const TensorBase& grad) = 0;
};

// Throws if `self` does not hold elements of `dtype`.
TORCH_API void check_data_ptr_dtype(const TensorBase& self, ScalarType dtype);
// Throws if `self` has not `dim` dimensions.
TORCH_API void check_accessor_dim(const TensorBase& self, int64_t dim);
// Throws because `self` is a conjugate or a negative whose memory is about to be read as it is.
[[noreturn]] TORCH_API void throw_memory_is_not_elements(const TensorBase& self);
}  // namespace detail

// A reference-counted handle on a TensorImpl, with everything that needs no operator; at::Tensor
// derives from it and adds the operators. Copies refer to the same tensor. A default-constructed
// handle is undefined: ask `defined()` before anything but identity. A const handle is no const
// tensor: its elements can be written.
class TORCH_API TensorBase {
 public:
  struct unsafe_borrow_t {
    explicit unsafe_borrow_t() = default;
  };

  TensorBase() = default;
  explicit TensorBase(c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> tensor_impl)
      : impl_(std::move(tensor_impl)) {
    if (impl_.get() == nullptr) throw_null_impl();
  }
  TensorBase(const TensorBase&) = default;
  TensorBase(TensorBase&&) noexcept = default;
  TensorBase& operator=(const TensorBase&) & = default;
  TensorBase& operator=(TensorBase&&) & noexcept = default;
  TensorBase& operator=(const TensorBase&) && = delete;
  TensorBase& operator=(TensorBase&&) && noexcept = delete;
  ~TensorBase() = default;

  // Identity.
  // False for a default-constructed handle.
  bool defined() const { return impl_.defined(); }
  // Drops the reference; the handle becomes undefined.
  void reset() { impl_.reset(); }
  // Whether both handles refer to the same tensor. Views of one storage are not the same tensor.
  bool is_same(const TensorBase& other) const noexcept { return impl_ == other.impl_; }
  size_t use_count() const noexcept { return impl_.use_count(); }
  size_t weak_use_count() const noexcept { return impl_.weak_use_count(); }
  // A borrowed pointer.
  c10::TensorImpl* unsafeGetTensorImpl() const { return impl_.get(); }
  // Gives the reference up; the caller owns it.
  c10::TensorImpl* unsafeReleaseTensorImpl() { return impl_.release(); }
  // The reference itself, borrowed.
  const c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>& getIntrusivePtr() const {
    return impl_;
  }
  // The same as a reference; the handle becomes undefined.
  c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> unsafeReleaseIntrusivePtr() {
    return std::move(impl_);
  }
  // The handle of an implementation. Throws c10::Error on null.
  static TensorBase wrap_tensor_impl(
      c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> tensor_impl) {
    return TensorBase(std::move(tensor_impl));
  }

  // Geometry. Sizes, strides and offsets count elements. The arrays are borrowed from the tensor
  // and valid until its metadata changes.
  int64_t dim() const { return impl_->dim(); }
  int64_t ndimension() const { return dim(); }
  IntArrayRef sizes() const { return impl_->sizes(); }
  IntArrayRef strides() const { return impl_->strides(); }
  SymIntArrayRef sym_sizes() const { return impl_->sym_sizes(); }
  SymIntArrayRef sym_strides() const { return impl_->sym_strides(); }
  // A negative `dim` counts from the end. Throws c10::IndexError if there is no such dimension.
  int64_t size(int64_t dim) const { return sizes()[c10::maybe_wrap_dim(dim, this->dim(), false)]; }
  int64_t stride(int64_t dim) const {
    return strides()[c10::maybe_wrap_dim(dim, this->dim(), false)];
  }
  SymInt sym_size(int64_t dim) const { return size(dim); }
  SymInt sym_stride(int64_t dim) const { return stride(dim); }
  int64_t numel() const { return impl_->numel(); }
  SymInt sym_numel() const { return numel(); }
  int64_t storage_offset() const { return impl_->storage_offset(); }
  SymInt sym_storage_offset() const { return storage_offset(); }
  // Whether elements lie without gaps in the order of the memory format.
  bool is_contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const {
    return impl_->is_contiguous(memory_format);
  }
  // Whether elements lie without gaps in some order of dimensions.
  bool is_non_overlapping_and_dense() const { return impl_->is_non_overlapping_and_dense(); }
  // The memory format that the strides have: ChannelsLast for channels-last strides of 4
  // dimensions, ChannelsLast3d of 5, else Contiguous.
  MemoryFormat suggest_memory_format(bool channels_last_strides_exact_match = false) const;
  // This very tensor if it is contiguous in `memory_format`, else a contiguous copy.
  TensorBase contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const {
    if (is_contiguous(memory_format)) return *this;
    return make_contiguous(memory_format);
  }

  // Type.
  ScalarType scalar_type() const { return c10::typeMetaToScalarType(impl_->dtype()); }
  caffe2::TypeMeta dtype() const { return impl_->dtype(); }
  Layout layout() const { return impl_->layout(); }
  c10::Device device() const { return impl_->device(); }
  // -1 for a device without an index.
  c10::DeviceIndex get_device() const { return impl_->device().index(); }
  DispatchKeySet key_set() const { return impl_->key_set(); }
  // The options for a new tensor of this type on this device: `at::zeros({3}, t.options())`.
  TensorOptions options() const {
    return TensorOptions().dtype(dtype()).device(device()).layout(layout());
  }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_cuda() const { return device().is_cuda(); }
  bool is_xpu() const { return device().is_xpu(); }
  bool is_mps() const { return device().is_mps(); }
  bool is_vulkan() const { return device().is_vulkan(); }
  bool is_meta() const { return device().is_meta(); }
  bool is_sparse() const { return layout() == Layout::Sparse; }
  // Layouts and devices that this version lacks, so that code which asks takes its other branch.
  bool is_sparse_csr() const { return false; }
  bool is_mkldnn() const { return false; }
  bool is_quantized() const { return false; }
  bool is_nested() const { return false; }
  bool is_hip() const { return false; }
  bool is_hpu() const { return false; }
  bool is_mtia() const { return false; }
  bool is_privateuseone() const { return false; }
  bool has_names() const { return false; }
  bool is_floating_point() const { return c10::isFloatingType(scalar_type()); }
  bool is_complex() const { return c10::isComplexType(scalar_type()); }
  bool is_signed() const { return c10::isSignedType(scalar_type()); }
  bool is_inference() const { return impl_->is_inference(); }
  // Whether the elements are the conjugates, or the negatives, of what is in memory. Kernels never
  // see such a tensor: the fallbacks of the keys Conjugate and Negative compute its elements first.
  bool is_conj() const { return impl_->is_conj(); }
  bool is_neg() const { return impl_->is_neg(); }
  void _set_conj(bool conjugate) const { impl_->_set_conj(conjugate); }
  void _set_neg(bool negative) const { impl_->_set_neg(negative); }
  bool _is_zerotensor() const { return false; }
  // The backend and the element type, such as "CPUFloatType"; "UndefinedType" for an undefined one.
  std::string toString() const;

  // Data.
  // The size of an element in bytes.
  size_t itemsize() const { return impl_->itemsize(); }
  int64_t element_size() const { return static_cast<int64_t>(impl_->itemsize()); }
  // Bytes of the elements, gaps not counted; the storage may be larger.
  size_t nbytes() const { return static_cast<size_t>(impl_->numel()) * impl_->itemsize(); }
  bool has_storage() const { return defined() && impl_->has_storage(); }
  // Borrowed. Throws c10::Error without a storage.
  const c10::Storage& storage() const { return impl_->storage(); }
  // Whether both have the same storage, even if no element is common.
  bool is_alias_of(const TensorBase& other) const {
    return impl_->storage().is_alias_of(other.storage());
  }
  // The address of the first element, without a check of the type. See TensorImpl::data. The memory
  // of a conjugate or a negative is not its elements: an extension gets it as it is; the code of
  // this tree, where TORCH_CHECKED_DATA_PTR is defined, gets c10::Error. These functions are in
  // their callers, so that both kinds can be in one process.
  C10_ALWAYS_INLINE void* data_ptr() const { return mutable_data_ptr(); }
  C10_ALWAYS_INLINE void* mutable_data_ptr() const {
    check_memory_is_elements();
    return impl_->mutable_data();
  }
  C10_ALWAYS_INLINE const void* const_data_ptr() const {
    check_memory_is_elements();
    return impl_->data();
  }
  // Typed pointers to the first element. Throw c10::Error if `T` is not the element type. Elements
  // are `strides()` apart:
  //
  //   const float* x = t.const_data_ptr<float>();
  //   float x_ij = x[i * t.stride(0) + j * t.stride(1)];
  template <typename T>
  C10_ALWAYS_INLINE T* data_ptr() const {
    return mutable_data_ptr<T>();
  }
  template <typename T>
  C10_ALWAYS_INLINE T* mutable_data_ptr() const {
    check_memory_is_elements();
    detail::check_data_ptr_dtype(*this, c10::CppTypeToScalarType<T>::value);
    return static_cast<T*>(impl_->mutable_data());
  }
  template <typename T>
  C10_ALWAYS_INLINE const std::remove_const_t<T>* const_data_ptr() const {
    check_memory_is_elements();
    detail::check_data_ptr_dtype(*this, c10::CppTypeToScalarType<std::remove_const_t<T>>::value);
    return static_cast<const std::remove_const_t<T>*>(impl_->data());
  }
  // Indexing without dispatch: `t.accessor<float, 2>()[i][j]`, for a tensor in CPU memory. The type
  // and the number of dimensions are checked here (c10::Error), indices never. The accessor borrows
  // the tensor's data, sizes and strides.
  template <typename T, size_t N>
  C10_ALWAYS_INLINE TensorAccessor<T, N> accessor() const& {
    static_assert(N > 0, "accessor is used for indexing tensor, for scalars use *data_ptr<T>()");
    detail::check_accessor_dim(*this, static_cast<int64_t>(N));
    return TensorAccessor<T, N>(data_for_accessor<T>(), sizes().data(), strides().data());
  }
  template <typename T, size_t N>
  TensorAccessor<T, N> accessor() && = delete;
  // The same with sizes and strides by value, as kernels of a GPU take it. Places are of `index_t`;
  // packed_accessor32 throws for a tensor of 2^31 or more elements.
  template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits,
            typename index_t = int64_t>
  C10_ALWAYS_INLINE GenericPackedTensorAccessor<T, N, PtrTraits, index_t> generic_packed_accessor()
      const& {
    static_assert(N > 0, "accessor is used for indexing tensor, for scalars use *data_ptr<T>()");
    detail::check_accessor_dim(*this, static_cast<int64_t>(N));
    return GenericPackedTensorAccessor<T, N, PtrTraits, index_t>(data_for_accessor<T>(),
                                                                 sizes().data(), strides().data());
  }
  template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits,
            typename index_t = int64_t>
  GenericPackedTensorAccessor<T, N> generic_packed_accessor() && = delete;
  template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits>
  C10_ALWAYS_INLINE PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() const& {
    TORCH_CHECK(
        numel() <= static_cast<int64_t>(std::numeric_limits<int32_t>::max()),
        "numel needs to be smaller than int32_t max; otherwise, please use packed_accessor64");
    return generic_packed_accessor<T, N, PtrTraits, int32_t>();
  }
  template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() && = delete;
  template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits>
  C10_ALWAYS_INLINE PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() const& {
    return generic_packed_accessor<T, N, PtrTraits, int64_t>();
  }
  template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() && = delete;
  // An older name of generic_packed_accessor.
  template <typename T, size_t N, template <typename> class PtrTraits = DefaultPtrTraits,
            typename index_t = int64_t>
  C10_ALWAYS_INLINE GenericPackedTensorAccessor<T, N, PtrTraits, index_t> packed_accessor() const& {
    return generic_packed_accessor<T, N, PtrTraits, index_t>();
  }

  // Autograd.
  bool requires_grad() const { return impl_->requires_grad(); }
  // Makes a leaf ask for a gradient. Throws c10::Error for a dtype that is neither floating point
  // nor complex.
  const TensorBase& set_requires_grad(bool requires_grad) const {
    impl_->set_requires_grad(requires_grad);
    return *this;
  }
  // True unless the tensor is the result of a recorded operation.
  bool is_leaf() const;
  // Which output of `grad_fn` the tensor is.
  int64_t output_nr() const;
  // The number of in-place changes, counted over all views of the data.
  int64_t _version() const;
  // The node that computes the gradient of its inputs; null for a leaf.
  const std::shared_ptr<torch::autograd::Node>& grad_fn() const;
  // Keeps the gradient of a tensor that is no leaf. Throws c10::Error unless it requires grad.
  void retain_grad() const;
  // Whether retain_grad was called. False for a leaf, which keeps its gradient anyway.
  bool retains_grad() const;
  // set_requires_grad, under Python's name. Also throws c10::Error for `false` on a tensor that is
  // no leaf.
  const TensorBase& requires_grad_(bool requires_grad = true) const;
  // Whether autograd knows the tensor as a view of `_base()`.
  bool is_view() const;
  // The tensor that this one is a view of. Throws c10::Error unless `is_view()`.
  const TensorBase& _base() const;
  // Empty unless the tensor has a name.
  const std::string& name() const;
  // A tensor with the same storage and version counter, not recorded by autograd.
  TensorBase tensor_data() const;
  // The same with a version counter of its own: what `x.data` is.
  TensorBase variable_data() const;
  // Makes this handle's tensor take the storage and metadata of `new_data`: `x.data = y`.
  void set_data(const TensorBase& new_data) const;
  // register_hook, of a hook whose type is erased.
  unsigned _register_hook(c10::intrusive_ptr<detail::TensorHook> hook) const;
  // `pos` is what register_hook returned. Throws c10::Error for another number.
  void remove_hook(unsigned pos) const;
  // Calls `hook` with the gradient of this tensor each time it is computed. A defined tensor that
  // the hook returns replaces the gradient. Returns the number that `remove_hook` takes. Throws
  // c10::Error unless the tensor requires grad.
  template <typename Hook>
  unsigned register_hook(Hook&& hook) const;

  // Writes the type and the sizes to standard error, for a debugger.
  void print() const;

  // Internal: a handle that owns no reference. Only MaybeOwned and the dispatcher's borrowed
  // arguments use it, and release it by unsafeReleaseTensorImpl.
  explicit TensorBase(unsafe_borrow_t, const TensorBase& rhs)
      : impl_(c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>::reclaim(
            rhs.impl_.get())) {}

 protected:
  c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> impl_;

 private:
  // The first element; writable unless T is const. Throws if T is not the element type.
  template <typename T>
  C10_ALWAYS_INLINE T* data_for_accessor() const {
    if constexpr (std::is_const_v<T>) {
      return const_data_ptr<T>();
    } else {
      return mutable_data_ptr<T>();
    }
  }
  C10_ALWAYS_INLINE void check_memory_is_elements() const {
#if defined(TORCH_CHECKED_DATA_PTR)
    if (C10_UNLIKELY(impl_->has_math_bits())) detail::throw_memory_is_not_elements(*this);
#endif
  }
  [[noreturn]] static void throw_null_impl();
  TensorBase make_contiguous(MemoryFormat memory_format) const;
};

namespace detail {
template <typename Hook>
struct TypedTensorHook final : TensorHook {
  explicit TypedTensorHook(Hook hook) : hook_(std::move(hook)) {}
  TensorBase call(const TensorBase& grad) override {
    using Arg =
        std::conditional_t<std::is_invocable_v<Hook&, const TensorBase&>, TensorBase, Tensor>;
    if constexpr (std::is_void_v<std::invoke_result_t<Hook&, Arg>>) {
      hook_(Arg(grad));
      return TensorBase();
    } else {
      return hook_(Arg(grad));
    }
  }
  Hook hook_;
};

template <typename T, typename... Args>
TensorBase make_tensor_base(Args&&... args) {
  return TensorBase(c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>(
      c10::make_intrusive<T>(std::forward<Args>(args)...)));
}
}  // namespace detail

template <typename Hook>
unsigned TensorBase::register_hook(Hook&& hook) const {
  return _register_hook(
      c10::make_intrusive<detail::TypedTensorHook<std::decay_t<Hook>>>(std::forward<Hook>(hook)));
}

inline c10::DeviceIndex get_device(const TensorBase& self) { return self.get_device(); }

// Hashes and compares by identity: two handles on one tensor are equal.
struct TensorIdentityHash {
  size_t operator()(const TensorBase& t) const noexcept {
    return reinterpret_cast<size_t>(t.unsafeGetTensorImpl()) >> 4;
  }
};

}  // namespace at

namespace torch {
using at::Tensor;  // NOLINT(misc-unused-using-decls)
}  // namespace torch
