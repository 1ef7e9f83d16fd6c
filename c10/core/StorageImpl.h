#pragma once

#include <c10/core/Allocator.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/SymInt.h>
#include <c10/core/impl/PyObjectSlot.h>
#include <c10/macros/Macros.h>
#include <c10/util/intrusive_ptr.h>

#include <cstddef>
#include <utility>

namespace c10 {

/// A block of memory that tensors share: views of a tensor have its storage.
struct C10_API StorageImpl : public intrusive_ptr_target {
  /// Tells the constructors apart: the size is always in bytes.
  struct use_byte_size_t {};

  /// Memory that exists. `allocator` is needed when it is `resizable`.
  StorageImpl(use_byte_size_t, size_t size_bytes, DataPtr data_ptr, Allocator* allocator,
              bool resizable);
  /// Memory from `allocator`.
  StorageImpl(use_byte_size_t, size_t size_bytes, Allocator* allocator, bool resizable);
  StorageImpl() = delete;
  StorageImpl(const StorageImpl&) = delete;
  StorageImpl& operator=(StorageImpl&&) = delete;
  ~StorageImpl() override;

  size_t nbytes() const { return size_bytes_; }
  SymInt sym_nbytes() const { return static_cast<SymInt>(size_bytes_); }
  void set_nbytes(size_t size_bytes) { size_bytes_ = size_bytes; }

  const DataPtr& data_ptr() const { return data_ptr_; }
  DataPtr& mutable_data_ptr() { return data_ptr_; }
  DataPtr& _mutable_data_ptr_no_checks() { return data_ptr_; }
  const void* data() const { return data_ptr_.get(); }
  void* mutable_data() { return data_ptr_.mutable_get(); }
  /// Replaces the memory; returns what was there.
  DataPtr set_data_ptr(DataPtr&& data_ptr) {
    DataPtr old = std::move(data_ptr_);
    data_ptr_ = std::move(data_ptr);
    return old;
  }
  void set_data_ptr_noswap(DataPtr&& data_ptr) { data_ptr_ = std::move(data_ptr); }

  Device device() const { return data_ptr_.device(); }
  DeviceType device_type() const { return data_ptr_.device().type(); }
  Allocator* allocator() const { return allocator_; }
  void set_allocator(Allocator* allocator) { allocator_ = allocator; }
  bool resizable() const { return resizable_; }
  void set_resizable(bool resizable);

  /// Replaces memory, size and owner with somebody else's: no longer resizable.
  void UniqueStorageShareExternalPointer(void* src, size_t size_bytes, DeleterFnPtr d = nullptr);
  void UniqueStorageShareExternalPointer(DataPtr&& data_ptr, size_t size_bytes);
  void reset();

  impl::PyObjectSlot* pyobj_slot() { return &pyobj_slot_; }
  const impl::PyObjectSlot* pyobj_slot() const { return &pyobj_slot_; }

 private:
  void release_resources() override;

  DataPtr data_ptr_;
  size_t size_bytes_;
  bool resizable_;
  Allocator* allocator_;
  impl::PyObjectSlot pyobj_slot_;
};

}  // namespace c10
