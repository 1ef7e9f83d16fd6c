#pragma once

// Index tensors, brought into one form.

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace c10 {
template <typename T>
class List;
}  // namespace c10

namespace at::native {

// What `self[indices]` takes elements from.
struct AdvancedIndex {
  // `self` with the indexed dimensions as views of stride 0 in the place of the result's
  // dimensions: the offset of an element is that of `src` plus the sum over the indices.
  Tensor src;
  // int64, of the shape of the result (by stride 0 where they do not vary).
  std::vector<Tensor> indices;
  // For the indexed dimensions.
  std::vector<int64_t> indexed_sizes;
  std::vector<int64_t> indexed_strides;  // in bytes
};

// Throws IndexError if there are more indices than dimensions. Masks without dimensions count none.
void check_number_of_indices(const Tensor& self, const c10::List<std::optional<Tensor>>& indices);

// Broadcasts indices, expands masks, and moves the indexed dimensions next to each other when other
// dimensions lie between them. Throws IndexError for too many indices, a bad type of index, or
// shapes that do not broadcast.
AdvancedIndex make_advanced_index(const Tensor& self,
                                  const c10::List<std::optional<Tensor>>& indices);

}  // namespace at::native
