#include <c10/core/DispatchKeySet.h>
#include <c10/core/backend_table.h>
#include <c10/util/StringUtil.h>

#include <ostream>
#include <string>

namespace c10 {

std::string toString(DispatchKeySet ts) { return c10::str("DispatchKeySet(", Join(", ", ts), ")"); }

std::ostream& operator<<(std::ostream& out, DispatchKeySet ts) { return out << toString(ts); }

DispatchKeySet getRuntimeDispatchKeySet(DispatchKey t) {
  switch (t) {
    case DispatchKey::Autograd:
      return autograd_dispatch_keyset;
    case DispatchKey::CompositeImplicitAutograd:
      return math_dispatch_keyset;
    case DispatchKey::CompositeExplicitAutograd:
    case DispatchKey::CompositeExplicitAutogradNonFunctional:
      return backend_dispatch_keyset;
    default:
      return DispatchKeySet(t);
  }
}

bool runtimeDispatchKeySetHas(DispatchKey t, DispatchKey k) {
  return getRuntimeDispatchKeySet(t).has(k);
}

bool isIncludedInAlias(DispatchKey k, DispatchKey alias) {
  return k != DispatchKey::Undefined && runtimeDispatchKeySetHas(alias, k);
}

DispatchKeySet getBackendKeySetFromAutograd(DispatchKey t) {
  if (t == DispatchKey::AutogradOther) return autogradother_backends;
  for (const DispatchKey backend : backend_dispatch_keyset) {
    if (getAutogradKeyFromBackend(backend) == t) return DispatchKeySet(backend);
  }
  return DispatchKeySet();
}

DispatchKeySet getAutogradRelatedKeySetFromBackend(DispatchKey backend) {
  return DispatchKeySet({DispatchKey::ADInplaceOrView, getAutogradKeyFromBackend(backend)});
}

DispatchKeySet getAutocastRelatedKeySetFromBackend(DispatchKey backend) {
  switch (backend) {
#define CASE(key, device, autograd, autocast) \
  case DispatchKey::key:                      \
    return DispatchKeySet(DispatchKey::autocast);
    C10_FORALL_BACKENDS(CASE)
#undef CASE
    default:
      return DispatchKeySet();
  }
}

}  // namespace c10
