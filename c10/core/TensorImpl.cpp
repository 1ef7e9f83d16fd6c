#include <c10/core/Contiguity.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/WrapDimMinimal.h>
#include <c10/core/impl/AutogradMetaFactory.h>
#include <c10/util/Exception.h>

#include <utility>

namespace c10 {

AutogradMetaInterface::~AutogradMetaInterface() = default;

namespace impl {
namespace {
AutogradMetaFactory* meta_factory = nullptr;
}
void SetAutogradMetaFactory(AutogradMetaFactory* factory) { meta_factory = factory; }
AutogradMetaFactory* GetAutogradMetaFactory() {
  TORCH_CHECK(meta_factory != nullptr,
              "Support for autograd has not been loaded; have you linked against libtorch.so?");
  return meta_factory;
}
}  // namespace impl

void VariableVersion::bump() {
  TORCH_CHECK(version_counter_.defined() || InferenceMode::is_enabled(),
              "Inplace update to inference tensor outside InferenceMode is not allowed."
              "You can make a clone to get a normal tensor before doing inplace update."
              "See https://github.com/pytorch/rfcs/pull/17 for more details.");
  if (version_counter_.defined()) version_counter_->version_.add_fetch_relaxed(1);
}

void VariableVersion::set_version(int64_t version) {
  TORCH_CHECK(
      version_counter_.defined(),
      "Tried to call torch.autograd._unsafe_set_version() on a tensor that does not have a version counter. "
      "Was it created in inference mode?");
  TORCH_CHECK(version >= 0, "Cannot set a version_counter to a value below 0: ", version);
  version_counter_->version_.store_relaxed(static_cast<uint32_t>(version));
}

uint32_t VariableVersion::current_version() const {
  TORCH_CHECK(version_counter_.defined(), "Inference tensors do not track version counter.");
  return version_counter_->version_.load_relaxed();
}

TensorImpl::TensorImpl(ImplType, Storage&& storage, DispatchKeySet key_set,
                       caffe2::TypeMeta data_type)
    : storage_(std::move(storage)), data_type_(data_type), key_set_(key_set) {
  if (storage_) device_opt_ = storage_.device();
  if (!is_inference()) version_counter_ = VariableVersion(/*version=*/0);
}

TensorImpl::TensorImpl(Storage&& storage, DispatchKeySet key_set, caffe2::TypeMeta data_type)
    : TensorImpl(key_set, data_type, storage.device()) {
  storage_ = std::move(storage);
}

TensorImpl::TensorImpl(DispatchKeySet key_set, caffe2::TypeMeta data_type,
                       std::optional<Device> device_opt)
    : data_type_(data_type), device_opt_(device_opt) {
  const DispatchKey backend = key_set.highestBackendKey();
  if (backend == DispatchKey::Undefined) {
    key_set_ = key_set;  // the undefined tensor
    return;
  }
  key_set = key_set | getAutocastRelatedKeySetFromBackend(backend);
  if (InferenceMode::is_enabled()) {
    key_set_ = key_set - autograd_dispatch_keyset_with_ADInplaceOrView;
  } else {
    key_set_ = key_set | getAutogradRelatedKeySetFromBackend(backend);
    version_counter_ = VariableVersion(/*version=*/0);
  }
}

TensorImpl::~TensorImpl() { delete autograd_meta_; }

void TensorImpl::release_resources() {
  adopt_autograd_meta(nullptr);
  storage_ = Storage();
  pyobj_slot_.maybe_destroy_pyobj();
}

void TensorImpl::adopt_autograd_meta(AutogradMetaInterface* autograd_meta) {
  AutogradMetaInterface* old = std::exchange(autograd_meta_, autograd_meta);
  delete old;
}

int64_t TensorImpl::size(int64_t d) const {
  return sizes_and_strides_.size_at(
      static_cast<size_t>(maybe_wrap_dim(d, dim(), /*wrap_scalar=*/false)));
}

int64_t TensorImpl::stride(int64_t d) const {
  return sizes_and_strides_.stride_at(
      static_cast<size_t>(maybe_wrap_dim(d, dim(), /*wrap_scalar=*/false)));
}

bool TensorImpl::has_storage() const { return static_cast<bool>(storage_); }

const Storage& TensorImpl::storage() const {
  TORCH_CHECK_NOT_IMPLEMENTED(!storage_access_should_throw_, "Cannot access storage of ",
                              tensorimpl_type_name());
  return storage_;
}

const char* TensorImpl::tensorimpl_type_name() const { return "TensorImpl"; }

void TensorImpl::throw_no_device() const { TORCH_CHECK(false, "tensor does not have a device"); }

void TensorImpl::throw_data_access() const {
  TORCH_CHECK(false, "Cannot access data pointer of Tensor that doesn't have storage");
}

void TensorImpl::throw_metadata_change(const char* what) {
  TORCH_CHECK(
      false, what,
      " is not allowed on a Tensor created from .data or .detach().\n"
      "If your intent is to change the metadata of a Tensor (such as sizes / strides / storage / storage_offset)\n"
      "without autograd tracking the change, remove the .data / .detach() call and wrap the change in a `with torch.no_grad():` block.\n"
      "For example, change:\n"
      "    x.data.set_(y)\n"
      "to:\n"
      "    with torch.no_grad():\n"
      "        x.set_(y)");
}

namespace {

// The number of elements. Found before a tensor takes the sizes, so that it keeps its own if there
// are too many.
int64_t checked_numel(IntArrayRef sizes) {
  int64_t numel = 1;
  bool overflows = false;
  for (const int64_t size : sizes) {
    overflows = __builtin_mul_overflow(numel, size, &numel) || overflows;
  }
  TORCH_CHECK(!overflows, "numel: integer multiplication overflow");
  return numel;
}

}  // namespace

void TensorImpl::refresh_numel() { numel_ = checked_numel(sizes()); }

void TensorImpl::refresh_contiguous() {
  const IntArrayRef sizes = this->sizes();
  const IntArrayRef strides = this->strides();
  is_contiguous_ = _compute_contiguous(sizes, strides, numel_);
  is_channels_last_contiguous_ = _compute_channels_last_contiguous_2d(sizes, strides);
  is_channels_last_ = is_channels_last_strides_2d(sizes, strides);
  is_channels_last_3d_contiguous_ = _compute_channels_last_contiguous_3d(sizes, strides);
  is_channels_last_3d_ = is_channels_last_strides_3d(sizes, strides);
  is_non_overlapping_and_dense_ = is_contiguous_ || is_channels_last_contiguous_ ||
                                  is_channels_last_3d_contiguous_ ||
                                  _compute_non_overlapping_and_dense(sizes, strides);
}

void TensorImpl::set_storage_offset(int64_t storage_offset) {
  check_metadata_change("set_storage_offset");
  storage_offset_ = storage_offset;
}

void TensorImpl::set_sizes_contiguous(IntArrayRef new_size) {
  check_metadata_change("set_sizes_contiguous");
  const int64_t numel = checked_numel(new_size);
  sizes_and_strides_.set_sizes(new_size);
  numel_ = numel;
  empty_tensor_restride(MemoryFormat::Contiguous);
}

void TensorImpl::set_sizes_and_strides(IntArrayRef new_size, IntArrayRef new_stride,
                                       std::optional<int64_t> storage_offset) {
  check_metadata_change("set_sizes_and_strides");
  TORCH_CHECK(new_size.size() == new_stride.size(), "dimensionality of sizes (", new_size.size(),
              ") must match dimensionality of strides (", new_stride.size(), ")");
  const int64_t numel = checked_numel(new_size);
  // The arguments may be views of this tensor's own lists.
  const DimVector strides(new_stride);
  sizes_and_strides_.set_sizes(new_size);
  int64_t row_major = 1;
  for (size_t d = strides.size(); d-- > 0;) {
    // A negative stride stands for the one that makes this dimension follow the next.
    if (d + 1 < strides.size()) {
      const int64_t inner = sizes_and_strides_.size_at(d + 1);
      row_major = sizes_and_strides_.stride_at(d + 1) * (inner > 1 ? inner : 1);
    }
    sizes_and_strides_.stride_at(d) = strides[d] >= 0 ? strides[d] : row_major;
  }
  numel_ = numel;
  refresh_contiguous();
  if (storage_offset.has_value()) storage_offset_ = *storage_offset;
}

void TensorImpl::set_size(int64_t dim, int64_t new_size) {
  check_metadata_change("set_size");
  sizes_and_strides_.size_at(static_cast<size_t>(maybe_wrap_dim(dim, this->dim(), false))) =
      new_size;
  refresh_numel();
  refresh_contiguous();
}

void TensorImpl::set_stride(int64_t dim, int64_t new_stride) {
  check_metadata_change("set_stride");
  sizes_and_strides_.stride_at(static_cast<size_t>(maybe_wrap_dim(dim, this->dim(), false))) =
      new_stride;
  refresh_contiguous();
}

void TensorImpl::set_storage_keep_dtype(Storage storage) {
  check_metadata_change("set_storage");
  storage_ = std::move(storage);
  device_opt_ = storage_.device();
}

void TensorImpl::set_storage_and_dtype(Storage storage, caffe2::TypeMeta data_type) {
  set_storage_keep_dtype(std::move(storage));
  data_type_ = data_type;
}

void TensorImpl::empty_tensor_restride(MemoryFormat memory_format) {
  switch (memory_format) {
    case MemoryFormat::Contiguous: {
      // A dimension of size 0 counts as 1, so that strides stay meaningful. Sizes that overflow are
      // refused where their bytes are counted.
      uint64_t stride = 1;
      for (size_t d = sizes_and_strides_.size(); d-- > 0;) {
        sizes_and_strides_.stride_at(d) = static_cast<int64_t>(stride);
        const int64_t size = sizes_and_strides_.size_at(d);
        stride *= static_cast<uint64_t>(size > 1 ? size : 1);
      }
      break;
    }
    case MemoryFormat::ChannelsLast:
      TORCH_CHECK(dim() == 4, "required rank 4 tensor to use channels_last format");
      sizes_and_strides_.set_strides(get_channels_last_strides_2d(sizes()));
      break;
    case MemoryFormat::ChannelsLast3d:
      TORCH_CHECK(dim() == 5, "required rank 5 tensor to use channels_last_3d format");
      sizes_and_strides_.set_strides(get_channels_last_strides_3d(sizes()));
      break;
    default:
      TORCH_CHECK(false, "unsupported memory format ", memory_format);
  }
  refresh_contiguous();
}

void TensorImpl::set_requires_grad(bool requires_grad) {
  TORCH_CHECK(
      !requires_grad || !is_inference() || InferenceMode::is_enabled(),
      "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  if (!requires_grad && autograd_meta_ == nullptr) return;
  if (autograd_meta_ == nullptr) autograd_meta_ = impl::GetAutogradMetaFactory()->make().release();
  autograd_meta_->set_requires_grad(requires_grad, this);
}

at::Tensor& TensorImpl::mutable_grad() {
  if (autograd_meta_ == nullptr) autograd_meta_ = impl::GetAutogradMetaFactory()->make().release();
  return autograd_meta_->mutable_grad();
}

const at::Tensor& TensorImpl::grad() const {
  if (autograd_meta_ == nullptr) return impl::GetAutogradMetaFactory()->undefined_tensor();
  return autograd_meta_->grad();
}

void TensorImpl::set_version_counter(const VariableVersion& version_counter) {
  set_version_counter(VariableVersion(version_counter));
}

void TensorImpl::set_version_counter(VariableVersion&& version_counter) {
  TORCH_CHECK(!is_inference() || !version_counter.enabled(),
              "Cannot set version_counter for inference tensor");
  version_counter_ = std::move(version_counter);
}

void TensorImpl::copy_tensor_metadata(const TensorImpl* src, TensorImpl* dest,
                                      const VariableVersion& version_counter,
                                      bool allow_tensor_metadata_change) {
  dest->storage_ = src->storage_;
  dest->sizes_and_strides_ = src->sizes_and_strides_;
  dest->storage_offset_ = src->storage_offset_;
  dest->numel_ = src->numel_;
  dest->data_type_ = src->data_type_;
  dest->device_opt_ = src->device_opt_;
  dest->is_contiguous_ = src->is_contiguous_;
  dest->is_channels_last_ = src->is_channels_last_;
  dest->is_channels_last_contiguous_ = src->is_channels_last_contiguous_;
  dest->is_channels_last_3d_ = src->is_channels_last_3d_;
  dest->is_channels_last_3d_contiguous_ = src->is_channels_last_3d_contiguous_;
  dest->is_non_overlapping_and_dense_ = src->is_non_overlapping_and_dense_;
  dest->is_wrapped_number_ = src->is_wrapped_number_;
  dest->storage_access_should_throw_ = src->storage_access_should_throw_;
  dest->key_set_ = src->key_set_;
  dest->allow_tensor_metadata_change_ = allow_tensor_metadata_change;
  if (!dest->is_inference()) {
    dest->version_counter_ = version_counter;
  } else {
    dest->version_counter_ = VariableVersion();
  }
}

intrusive_ptr<TensorImpl> TensorImpl::shallow_copy_and_detach(
    const VariableVersion& version_counter, bool allow_tensor_metadata_change) const {
  auto impl = make_intrusive<TensorImpl>(key_set_, data_type_, device_opt_);
  copy_tensor_metadata(this, impl.get(), version_counter, allow_tensor_metadata_change);
  return impl;
}

void TensorImpl::shallow_copy_from(const intrusive_ptr<TensorImpl>& impl) {
  copy_tensor_metadata(impl.get(), this, VariableVersion(version_counter_),
                       allow_tensor_metadata_change_);
}

bool TensorImpl::has_compatible_shallow_copy_type(DispatchKeySet from) const {
  // All tensors are strided; only the undefined one is of another kind.
  return key_set_.getBackendKeys().empty() == from.getBackendKeys().empty();
}

}  // namespace c10
