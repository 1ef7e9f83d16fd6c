#include <c10/core/Allocator.h>
#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>

#include <atomic>
#include <cstring>
#include <mutex>

namespace c10 {
namespace {

struct Entry {
  std::atomic<Allocator*> allocator{nullptr};
  uint8_t priority = 0;
};
Entry& entry(DeviceType t) {
  static Entry entries[COMPILE_TIME_MAX_DEVICE_TYPES];
  return entries[static_cast<size_t>(t)];
}
std::mutex& registration_mutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

Allocator::~Allocator() = default;

DataPtr Allocator::clone(const void* data, size_t n) {
  DataPtr result = allocate(n);
  copy_data(result.mutable_get(), data, n);
  return result;
}

void* Allocator::raw_allocate(size_t n) {
  DataPtr data = allocate(n);
  TORCH_CHECK(data.get() == data.get_context(),
              "raw_allocate: this allocator's memory cannot be freed by its address");
  return data.release_context();
}

void Allocator::raw_deallocate(void* ptr) {
  const DeleterFnPtr deleter = raw_deleter();
  TORCH_CHECK(deleter != nullptr,
              "raw_deallocate: this allocator's memory cannot be freed by its address");
  deleter(ptr);
}

void Allocator::default_copy_data(void* dest, const void* src, size_t count) {
  if (count != 0) std::memcpy(dest, src, count);
}

void SetAllocator(DeviceType t, Allocator* alloc, uint8_t priority) {
  const std::lock_guard<std::mutex> guard(registration_mutex());
  Entry& e = entry(t);
  if (priority < e.priority) return;
  e.allocator = alloc;
  e.priority = priority;
}

Allocator* GetAllocator(const DeviceType& t) {
  Allocator* alloc = entry(t).allocator;
  TORCH_INTERNAL_ASSERT(alloc != nullptr, "Allocator for ", t, " is not set.");
  return alloc;
}

}  // namespace c10
