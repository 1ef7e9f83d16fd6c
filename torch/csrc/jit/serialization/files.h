#pragma once

// What torch::save and torch::load of torch/serialize.h do with paths, streams, memory and
// functions.

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>
#include <c10/macros/Export.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace torch::serialize {

TORCH_API void save_to(const at::IValue& value, const std::string& path);
TORCH_API void save_to(const at::IValue& value, std::ostream& stream);
TORCH_API void save_to(const at::IValue& value,
                       const std::function<size_t(const void* data, size_t size)>& write);

TORCH_API at::IValue load_from(const std::string& path,
                               std::optional<c10::Device> device = std::nullopt);
// From the stream's place on to its end.
TORCH_API at::IValue load_from(std::istream& stream,
                               std::optional<c10::Device> device = std::nullopt);
TORCH_API at::IValue load_from(const char* data, size_t size,
                               std::optional<c10::Device> device = std::nullopt);
TORCH_API at::IValue load_from(
    const std::function<size_t(uint64_t position, void* data, size_t size)>& read,
    const std::function<size_t()>& size, std::optional<c10::Device> device = std::nullopt);

// The tensor, or the only one that PyTorch's torch::save of C++ wrote. Throws c10::Error for
// another value.
TORCH_API at::Tensor tensor_in(const at::IValue& value);
TORCH_API std::vector<at::Tensor> tensors_in(const at::IValue& value);

}  // namespace torch::serialize
