#pragma once

#include <c10/core/DispatchKey.h>
#include <c10/macros/Macros.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>

namespace c10 {

/// A set of runtime dispatch keys, one bit each; a higher bit is dispatched to first. Alias keys
/// and Undefined are never members.
class DispatchKeySet final {
 public:
  enum Full { FULL };
  enum FullAfter { FULL_AFTER };
  enum Raw { RAW };

  constexpr DispatchKeySet() = default;
  constexpr DispatchKeySet(Full) : repr_((uint64_t{1} << (num_runtime_entries - 1)) - 1) {}
  /// Every key of lower priority than `t`.
  constexpr DispatchKeySet(FullAfter, DispatchKey t) : repr_(bit(t) == 0 ? 0 : bit(t) - 1) {}
  constexpr DispatchKeySet(Raw, uint64_t repr) : repr_(repr) {}
  constexpr explicit DispatchKeySet(DispatchKey k) : repr_(bit(k)) {}
  constexpr DispatchKeySet(std::initializer_list<DispatchKey> keys) {
    for (const DispatchKey k : keys) repr_ |= bit(k);
  }

  constexpr bool has(DispatchKey t) const { return (repr_ & bit(t)) != 0; }
  /// True when some key of `ks` is in this set.
  constexpr bool has_any(DispatchKeySet ks) const { return (repr_ & ks.repr_) != 0; }
  constexpr bool has_all(DispatchKeySet ks) const { return (repr_ & ks.repr_) == ks.repr_; }
  constexpr bool isSupersetOf(DispatchKeySet ks) const { return has_all(ks); }
  constexpr bool empty() const { return repr_ == 0; }
  constexpr uint64_t raw_repr() const { return repr_; }
  static constexpr DispatchKeySet from_raw_repr(uint64_t x) { return DispatchKeySet(RAW, x); }

  constexpr DispatchKeySet operator|(DispatchKeySet o) const { return {RAW, repr_ | o.repr_}; }
  constexpr DispatchKeySet operator&(DispatchKeySet o) const { return {RAW, repr_ & o.repr_}; }
  constexpr DispatchKeySet operator-(DispatchKeySet o) const { return {RAW, repr_ & ~o.repr_}; }
  constexpr DispatchKeySet operator^(DispatchKeySet o) const { return {RAW, repr_ ^ o.repr_}; }
  constexpr DispatchKeySet& operator|=(DispatchKeySet o) { return *this = *this | o; }
  constexpr bool operator==(const DispatchKeySet&) const = default;

  /// A set with a key added or removed.
  [[nodiscard]] constexpr DispatchKeySet add(DispatchKey t) const { return {RAW, repr_ | bit(t)}; }
  [[nodiscard]] constexpr DispatchKeySet remove(DispatchKey t) const {
    return {RAW, repr_ & ~bit(t)};
  }

  /// The key a call goes to, Undefined for the empty set.
  constexpr DispatchKey highestPriorityTypeId() const {
    return static_cast<DispatchKey>(64 - std::countl_zero(repr_));
  }
  /// The entry of an operator's table a call goes to: 0 for the empty set.
  constexpr int getDispatchTableIndexForDispatchKeySet() const {
    return 64 - std::countl_zero(repr_);
  }
  /// The backend a call computes on, Undefined when the set names none.
  constexpr DispatchKey highestBackendKey() const;
  constexpr DispatchKeySet getBackendKeys() const;

  /// Walks the keys from lowest to highest priority.
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = DispatchKey;
    using difference_type = ptrdiff_t;
    using reference = DispatchKey;
    using pointer = const DispatchKey*;

    constexpr explicit iterator(uint64_t rest) : rest_(rest) {}
    constexpr DispatchKey operator*() const {
      return static_cast<DispatchKey>(std::countr_zero(rest_) + 1);
    }
    constexpr iterator& operator++() {
      rest_ &= rest_ - 1;
      return *this;
    }
    constexpr iterator operator++(int) {
      iterator copy = *this;
      ++*this;
      return copy;
    }
    constexpr bool operator==(const iterator&) const = default;

   private:
    uint64_t rest_;
  };
  constexpr iterator begin() const { return iterator(repr_); }
  constexpr iterator end() const { return iterator(0); }

 private:
  static constexpr uint64_t bit(DispatchKey k) {
    return k == DispatchKey::Undefined || k >= DispatchKey::EndOfRuntimeKeys
               ? 0
               : uint64_t{1} << (static_cast<uint16_t>(k) - 1);
  }

  uint64_t repr_ = 0;
};

/// Prints `DispatchKeySet(CPU, AutogradCPU)`.
C10_API std::string toString(DispatchKeySet ts);
C10_API std::ostream& operator<<(std::ostream& out, DispatchKeySet ts);

/// Every backend: what CompositeExplicitAutograd fills.
constexpr DispatchKeySet backend_dispatch_keyset = DispatchKeySet(
    DispatchKeySet::RAW, (uint64_t{1} << static_cast<uint16_t>(DispatchKey::EndOfBackendKeys)) - 1);

constexpr DispatchKey DispatchKeySet::highestBackendKey() const {
  return (*this & backend_dispatch_keyset).highestPriorityTypeId();
}
constexpr DispatchKeySet DispatchKeySet::getBackendKeys() const {
  return *this & backend_dispatch_keyset;
}

constexpr DispatchKeySet autograd_dispatch_keyset({
    DispatchKey::AutogradOther,
    DispatchKey::AutogradCPU,
    DispatchKey::AutogradCUDA,
    DispatchKey::AutogradHIP,
    DispatchKey::AutogradXPU,
    DispatchKey::AutogradMPS,
    DispatchKey::AutogradMeta,
    DispatchKey::AutogradPrivateUse1,
});
constexpr DispatchKeySet autograd_dispatch_keyset_with_ADInplaceOrView =
    autograd_dispatch_keyset | DispatchKeySet(DispatchKey::ADInplaceOrView);

constexpr DispatchKeySet autocast_dispatch_keyset({
    DispatchKey::AutocastCPU,
    DispatchKey::AutocastXPU,
    DispatchKey::AutocastMPS,
    DispatchKey::AutocastCUDA,
    DispatchKey::AutocastPrivateUse1,
});

/// Keys that every call has, unless a guard excludes them, and the reverse.
constexpr DispatchKeySet default_included_set({
    DispatchKey::BackendSelect,
    DispatchKey::ADInplaceOrView,
});
constexpr DispatchKeySet default_excluded_set = autocast_dispatch_keyset;

/// What is left below autograd, and below ADInplaceOrView: kernels there redispatch with these.
constexpr DispatchKeySet after_autograd_keyset =
    DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::AutogradOther);
constexpr DispatchKeySet after_ADInplaceOrView_keyset =
    DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::ADInplaceOrView);
/// The backends served by AutogradOther.
constexpr DispatchKeySet autogradother_backends({DispatchKey::Vulkan});
/// Backends and autograd: what CompositeImplicitAutograd fills.
constexpr DispatchKeySet math_dispatch_keyset = backend_dispatch_keyset | autograd_dispatch_keyset;
constexpr DispatchKeySet python_ks({DispatchKey::Python});

/// The runtime keys that a registration to `t` fills: an alias key's members, else `t` alone.
C10_API DispatchKeySet getRuntimeDispatchKeySet(DispatchKey t);
/// True when `k` is in `getRuntimeDispatchKeySet(t)`. Undefined is in none.
C10_API bool runtimeDispatchKeySetHas(DispatchKey t, DispatchKey k);
/// True when a kernel of `alias` may serve runtime key `k`.
C10_API bool isIncludedInAlias(DispatchKey k, DispatchKey alias);
/// The backends that an autograd key serves.
C10_API DispatchKeySet getBackendKeySetFromAutograd(DispatchKey t);

/// What a tensor of a backend carries besides it: its autograd key and ADInplaceOrView.
C10_API DispatchKeySet getAutogradRelatedKeySetFromBackend(DispatchKey backend);
C10_API DispatchKeySet getAutocastRelatedKeySetFromBackend(DispatchKey backend);

/// The highest key below autograd of a set that may have autograd keys: what it computes on.
constexpr DispatchKey legacyExtractDispatchKey(DispatchKeySet s) {
  return (s - autograd_dispatch_keyset_with_ADInplaceOrView - autocast_dispatch_keyset -
          DispatchKeySet({DispatchKey::BackendSelect, DispatchKey::Python, DispatchKey::Tracer,
                          DispatchKey::PythonDispatcher}))
      .highestPriorityTypeId();
}

}  // namespace c10
