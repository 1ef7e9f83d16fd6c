#pragma once

#include <c10/core/SymBool.h>
#include <c10/macros/Export.h>

#include <cstdint>
#include <iosfwd>

namespace c10 {

/// A floating-point number that PyTorch may leave open while it traces; always known here. See
/// SymInt.
class C10_API SymFloat final {
 public:
  constexpr SymFloat() noexcept = default;
  /* implicit */ constexpr SymFloat(double value) noexcept : value_(value) {}

  constexpr double guard_float(const char* /*file*/, int64_t /*line*/) const { return value_; }
  constexpr double expect_float() const { return value_; }
  constexpr double as_float_unchecked() const { return value_; }
  constexpr bool has_hint() const { return true; }
  constexpr bool is_symbolic() const { return false; }

  friend constexpr SymFloat operator+(SymFloat a, SymFloat b) { return a.value_ + b.value_; }
  friend constexpr SymFloat operator-(SymFloat a, SymFloat b) { return a.value_ - b.value_; }
  friend constexpr SymFloat operator*(SymFloat a, SymFloat b) { return a.value_ * b.value_; }
  friend constexpr SymFloat operator/(SymFloat a, SymFloat b) { return a.value_ / b.value_; }
  friend constexpr bool operator==(SymFloat a, SymFloat b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(SymFloat a, SymFloat b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(SymFloat a, SymFloat b) { return a.value_ < b.value_; }
  friend constexpr bool operator<=(SymFloat a, SymFloat b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>(SymFloat a, SymFloat b) { return a.value_ > b.value_; }
  friend constexpr bool operator>=(SymFloat a, SymFloat b) { return a.value_ >= b.value_; }
  constexpr SymBool sym_eq(SymFloat other) const { return *this == other; }
  constexpr SymBool sym_ne(SymFloat other) const { return *this != other; }
  constexpr SymBool sym_lt(SymFloat other) const { return *this < other; }
  constexpr SymBool sym_le(SymFloat other) const { return *this <= other; }
  constexpr SymBool sym_gt(SymFloat other) const { return *this > other; }
  constexpr SymBool sym_ge(SymFloat other) const { return *this >= other; }
  constexpr SymFloat min(SymFloat other) const { return other < *this ? other : *this; }
  constexpr SymFloat max(SymFloat other) const { return *this < other ? other : *this; }
  SymFloat sqrt() const;

 private:
  double value_ = 0;
};

C10_API std::ostream& operator<<(std::ostream& out, const SymFloat& value);

}  // namespace c10
