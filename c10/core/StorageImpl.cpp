#include <c10/core/StorageImpl.h>
#include <c10/util/Exception.h>

#include <utility>

namespace c10 {

StorageImpl::StorageImpl(use_byte_size_t, size_t size_bytes, DataPtr data_ptr, Allocator* allocator,
                         bool resizable)
    : data_ptr_(std::move(data_ptr)),
      size_bytes_(size_bytes),
      resizable_(resizable),
      allocator_(allocator) {
  TORCH_INTERNAL_ASSERT(!resizable || allocator != nullptr,
                        "For resizable storage, allocator must be provided");
}

StorageImpl::StorageImpl(use_byte_size_t tag, size_t size_bytes, Allocator* allocator,
                         bool resizable)
    : StorageImpl(tag, size_bytes,
                  allocator != nullptr ? allocator->allocate(size_bytes) : DataPtr(), allocator,
                  resizable) {}

StorageImpl::~StorageImpl() = default;

void StorageImpl::set_resizable(bool resizable) {
  TORCH_INTERNAL_ASSERT(!resizable || allocator_ != nullptr,
                        "For resizable storage, allocator must be provided");
  resizable_ = resizable;
}

void StorageImpl::UniqueStorageShareExternalPointer(void* src, size_t size_bytes, DeleterFnPtr d) {
  UniqueStorageShareExternalPointer(DataPtr(src, src, d, data_ptr_.device()), size_bytes);
}

void StorageImpl::UniqueStorageShareExternalPointer(DataPtr&& data_ptr, size_t size_bytes) {
  data_ptr_ = std::move(data_ptr);
  size_bytes_ = size_bytes;
  allocator_ = nullptr;
  resizable_ = false;
}

void StorageImpl::reset() {
  data_ptr_.clear();
  size_bytes_ = 0;
}

void StorageImpl::release_resources() { data_ptr_.clear(); }

}  // namespace c10
