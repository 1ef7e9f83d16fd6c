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
  /// Memory at `data`. The destructor calls `ctx_deleter(ctx)` unless one of them is null. `ctx` is
  /// `data` itself, or whatever owns it.
  DataPtr(void* data, void* ctx, DeleterFnPtr ctx_deleter, Device device)
      : ptr_(data, ctx, ctx_deleter), device_(device) {}

  /// The address of the memory; null if there is none.
  void* operator->() const { return ptr_.get(); }
  /// Frees the memory.
  void clear() { ptr_.clear(); }
  /// The address, borrowed: valid until this object frees the memory.
  const void* get() const { return ptr_.get(); }
  void* mutable_get() { return ptr_.get(); }
  /// What the deleter is called with.
  void* get_context() const { return ptr_.get_context(); }
  /// Gives the context up: the caller frees the memory. The address stays readable.
  void* release_context() { return ptr_.release_context(); }
  /// True if there is an address or a context.
  explicit operator bool() const { return static_cast<bool>(ptr_); }
  /// The context as a T*, borrowed; null unless the deleter is `expected_deleter`.
  template <typename T>
  T* cast_context(DeleterFnPtr expected_deleter) const {
    return ptr_.cast_context<T>(expected_deleter);
  }
  DeleterFnPtr get_deleter() const { return ptr_.get_deleter(); }
  /// Replaces the deleter if it is `expected_deleter`; returns whether it was.
  bool compare_exchange_deleter(DeleterFnPtr expected_deleter, DeleterFnPtr new_deleter) {
    return ptr_.compare_exchange_deleter(expected_deleter, new_deleter);
  }
  /// The device that the memory is on.
  Device device() const { return device_; }
  /// Changes the device's index, where it was made without one.
  void unsafe_set_device(Device device) { device_ = device; }

 private:
  detail::UniqueVoidPtr ptr_;
  Device device_;
};

inline bool operator==(const DataPtr& dp, std::nullptr_t) noexcept { return !dp; }

/// Allocates memory of one type of device. Allocators live as long as the process and may be called
/// from any thread.
///
///   c10::DataPtr memory = c10::GetAllocator(c10::kCPU)->allocate(1024);  // freed at end of scope
struct C10_API Allocator {
  virtual ~Allocator();

  /// Allocates at least `n` bytes on the current device. Throws c10::OutOfMemoryError if there is
  /// not enough memory. The address may be null if `n` is 0.
  virtual DataPtr allocate(size_t n) = 0;
  /// The deleter of every allocation whose context is its address; null if the two may differ, and
  /// then `raw_allocate` throws.
  virtual DeleterFnPtr raw_deleter() const { return nullptr; }
  /// Copies `count` bytes between two blocks of this allocator's memory that do not overlap.
  virtual void copy_data(void* dest, const void* src, size_t count) const = 0;

  /// Allocates `n` bytes and copies them from `data`.
  DataPtr clone(const void* data, size_t n);
  /// True if the context is the memory itself, so that `raw_deleter` alone frees it.
  bool is_simple_data_ptr(const DataPtr& data_ptr) const {
    return data_ptr.get() == data_ptr.get_context();
  }
  /// Allocates `n` bytes for interfaces like malloc and free. The caller owns the memory.
  void* raw_allocate(size_t n);
  /// Frees what `raw_allocate` returned.
  void raw_deallocate(void* ptr);

 protected:
  /// memcpy, for memory the CPU can reach.
  static void default_copy_data(void* dest, const void* src, size_t count);
};

/// Registers the allocator of a device type, unless one of higher priority is registered. `alloc`
/// is not owned and must outlive all use.
C10_API void SetAllocator(DeviceType t, Allocator* alloc, uint8_t priority = 0);
/// The allocator of a device type. Throws c10::Error if none is registered.
C10_API Allocator* GetAllocator(const DeviceType& t);

/// Registers an allocator while the library is loaded: REGISTER_ALLOCATOR(kCPU, &my_allocator).
template <DeviceType t>
struct AllocatorRegisterer {
  explicit AllocatorRegisterer(Allocator* alloc) { SetAllocator(t, alloc); }
};
#define REGISTER_ALLOCATOR(t, f) \
  static ::c10::AllocatorRegisterer<t> C10_ANONYMOUS_VARIABLE(g_allocator_registerer_)(f)

}  // namespace c10
