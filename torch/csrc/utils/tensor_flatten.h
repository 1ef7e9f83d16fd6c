#pragma once

// Several tensors as one, and back: what data-parallel code sends at once.

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <vector>

namespace torch::utils {

/// All elements in one dimension, tensor after tensor. The tensors share dtype and device.
inline at::Tensor flatten_dense_tensors(at::TensorList tensors) {
  std::vector<at::Tensor> flat;
  flat.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) flat.push_back(tensor.contiguous().view({-1}));
  return at::cat(flat);
}

/// Views of `flat`, one of the shape of each of `tensors`. Error if it has too few elements.
inline std::vector<at::Tensor> unflatten_dense_tensors(const at::Tensor& flat,
                                                       at::TensorList tensors) {
  std::vector<at::Tensor> result;
  result.reserve(tensors.size());
  int64_t offset = 0;
  for (const at::Tensor& tensor : tensors) {
    const int64_t count = tensor.numel();
    TORCH_CHECK(offset + count <= flat.numel(), "unflatten_dense_tensors: the flat tensor has ",
                flat.numel(), " elements, wanted at least ", offset + count);
    result.push_back(flat.narrow(0, offset, count).view(tensor.sizes()));
    offset += count;
  }
  return result;
}

}  // namespace torch::utils
