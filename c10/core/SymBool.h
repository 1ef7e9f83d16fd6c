#pragma once

#include <c10/macros/Export.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <iosfwd>
#include <optional>

namespace c10 {

/// A truth value that PyTorch may leave open while it traces. There is no engine of symbolic shapes
/// here: the value is always known, and the guards return it. See SymInt.
class SymBool final {
 public:
  constexpr SymBool() noexcept = default;
  /* implicit */ constexpr SymBool(bool value) noexcept : value_(value) {}

  /// The value, under the names of PyTorch's questions.
  constexpr bool guard_bool(const char* /*file*/, int64_t /*line*/) const { return value_; }
  constexpr bool expect_true(const char* /*file*/, int64_t /*line*/) const { return value_; }
  constexpr bool guard_size_oblivious(const char* /*file*/, int64_t /*line*/) const {
    return value_;
  }
  constexpr bool guard_or_false(const char* /*file*/, int64_t /*line*/) const { return value_; }
  constexpr bool guard_or_true(const char* /*file*/, int64_t /*line*/) const { return value_; }
  constexpr bool statically_known_true(const char* /*file*/, int64_t /*line*/) const {
    return value_;
  }
  constexpr bool expect_bool() const { return value_; }
  constexpr std::optional<bool> maybe_as_bool() const { return value_; }
  constexpr bool as_bool_unchecked() const { return value_; }
  constexpr bool has_hint() const { return true; }
  constexpr bool is_symbolic() const { return false; }
  constexpr bool is_heap_allocated() const { return false; }

  constexpr SymBool sym_and(SymBool other) const { return value_ && other.value_; }
  constexpr SymBool sym_or(SymBool other) const { return value_ || other.value_; }
  constexpr SymBool sym_not() const { return !value_; }
  constexpr SymBool operator&(SymBool other) const { return sym_and(other); }
  constexpr SymBool operator|(SymBool other) const { return sym_or(other); }
  constexpr SymBool operator||(SymBool other) const { return sym_or(other); }
  constexpr SymBool operator~() const { return sym_not(); }

 private:
  bool value_ = false;
};

/// Prints True or False.
C10_API std::ostream& operator<<(std::ostream& out, const SymBool& value);

#define DEFINE_GUARD(name)                                                           \
  constexpr bool name(bool value, const char* /*file*/ = "", int64_t /*line*/ = 0) { \
    return value;                                                                    \
  }                                                                                  \
  constexpr bool name(const SymBool& value, const char* file, int64_t line) {        \
    return value.name(file, line);                                                   \
  }
DEFINE_GUARD(guard_size_oblivious)
DEFINE_GUARD(guard_or_false)
DEFINE_GUARD(guard_or_true)
DEFINE_GUARD(statically_known_true)
#undef DEFINE_GUARD

namespace detail {
constexpr bool truth(bool value) { return value; }
constexpr bool truth(const SymBool& value) { return value.as_bool_unchecked(); }
}  // namespace detail

}  // namespace c10

#define TORCH_GUARD_SIZE_OBLIVIOUS(cond) c10::guard_size_oblivious((cond), __FILE__, __LINE__)
#define TORCH_GUARD_OR_FALSE(cond) c10::guard_or_false((cond), __FILE__, __LINE__)
#define TORCH_GUARD_OR_TRUE(cond) c10::guard_or_true((cond), __FILE__, __LINE__)
#define TORCH_STATICALLY_KNOWN_TRUE(cond) c10::statically_known_true((cond), __FILE__, __LINE__)
#define TORCH_SYM_CHECK(cond, ...) TORCH_CHECK(c10::detail::truth(cond), __VA_ARGS__)
#define TORCH_SYM_INTERNAL_ASSERT(cond, ...) \
  TORCH_INTERNAL_ASSERT(c10::detail::truth(cond), __VA_ARGS__)
