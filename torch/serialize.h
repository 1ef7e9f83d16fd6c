#pragma once

// Saving and loading: torch::save(value, path) and torch::load(value, path).
//
//   torch::save(tensor, "weight.pt");
//   torch::Tensor loaded;
//   torch::load(loaded, "weight.pt");
//
// The value is a tensor, a vector of tensors, or a c10::IValue: a dict of tensors, say. Files are
// those of Python's torch.save and torch.load, which gives a tensor, a list, or the value. Instead
// of a path, save takes a stream or a function that writes, and load a stream, memory, or a
// function that reads and one that says the size; and then, if it wants, the device for the
// tensors.

#include <torch/csrc/jit/serialization/files.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <torch/types.h>

#include <utility>
#include <vector>

namespace torch {

// The bytes of a file. jit::pickle_save says which values have a form there.
using jit::pickle_load;
using jit::pickle_save;

/// Writes a tensor, a vector of tensors or a c10::IValue; the file above says where to. Throws
/// c10::Error if it cannot be written.
template <typename... To>
void save(const Tensor& value, To&&... to) {
  serialize::save_to(value, std::forward<To>(to)...);
}
template <typename... To>
void save(const std::vector<Tensor>& values, To&&... to) {
  serialize::save_to(values, std::forward<To>(to)...);
}
template <typename... To>
void save(const IValue& value, To&&... to) {
  serialize::save_to(value, std::forward<To>(to)...);
}

/// Reads what `save` or Python's torch.save wrote. Throws c10::Error if the file is not there, is
/// none of torch.save, is damaged, or has another value: `value` keeps what it had.
template <typename... From>
void load(Tensor& value, From&&... from) {
  value = serialize::tensor_in(serialize::load_from(std::forward<From>(from)...));
}
template <typename... From>
void load(std::vector<Tensor>& values, From&&... from) {
  values = serialize::tensors_in(serialize::load_from(std::forward<From>(from)...));
}
template <typename... From>
void load(IValue& value, From&&... from) {
  value = serialize::load_from(std::forward<From>(from)...);
}

}  // namespace torch
