#pragma once

#include <c10/core/AutogradState.h>
#include <c10/macros/Macros.h>

namespace c10 {

/// Whether autograd records the operations of this thread. True in new threads.
struct C10_API GradMode {
  static bool is_enabled();
  /// For the rest of the thread. AutoGradMode and NoGradGuard end with their scope.
  static void set_enabled(bool enabled);
};

/// Sets grad mode for a scope: `AutoGradMode guard(false);`.
struct C10_API AutoGradMode {
  explicit AutoGradMode(bool enabled) : previous_(GradMode::is_enabled()) {
    GradMode::set_enabled(enabled);
  }
  ~AutoGradMode() { GradMode::set_enabled(previous_); }
  C10_DISABLE_COPY_AND_ASSIGN(AutoGradMode);

  bool previous_;
};

/// Turns recording off for a scope; results do not require grad: `c10::NoGradGuard no_grad;`.
struct C10_API NoGradGuard : public AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};

/// Turns forward-mode differentiation on or off for a scope.
struct C10_API AutoFwGradMode {
  explicit AutoFwGradMode(bool enabled)
      : previous_(AutogradState::get_tls_state().get_fw_grad_mode()) {
    AutogradState::get_tls_state().set_fw_grad_mode(enabled);
  }
  ~AutoFwGradMode() { AutogradState::get_tls_state().set_fw_grad_mode(previous_); }
  C10_DISABLE_COPY_AND_ASSIGN(AutoFwGradMode);

  bool previous_;
};

}  // namespace c10
