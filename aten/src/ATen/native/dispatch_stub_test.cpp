#include <ATen/native/DispatchStub.h>

#include <c10/util/Exception.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace at::native {
DECLARE_DISPATCH(int (*)(int), test_stub)
DECLARE_DISPATCH(int (*)(int), empty_stub)
DEFINE_DISPATCH(test_stub);
DEFINE_DISPATCH(empty_stub);

namespace {

int plus_one(int x) { return x + 1; }
REGISTER_ARCH_DISPATCH(test_stub, DEFAULT, &plus_one)

template <typename F>
std::string messageOf(F f) {
  try {
    f();
  } catch (const c10::Error& e) {
    return e.what_without_backtrace();
  }
  return "(no error)";
}

TEST(DispatchStub, TakesTheNearestLowerCapability) {
  EXPECT_EQ(test_stub(c10::DeviceType::CPU, 41), 42);
}

TEST(DispatchStub, NamesTheMissingKernel) {
  EXPECT_EQ(messageOf([] { empty_stub(c10::DeviceType::CPU, 1); }),
            "DispatchStub: missing kernel for cpu of empty_stub");
  EXPECT_EQ(messageOf([] { test_stub(c10::DeviceType::CUDA, 1); }),
            "DispatchStub: missing kernel for cuda of test_stub");
}

TEST(CpuCapability, ReadsTheEnvironmentsValue) {
  using detail::parse_cpu_capability;
  EXPECT_EQ(parse_cpu_capability("AVX2", CPUCapability::AVX512), CPUCapability::AVX2);
  EXPECT_EQ(parse_cpu_capability("default", CPUCapability::DEFAULT), CPUCapability::DEFAULT);
  EXPECT_EQ(messageOf([] { parse_cpu_capability("sse9", CPUCapability::AVX512); }),
            "ATEN_CPU_CAPABILITY is 'sse9', which is no capability. Set it to default, avx2 or "
            "avx512, or unset it.");
  EXPECT_EQ(
      messageOf([] { parse_cpu_capability("avx512", CPUCapability::AVX2); }),
      "ATEN_CPU_CAPABILITY is 'avx512', but this processor supports at most AVX2. Set it to a "
      "lower capability, or unset it.");
}

}  // namespace
}  // namespace at::native
