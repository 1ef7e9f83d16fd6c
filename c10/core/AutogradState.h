#pragma once

#include <c10/macros/Export.h>

#include <cstdint>

namespace c10 {

/// The switches of autograd in one thread.
struct C10_API AutogradState {
  /// The state of the calling thread, by reference: setters change it at once. A new thread has
  /// grad mode, forward mode and multithreading on, and inference mode off.
  static AutogradState& get_tls_state();
  static void set_tls_state(AutogradState state);

  constexpr AutogradState(bool grad_mode, bool inference_mode, bool fw_grad_mode,
                          bool multithreading_enabled)
      : grad_mode_(grad_mode),
        inference_mode_(inference_mode),
        fw_grad_mode_(fw_grad_mode),
        multithreading_enabled_(multithreading_enabled) {}

  void set_grad_mode(bool enabled) { grad_mode_ = enabled; }
  void set_fw_grad_mode(bool enabled) { fw_grad_mode_ = enabled; }
  void set_inference_mode(bool enabled) { inference_mode_ = enabled; }
  void set_multithreading_enabled(bool enabled) { multithreading_enabled_ = enabled; }
  bool get_grad_mode() const { return grad_mode_; }
  bool get_fw_grad_mode() const { return fw_grad_mode_; }
  bool get_inference_mode() const { return inference_mode_; }
  bool get_multithreading_enabled() const { return multithreading_enabled_; }

 private:
  bool grad_mode_;
  bool inference_mode_;
  bool fw_grad_mode_;
  bool multithreading_enabled_;
};

}  // namespace c10
