#include <c10/core/InferenceMode.h>

namespace c10 {

InferenceMode::InferenceMode(bool enabled)
    : previous_mode_(AutogradState::get_tls_state()),
      previous_keyset_(impl::tls_local_dispatch_key_set()) {
  AutogradState::set_tls_state(AutogradState(
      /*grad_mode=*/!enabled, /*inference_mode=*/enabled, /*fw_grad_mode=*/!enabled,
      /*multithreading_enabled=*/!enabled));
  // Without ADInplaceOrView calls go past the version counters; a normal tensor used inside still
  // has its autograd keys, which are excluded too.
  const DispatchKeySet ad_inplace_or_view(DispatchKey::ADInplaceOrView);
  impl::LocalDispatchKeySet keys = previous_keyset_;
  if (enabled) {
    keys.included_ = keys.included_ - ad_inplace_or_view;
    keys.excluded_ = keys.excluded_ | autograd_dispatch_keyset;
  } else {
    keys.included_ = keys.included_ | ad_inplace_or_view;
    keys.excluded_ = keys.excluded_ - autograd_dispatch_keyset;
  }
  impl::_force_tls_local_dispatch_key_set(keys);
}

InferenceMode::~InferenceMode() {
  AutogradState::set_tls_state(previous_mode_);
  impl::_force_tls_local_dispatch_key_set(previous_keyset_);
}

bool InferenceMode::is_enabled() { return AutogradState::get_tls_state().get_inference_mode(); }

}  // namespace c10
