#pragma once

#include <c10/core/Device.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/core/Storage.h>
#include <c10/core/SymInt.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/core/impl/PyObjectSlot.h>
#include <c10/core/impl/SizesAndStrides.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/LightAtomic.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/typeid.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace at {
class Tensor;
class TensorBase;
}  // namespace at

namespace c10 {

struct TensorImpl;
struct UndefinedTensorImpl;

/// The autograd state of a tensor: gradient, requires_grad, graph node. The engine implements it
/// (torch/csrc/autograd). A tensor without this state does not require grad.
struct C10_API AutogradMetaInterface {
  virtual ~AutogradMetaInterface();
  /// `self_impl` is the tensor of this state, borrowed. Throws c10::Error for `true` on a dtype
  /// that is neither floating point nor complex.
  virtual void set_requires_grad(bool requires_grad, TensorImpl* self_impl) = 0;
  /// True for a leaf that asks for a gradient, and for the result of a recorded operation.
  virtual bool requires_grad() const = 0;
  /// The gradient; an undefined tensor if there is none.
  virtual at::Tensor& mutable_grad() = 0;
  virtual const at::Tensor& grad() const = 0;
};

namespace impl {
// Makes the engine's metadata: see c10/core/impl/AutogradMetaFactory.h.
struct AutogradMetaFactory;

/// A type of tensor extensions may name; tensors differ by key set, not by class.
template <class T>
concept OwnsAutogradMeta = requires(T meta) {
  { meta.release() } -> std::convertible_to<AutogradMetaInterface*>;
};
}  // namespace impl

/// Counts in-place changes of a tensor. All views share one counter. The backward pass compares it
/// with the count at the time a value was saved, and throws if the value was overwritten since.
/// Tensors made in inference mode have no counter.
struct C10_API VariableVersion {
 private:
  struct VersionCounter : intrusive_ptr_target {
    explicit VersionCounter(uint32_t version) : version_(version) {}
    LightAtomic<uint32_t> version_;
  };
  intrusive_ptr<VersionCounter> version_counter_;

 public:
  enum Disabled { DISABLED };

  VariableVersion(Disabled = DISABLED) {}
  explicit VariableVersion(uint32_t version)
      : version_counter_(make_intrusive<VersionCounter>(version)) {}

  /// Whether there is a counter.
  bool enabled() const { return version_counter_.defined(); }
  /// Whether no view shares the counter.
  bool unique() const { return version_counter_.use_count() <= 1; }
  /// Counts one change. Without a counter this does nothing in inference mode and throws c10::Error
  /// outside of it.
  void bump();
  /// Throws c10::Error without a counter, and for a negative version.
  void set_version(int64_t version);
  /// The number of changes so far. Throws c10::Error without a counter.
  uint32_t current_version() const;
};

/// The tensor behind the handles at::Tensor and at::TensorBase: a storage, an offset into it,
/// sizes, strides, an element type, and the dispatch keys that choose kernels. A view is another
/// TensorImpl with the same storage. Sizes, strides and offsets count elements, not bytes. Reading
/// is safe from several threads; changing is not.
struct C10_API TensorImpl : public intrusive_ptr_target {
  /// Marks the constructor that takes the key set as it is; kernels below autograd make views with
  /// it.
  enum ImplType { VIEW };

  /// A tensor of sizes {0} that shares the ownership of `storage`. Call set_sizes_contiguous or
  /// set_sizes_and_strides next.
  TensorImpl(Storage&& storage, DispatchKeySet key_set, caffe2::TypeMeta data_type);
  TensorImpl(Storage&& storage, DispatchKey dispatch_key, caffe2::TypeMeta data_type)
      : TensorImpl(std::move(storage), DispatchKeySet(dispatch_key), data_type) {}
  /// The same for a view: the key set is taken as it is.
  TensorImpl(ImplType, Storage&& storage, DispatchKeySet key_set, caffe2::TypeMeta data_type);
  /// A tensor without storage: `storage()` and `data()` throw.
  TensorImpl(DispatchKeySet key_set, caffe2::TypeMeta data_type, std::optional<Device> device_opt);
  TensorImpl(DispatchKey dispatch_key, caffe2::TypeMeta data_type, std::optional<Device> device_opt)
      : TensorImpl(DispatchKeySet(dispatch_key), data_type, device_opt) {}

  TensorImpl() = delete;
  TensorImpl(const TensorImpl&) = delete;
  TensorImpl& operator=(const TensorImpl&) = delete;
  ~TensorImpl() override;

  DispatchKeySet key_set() const { return key_set_; }

  // Geometry, in elements. `sizes` and `strides` borrow the tensor's lists, which are valid until
  // its metadata changes.
  int64_t dim() const { return static_cast<int64_t>(sizes_and_strides_.size()); }
  IntArrayRef sizes() const { return sizes_and_strides_.sizes_arrayref(); }
  IntArrayRef strides() const { return sizes_and_strides_.strides_arrayref(); }
  SymIntArrayRef sym_sizes() const { return fromIntArrayRefUnchecked(sizes()); }
  SymIntArrayRef sym_strides() const { return fromIntArrayRefUnchecked(strides()); }
  /// The size or stride of a dimension; negative `d` counts from the end. Throws c10::IndexError if
  /// there is no such dimension.
  int64_t size(int64_t d) const;
  int64_t stride(int64_t d) const;
  SymInt sym_size(int64_t d) const { return size(d); }
  int64_t numel() const { return numel_; }
  SymInt sym_numel() const { return numel_; }
  bool is_empty() const { return numel_ == 0; }
  int64_t storage_offset() const { return storage_offset_; }
  SymInt sym_storage_offset() const { return storage_offset_; }

  /// False for a tensor without storage, such as the undefined one.
  virtual bool has_storage() const;
  /// Throws c10::Error for tensors that cannot have a storage.
  virtual const Storage& storage() const;
  /// The storage without the check; null if there is none.
  const Storage& unsafe_storage() const { return storage_; }

  /// Whether elements lie without gaps in the order of the memory format.
  bool is_contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const {
    switch (memory_format) {
      case MemoryFormat::ChannelsLast:
        return is_channels_last_contiguous_;
      case MemoryFormat::ChannelsLast3d:
        return is_channels_last_3d_contiguous_;
      default:
        return is_contiguous_;
    }
  }
  /// Whether elements lie without gaps in some order of dimensions.
  bool is_non_overlapping_and_dense() const { return is_non_overlapping_and_dense_; }
  /// Whether the strides have channels-last order, with or without gaps.
  bool is_strides_like_channels_last() const { return is_channels_last_; }
  bool is_strides_like_channels_last_3d() const { return is_channels_last_3d_; }
  /// The same for ChannelsLast and ChannelsLast3d; false for other memory formats.
  bool is_strides_like(MemoryFormat memory_format) const {
    if (memory_format == MemoryFormat::ChannelsLast) return is_channels_last_;
    if (memory_format == MemoryFormat::ChannelsLast3d) return is_channels_last_3d_;
    return false;
  }

  // Kind.
  caffe2::TypeMeta dtype() const { return data_type_; }
  /// The size of an element in bytes.
  size_t itemsize() const { return data_type_.itemsize(); }
  /// Throws c10::Error for tensors without a device, such as the undefined tensor.
  Device device() const {
    if (C10_UNLIKELY(!device_opt_.has_value())) throw_no_device();
    return *device_opt_;
  }
  std::optional<Device> device_opt() const { return device_opt_; }
  DeviceType device_type() const { return device().type(); }
  Layout layout() const { return Layout::Strided; }
  bool is_cpu() const { return device_opt_.has_value() && device_opt_->is_cpu(); }
  bool is_cuda() const { return device_opt_.has_value() && device_opt_->is_cuda(); }
  bool is_xpu() const { return device_opt_.has_value() && device_opt_->is_xpu(); }
  bool is_mps() const { return device_opt_.has_value() && device_opt_->is_mps(); }
  bool is_meta() const { return device_opt_.has_value() && device_opt_->is_meta(); }
  bool is_privateuseone() const {
    return device_opt_.has_value() && device_opt_->is_privateuseone();
  }

  /// The address of the first element (the storage's address plus the offset). Null for a tensor
  /// without elements and on Meta. Throws c10::Error without storage. Writing through it does not
  /// count as an in-place change: see `bump_version`.
  const void* data() const { return data_impl(); }
  void* mutable_data() { return data_impl(); }
  /// The same as a T*. That T is the element type is not checked.
  template <typename T>
  const T* data_dtype_initialized() const {
    return static_cast<const T*>(data());
  }
  template <typename T>
  T* mutable_data_dtype_initialized() {
    return static_cast<T*>(mutable_data());
  }

  // Changes of metadata. They throw c10::Error for the results of `x.data` and `x.detach()`, unless
  // allow_tensor_metadata_change is set.
  void set_storage_offset(int64_t storage_offset);
  /// Sets the sizes and row-major strides. Does not resize the storage.
  void set_sizes_contiguous(IntArrayRef new_size);
  /// Sets the sizes, the strides and, if given, the offset. A stride of -1 stands for the row-major
  /// stride. Throws c10::Error if the lengths differ. Does not check that the storage is large
  /// enough.
  void set_sizes_and_strides(IntArrayRef new_size, IntArrayRef new_stride,
                             std::optional<int64_t> storage_offset = std::nullopt);
  /// Change one dimension; a negative `dim` counts from the end. `set_size` keeps all strides.
  /// Throw c10::IndexError if there is no such dimension. Do not check that the storage is large
  /// enough.
  void set_size(int64_t dim, int64_t new_size);
  void set_stride(int64_t dim, int64_t new_stride);
  /// Take another storage, which must not be null, and its device. Sizes, strides and the offset
  /// stay: the caller knows that they fit.
  void set_storage_keep_dtype(Storage storage);
  void set_storage_and_dtype(Storage storage, caffe2::TypeMeta data_type);
  /// Replaces the strides by those of a memory format, for a tensor that was just made.
  void empty_tensor_restride(MemoryFormat memory_format);
  /// Replaces the dispatch keys, without a check that they fit the device and the layout.
  void _set_key_set(DispatchKeySet key_set) { key_set_ = key_set; }
  /// Autograd no longer records what is done with the tensor.
  void remove_autograd_key() { key_set_ = key_set_ - autograd_dispatch_keyset; }

  /// Whether the elements are the conjugates of what is in memory, and whether they are the
  /// negatives of it: bits of the key set. `data()` is the memory as it is. Setting the conjugate
  /// bit of a tensor that is not complex throws c10::Error.
  bool is_conj() const { return key_set_.has(DispatchKey::Conjugate); }
  bool is_neg() const { return key_set_.has(DispatchKey::Negative); }
  bool has_math_bits() const { return key_set_.has_any(math_bits_keyset); }
  void _set_conj(bool value) {
    TORCH_INTERNAL_ASSERT(!value || isComplexType(typeMetaToScalarType(data_type_)));
    set_key(DispatchKey::Conjugate, value);
  }
  void _set_neg(bool value) { set_key(DispatchKey::Negative, value); }

  /// True for a number that was made a tensor. Like a Scalar, its width takes no part in type
  /// promotion.
  bool is_wrapped_number() const { return is_wrapped_number_; }
  /// Throws c10::Error unless the tensor has no dimensions.
  void set_wrapped_number(bool value) {
    TORCH_INTERNAL_ASSERT(dim() == 0);
    is_wrapped_number_ = value;
  }
  bool allow_tensor_metadata_change() const { return allow_tensor_metadata_change_; }
  void set_allow_tensor_metadata_change(bool value) { allow_tensor_metadata_change_ = value; }

  // Autograd.
  /// Whether the tensor was made in inference mode.
  bool is_inference() const {
    return !key_set_.has_any(autograd_dispatch_keyset_with_ADInplaceOrView);
  }
  bool requires_grad() const {
    return autograd_meta_ != nullptr && autograd_meta_->requires_grad();
  }
  /// Throws c10::Error for `true` on a dtype that is neither floating point nor complex, and on an
  /// inference tensor outside inference mode.
  void set_requires_grad(bool requires_grad);
  /// The gradient; creates the autograd state if there is none.
  at::Tensor& mutable_grad();
  /// The gradient; an undefined tensor if there is none.
  const at::Tensor& grad() const;
  /// A borrowed pointer; null if there is no autograd state.
  AutogradMetaInterface* autograd_meta() const { return autograd_meta_; }
  /// Takes ownership of the autograd state and frees the old one; nullptr removes it.
  template <impl::OwnsAutogradMeta Owner>
  void set_autograd_meta(Owner autograd_meta) {
    adopt_autograd_meta(autograd_meta.release());
  }
  void set_autograd_meta(std::nullptr_t) { adopt_autograd_meta(nullptr); }
  bool has_autograd_meta() const { return autograd_meta_ != nullptr; }

  const VariableVersion& version_counter() const noexcept { return version_counter_; }
  /// Shares the counter of another tensor, as views do. Throws c10::Error for an inference tensor
  /// and a counter that is enabled.
  void set_version_counter(const VariableVersion& version_counter);
  void set_version_counter(VariableVersion&& version_counter);
  /// Counts an in-place change. Kernels that write to a tensor behind autograd's back call it.
  void bump_version() { version_counter_.bump(); }

  /// A new tensor with the same storage and metadata, the given version counter, and no autograd
  /// state: what `x.detach()` returns.
  virtual intrusive_ptr<TensorImpl> shallow_copy_and_detach(
      const VariableVersion& version_counter, bool allow_tensor_metadata_change) const;
  /// Takes the storage and metadata of `impl`; keeps its own autograd state, version counter and
  /// Python object: what `x.data = y` does.
  virtual void shallow_copy_from(const intrusive_ptr<TensorImpl>& impl);
  /// Whether `shallow_copy_from` accepts a tensor with these keys.
  bool has_compatible_shallow_copy_type(DispatchKeySet from) const;

  impl::PyObjectSlot* pyobj_slot() { return &pyobj_slot_; }
  const impl::PyObjectSlot* pyobj_slot() const { return &pyobj_slot_; }

  /// The C++ class's name, for messages.
  virtual const char* tensorimpl_type_name() const;

 protected:
  void release_resources() override;
  static void copy_tensor_metadata(const TensorImpl* src_impl, TensorImpl* dest_impl,
                                   const VariableVersion& version_counter,
                                   bool allow_tensor_metadata_change);
  /// For tensors that have no storage and throw when asked.
  void set_storage_access_should_throw() { storage_access_should_throw_ = true; }
  /// Recomputes what depends on sizes and strides.
  void refresh_numel();
  void refresh_contiguous();

 private:
  void adopt_autograd_meta(AutogradMetaInterface* autograd_meta);
  void check_metadata_change(const char* what) const {
    if (C10_UNLIKELY(!allow_tensor_metadata_change_)) throw_metadata_change(what);
  }
  void set_key(DispatchKey key, bool value) {
    key_set_ = value ? key_set_.add(key) : key_set_.remove(key);
  }
  [[noreturn]] static void throw_metadata_change(const char* what);
  [[noreturn]] void throw_no_device() const;
  [[noreturn]] void throw_data_access() const;
  void* data_impl() const {
    if (C10_UNLIKELY(!storage_)) throw_data_access();
    char* base = static_cast<char*>(storage_.mutable_data());
    if (numel_ == 0 || base == nullptr) return nullptr;
    return base + data_type_.itemsize() * static_cast<size_t>(storage_offset_);
  }

 protected:
  Storage storage_;
  AutogradMetaInterface* autograd_meta_ = nullptr;  // owned
  VariableVersion version_counter_;
  impl::PyObjectSlot pyobj_slot_;
  impl::SizesAndStrides sizes_and_strides_;
  int64_t storage_offset_ = 0;
  int64_t numel_ = 0;
  caffe2::TypeMeta data_type_;
  std::optional<Device> device_opt_;
  bool is_contiguous_ : 1 = true;
  bool is_channels_last_ : 1 = false;
  bool is_channels_last_contiguous_ : 1 = false;
  bool is_channels_last_3d_ : 1 = false;
  bool is_channels_last_3d_contiguous_ : 1 = false;
  bool is_non_overlapping_and_dense_ : 1 = true;
  bool is_wrapped_number_ : 1 = false;
  bool allow_tensor_metadata_change_ : 1 = true;
  bool storage_access_should_throw_ : 1 = false;
  DispatchKeySet key_set_;
};

}  // namespace c10
