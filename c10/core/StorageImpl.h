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

/// A block of memory and its size in bytes. Tensors share it: a view has the storage of its base.
/// The element type and the shape belong to the tensors.
struct C10_API StorageImpl : public intrusive_ptr_target {
  /// Marks constructors whose sizes are in bytes.
  struct use_byte_size_t {};

  /// Takes over `data_ptr`, which has `size_bytes` bytes. A `resizable` storage needs an
  /// `allocator`; throws c10::Error without one.
  StorageImpl(use_byte_size_t, size_t size_bytes, DataPtr data_ptr, Allocator* allocator,
              bool resizable);
  /// Allocates `size_bytes` bytes. `allocator` is not owned.
  StorageImpl(use_byte_size_t, size_t size_bytes, Allocator* allocator, bool resizable);
  StorageImpl() = delete;
  StorageImpl(const StorageImpl&) = delete;
  StorageImpl& operator=(StorageImpl&&) = delete;
  ~StorageImpl() override;

  /// The size in bytes.
  size_t nbytes() const { return size_bytes_; }
  SymInt sym_nbytes() const { return static_cast<int64_t>(size_bytes_); }
  /// Records a new size; allocates nothing.
  void set_nbytes(size_t size_bytes) { size_bytes_ = size_bytes; }

  const DataPtr& data_ptr() const { return data_ptr_; }
  DataPtr& mutable_data_ptr() { return data_ptr_; }
  DataPtr& _mutable_data_ptr_no_checks() { return data_ptr_; }
  /// The address of the first byte; null for an empty storage and on Meta.
  const void* data() const { return data_ptr_.get(); }
  void* mutable_data() { return data_ptr_.mutable_get(); }
  /// Replaces the memory and returns the old memory. The size stays the same: see `set_nbytes`.
  DataPtr set_data_ptr(DataPtr&& data_ptr) {
    DataPtr old = std::move(data_ptr_);
    data_ptr_ = std::move(data_ptr);
    return old;
  }
  /// Replaces the memory and frees the old memory.
  void set_data_ptr_noswap(DataPtr&& data_ptr) { data_ptr_ = std::move(data_ptr); }

  Device device() const { return data_ptr_.device(); }
  DeviceType device_type() const { return data_ptr_.device().type(); }
  /// Not owned. Null if there is none; the storage cannot be resized then.
  Allocator* allocator() const { return allocator_; }
  void set_allocator(Allocator* allocator) { allocator_ = allocator; }
  /// Whether operators such as resize_ may replace the memory by more.
  bool resizable() const { return resizable_; }
  /// Throws c10::Error if `resizable` and there is no allocator.
  void set_resizable(bool resizable);

  /// Points the storage at external memory, which `d` frees, or nobody if `d` is null. The storage
  /// has no allocator afterwards and cannot be resized.
  void UniqueStorageShareExternalPointer(void* src, size_t size_bytes, DeleterFnPtr d = nullptr);
  /// The same for memory that `data_ptr` frees.
  void UniqueStorageShareExternalPointer(DataPtr&& data_ptr, size_t size_bytes);
  /// Frees the memory; the size becomes 0.
  void reset();

  /// The Python object of this storage, if there is one.
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
