#pragma once

// Rows of lists of tensors for kernels of whole lists.

#include <ATen/core/Tensor.h>
#include <ATen/native/TensorRows.h>
#include <c10/core/ScalarType.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace at::native {

// Collects rows by dtype. Tensors of a row whose elements do not lie in the same order, or with
// gaps, are replaced by contiguous copies, which `finish` copies back.
class TensorRowsBuilder {
 public:
  // `tensors` are the roles of one row, of the same shape, dtype and device; undefined ones are
  // not played. `step` may be undefined.
  void add(const std::vector<Tensor>& tensors, const Tensor& step = Tensor()) {
    TORCH_INTERNAL_ASSERT(tensors.size() <= kMostRoles);
    const Tensor& first = tensors.front();
    if (first.numel() == 0) return;
    bool same_order = true;
    for (const Tensor& t : tensors) {
      same_order =
          same_order &&
          (!t.defined() || (t.is_non_overlapping_and_dense() && t.strides() == first.strides()));
    }
    TensorRow row{};
    row.numel = first.numel();
    for (size_t r = 0; r < tensors.size(); ++r) {
      if (!tensors[r].defined()) continue;
      Tensor used = same_order ? tensors[r] : tensors[r].contiguous();
      if (!used.is_same(tensors[r])) copies_.emplace_back(tensors[r], used);
      row.data[r] = used.mutable_data_ptr();
    }
    if (step.defined()) {
      kept_.push_back(step.to(kFloat));
      row.step = kept_.back().const_data_ptr<float>();
    }
    rows_[first.scalar_type()].push_back(row);
  }

  // Calls `f(dtype, rows)` for each dtype, then copies back.
  template <typename F>
  void finish(const F& f) {
    for (const auto& [dtype, rows] : rows_) f(dtype, c10::ArrayRef<TensorRow>(rows));
    for (const auto& [original, copy] : copies_) original.copy_(copy);
  }

 private:
  std::map<ScalarType, std::vector<TensorRow>> rows_;
  std::vector<std::pair<Tensor, Tensor>> copies_;
  std::vector<Tensor> kept_;
};

}  // namespace at::native
