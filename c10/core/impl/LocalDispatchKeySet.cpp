#include <c10/core/impl/LocalDispatchKeySet.h>

namespace c10::impl {

#if defined(_WIN32) || defined(__APPLE__)
namespace {
thread_local constinit PODLocalDispatchKeySet raw_local_dispatch_key_set{};
}
LocalDispatchKeySet tls_local_dispatch_key_set() { return raw_local_dispatch_key_set; }
#else
thread_local constinit PODLocalDispatchKeySet raw_local_dispatch_key_set{};
#endif

void _force_tls_local_dispatch_key_set(LocalDispatchKeySet key_set) {
  raw_local_dispatch_key_set.set_included(key_set.included_);
  raw_local_dispatch_key_set.set_excluded(key_set.excluded_);
}

bool tls_is_dispatch_key_excluded(DispatchKey x) {
  return raw_local_dispatch_key_set.excluded().has(x);
}
void tls_set_dispatch_key_excluded(DispatchKey x, bool desired_state) {
  const DispatchKeySet excluded = raw_local_dispatch_key_set.excluded();
  raw_local_dispatch_key_set.set_excluded(desired_state ? excluded.add(x) : excluded.remove(x));
}
bool tls_is_dispatch_key_included(DispatchKey x) {
  return raw_local_dispatch_key_set.included().has(x);
}
void tls_set_dispatch_key_included(DispatchKey x, bool desired_state) {
  const DispatchKeySet included = raw_local_dispatch_key_set.included();
  raw_local_dispatch_key_set.set_included(desired_state ? included.add(x) : included.remove(x));
}
bool tls_is_dispatch_keyset_excluded(DispatchKeySet ks) {
  return raw_local_dispatch_key_set.excluded().isSupersetOf(ks);
}
bool tls_is_dispatch_keyset_included(DispatchKeySet ks) {
  return raw_local_dispatch_key_set.included().isSupersetOf(ks);
}

IncludeDispatchKeyGuard::IncludeDispatchKeyGuard(DispatchKeySet include)
    : include_(include - raw_local_dispatch_key_set.included()) {
  if (!include_.empty()) {
    raw_local_dispatch_key_set.set_included(raw_local_dispatch_key_set.included() | include_);
  }
}
IncludeDispatchKeyGuard::~IncludeDispatchKeyGuard() {
  if (!include_.empty()) {
    raw_local_dispatch_key_set.set_included(raw_local_dispatch_key_set.included() - include_);
  }
}

ExcludeDispatchKeyGuard::ExcludeDispatchKeyGuard(DispatchKeySet exclude)
    : exclude_(exclude - raw_local_dispatch_key_set.excluded()) {
  if (!exclude_.empty()) {
    raw_local_dispatch_key_set.set_excluded(raw_local_dispatch_key_set.excluded() | exclude_);
  }
}
ExcludeDispatchKeyGuard::~ExcludeDispatchKeyGuard() {
  if (!exclude_.empty()) {
    raw_local_dispatch_key_set.set_excluded(raw_local_dispatch_key_set.excluded() - exclude_);
  }
}

ForceDispatchKeyGuard::ForceDispatchKeyGuard(DispatchKeySet include, DispatchKeySet exclude)
    : ForceDispatchKeyGuard() {
  PODLocalDispatchKeySet state{};
  state.set_included(include);
  state.set_excluded(exclude);
  _force_tls_local_dispatch_key_set(state);
}

}  // namespace c10::impl
