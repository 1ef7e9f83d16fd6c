#pragma once

#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>

#include <new>
#include <type_traits>
#include <utility>

namespace c10 {

/// How MaybeOwned borrows a T: by a pointer. Reference-counted handles such as Tensor specialise
/// this to a copy of the handle that owns no reference.
template <typename T>
struct MaybeOwnedTraits {
  using owned_type = T;
  using borrow_type = const T*;

  static borrow_type createBorrow(const owned_type& from) { return &from; }
  static void assignBorrow(borrow_type& lhs, borrow_type rhs) { lhs = rhs; }
  static void destroyBorrow(borrow_type&) {}
  static const owned_type& referenceFromBorrow(const borrow_type& borrow) { return *borrow; }
  static const owned_type* pointerFromBorrow(const borrow_type& borrow) { return borrow; }
  static bool debugBorrowIsValid(const borrow_type& borrow) { return borrow != nullptr; }
};

/// A T that is owned, or borrowed from an object that must outlive it. For functions that usually
/// return an argument and sometimes a new value, without a change of reference counts:
///
///   c10::MaybeOwned<at::Tensor> x = t.is_contiguous()
///       ? c10::MaybeOwned<at::Tensor>::borrowed(t)
///       : c10::MaybeOwned<at::Tensor>::owned(t.contiguous());
template <typename T>
class MaybeOwned final {
  using borrow_type = typename MaybeOwnedTraits<T>::borrow_type;

  bool is_borrowed_;
  union {
    borrow_type borrow_;
    T own_;
  };

  explicit MaybeOwned(const borrow_type& borrow) : is_borrowed_(true), borrow_(borrow) {}
  explicit MaybeOwned(T&& own) noexcept(std::is_nothrow_move_constructible_v<T>)
      : is_borrowed_(false), own_(std::move(own)) {}

  void destroy() noexcept {
    if (is_borrowed_) {
      MaybeOwnedTraits<T>::destroyBorrow(borrow_);
      borrow_.~borrow_type();
    } else {
      own_.~T();
    }
  }
  void copy_from(const MaybeOwned& rhs) {
    if (rhs.is_borrowed_) {
      new (&borrow_) borrow_type(MaybeOwnedTraits<T>::createBorrow(*rhs));
    } else {
      new (&own_) T(rhs.own_);
    }
    is_borrowed_ = rhs.is_borrowed_;
  }
  void move_from(MaybeOwned& rhs) {
    if (rhs.is_borrowed_) {
      new (&borrow_) borrow_type(MaybeOwnedTraits<T>::createBorrow(*rhs));
    } else {
      new (&own_) T(std::move(rhs.own_));
    }
    is_borrowed_ = rhs.is_borrowed_;
  }

 public:
  MaybeOwned() : is_borrowed_(true), borrow_() {}
  MaybeOwned(const MaybeOwned& rhs) { copy_from(rhs); }
  MaybeOwned(MaybeOwned&& rhs) noexcept { move_from(rhs); }
  MaybeOwned& operator=(const MaybeOwned& rhs) {
    if (this != &rhs) {
      destroy();
      copy_from(rhs);
    }
    return *this;
  }
  MaybeOwned& operator=(MaybeOwned&& rhs) noexcept {
    if (this != &rhs) {
      destroy();
      move_from(rhs);
    }
    return *this;
  }
  ~MaybeOwned() noexcept { destroy(); }

  static MaybeOwned borrowed(const T& t) {
    return MaybeOwned(MaybeOwnedTraits<T>::createBorrow(t));
  }
  static MaybeOwned owned(T&& t) { return MaybeOwned(std::move(t)); }
  template <class... Args>
  static MaybeOwned owned(std::in_place_t, Args&&... args) {
    return MaybeOwned(T(std::forward<Args>(args)...));
  }

  const T& operator*() const& {
    return is_borrowed_ ? MaybeOwnedTraits<T>::referenceFromBorrow(borrow_) : own_;
  }
  const T* operator->() const {
    return is_borrowed_ ? MaybeOwnedTraits<T>::pointerFromBorrow(borrow_) : &own_;
  }
  /// Moves an owned value out; copies a borrowed one.
  T operator*() && {
    return is_borrowed_ ? MaybeOwnedTraits<T>::referenceFromBorrow(borrow_) : std::move(own_);
  }
  bool unsafeIsBorrowed() const { return is_borrowed_; }
};

}  // namespace c10
