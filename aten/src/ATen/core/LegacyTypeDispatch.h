#pragma once

// Guards that make calls go below autograd.

#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace at {

// No gradients are recorded; version counters and views are still kept track of.
struct AutoDispatchBelowAutograd {
  AutoDispatchBelowAutograd() : guard_(c10::autograd_dispatch_keyset) {}
  c10::impl::ExcludeDispatchKeyGuard guard_;
};

// The backend's kernel alone runs. For autograd's own kernels: elsewhere the tracking is lost.
struct AutoDispatchBelowADInplaceOrView {
  AutoDispatchBelowADInplaceOrView() : guard_(c10::autograd_dispatch_keyset_with_ADInplaceOrView) {}
  c10::impl::ExcludeDispatchKeyGuard guard_;
};

// For inference in code written before InferenceMode existed.
struct AutoNonVariableTypeMode {
  explicit AutoNonVariableTypeMode(bool = true)
      : guard_(c10::autograd_dispatch_keyset_with_ADInplaceOrView) {}
  c10::impl::ExcludeDispatchKeyGuard guard_;
};

}  // namespace at
