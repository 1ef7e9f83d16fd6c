#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/LightAtomic.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace c10 {

class intrusive_ptr_target;
template <class TTarget, class NullType>
class weak_intrusive_ptr;

namespace raw {
// Reference counting by hand, for code that stores raw pointers (Python objects, C interfaces).
// Null is allowed and has no references. `lock` adds a strong reference, which the caller owns; it
// returns null if the last one is gone.
namespace intrusive_ptr {
inline void incref(intrusive_ptr_target* self);
inline void decref(intrusive_ptr_target* self);
inline uint32_t use_count(intrusive_ptr_target* self);
}  // namespace intrusive_ptr
namespace weak_intrusive_ptr {
inline void incref(intrusive_ptr_target* self);
inline void decref(intrusive_ptr_target* self);
inline intrusive_ptr_target* lock(intrusive_ptr_target* self);
inline uint32_t use_count(intrusive_ptr_target* self);
}  // namespace weak_intrusive_ptr
/// Tags a constructor that takes over a reference instead of adding one.
struct DontIncreaseRefcount {};
}  // namespace raw

/// The base class of objects that intrusive_ptr owns. Objects are made with `make_intrusive`. When
/// the last strong reference goes, `release_resources` runs; when the last weak reference goes too,
/// the destructor runs. All strong references together hold one weak reference. Counts are atomic.
///
///   struct Buffer : c10::intrusive_ptr_target { ... };
///   c10::intrusive_ptr<Buffer> buffer = c10::make_intrusive<Buffer>(size);
class C10_API intrusive_ptr_target {
 protected:
  constexpr intrusive_ptr_target() noexcept : refcount_(0), weakcount_(0) {}
  // Copies and moves of the object start with counts of their own.
  intrusive_ptr_target(intrusive_ptr_target&&) noexcept : intrusive_ptr_target() {}
  intrusive_ptr_target& operator=(intrusive_ptr_target&&) noexcept { return *this; }
  intrusive_ptr_target(const intrusive_ptr_target&) noexcept : intrusive_ptr_target() {}
  intrusive_ptr_target& operator=(const intrusive_ptr_target&) noexcept { return *this; }
  virtual ~intrusive_ptr_target();

 private:
  virtual void release_resources() {}

  template <typename T, typename N>
  friend class intrusive_ptr;
  template <typename T, typename N>
  friend class weak_intrusive_ptr;
  friend inline void raw::intrusive_ptr::incref(intrusive_ptr_target* self);
  friend inline void raw::intrusive_ptr::decref(intrusive_ptr_target* self);
  friend inline uint32_t raw::intrusive_ptr::use_count(intrusive_ptr_target* self);
  friend inline void raw::weak_intrusive_ptr::incref(intrusive_ptr_target* self);
  friend inline void raw::weak_intrusive_ptr::decref(intrusive_ptr_target* self);
  friend inline intrusive_ptr_target* raw::weak_intrusive_ptr::lock(intrusive_ptr_target* self);
  friend inline uint32_t raw::weak_intrusive_ptr::use_count(intrusive_ptr_target* self);

  void retain() const noexcept { refcount_.add_fetch_relaxed(1); }
  void retain_weak() const noexcept { weakcount_.add_fetch_relaxed(1); }
  // Drops a strong reference. Out of line: what happens at zero.
  void drop() const noexcept {
    if (refcount_.sub_fetch_acq_rel(1) == 0) last_strong_gone();
  }
  void drop_weak() const noexcept {
    if (weakcount_.sub_fetch_acq_rel(1) == 0) delete this;
  }
  void last_strong_gone() const noexcept;
  // Adds a strong reference unless there are none left.
  bool try_retain() const noexcept {
    uint32_t count = refcount_.load_relaxed();
    do {
      if (count == 0) return false;
    } while (!refcount_.compare_exchange_acq_rel(count, count + 1));
    return true;
  }

  mutable LightAtomic<uint32_t> refcount_;
  mutable LightAtomic<uint32_t> weakcount_;
};

namespace detail {
template <class TTarget>
struct intrusive_target_default_null_type final {
  static constexpr TTarget* singleton() noexcept { return nullptr; }
};
template <class TTarget, class ToNullType, class FromNullType>
TTarget* assign_ptr_(TTarget* rhs) {
  return FromNullType::singleton() == rhs ? ToNullType::singleton() : rhs;
}
}  // namespace detail

/// A strong reference to a TTarget, like std::shared_ptr with the counts inside the object.
/// `NullType::singleton()` stands for null: for tensors it is the undefined tensor.
template <class TTarget, class NullType = detail::intrusive_target_default_null_type<TTarget>>
class intrusive_ptr final {
  TTarget* target_;

  template <class TTarget2, class NullType2>
  friend class intrusive_ptr;
  friend class weak_intrusive_ptr<TTarget, NullType>;

  void retain_() {
    if (target_ != NullType::singleton()) target_->intrusive_ptr_target::retain();
  }
  void reset_() noexcept {
    if (target_ != NullType::singleton()) target_->intrusive_ptr_target::drop();
  }

 public:
  using element_type = TTarget;

  intrusive_ptr() noexcept : target_(NullType::singleton()) {}
  /* implicit */ intrusive_ptr(std::nullptr_t) noexcept : target_(NullType::singleton()) {}
  /// Takes over a reference that the caller owns.
  explicit intrusive_ptr(TTarget* target, raw::DontIncreaseRefcount) noexcept : target_(target) {}
  intrusive_ptr(intrusive_ptr&& rhs) noexcept : target_(rhs.target_) {
    rhs.target_ = NullType::singleton();
  }
  intrusive_ptr(const intrusive_ptr& rhs) : target_(rhs.target_) { retain_(); }
  template <class From, class FromNullType>
  /* implicit */ intrusive_ptr(intrusive_ptr<From, FromNullType>&& rhs) noexcept
      : target_(detail::assign_ptr_<TTarget, NullType, FromNullType>(rhs.target_)) {
    static_assert(std::is_convertible_v<From*, TTarget*>, "the pointers do not convert");
    rhs.target_ = FromNullType::singleton();
  }
  template <class From, class FromNullType>
  /* implicit */ intrusive_ptr(const intrusive_ptr<From, FromNullType>& rhs)
      : target_(detail::assign_ptr_<TTarget, NullType, FromNullType>(rhs.target_)) {
    static_assert(std::is_convertible_v<From*, TTarget*>, "the pointers do not convert");
    retain_();
  }
  ~intrusive_ptr() noexcept { reset_(); }

  intrusive_ptr& operator=(intrusive_ptr&& rhs) & noexcept {
    intrusive_ptr(std::move(rhs)).swap(*this);
    return *this;
  }
  intrusive_ptr& operator=(const intrusive_ptr& rhs) & noexcept {
    intrusive_ptr(rhs).swap(*this);
    return *this;
  }
  template <class From, class FromNullType>
  intrusive_ptr& operator=(intrusive_ptr<From, FromNullType>&& rhs) & noexcept {
    intrusive_ptr(std::move(rhs)).swap(*this);
    return *this;
  }
  template <class From, class FromNullType>
  intrusive_ptr& operator=(const intrusive_ptr<From, FromNullType>& rhs) & {
    intrusive_ptr(rhs).swap(*this);
    return *this;
  }

  /// A borrowed pointer, valid as long as a reference; `NullType::singleton()` if there is none.
  TTarget* get() const noexcept { return target_; }
  TTarget& operator*() const noexcept { return *target_; }
  TTarget* operator->() const noexcept { return target_; }
  explicit operator bool() const noexcept { return target_ != NullType::singleton(); }
  bool defined() const noexcept { return target_ != NullType::singleton(); }

  /// Drops the reference.
  void reset() noexcept {
    reset_();
    target_ = NullType::singleton();
  }
  void swap(intrusive_ptr& rhs) noexcept {
    TTarget* other = rhs.target_;
    rhs.target_ = target_;
    target_ = other;
  }

  /// The number of strong references; 0 for null. Another thread may change it at once.
  uint32_t use_count() const noexcept {
    return defined() ? target_->intrusive_ptr_target::refcount_.load_acquire() : 0;
  }
  /// The number of weak references, and one more while there are strong ones.
  uint32_t weak_use_count() const noexcept {
    return defined() ? target_->intrusive_ptr_target::weakcount_.load_acquire() : 0;
  }
  bool unique() const noexcept { return use_count() == 1; }

  /// Gives the reference to the caller, who must hand it back to `reclaim` to free the object.
  TTarget* release() noexcept {
    TTarget* result = target_;
    target_ = NullType::singleton();
    return result;
  }
  /// Takes over a reference that `release` gave up. Does not increase the count.
  static intrusive_ptr reclaim(TTarget* owning_ptr) {
    TORCH_INTERNAL_ASSERT_DEBUG_ONLY(
        owning_ptr == NullType::singleton() ||
            owning_ptr->intrusive_ptr_target::refcount_.load_relaxed() > 0,
        "reclaim takes a pointer that release() gave");
    return intrusive_ptr(owning_ptr, raw::DontIncreaseRefcount{});
  }
  /// A new reference to an object that stays owned by others too. Increases the count.
  static intrusive_ptr reclaim_copy(TTarget* owning_ptr) {
    intrusive_ptr result = reclaim(owning_ptr);
    result.retain_();
    return result;
  }
  /// Takes over an object that was made with `new` and has no references yet.
  static intrusive_ptr unsafe_steal_from_new(TTarget* raw_ptr) {
    intrusive_ptr result(raw_ptr, raw::DontIncreaseRefcount{});
    if (raw_ptr != NullType::singleton()) {
      TORCH_INTERNAL_ASSERT_DEBUG_ONLY(raw_ptr->intrusive_ptr_target::refcount_.load_relaxed() == 0,
                                       "the object already has an owner");
      raw_ptr->intrusive_ptr_target::refcount_.store_relaxed(1);
      raw_ptr->intrusive_ptr_target::weakcount_.store_relaxed(1);
    }
    return result;
  }
  /// A new reference from a borrowed pointer to an object that has references.
  static intrusive_ptr unsafe_reclaim_from_nonowning(TTarget* raw_ptr) {
    return reclaim_copy(raw_ptr);
  }
  /// Makes an object and the first reference to it.
  template <class... Args>
  static intrusive_ptr make(Args&&... args) {
    return unsafe_steal_from_new(new TTarget(std::forward<Args>(args)...));
  }
};

/// Makes an object and the first reference to it.
template <class TTarget, class NullType = detail::intrusive_target_default_null_type<TTarget>,
          class... Args>
inline intrusive_ptr<TTarget, NullType> make_intrusive(Args&&... args) {
  return intrusive_ptr<TTarget, NullType>::make(std::forward<Args>(args)...);
}

/// The same reference to a derived or base class; the dynamic cast gives null for another class.
template <class To, class From>
inline intrusive_ptr<To> static_intrusive_pointer_cast(intrusive_ptr<From> ptr) noexcept {
  return intrusive_ptr<To>::reclaim(static_cast<To*>(ptr.release()));
}
template <class To, class From>
inline intrusive_ptr<To> dynamic_intrusive_pointer_cast(intrusive_ptr<From> ptr) noexcept {
  To* target = dynamic_cast<To*>(ptr.get());
  if (target != nullptr) (void)ptr.release();
  return intrusive_ptr<To>::reclaim(target);
}

template <class A, class NA, class B, class NB>
inline bool operator==(const intrusive_ptr<A, NA>& a, const intrusive_ptr<B, NB>& b) noexcept {
  return a.get() == b.get();
}
template <class A, class NA>
inline bool operator==(const intrusive_ptr<A, NA>& a, std::nullptr_t) noexcept {
  return !a.defined();
}
/// Orders by address, for use as a key.
template <class A, class NA, class B, class NB>
inline bool operator<(const intrusive_ptr<A, NA>& a, const intrusive_ptr<B, NB>& b) noexcept {
  return a.get() < b.get();
}
template <class T, class N>
inline void swap(intrusive_ptr<T, N>& a, intrusive_ptr<T, N>& b) noexcept {
  a.swap(b);
}

/// A weak reference. It keeps the object's memory but not its resources. `lock()` returns a strong
/// reference as long as there are others.
template <class TTarget, class NullType = detail::intrusive_target_default_null_type<TTarget>>
class weak_intrusive_ptr final {
  TTarget* target_;

  template <class TTarget2, class NullType2>
  friend class weak_intrusive_ptr;

  explicit weak_intrusive_ptr(TTarget* target) noexcept : target_(target) {}
  void retain_() {
    if (target_ != NullType::singleton()) target_->intrusive_ptr_target::retain_weak();
  }
  void reset_() noexcept {
    if (target_ != NullType::singleton()) target_->intrusive_ptr_target::drop_weak();
  }

 public:
  using element_type = TTarget;

  explicit weak_intrusive_ptr(const intrusive_ptr<TTarget, NullType>& ptr) : target_(ptr.get()) {
    retain_();
  }
  weak_intrusive_ptr(weak_intrusive_ptr&& rhs) noexcept : target_(rhs.target_) {
    rhs.target_ = NullType::singleton();
  }
  weak_intrusive_ptr(const weak_intrusive_ptr& rhs) : target_(rhs.target_) { retain_(); }
  template <class From, class FromNullType>
  /* implicit */ weak_intrusive_ptr(weak_intrusive_ptr<From, FromNullType>&& rhs) noexcept
      : target_(detail::assign_ptr_<TTarget, NullType, FromNullType>(rhs.target_)) {
    static_assert(std::is_convertible_v<From*, TTarget*>, "the pointers do not convert");
    rhs.target_ = FromNullType::singleton();
  }
  template <class From, class FromNullType>
  /* implicit */ weak_intrusive_ptr(const weak_intrusive_ptr<From, FromNullType>& rhs)
      : target_(detail::assign_ptr_<TTarget, NullType, FromNullType>(rhs.target_)) {
    static_assert(std::is_convertible_v<From*, TTarget*>, "the pointers do not convert");
    retain_();
  }
  ~weak_intrusive_ptr() noexcept { reset_(); }
  weak_intrusive_ptr& operator=(weak_intrusive_ptr rhs) & noexcept {
    rhs.swap(*this);
    return *this;
  }
  weak_intrusive_ptr& operator=(const intrusive_ptr<TTarget, NullType>& rhs) & noexcept {
    weak_intrusive_ptr(rhs).swap(*this);
    return *this;
  }

  void swap(weak_intrusive_ptr& rhs) noexcept {
    TTarget* other = rhs.target_;
    rhs.target_ = target_;
    target_ = other;
  }
  void reset() noexcept {
    reset_();
    target_ = NullType::singleton();
  }
  bool defined() const noexcept { return target_ != NullType::singleton(); }
  uint32_t use_count() const noexcept {
    return defined() ? target_->intrusive_ptr_target::refcount_.load_acquire() : 0;
  }
  uint32_t weak_use_count() const noexcept {
    return defined() ? target_->intrusive_ptr_target::weakcount_.load_acquire() : 0;
  }
  /// Whether the last strong reference is gone.
  bool expired() const noexcept { return use_count() == 0; }
  /// A strong reference, or null if the last one is gone. Thread-safe.
  intrusive_ptr<TTarget, NullType> lock() const noexcept {
    if (!defined() || !target_->intrusive_ptr_target::try_retain()) {
      return intrusive_ptr<TTarget, NullType>();
    }
    return intrusive_ptr<TTarget, NullType>(target_, raw::DontIncreaseRefcount{});
  }
  /// The address, even if the resources of the object are gone.
  TTarget* _unsafe_get_target() const noexcept { return target_; }
  /// Gives the weak reference to the caller, who hands it back to `reclaim`.
  TTarget* release() noexcept {
    TTarget* result = target_;
    target_ = NullType::singleton();
    return result;
  }
  static weak_intrusive_ptr reclaim(TTarget* owning_weak_ptr) {
    return weak_intrusive_ptr(owning_weak_ptr);
  }
  /// A new weak reference to an object that stays referenced by others.
  static weak_intrusive_ptr reclaim_copy(TTarget* owning_ptr) {
    weak_intrusive_ptr result = reclaim(owning_ptr);
    result.retain_();
    return result;
  }

  friend bool operator==(const weak_intrusive_ptr& a, const weak_intrusive_ptr& b) noexcept {
    return a.target_ == b.target_;
  }
  friend bool operator<(const weak_intrusive_ptr& a, const weak_intrusive_ptr& b) noexcept {
    return a.target_ < b.target_;
  }
  friend void swap(weak_intrusive_ptr& a, weak_intrusive_ptr& b) noexcept { a.swap(b); }
};

namespace raw {
namespace intrusive_ptr {
inline void incref(intrusive_ptr_target* self) {
  if (self != nullptr) self->retain();
}
inline void decref(intrusive_ptr_target* self) {
  if (self != nullptr) self->drop();
}
inline uint32_t use_count(intrusive_ptr_target* self) {
  return self == nullptr ? 0 : self->refcount_.load_acquire();
}
}  // namespace intrusive_ptr
namespace weak_intrusive_ptr {
inline void incref(intrusive_ptr_target* self) {
  if (self != nullptr) self->retain_weak();
}
inline void decref(intrusive_ptr_target* self) {
  if (self != nullptr) self->drop_weak();
}
inline intrusive_ptr_target* lock(intrusive_ptr_target* self) {
  return self != nullptr && self->try_retain() ? self : nullptr;
}
inline uint32_t use_count(intrusive_ptr_target* self) {
  return self == nullptr ? 0 : self->weakcount_.load_acquire();
}
}  // namespace weak_intrusive_ptr
}  // namespace raw

}  // namespace c10

template <class TTarget, class NullType>
struct std::hash<c10::intrusive_ptr<TTarget, NullType>> {
  size_t operator()(const c10::intrusive_ptr<TTarget, NullType>& x) const {
    return std::hash<TTarget*>()(x.get());
  }
};
template <class TTarget, class NullType>
struct std::hash<c10::weak_intrusive_ptr<TTarget, NullType>> {
  size_t operator()(const c10::weak_intrusive_ptr<TTarget, NullType>& x) const {
    return std::hash<TTarget*>()(x._unsafe_get_target());
  }
};
