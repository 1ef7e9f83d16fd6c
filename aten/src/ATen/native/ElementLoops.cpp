#include <ATen/native/ElementLoops.h>

#include <c10/util/ArrayRef.h>
#include <c10/util/SmallVector.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace at::native {
namespace {

constexpr int64_t kShortRow = 128;  // elements
constexpr int kCollected = 3;       // operands
constexpr int64_t kBuffer = 8192;   // bytes of each
constexpr int64_t kChunk = 16;      // bytes that are written at once, which may pass the end
constexpr int64_t kMostElement = 16;

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
  for (int64_t row = 0; row < count; ++row, out += bytes, in += stride) {
    if (bytes < kChunk) {
      for (int64_t at = 0; at < bytes; ++at) out[at] = in[at];
      continue;
    }
    for (int64_t at = 0; at + kChunk < bytes; at += kChunk) std::memcpy(out + at, in + at, kChunk);
    std::memcpy(out + bytes - kChunk, in + bytes - kChunk, kChunk);
  }
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
  if (iter.ndim() < 2 || iter.noutputs() == 0) return false;
  if (iter.shape()[0] > kShortRow || iter.shape()[1] < 4) return false;
  int copies = 0;
  for (int arg = 0; arg < iter.ntensors(); ++arg) {
    const int64_t size = iter.element_size(arg);
    const int64_t inner = iter.strides(arg)[0];
    const int64_t outer = iter.strides(arg)[1];
    if (size > kMostElement || (size & (size - 1)) != 0) return false;
    if (inner == size && outer == iter.shape()[0] * size) continue;
    // An output is written in place; what is apart within rows is no faster in a copy.
    if (arg < iter.noutputs() || (inner != 0 && inner != size)) return false;
    if (inner != 0 || outer != 0) ++copies;
  }
  return copies <= kCollected;
}

}  // namespace

void for_each_element(TensorIteratorBase& iter, TensorIteratorBase::loop1d_t loop,
                      int64_t grain_size) {
  if (!collects_rows(iter)) {
    iter.for_each(loop, grain_size);
    return;
  }
  StrideVector sizes;
  for (int arg = 0; arg < iter.ntensors(); ++arg) sizes.push_back(iter.element_size(arg));
  iter.for_each(loop_of_collected(sizes, loop), grain_size);
}

}  // namespace at::native
