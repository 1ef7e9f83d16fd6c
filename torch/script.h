#pragma once

// For extensions that include this header for their operators; there is no TorchScript here.

#include <c10/util/Exception.h>
#include <torch/all.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torch {

/// Registers operators while it lives, as extensions did before TORCH_LIBRARY:
///
///   static auto registry = torch::RegisterOperators().op("myops::twice", &twice);
///
/// Schemas come from the functions' types unless the name has one. RuntimeError if a name has no
/// namespace.
class RegisterOperators final {
 public:
  template <typename Func>
  RegisterOperators op(const std::string& name, Func&& function) && {
    const size_t end = name.find("::");
    TORCH_CHECK(end != std::string::npos, "RegisterOperators: wanted namespace::name, got ", name);
    libraries_
        .emplace_back(Library::FRAGMENT, name.substr(0, end), std::nullopt, __FILE__, __LINE__)
        .def(name.substr(end + 2).c_str(), std::forward<Func>(function));
    return std::move(*this);
  }

 private:
  std::vector<Library> libraries_;
};

}  // namespace torch
