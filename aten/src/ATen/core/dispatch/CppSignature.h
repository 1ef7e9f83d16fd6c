#pragma once

#include <ATen/core/boxing/impl/symint.h>
#include <c10/macros/Export.h>

#include <string>
#include <typeindex>
#include <typeinfo>

namespace c10::impl {

// The C++ type of a kernel, with int64_t for SymInt, to refuse calls with another one.
class TORCH_API CppSignature final {
 public:
  template <class FuncType>
  static CppSignature make() {
    return CppSignature(typeid(typename PassedFunction<FuncType>::type));
  }
  // The demangled type.
  std::string name() const;
  bool operator==(const CppSignature& rhs) const {
    return signature_ == rhs.signature_ || name() == rhs.name();
  }

 private:
  explicit CppSignature(std::type_index signature) : signature_(signature) {}
  std::type_index signature_;
};

}  // namespace c10::impl
