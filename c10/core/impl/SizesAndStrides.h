#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace c10::impl {

constexpr size_t C10_SIZES_AND_STRIDES_MAX_INLINE_SIZE = kDimVectorStaticSize;

/// Sizes and strides of a tensor: two lists of one length in one block, inside the object up to
/// five dimensions. Starts as one dimension of size 0 and stride 1.
class C10_API SizesAndStrides {
  static constexpr size_t kMaxInline = C10_SIZES_AND_STRIDES_MAX_INLINE_SIZE;

 public:
  SizesAndStrides() {
    inline_[0] = 0;
    inline_[kMaxInline] = 1;
  }
  ~SizesAndStrides() {
    if (C10_UNLIKELY(!is_inline())) free_heap();
  }
  SizesAndStrides(const SizesAndStrides& rhs) : size_(0) { *this = rhs; }
  SizesAndStrides& operator=(const SizesAndStrides& rhs) {
    if (this == &rhs) return *this;
    resize_uninitialized(rhs.size_);
    copy(sizes_data(), rhs.sizes_data(), size_);
    copy(strides_data(), rhs.strides_data(), size_);
    return *this;
  }
  /// The moved-from object has no dimensions.
  SizesAndStrides(SizesAndStrides&& rhs) noexcept : size_(0) {
    *this = static_cast<SizesAndStrides&&>(rhs);
  }
  SizesAndStrides& operator=(SizesAndStrides&& rhs) noexcept {
    if (this == &rhs) return *this;
    if (C10_UNLIKELY(!is_inline())) free_heap();
    std::memcpy(&inline_, &rhs.inline_, sizeof(inline_));  // carries the heap pointer too
    size_ = rhs.size_;
    rhs.size_ = 0;
    return *this;
  }

  bool operator==(const SizesAndStrides& other) const {
    return sizes_arrayref() == other.sizes_arrayref() &&
           strides_arrayref() == other.strides_arrayref();
  }

  size_t size() const noexcept { return size_; }
  const int64_t* sizes_data() const noexcept { return is_inline() ? &inline_[0] : heap_; }
  int64_t* sizes_data() noexcept { return is_inline() ? &inline_[0] : heap_; }
  const int64_t* strides_data() const noexcept {
    return is_inline() ? &inline_[kMaxInline] : heap_ + size_;
  }
  int64_t* strides_data() noexcept { return is_inline() ? &inline_[kMaxInline] : heap_ + size_; }
  const int64_t* sizes_begin() const noexcept { return sizes_data(); }
  int64_t* sizes_begin() noexcept { return sizes_data(); }
  int64_t* sizes_end() noexcept { return sizes_data() + size_; }
  int64_t* strides_begin() noexcept { return strides_data(); }
  int64_t* strides_end() noexcept { return strides_data() + size_; }
  const int64_t* sizes_end() const noexcept { return sizes_data() + size_; }
  const int64_t* strides_begin() const noexcept { return strides_data(); }
  const int64_t* strides_end() const noexcept { return strides_data() + size_; }

  IntArrayRef sizes_arrayref() const noexcept { return {sizes_data(), size_}; }
  IntArrayRef strides_arrayref() const noexcept { return {strides_data(), size_}; }

  int64_t size_at(size_t idx) const noexcept { return sizes_data()[idx]; }
  int64_t& size_at(size_t idx) noexcept { return sizes_data()[idx]; }
  int64_t size_at_unchecked(size_t idx) const noexcept { return sizes_data()[idx]; }
  int64_t& size_at_unchecked(size_t idx) noexcept { return sizes_data()[idx]; }
  int64_t stride_at(size_t idx) const noexcept { return strides_data()[idx]; }
  int64_t& stride_at(size_t idx) noexcept { return strides_data()[idx]; }
  int64_t stride_at_unchecked(size_t idx) const noexcept { return strides_data()[idx]; }
  int64_t& stride_at_unchecked(size_t idx) noexcept { return strides_data()[idx]; }

  /// Sets sizes and the number of dimensions; strides of new dimensions are 0.
  void set_sizes(IntArrayRef sizes) {
    resize(sizes.size());
    copy(sizes_data(), sizes.data(), size_);
  }
  /// Sets strides; there must be one for each dimension.
  void set_strides(IntArrayRef strides) {
    TORCH_INTERNAL_ASSERT(strides.size() == size_);
    copy(strides_data(), strides.data(), size_);
  }
  /// Keeps the first dimensions; new ones are of size 0 and stride 0.
  void resize(size_t new_size) {
    if (C10_LIKELY(new_size <= kMaxInline && is_inline())) {
      if (size_ < new_size) {
        for (size_t i = size_; i < new_size; ++i) inline_[i] = inline_[kMaxInline + i] = 0;
      }
      size_ = new_size;
    } else if (new_size != size_) {
      resize_slow(new_size);
    }
  }

 private:
  bool is_inline() const noexcept { return size_ <= kMaxInline; }
  static void copy(int64_t* to, const int64_t* from, size_t count) {
    if (count != 0) std::memmove(to, from, count * sizeof(int64_t));
  }
  void resize_uninitialized(size_t new_size);
  void resize_slow(size_t new_size);
  void free_heap() noexcept;

  size_t size_ = 1;
  union {
    int64_t* heap_;
    int64_t inline_[kMaxInline * 2];
  };
};

}  // namespace c10::impl
