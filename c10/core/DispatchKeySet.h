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

/// A set of runtime dispatch keys, one bit each. A call goes to the key of the highest bit. Alias
/// keys and Undefined have no bit: adding or removing them changes nothing. A value type of 8
/// bytes; nothing in it throws.
///
///   constexpr DispatchKeySet ks({DispatchKey::CPU, DispatchKey::AutogradCPU});
///   static_assert(ks.highestPriorityTypeId() == DispatchKey::AutogradCPU);
///   static_assert(ks.highestBackendKey() == DispatchKey::CPU);
class DispatchKeySet final {
 public:
  // Tags that choose a constructor.
  enum Full { FULL };
  enum FullAfter { FULL_AFTER };
  enum Raw { RAW };

  constexpr DispatchKeySet() = default;
  /// Every runtime key.
  constexpr DispatchKeySet(Full) : repr_((uint64_t{1} << (num_runtime_entries - 1)) - 1) {}
  /// Every key of lower priority than `t`. Empty if `t` has no bit.
  constexpr DispatchKeySet(FullAfter, DispatchKey t) : repr_(bit(t) == 0 ? 0 : bit(t) - 1) {}
  /// The set with these bits: bit `n - 1` is the key with the number `n`. Not checked.
  constexpr DispatchKeySet(Raw, uint64_t repr) : repr_(repr) {}
  constexpr explicit DispatchKeySet(DispatchKey k) : repr_(bit(k)) {}
  constexpr DispatchKeySet(std::initializer_list<DispatchKey> keys) {
    for (const DispatchKey k : keys) repr_ |= bit(k);
  }

  constexpr bool has(DispatchKey t) const { return (repr_ & bit(t)) != 0; }
  /// True if some key of `ks` is in this set: false for an empty `ks`.
  constexpr bool has_any(DispatchKeySet ks) const { return (repr_ & ks.repr_) != 0; }
  /// True if every key of `ks` is in this set: true for an empty `ks`.
  constexpr bool has_all(DispatchKeySet ks) const { return (repr_ & ks.repr_) == ks.repr_; }
  constexpr bool isSupersetOf(DispatchKeySet ks) const { return has_all(ks); }
  constexpr bool empty() const { return repr_ == 0; }
  constexpr uint64_t raw_repr() const { return repr_; }
  static constexpr DispatchKeySet from_raw_repr(uint64_t x) { return DispatchKeySet(RAW, x); }

  // Union, intersection, difference, and the keys that only one of the sets has.
  constexpr DispatchKeySet operator|(DispatchKeySet o) const { return {RAW, repr_ | o.repr_}; }
  constexpr DispatchKeySet operator&(DispatchKeySet o) const { return {RAW, repr_ & o.repr_}; }
  constexpr DispatchKeySet operator-(DispatchKeySet o) const { return {RAW, repr_ & ~o.repr_}; }
  constexpr DispatchKeySet operator^(DispatchKeySet o) const { return {RAW, repr_ ^ o.repr_}; }
  constexpr DispatchKeySet& operator|=(DispatchKeySet o) { return *this = *this | o; }
  constexpr bool operator==(const DispatchKeySet&) const = default;

  /// A copy with a key added or removed; this set does not change.
  [[nodiscard]] constexpr DispatchKeySet add(DispatchKey t) const { return {RAW, repr_ | bit(t)}; }
  [[nodiscard]] constexpr DispatchKeySet remove(DispatchKey t) const {
    return {RAW, repr_ & ~bit(t)};
  }

  /// The key a call goes to, Undefined for the empty set.
  constexpr DispatchKey highestPriorityTypeId() const {
    return static_cast<DispatchKey>(64 - std::countl_zero(repr_));
  }
  /// The index into an operator's table of kernels: the number of the highest key, 0 for the empty
  /// set. Less than num_runtime_entries.
  constexpr int getDispatchTableIndexForDispatchKeySet() const {
    return 64 - std::countl_zero(repr_);
  }
  /// The backend a call computes on, Undefined when the set names none.
  constexpr DispatchKey highestBackendKey() const;
  /// The keys of backends in this set.
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

/// Such as `DispatchKeySet(CPU, AutogradCPU)`, in order of increasing priority.
C10_API std::string toString(DispatchKeySet ts);
C10_API std::ostream& operator<<(std::ostream& out, DispatchKeySet ts);

/// Every backend: the keys that a CompositeExplicitAutograd kernel serves.
constexpr DispatchKeySet backend_dispatch_keyset = DispatchKeySet(
    DispatchKeySet::RAW, (uint64_t{1} << static_cast<uint16_t>(DispatchKey::EndOfBackendKeys)) - 1);

constexpr DispatchKey DispatchKeySet::highestBackendKey() const {
  return (*this & backend_dispatch_keyset).highestPriorityTypeId();
}
constexpr DispatchKeySet DispatchKeySet::getBackendKeys() const {
  return *this & backend_dispatch_keyset;
}

/// Every autograd key, without ADInplaceOrView.
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

/// The keys of tensors that are conjugated or negated when they are read.
constexpr DispatchKeySet math_bits_keyset({DispatchKey::Conjugate, DispatchKey::Negative});

/// Keys that every call has unless a guard excludes them, and keys that no call has unless a guard
/// includes them.
constexpr DispatchKeySet default_included_set({
    DispatchKey::BackendSelect,
    DispatchKey::ADInplaceOrView,
});
constexpr DispatchKeySet default_excluded_set = autocast_dispatch_keyset;

/// The keys below autograd, and below ADInplaceOrView. A kernel at that level intersects its key
/// set with these to call the kernel of the next level:
///
///   at::_ops::relu::redispatch(ks & c10::after_autograd_keyset, self);
constexpr DispatchKeySet after_autograd_keyset =
    DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::AutogradOther);
constexpr DispatchKeySet after_ADInplaceOrView_keyset =
    DispatchKeySet(DispatchKeySet::FULL_AFTER, DispatchKey::ADInplaceOrView);
/// The backends without an autograd key of their own: AutogradOther serves them.
constexpr DispatchKeySet autogradother_backends({DispatchKey::Vulkan});
/// Backends and autograd: the keys that a CompositeImplicitAutograd kernel serves.
constexpr DispatchKeySet math_dispatch_keyset = backend_dispatch_keyset | autograd_dispatch_keyset;
constexpr DispatchKeySet python_ks({DispatchKey::Python});

/// The runtime keys that a registration for `t` serves: the members of an alias key, else `t`
/// alone.
C10_API DispatchKeySet getRuntimeDispatchKeySet(DispatchKey t);
/// True if `k` is in `getRuntimeDispatchKeySet(t)`. Undefined is in none.
C10_API bool runtimeDispatchKeySetHas(DispatchKey t, DispatchKey k);
/// True if a kernel that is registered for `alias` may serve the runtime key `k`.
C10_API bool isIncludedInAlias(DispatchKey k, DispatchKey alias);
/// The backends that an autograd key serves. Empty for other keys.
C10_API DispatchKeySet getBackendKeySetFromAutograd(DispatchKey t);

/// The keys that a tensor of `backend` has besides it: its autograd key and ADInplaceOrView.
C10_API DispatchKeySet getAutogradRelatedKeySetFromBackend(DispatchKey backend);
/// The autocast key of `backend`; empty if it has none.
C10_API DispatchKeySet getAutocastRelatedKeySetFromBackend(DispatchKey backend);

/// The backend that a tensor with the keys `s` computes on: the highest key that is left without
/// autograd, autocast, the bits of conjugates and negatives and the keys that watch calls.
/// Undefined if none is left.
constexpr DispatchKey legacyExtractDispatchKey(DispatchKeySet s) {
  return (s - autograd_dispatch_keyset_with_ADInplaceOrView - autocast_dispatch_keyset -
          math_bits_keyset -
          DispatchKeySet({DispatchKey::BackendSelect, DispatchKey::Python, DispatchKey::Tracer,
                          DispatchKey::PythonDispatcher}))
      .highestPriorityTypeId();
}

}  // namespace c10
