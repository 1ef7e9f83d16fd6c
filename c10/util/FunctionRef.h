#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace c10 {

/// A reference to something callable, without an allocation. It must outlive the reference: take
/// one as a parameter, never keep it.
template <typename Fn>
class function_ref;

template <typename Ret, typename... Params>
class function_ref<Ret(Params...)> {
  Ret (*callback_)(intptr_t callable, Params... params) = nullptr;
  intptr_t callable_ = 0;

  template <typename Callable>
  static Ret callback_fn(intptr_t callable, Params... params) {
    return (*reinterpret_cast<Callable*>(callable))(std::forward<Params>(params)...);
  }

 public:
  function_ref() = default;
  function_ref(std::nullptr_t) {}
  template <typename Callable>
    requires(!std::is_same_v<std::remove_cvref_t<Callable>, function_ref> &&
             std::is_invocable_r_v<Ret, Callable, Params...>)
  function_ref(Callable&& callable)
      : callback_(callback_fn<std::remove_reference_t<Callable>>),
        callable_(reinterpret_cast<intptr_t>(&callable)) {}

  Ret operator()(Params... params) const {
    return callback_(callable_, std::forward<Params>(params)...);
  }
  explicit operator bool() const { return callback_ != nullptr; }
};

}  // namespace c10
