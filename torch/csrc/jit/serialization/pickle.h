#pragma once

// Values in the files of torch.save, which torch.load of Python reads too.
//
//   torch::jit::pickle_save(value, write);
//
// A value is None, a tensor, a number, a bool, a string, a device, or a list, tuple or dict of
// values. Lists and dicts are written as Python's own, so that `torch.load(path)` reads them
// without another argument; a list or dict whose elements have one type has that type when it is
// read. A torch.Size is read as a tuple, a dtype as its number, a torch.nn.Parameter as a tensor
// that requires grad, and the object that PyTorch's torch::save of C++ writes as a dict of its
// attributes. Other classes are refused.
//
// Tensors that share memory share it in the file, and when they are read.

#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>
#include <c10/macros/Export.h>
#include <torch/csrc/jit/serialization/archive.h>

#include <optional>
#include <vector>

namespace torch::jit {

// Throws c10::Error for a value of another type, and for a tensor that is undefined, sparse or
// without memory.
TORCH_API void pickle_save(const at::IValue& value, const WriteFunction& write);
TORCH_API std::vector<char> pickle_save(const at::IValue& value);

// Tensors get on the device that they were saved from, or on `device`. Throws c10::Error if the
// bytes are no such file, are cut off or damaged, or need a class or a device that is not there.
TORCH_API at::IValue pickle_load(const ReadFunction& read, uint64_t size,
                                 std::optional<c10::Device> device = std::nullopt);
TORCH_API at::IValue pickle_load(const std::vector<char>& data);

}  // namespace torch::jit
