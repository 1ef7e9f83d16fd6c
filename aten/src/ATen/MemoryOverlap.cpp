#include <ATen/MemoryOverlap.h>

#include <c10/core/Layout.h>
#include <c10/util/Exception.h>

namespace at {

MemOverlap has_internal_overlap(const TensorBase& t) {
  return has_internal_overlap(t.unsafeGetTensorImpl());
}

MemOverlap has_internal_overlap(c10::TensorImpl* t) {
  if (t->is_non_overlapping_and_dense() || t->numel() <= 1) return MemOverlap::No;
  // A dimension of stride 0 repeats its elements. Other strides may overlap too, which is hard to
  // tell and rare.
  for (int64_t i = 0; i < t->dim(); ++i) {
    if (t->strides()[i] == 0 && t->sizes()[i] > 1) return MemOverlap::Yes;
  }
  return MemOverlap::TooHard;
}

void assert_no_internal_overlap(const TensorBase& t) {
  assert_no_internal_overlap(t.unsafeGetTensorImpl());
}

void assert_no_internal_overlap(c10::TensorImpl* t) {
  TORCH_CHECK(
      has_internal_overlap(t) != MemOverlap::Yes,
      "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
      "Please clone() the tensor before performing the operation.");
}

MemOverlapStatus get_overlap_status(const TensorBase& a, const TensorBase& b) {
  return get_overlap_status(a.unsafeGetTensorImpl(), b.unsafeGetTensorImpl());
}

MemOverlapStatus get_overlap_status(const c10::TensorImpl* a, const c10::TensorImpl* b) {
  if (a == b) return MemOverlapStatus::Full;
  if (a->numel() == 0 || b->numel() == 0) return MemOverlapStatus::No;
  if (!a->has_storage() || !b->has_storage()) return MemOverlapStatus::No;
  if (!a->is_non_overlapping_and_dense() || !b->is_non_overlapping_and_dense()) {
    return MemOverlapStatus::TooHard;
  }
  if (!a->storage().is_alias_of(b->storage()) || a->storage().data() == nullptr) {
    return MemOverlapStatus::No;
  }
  const auto* a_begin = static_cast<const char*>(a->data());
  const auto* b_begin = static_cast<const char*>(b->data());
  const auto* a_end = a_begin + a->numel() * static_cast<int64_t>(a->itemsize());
  const auto* b_end = b_begin + b->numel() * static_cast<int64_t>(b->itemsize());
  if (a_begin == b_begin && a_end == b_end) {
    return a->strides().equals(b->strides()) ? MemOverlapStatus::Full : MemOverlapStatus::Partial;
  }
  return a_begin < b_end && b_begin < a_end ? MemOverlapStatus::Partial : MemOverlapStatus::No;
}

void assert_no_partial_overlap(const TensorBase& a, const TensorBase& b) {
  TORCH_CHECK(
      get_overlap_status(a, b) != MemOverlapStatus::Partial,
      "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. "
      "Please clone() the tensor before performing the operation.");
}

void assert_no_overlap(const TensorBase& a, const TensorBase& b) {
  const auto status = get_overlap_status(a, b);
  TORCH_CHECK(
      status != MemOverlapStatus::Partial && status != MemOverlapStatus::Full,
      "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. "
      "Please clone() the tensor before performing the operation.");
}

}  // namespace at
