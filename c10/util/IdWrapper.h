#pragma once

// A number that is a type of its own, so that it is not mixed up with others.
//
//   struct NodeId final : c10::IdWrapper<NodeId, uint32_t> {
//     constexpr explicit NodeId(uint32_t id) : IdWrapper(id) {}
//   };
//   C10_DEFINE_HASH_FOR_IDWRAPPER(NodeId)   // at global scope, for std::unordered_map

#include <cstddef>
#include <functional>
#include <utility>

namespace c10 {

/// Compares by ==, and hashes; `ConcreteType` derives from it.
template <class ConcreteType, class UnderlyingType>
class IdWrapper {
 public:
  using underlying_type = UnderlyingType;
  using concrete_type = ConcreteType;

 protected:
  constexpr explicit IdWrapper(UnderlyingType id) noexcept(noexcept(UnderlyingType(std::move(id))))
      : id_(std::move(id)) {}
  constexpr UnderlyingType underlyingId() const { return id_; }

 private:
  friend size_t hash_value(const concrete_type& v) { return std::hash<underlying_type>()(v.id_); }
  friend constexpr bool operator==(const concrete_type& a, const concrete_type& b) noexcept {
    return a.id_ == b.id_;
  }

  UnderlyingType id_;
};

}  // namespace c10

#define C10_DEFINE_HASH_FOR_IDWRAPPER(ClassName)                                           \
  template <>                                                                              \
  struct std::hash<ClassName> {                                                            \
    size_t operator()(const ClassName& value) const noexcept { return hash_value(value); } \
  };
