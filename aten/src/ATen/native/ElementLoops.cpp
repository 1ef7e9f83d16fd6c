#include <ATen/native/ElementLoops.h>

#include <ATen/Parallel.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/SmallVector.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace at::native {
namespace {

constexpr int64_t kShortRow = 128;  // elements
constexpr int kCollected = 3;       // operands
constexpr int64_t kBuffer = 8192;   // bytes of each
constexpr int64_t kChunk = 16;      // bytes that are written at once, which may pass the end
constexpr int64_t kLongRow = 512;   // bytes, which the C library copies as fast
constexpr int64_t kMostElement = 16;
constexpr int64_t kManyTogether = 512;  // elements of two dimensions that are worth a call

// Each of `count` elements `size` times.
template <int64_t kElement>
void repeat_elements(char* out, const char* in, int64_t stride, int64_t count, int64_t size) {
  for (int64_t row = 0; row < count; ++row, in += stride) {
    char block[kChunk];
    for (int64_t at = 0; at < kChunk; at += kElement) std::memcpy(block + at, in, kElement);
    char* const end = out + size * kElement;
    for (; out < end; out += kChunk) std::memcpy(out, block, kChunk);
    out = end;
  }
}
void repeat_elements(int64_t element, char* out, const char* in, int64_t stride, int64_t count,
                     int64_t size) {
  switch (element) {
    case 1:
      return repeat_elements<1>(out, in, stride, count, size);
    case 2:
      return repeat_elements<2>(out, in, stride, count, size);
    case 4:
      return repeat_elements<4>(out, in, stride, count, size);
    case 8:
      return repeat_elements<8>(out, in, stride, count, size);
    default:
      return repeat_elements<16>(out, in, stride, count, size);
  }
}

// Rows of so many bytes, which the compiler copies in one or two instructions.
template <int64_t kBytes>
void collect_short_rows(char* out, const char* in, int64_t stride, int64_t count) {
  for (int64_t row = 0; row < count; ++row, out += kBytes, in += stride) {
    std::memcpy(out, in, kBytes);
  }
}

template <size_t... I>
void collect_short_rows(std::index_sequence<I...>, int64_t bytes, char* out, const char* in,
                        int64_t stride, int64_t count) {
  using Collect = void (*)(char*, const char*, int64_t, int64_t);
  static constexpr Collect kCollects[] = {&collect_short_rows<static_cast<int64_t>(I) + 1>...};
  kCollects[bytes - 1](out, in, stride, count);
}

// `count` rows of `bytes`, one after the other.
void collect_rows(char* out, const char* in, int64_t stride, int64_t count, int64_t bytes) {
  if (stride == 0) {
    // The rows that are there are the next ones.
    std::memcpy(out, in, static_cast<size_t>(bytes));
    const int64_t all = count * bytes;
    for (int64_t there = bytes; there < all; there *= 2) {
      std::memcpy(out + there, out, static_cast<size_t>(std::min(there, all - there)));
    }
    return;
  }
  if (bytes <= kChunk) {
    collect_short_rows(std::make_index_sequence<kChunk>(), bytes, out, in, stride, count);
    return;
  }
  for (int64_t row = 0; row < count; ++row, out += bytes, in += stride) {
    if (bytes > kLongRow) {
      std::memcpy(out, in, static_cast<size_t>(bytes));
      continue;
    }
    for (int64_t at = 0; at + kChunk < bytes; at += kChunk) std::memcpy(out + at, in + at, kChunk);
    std::memcpy(out + bytes - kChunk, in + bytes - kChunk, kChunk);
  }
}

// An input's elements in the order of the iteration, which makes them dense. Within rows they are
// dense or the same. Dimensions that are one for this input are merged.
class Elements {
 public:
  Elements(int64_t element, IntArrayRef shape, ArrayRef<int64_t> strides) : element_(element) {
    for (size_t d = 0; d < shape.size(); ++d) {
      if (!sizes_.empty() && strides[d] == sizes_.back() * strides_.back()) {
        sizes_.back() *= shape[d];
      } else {
        sizes_.push_back(shape[d]);
        strides_.push_back(strides[d]);
      }
    }
  }

  int64_t element() const { return element_; }
  bool dense() const { return sizes_.size() == 1 && strides_[0] == element_; }
  bool stays() const { return sizes_.size() == 1 && strides_[0] == 0; }

  // Goes to the element that `index` counts to.
  void seek(const char* base, int64_t index) {
    at_.assign(sizes_.size(), 0);
    in_ = base;
    for (size_t d = 0; d < sizes_.size(); ++d) {
      at_[d] = d + 1 < sizes_.size() ? index % sizes_[d] : index;
      index /= sizes_[d];
      in_ += at_[d] * strides_[d];
    }
  }

  // Copies the next `count` elements. May write kChunk bytes beyond them.
  void next(char* out, int64_t count) {
    while (count > 0) {
      const int64_t size = sizes_[0];
      int64_t rows = 1;
      int64_t part = std::min(size - at_[0], count);
      if (part == size && sizes_.size() > 1) rows = std::min(count / size, sizes_[1] - at_[1]);
      copy(out, rows, part);
      out += rows * part * element_;
      count -= rows * part;
      if (part == size && sizes_.size() > 1) {
        advance(1, rows);
      } else {
        advance(0, part);
      }
    }
  }

 private:
  void copy(char* out, int64_t rows, int64_t size) const {
    const int64_t outer = rows > 1 ? strides_[1] : 0;
    if (strides_[0] == element_) {
      collect_rows(out, in_, rows > 1 ? outer : size * element_, rows, size * element_);
    } else {
      repeat_elements(element_, out, in_, outer, rows, size);
    }
  }

  // Up to the end of dimension d, never beyond.
  void advance(size_t d, int64_t steps) {
    at_[d] += steps;
    in_ += steps * strides_[d];
    for (; d + 1 < sizes_.size() && at_[d] == sizes_[d]; ++d) {
      in_ += strides_[d + 1] - at_[d] * strides_[d];
      at_[d] = 0;
      ++at_[d + 1];
    }
  }

  int64_t element_;
  c10::SmallVector<int64_t, 6> sizes_;
  c10::SmallVector<int64_t, 6> strides_;
  c10::SmallVector<int64_t, 6> at_;
  const char* in_ = nullptr;
};

// Runs the body over blocks of elements that lie together in the outputs, with copies of inputs
// that do not. False if outputs do not, or too many inputs, or if what is apart within rows would
// be no faster in a copy.
bool for_each_block(TensorIteratorBase& iter, TensorIteratorBase::loop1d_t loop,
                    int64_t grain_size) {
  c10::SmallVector<Elements, 4> operands;
  int64_t block = kBuffer;
  int copies = 0;
  for (int arg = 0; arg < iter.ntensors(); ++arg) {
    operands.emplace_back(iter.element_size(arg), iter.shape(), iter.strides(arg));
    const Elements& operand = operands.back();
    if (operand.dense() || (operand.stays() && arg >= iter.noutputs())) continue;
    const int64_t inner = iter.strides(arg)[0];
    if (inner != 0 && inner != operand.element()) return false;
    if (arg < iter.noutputs() || ++copies > kCollected) return false;
    block = std::min(block, kBuffer / operand.element());
  }
  const auto body = [&](int64_t begin, int64_t end) {
    alignas(64) char buffers[kCollected][kBuffer + 64];
    auto elements = operands;
    c10::SmallVector<char*, 4> bases;
    c10::SmallVector<char*, 4> ptrs;
    c10::SmallVector<int64_t, 4> steps;
    int used = 0;
    for (size_t arg = 0; arg < elements.size(); ++arg) {
      auto* const base = static_cast<char*>(iter.data_ptr(static_cast<int64_t>(arg)));
      const bool copied = !elements[arg].dense() && !elements[arg].stays();
      bases.push_back(copied ? buffers[used++] : base);
      steps.push_back(elements[arg].stays() ? 0 : elements[arg].element());
      if (copied) elements[arg].seek(base, begin);
    }
    ptrs = bases;
    for (int64_t first = begin; first < end; first += block) {
      const int64_t count = std::min(block, end - first);
      for (size_t arg = 0; arg < elements.size(); ++arg) {
        // What a body does with its pointers is its own.
        ptrs[arg] = bases[arg];
        if (elements[arg].dense()) {
          ptrs[arg] += first * steps[arg];
        } else if (!elements[arg].stays()) {
          elements[arg].next(bases[arg], count);
        }
      }
      loop(ptrs.data(), steps.data(), count);
    }
  };
  const int64_t n = iter.numel();
  if (n < grain_size || at::get_num_threads() == 1) {
    body(0, n);
  } else {
    at::parallel_for(0, n, grain_size, body);
  }
  return true;
}

// A body for rows that are dense in the outputs. Operands stand for dense ones: where they are not
// and do not stay in place, a block of rows of them is copied.
auto loop_of_collected(ArrayRef<int64_t> sizes, TensorIteratorBase::loop1d_t loop) {
  return [=](char** base, const int64_t* strides, int64_t size0, int64_t size1) {
    const auto ntensors = static_cast<int>(sizes.size());
    const int64_t* inner = strides;
    const int64_t* outer = strides + ntensors;
    if (size1 == 1) {
      TensorIteratorBase::PtrVector ptrs(base, base + ntensors);
      loop(ptrs.data(), inner, size0);
      return;
    }
    enum class Way : uint8_t { kDense, kStays, kRepeated, kCollected };
    alignas(64) char buffers[kCollected][kBuffer + 64];
    c10::SmallVector<Way, 4> ways;
    c10::SmallVector<char*, 4> copies;
    StrideVector steps;
    TensorIteratorBase::PtrVector ptrs(base, base + ntensors);
    int used = 0;
    int64_t rows = size1;
    for (int arg = 0; arg < ntensors; ++arg) {
      const bool dense = inner[arg] == sizes[arg] && outer[arg] == size0 * sizes[arg];
      const bool stays = inner[arg] == 0 && outer[arg] == 0;
      steps.push_back(stays ? 0 : sizes[arg]);
      ways.push_back(dense             ? Way::kDense
                     : stays           ? Way::kStays
                     : outer[arg] == 0 ? Way::kRepeated
                                       : Way::kCollected);
      copies.push_back(dense || stays ? nullptr : buffers[used++]);
      if (copies.back() != nullptr) rows = std::min(rows, kBuffer / (size0 * sizes[arg]));
    }
    const auto copy = [&](int arg, int64_t first, int64_t count) {
      const char* const in = base[arg] + first * outer[arg];
      if (inner[arg] == 0) {
        repeat_elements(sizes[arg], copies[arg], in, outer[arg], count, size0);
      } else {
        collect_rows(copies[arg], in, outer[arg], count, size0 * sizes[arg]);
      }
    };
    for (int arg = 0; arg < ntensors; ++arg) {
      if (ways[arg] == Way::kRepeated) copy(arg, 0, rows);
    }
    for (int64_t first = 0; first < size1; first += rows) {
      const int64_t count = std::min(rows, size1 - first);
      for (int arg = 0; arg < ntensors; ++arg) {
        if (ways[arg] == Way::kCollected) copy(arg, first, count);
        // What a body does with its pointers is its own.
        ptrs[arg] = copies[arg] != nullptr ? copies[arg] : base[arg] + first * outer[arg];
      }
      loop(ptrs.data(), steps.data(), count * size0);
    }
  };
}

// Whether rows are short, dense in the outputs, and copies of rows of inputs are worth it.
bool collects_rows(const TensorIteratorBase& iter) {
  int copies = 0;
  for (int arg = 0; arg < iter.ntensors(); ++arg) {
    const int64_t size = iter.element_size(arg);
    const int64_t inner = iter.strides(arg)[0];
    const int64_t outer = iter.strides(arg)[1];
    if (inner == size && outer == iter.shape()[0] * size) continue;
    // An output is written in place; what is apart within rows is no faster in a copy.
    if (arg < iter.noutputs() || (inner != 0 && inner != size)) return false;
    if (inner != 0 || outer != 0) ++copies;
  }
  return copies <= kCollected;
}

// Whether calls for rows take longer than their elements do.
bool has_short_rows(const TensorIteratorBase& iter) {
  if (iter.ndim() < 2 || iter.noutputs() == 0) return false;
  if (iter.shape()[0] > kShortRow || iter.numel() < 4 * iter.shape()[0]) return false;
  if (iter.numel() == 0) return false;
  for (int arg = 0; arg < iter.ntensors(); ++arg) {
    const int64_t size = iter.element_size(arg);
    if (size > kMostElement || (size & (size - 1)) != 0) return false;
  }
  return true;
}

}  // namespace

void for_each_element(TensorIteratorBase& iter, TensorIteratorBase::loop1d_t loop,
                      int64_t grain_size) {
  if (has_short_rows(iter)) {
    const auto shape = iter.shape();
    const bool in_rows = shape[1] >= 4 && collects_rows(iter);
    const bool enough = shape.size() == 2 || shape[0] * shape[1] >= kManyTogether;
    if (!(in_rows && enough) && for_each_block(iter, loop, grain_size)) return;
    if (in_rows) {
      StrideVector sizes;
      for (int arg = 0; arg < iter.ntensors(); ++arg) sizes.push_back(iter.element_size(arg));
      iter.for_each(loop_of_collected(sizes, loop), grain_size);
      return;
    }
  }
  iter.for_each(loop, grain_size);
}

}  // namespace at::native
