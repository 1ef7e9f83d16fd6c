#pragma once

#include <c10/core/Device.h>
#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/UniqueVoidPtr.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace c10 {

/// Memory on a device, with what frees it. Move-only.
class C10_API DataPtr {
 public:
  /// No memory, on the CPU.
  DataPtr() : device_(DeviceType::CPU) {}
  /// Memory that somebody else frees.
  DataPtr(void* data, Device device) : ptr_(data), device_(device) {}
  DataPtr(void* data, void* ctx, DeleterFnPtr ctx_deleter, Device device)
      : ptr_(data, ctx, ctx_deleter), device_(device) {}

  void* operator->() const { return ptr_.get(); }
  void clear() { ptr_.clear(); }
  const void* get() const { return ptr_.get(); }
  void* mutable_get() { return ptr_.get(); }
  void* get_context() const { return ptr_.get_context(); }
  void* release_context() { return ptr_.release_context(); }
  explicit operator bool() const { return static_cast<bool>(ptr_); }
  template <typename T>
  T* cast_context(DeleterFnPtr expected_deleter) const {
    return ptr_.cast_context<T>(expected_deleter);
  }
  DeleterFnPtr get_deleter() const { return ptr_.get_deleter(); }
  bool compare_exchange_deleter(DeleterFnPtr expected_deleter, DeleterFnPtr new_deleter) {
    return ptr_.compare_exchange_deleter(expected_deleter, new_deleter);
  }
  Device device() const { return device_; }
  /// Changes the device's index, where it was made without one.
  void unsafe_set_device(Device device) { device_ = device; }

 private:
  detail::UniqueVoidPtr ptr_;
  Device device_;
};

inline bool operator==(const DataPtr& dp, std::nullptr_t) noexcept { return !dp; }

/// Gives memory of one kind of device.
struct C10_API Allocator {
  virtual ~Allocator();

  /// At least `n` bytes; throws c10::OutOfMemoryError when there are none. 0 bytes may give null.
  virtual DataPtr allocate(size_t n) = 0;
  /// What frees memory of this allocator when data and context are the same; null when they may
  /// differ, in which case raw_allocate throws.
  virtual DeleterFnPtr raw_deleter() const { return nullptr; }
  /// Copies within this allocator's memory.
  virtual void copy_data(void* dest, const void* src, size_t count) const = 0;

  /// Memory of `n` bytes with the same contents.
  DataPtr clone(const void* data, size_t n);
  bool is_simple_data_ptr(const DataPtr& data_ptr) const {
    return data_ptr.get() == data_ptr.get_context();
  }
  /// Memory as a bare pointer, for interfaces that want malloc and free.
  void* raw_allocate(size_t n);
  void raw_deallocate(void* ptr);

 protected:
  /// memcpy, for memory the CPU can reach.
  static void default_copy_data(void* dest, const void* src, size_t count);
};

/// Sets the allocator of a device type unless one of higher priority is set. Not owned.
C10_API void SetAllocator(DeviceType t, Allocator* alloc, uint8_t priority = 0);
/// The allocator of a device type; throws when there is none.
C10_API Allocator* GetAllocator(const DeviceType& t);

/// Sets an allocator before main.
template <DeviceType t>
struct AllocatorRegisterer {
  explicit AllocatorRegisterer(Allocator* alloc) { SetAllocator(t, alloc); }
};
#define REGISTER_ALLOCATOR(t, f) \
  static ::c10::AllocatorRegisterer<t> C10_ANONYMOUS_VARIABLE(g_allocator_registerer_)(f)

}  // namespace c10
