#include <ATen/ThreadLocalState.h>

namespace at {

ThreadLocalState::ThreadLocalState()
    : dispatch_key_(c10::impl::tls_local_dispatch_key_set()),
      autograd_(c10::AutogradState::get_tls_state()) {}

void ThreadLocalState::set_grad_mode(bool enabled) { autograd_.set_grad_mode(enabled); }

void ThreadLocalState::setThreadLocalState(const ThreadLocalState& state) {
  c10::impl::_force_tls_local_dispatch_key_set(state.dispatch_key_);
  c10::AutogradState::set_tls_state(state.autograd_);
}

}  // namespace at
