#pragma once

// What a thread's calls depend on, to be carried to another thread that works for it.

#include <c10/core/AutogradState.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/macros/Export.h>

namespace at {

class TORCH_API ThreadLocalState {
 public:
  // The calling thread's state.
  ThreadLocalState();
  // As above, with another grad mode.
  void set_grad_mode(bool enabled);
  // Makes `state` the calling thread's.
  static void setThreadLocalState(const ThreadLocalState& state);

 private:
  c10::impl::LocalDispatchKeySet dispatch_key_;
  c10::AutogradState autograd_;
};

// Makes `state` the calling thread's for a scope.
class TORCH_API ThreadLocalStateGuard {
 public:
  explicit ThreadLocalStateGuard(const ThreadLocalState& state) {
    ThreadLocalState::setThreadLocalState(state);
  }
  ThreadLocalStateGuard(const ThreadLocalStateGuard&) = delete;
  ThreadLocalStateGuard& operator=(const ThreadLocalStateGuard&) = delete;
  ~ThreadLocalStateGuard() { ThreadLocalState::setThreadLocalState(previous_); }

 private:
  ThreadLocalState previous_;
};

}  // namespace at
