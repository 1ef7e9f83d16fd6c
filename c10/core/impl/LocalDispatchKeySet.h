#pragma once

#include <c10/core/DispatchKeySet.h>
#include <c10/macros/Macros.h>

#include <cstdint>

// The dispatch keys that this thread adds to every call and takes from it. Guards change them for
// a scope: excluding a key lets a kernel call the one below itself.

namespace c10::impl {

/// The thread's state, all zeros at first: stored as a difference from the default sets, so that
/// it needs no initialiser and reading it no check.
struct C10_API PODLocalDispatchKeySet {
  uint64_t included_;
  uint64_t excluded_;

  DispatchKeySet included() const {
    return DispatchKeySet(DispatchKeySet::RAW, included_) ^ default_included_set;
  }
  DispatchKeySet excluded() const {
    return DispatchKeySet(DispatchKeySet::RAW, excluded_) ^ default_excluded_set;
  }
  void set_included(DispatchKeySet x) { included_ = (x ^ default_included_set).raw_repr(); }
  void set_excluded(DispatchKeySet x) { excluded_ = (x ^ default_excluded_set).raw_repr(); }
};

struct C10_API LocalDispatchKeySet {
  /* implicit */ LocalDispatchKeySet(PODLocalDispatchKeySet x)
      : included_(x.included()), excluded_(x.excluded()) {}
  DispatchKeySet included_;
  DispatchKeySet excluded_;
};

#if defined(_WIN32) || defined(__APPLE__)
// Thread-local variables do not cross libraries there.
C10_API LocalDispatchKeySet tls_local_dispatch_key_set();
#else
extern C10_API thread_local constinit PODLocalDispatchKeySet raw_local_dispatch_key_set;
inline LocalDispatchKeySet tls_local_dispatch_key_set() { return raw_local_dispatch_key_set; }
#endif

/// Replaces this thread's state, as when a task moves to another thread.
C10_API void _force_tls_local_dispatch_key_set(LocalDispatchKeySet key_set);

C10_API bool tls_is_dispatch_key_excluded(DispatchKey x);
C10_API void tls_set_dispatch_key_excluded(DispatchKey x, bool desired_state);
C10_API bool tls_is_dispatch_key_included(DispatchKey x);
C10_API void tls_set_dispatch_key_included(DispatchKey x, bool desired_state);
C10_API bool tls_is_dispatch_keyset_excluded(DispatchKeySet ks);
C10_API bool tls_is_dispatch_keyset_included(DispatchKeySet ks);

/// Adds keys to every call of a scope. Only the keys it really added are taken out again.
class C10_API IncludeDispatchKeyGuard {
 public:
  explicit IncludeDispatchKeyGuard(DispatchKeySet include);
  explicit IncludeDispatchKeyGuard(DispatchKey k) : IncludeDispatchKeyGuard(DispatchKeySet(k)) {}
  C10_DISABLE_COPY_AND_ASSIGN(IncludeDispatchKeyGuard);
  ~IncludeDispatchKeyGuard();

 private:
  DispatchKeySet include_;
};

/// Takes keys from every call of a scope; wins over included ones.
class C10_API ExcludeDispatchKeyGuard {
 public:
  explicit ExcludeDispatchKeyGuard(DispatchKeySet exclude);
  explicit ExcludeDispatchKeyGuard(DispatchKey k) : ExcludeDispatchKeyGuard(DispatchKeySet(k)) {}
  C10_DISABLE_COPY_AND_ASSIGN(ExcludeDispatchKeyGuard);
  ~ExcludeDispatchKeyGuard();

 private:
  DispatchKeySet exclude_;
};

/// Sets the whole state for a scope.
class C10_API ForceDispatchKeyGuard {
 public:
  ForceDispatchKeyGuard() : saved_(tls_local_dispatch_key_set()) {}
  explicit ForceDispatchKeyGuard(LocalDispatchKeySet key_set) : ForceDispatchKeyGuard() {
    _force_tls_local_dispatch_key_set(key_set);
  }
  ForceDispatchKeyGuard(DispatchKeySet include, DispatchKeySet exclude);
  C10_DISABLE_COPY_AND_ASSIGN(ForceDispatchKeyGuard);
  ~ForceDispatchKeyGuard() { _force_tls_local_dispatch_key_set(saved_); }

 private:
  LocalDispatchKeySet saved_;
};

}  // namespace c10::impl
