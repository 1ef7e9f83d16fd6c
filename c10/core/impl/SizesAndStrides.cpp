#include <c10/core/impl/SizesAndStrides.h>

#include <cstdlib>
#include <new>

namespace c10::impl {

void SizesAndStrides::free_heap() noexcept { std::free(heap_); }

// Storage for `new_size` dimensions, contents undefined.
void SizesAndStrides::resize_uninitialized(size_t new_size) {
  if (new_size == size_ || (new_size <= kMaxInline && is_inline())) {
    size_ = new_size;
    return;
  }
  int64_t* heap = nullptr;
  if (new_size > kMaxInline) {
    heap = static_cast<int64_t*>(std::malloc(2 * new_size * sizeof(int64_t)));
    if (heap == nullptr) throw std::bad_alloc();
  }
  if (!is_inline()) free_heap();
  if (heap != nullptr) heap_ = heap;
  size_ = new_size;
}

void SizesAndStrides::resize_slow(size_t new_size) {
  const SizesAndStrides old(*this);
  resize_uninitialized(new_size);
  const size_t kept = old.size() < new_size ? old.size() : new_size;
  copy(sizes_data(), old.sizes_data(), kept);
  copy(strides_data(), old.strides_data(), kept);
  for (size_t i = kept; i < new_size; ++i) sizes_data()[i] = strides_data()[i] = 0;
}

}  // namespace c10::impl
