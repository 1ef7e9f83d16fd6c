#pragma once

#include <c10/core/AutogradState.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/macros/Macros.h>

namespace c10 {

/// No recording, no version counters and no view tracking in a scope. Tensors made inside can
/// never take part in a graph that is recorded.
struct C10_API InferenceMode {
  /// `InferenceMode(false)` turns everything on again inside of an outer scope, grad mode too. The
  /// destructor restores the state of the thread.
  explicit InferenceMode(bool enabled = true);
  ~InferenceMode();
  C10_DISABLE_COPY_AND_ASSIGN(InferenceMode);

  /// Whether the calling thread is in inference mode.
  static bool is_enabled();

 private:
  AutogradState previous_mode_;
  impl::LocalDispatchKeySet previous_keyset_;
};

}  // namespace c10
