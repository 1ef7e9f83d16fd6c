#pragma once

#include <c10/core/SymBool.h>
#include <c10/core/SymFloat.h>
#include <c10/macros/Export.h>

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <optional>
#include <type_traits>

namespace c10 {

/// A size that PyTorch may leave open while it traces. There is no engine of symbolic shapes here:
/// a SymInt is one int64_t that says so, and code written for PyTorch's compiles. As there, it is
/// made from an integer implicitly and gives it back on demand only.
///
///   c10::SymInt n = x.sym_size(0);
///   at::empty({n.guard_int(__FILE__, __LINE__)});
///
/// Kernels and callers may write SymInt where the other side writes int64_t: the dispatcher passes
/// int64_t in between (ATen/core/boxing/impl/symint.h).
class SymInt final {
 public:
  enum Unchecked { UNCHECKED };

  constexpr SymInt() noexcept = default;
  /* implicit */ constexpr SymInt(int64_t value) noexcept : value_(value) {}
  constexpr SymInt(Unchecked, int64_t value) noexcept : value_(value) {}

  /// The integer. PyTorch's guard_int specialises a trace to it; expect_int throws in a trace.
  constexpr int64_t guard_int(const char* /*file*/, int64_t /*line*/) const { return value_; }
  constexpr int64_t expect_int() const { return value_; }
  constexpr std::optional<int64_t> maybe_as_int() const { return value_; }
  constexpr int64_t as_int_unchecked() const { return value_; }
  constexpr bool has_hint() const { return true; }
  constexpr bool is_symbolic() const { return false; }
  constexpr bool is_heap_allocated() const { return false; }
  constexpr bool is_same(SymInt other) const { return value_ == other.value_; }
  constexpr SymInt clone() const { return *this; }
  constexpr operator SymFloat() const { return static_cast<double>(value_); }

  constexpr SymInt operator-() const { return -value_; }
  constexpr SymInt& operator+=(SymInt other) { return *this = *this + other; }
  constexpr SymInt& operator-=(SymInt other) { return *this = *this - other; }
  constexpr SymInt& operator*=(SymInt other) { return *this = *this * other; }
  constexpr SymInt& operator/=(SymInt other) { return *this = *this / other; }
  constexpr SymInt& operator++() { return *this += 1; }

  // With an integer on one side the result is an integer. A floating-point number is no size: it
  // makes the result a SymFloat, instead of losing its fraction.
#define DEFINE_WITH_FLOAT(op, result)                               \
  template <typename T>                                             \
    requires std::is_floating_point_v<T>                            \
  friend constexpr result operator op(SymInt a, T b) {              \
    return static_cast<double>(a.value_) op static_cast<double>(b); \
  }                                                                 \
  template <typename T>                                             \
    requires std::is_floating_point_v<T>                            \
  friend constexpr result operator op(T a, SymInt b) {              \
    return static_cast<double>(a) op static_cast<double>(b.value_); \
  }
#define DEFINE_OPERATOR(op, result, float_result)                                          \
  friend constexpr result operator op(SymInt a, SymInt b) { return a.value_ op b.value_; } \
  DEFINE_WITH_FLOAT(op, float_result)
  DEFINE_OPERATOR(+, SymInt, SymFloat)
  DEFINE_OPERATOR(-, SymInt, SymFloat)
  DEFINE_OPERATOR(*, SymInt, SymFloat)
  DEFINE_OPERATOR(/, SymInt, SymFloat)
  DEFINE_OPERATOR(==, bool, bool)
  DEFINE_OPERATOR(!=, bool, bool)
  DEFINE_OPERATOR(<, bool, bool)
  DEFINE_OPERATOR(<=, bool, bool)
  DEFINE_OPERATOR(>, bool, bool)
  DEFINE_OPERATOR(>=, bool, bool)
#undef DEFINE_OPERATOR
#undef DEFINE_WITH_FLOAT
  friend constexpr SymInt operator%(SymInt a, SymInt b) { return a.value_ % b.value_; }

  constexpr SymBool sym_eq(SymInt other) const { return *this == other; }
  constexpr SymBool sym_ne(SymInt other) const { return *this != other; }
  constexpr SymBool sym_lt(SymInt other) const { return *this < other; }
  constexpr SymBool sym_le(SymInt other) const { return *this <= other; }
  constexpr SymBool sym_gt(SymInt other) const { return *this > other; }
  constexpr SymBool sym_ge(SymInt other) const { return *this >= other; }
  constexpr SymInt min(SymInt other) const { return other < *this ? other : *this; }
  constexpr SymInt max(SymInt other) const { return *this < other ? other : *this; }

  /// Whether PyTorch could hold the integer; all of them here.
  static constexpr bool check_range(int64_t /*value*/) { return true; }
  static constexpr int64_t min_representable_int() { return INT64_MIN; }

 private:
  int64_t value_ = 0;
};

C10_API std::ostream& operator<<(std::ostream& out, const SymInt& value);

constexpr SymBool sym_eq(const SymInt& a, const SymInt& b) { return a.sym_eq(b); }
constexpr SymBool sym_ne(const SymInt& a, const SymInt& b) { return a.sym_ne(b); }
constexpr SymBool sym_lt(const SymInt& a, const SymInt& b) { return a.sym_lt(b); }
constexpr SymBool sym_le(const SymInt& a, const SymInt& b) { return a.sym_le(b); }
constexpr SymBool sym_gt(const SymInt& a, const SymInt& b) { return a.sym_gt(b); }
constexpr SymBool sym_ge(const SymInt& a, const SymInt& b) { return a.sym_ge(b); }

}  // namespace c10

template <>
struct std::hash<c10::SymInt> {
  size_t operator()(const c10::SymInt& value) const noexcept {
    return std::hash<int64_t>()(value.as_int_unchecked());
  }
};
template <>
class std::numeric_limits<c10::SymInt> : public std::numeric_limits<int64_t> {};
