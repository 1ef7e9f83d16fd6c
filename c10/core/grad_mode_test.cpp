#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <thread>

namespace {

using c10::GradMode;
using c10::InferenceMode;

TEST(GradModeTest, GuardsNest) {
  EXPECT_TRUE(GradMode::is_enabled());
  {
    const c10::NoGradGuard off;
    EXPECT_FALSE(GradMode::is_enabled());
    {
      const c10::AutoGradMode on(true);
      EXPECT_TRUE(GradMode::is_enabled());
    }
    EXPECT_FALSE(GradMode::is_enabled());
  }
  EXPECT_TRUE(GradMode::is_enabled());
}

TEST(GradModeTest, IsTheThreadsOwn) {
  const c10::NoGradGuard off;
  bool enabled_there = false;
  std::thread([&] { enabled_there = GradMode::is_enabled(); }).join();
  EXPECT_TRUE(enabled_there);
}

TEST(GradModeTest, ForwardMode) {
  {
    const c10::AutoFwGradMode off(false);
    EXPECT_FALSE(c10::AutogradState::get_tls_state().get_fw_grad_mode());
  }
  EXPECT_TRUE(c10::AutogradState::get_tls_state().get_fw_grad_mode());
}

TEST(InferenceModeTest, TurnsRecordingAndTrackingOff) {
  EXPECT_FALSE(InferenceMode::is_enabled());
  {
    const InferenceMode guard;
    EXPECT_TRUE(InferenceMode::is_enabled());
    EXPECT_FALSE(GradMode::is_enabled());
    EXPECT_TRUE(c10::impl::tls_is_dispatch_keyset_excluded(c10::autograd_dispatch_keyset));
    EXPECT_FALSE(c10::impl::tls_is_dispatch_key_included(c10::DispatchKey::ADInplaceOrView));
    {
      const InferenceMode normal(false);
      EXPECT_FALSE(InferenceMode::is_enabled());
      EXPECT_TRUE(GradMode::is_enabled());
      EXPECT_FALSE(c10::impl::tls_is_dispatch_key_excluded(c10::DispatchKey::AutogradCPU));
      EXPECT_TRUE(c10::impl::tls_is_dispatch_key_included(c10::DispatchKey::ADInplaceOrView));
    }
    EXPECT_TRUE(InferenceMode::is_enabled());
  }
  EXPECT_FALSE(InferenceMode::is_enabled());
  EXPECT_TRUE(GradMode::is_enabled());
  EXPECT_EQ(c10::impl::tls_local_dispatch_key_set().included_, c10::default_included_set);
}

}  // namespace
