#pragma once

#include <c10/core/StorageImpl.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>

#include <cstddef>
#include <utility>

namespace c10 {

/// A reference-counted handle on a StorageImpl. Copies share the memory. A default-constructed
/// handle is null; only `operator bool`, `use_count` and assignment may be called on it.
struct C10_API Storage {
  using use_byte_size_t = StorageImpl::use_byte_size_t;

  Storage() = default;
  /* implicit */ Storage(intrusive_ptr<StorageImpl> ptr) : storage_impl_(std::move(ptr)) {}
  /// Allocates `size_bytes` bytes with `allocator`.
  Storage(use_byte_size_t tag, size_t size_bytes, Allocator* allocator = nullptr,
          bool resizable = false)
      : storage_impl_(make_intrusive<StorageImpl>(tag, size_bytes, allocator, resizable)) {}
  /// Takes over `data_ptr`, which has `size_bytes` bytes.
  Storage(use_byte_size_t tag, size_t size_bytes, DataPtr data_ptr, Allocator* allocator = nullptr,
          bool resizable = false)
      : storage_impl_(make_intrusive<StorageImpl>(tag, size_bytes, std::move(data_ptr), allocator,
                                                  resizable)) {}

  // The members of StorageImpl; see there.
  void set_nbytes(size_t size_bytes) const { storage_impl_->set_nbytes(size_bytes); }
  size_t nbytes() const { return storage_impl_->nbytes(); }
  SymInt sym_nbytes() const { return storage_impl_->sym_nbytes(); }
  bool resizable() const { return storage_impl_->resizable(); }

  const void* data() const { return storage_impl_->data(); }
  void* mutable_data() const { return storage_impl_->mutable_data(); }
  const DataPtr& data_ptr() const { return storage_impl_->data_ptr(); }
  DataPtr& mutable_data_ptr() const { return storage_impl_->mutable_data_ptr(); }
  DataPtr set_data_ptr(DataPtr&& data_ptr) const {
    return storage_impl_->set_data_ptr(std::move(data_ptr));
  }
  void set_data_ptr_noswap(DataPtr&& data_ptr) const {
    storage_impl_->set_data_ptr_noswap(std::move(data_ptr));
  }

  DeviceType device_type() const { return storage_impl_->device_type(); }
  Device device() const { return storage_impl_->device(); }
  Allocator* allocator() const { return storage_impl_->allocator(); }

  /// Gives this reference up; the caller owns it.
  StorageImpl* unsafeReleaseStorageImpl() { return storage_impl_.release(); }
  /// A borrowed pointer, valid as long as this handle.
  StorageImpl* unsafeGetStorageImpl() const noexcept { return storage_impl_.get(); }
  /// A reference that does not keep the memory: `lock()` gives the storage while a handle lives.
  weak_intrusive_ptr<StorageImpl> getWeakStorageImpl() const {
    return weak_intrusive_ptr<StorageImpl>(storage_impl_);
  }
  explicit operator bool() const { return storage_impl_.defined(); }
  size_t use_count() const { return storage_impl_.use_count(); }
  /// True if this is the only handle.
  bool unique() const { return storage_impl_.unique(); }
  /// True if both handles refer to the same storage.
  bool is_alias_of(const Storage& other) const { return storage_impl_ == other.storage_impl_; }

  /// See StorageImpl. Throws c10::Error unless this is the only handle.
  void UniqueStorageShareExternalPointer(void* src, size_t capacity, DeleterFnPtr d = nullptr) {
    require_unique();
    storage_impl_->UniqueStorageShareExternalPointer(src, capacity, d);
  }
  void UniqueStorageShareExternalPointer(DataPtr&& data_ptr, size_t capacity) {
    require_unique();
    storage_impl_->UniqueStorageShareExternalPointer(std::move(data_ptr), capacity);
  }

 private:
  void require_unique() const {
    TORCH_CHECK(unique(),
                "UniqueStorageShareExternalPointer can only be called when use_count == 1");
  }

  intrusive_ptr<StorageImpl> storage_impl_;
};

}  // namespace c10
