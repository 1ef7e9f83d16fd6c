#pragma once

#include <string>
#include <utility>

namespace c10 {

// What a schema's annotation says of an argument or a result: `Tensor(a!)` is of alias set "a" and
// written to.
class AliasInfo {
 public:
  AliasInfo(std::string set, bool is_write) : set_(std::move(set)), is_write_(is_write) {}

  const std::string& set() const { return set_; }
  bool isWrite() const { return is_write_; }
  std::string str() const { return "(" + set_ + (is_write_ ? "!)" : ")"); }
  bool operator==(const AliasInfo&) const = default;

 private:
  std::string set_;
  bool is_write_;
};

}  // namespace c10
