#include <c10/core/impl/LocalDispatchKeySet.h>
#include <gtest/gtest.h>

#include <thread>

namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using namespace c10::impl;  // NOLINT

TEST(LocalDispatchKeySetTest, StartsWithTheDefaults) {
  EXPECT_EQ(tls_local_dispatch_key_set().included_, c10::default_included_set);
  EXPECT_EQ(tls_local_dispatch_key_set().excluded_, c10::default_excluded_set);
}

TEST(LocalDispatchKeySetTest, GuardsNestAndRestore) {
  EXPECT_FALSE(tls_is_dispatch_key_excluded(DispatchKey::AutogradCPU));
  {
    const ExcludeDispatchKeyGuard outer(c10::autograd_dispatch_keyset);
    EXPECT_TRUE(tls_is_dispatch_keyset_excluded(c10::autograd_dispatch_keyset));
    {
      // Already excluded by the outer guard: the inner one must not put it back.
      const ExcludeDispatchKeyGuard inner(DispatchKey::AutogradCPU);
    }
    EXPECT_TRUE(tls_is_dispatch_key_excluded(DispatchKey::AutogradCPU));
  }
  EXPECT_FALSE(tls_is_dispatch_key_excluded(DispatchKey::AutogradCPU));
}

TEST(LocalDispatchKeySetTest, IncludeGuard) {
  {
    const IncludeDispatchKeyGuard guard(DispatchKey::PythonDispatcher);
    EXPECT_TRUE(tls_is_dispatch_key_included(DispatchKey::PythonDispatcher));
    // A default member stays when a guard that did not add it goes.
    const IncludeDispatchKeyGuard already(DispatchKey::BackendSelect);
  }
  EXPECT_FALSE(tls_is_dispatch_key_included(DispatchKey::PythonDispatcher));
  EXPECT_TRUE(tls_is_dispatch_key_included(DispatchKey::BackendSelect));
}

TEST(LocalDispatchKeySetTest, ForceGuardSetsAllAndRestores) {
  {
    const ForceDispatchKeyGuard guard(DispatchKeySet(DispatchKey::Tracer), DispatchKeySet{});
    EXPECT_EQ(tls_local_dispatch_key_set().included_, DispatchKeySet(DispatchKey::Tracer));
    EXPECT_TRUE(tls_local_dispatch_key_set().excluded_.empty());
  }
  EXPECT_EQ(tls_local_dispatch_key_set().included_, c10::default_included_set);
  EXPECT_EQ(tls_local_dispatch_key_set().excluded_, c10::default_excluded_set);
}

TEST(LocalDispatchKeySetTest, SettersChangeOneKey) {
  tls_set_dispatch_key_excluded(DispatchKey::CPU, true);
  tls_set_dispatch_key_included(DispatchKey::Tracer, true);
  EXPECT_TRUE(tls_is_dispatch_key_excluded(DispatchKey::CPU));
  EXPECT_TRUE(tls_is_dispatch_keyset_included(DispatchKeySet(DispatchKey::Tracer)));
  tls_set_dispatch_key_excluded(DispatchKey::CPU, false);
  tls_set_dispatch_key_included(DispatchKey::Tracer, false);
  EXPECT_EQ(tls_local_dispatch_key_set().excluded_, c10::default_excluded_set);
  EXPECT_EQ(tls_local_dispatch_key_set().included_, c10::default_included_set);
}

TEST(LocalDispatchKeySetTest, EachThreadHasItsOwn) {
  const ExcludeDispatchKeyGuard guard(DispatchKey::AutogradCPU);
  bool excluded_there = true;
  std::thread([&] {
    excluded_there = tls_is_dispatch_key_excluded(DispatchKey::AutogradCPU);
  }).join();
  EXPECT_FALSE(excluded_there);
}

}  // namespace
