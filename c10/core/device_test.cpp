#include <c10/core/Backend.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <unordered_set>

namespace {

using c10::Device;
using c10::DeviceType;

TEST(DeviceTest, ParsesTypesAndIndices) {
  EXPECT_EQ(Device("cpu"), Device(c10::kCPU));
  EXPECT_EQ(Device("cuda"), Device(c10::kCUDA, -1));
  EXPECT_EQ(Device("cuda:0"), Device(c10::kCUDA, 0));
  EXPECT_EQ(Device("cuda:127").index(), 127);
  EXPECT_EQ(Device("xpu:12"), Device(c10::kXPU, 12));
  EXPECT_EQ(Device("mps").type(), c10::kMPS);
  EXPECT_EQ(Device("meta").type(), c10::kMeta);
  EXPECT_EQ(Device("privateuseone:1"), Device(c10::kPrivateUse1, 1));
}

TEST(DeviceTest, EveryDevicePrintsAsWhatItParsesFrom) {
  for (int i = 0; i < c10::COMPILE_TIME_MAX_DEVICE_TYPES; ++i) {
    const auto type = static_cast<DeviceType>(i);
    if (type == DeviceType::Metal) continue;  // as in PyTorch, no string names it
    const Device device(type, type == c10::kCPU ? 0 : 3);
    EXPECT_EQ(Device(device.str()), device) << device;
    EXPECT_EQ(Device(Device(type).str()), Device(type));
  }
}

TEST(DeviceTest, RefusesMalformedStrings) {
  EXPECT_THROW_MESSAGE(Device(""), c10::Error, "Device string must not be empty");
  for (const std::string bad :
       {"cpu:", "cuda:01", "cuda:-1", "cuda:1:2", "cuda:a", ":1", "cu da"}) {
    EXPECT_THROW_MESSAGE(Device{bad}, c10::Error, "Invalid device string: '" + bad + "'");
  }
  EXPECT_THROW_MESSAGE(Device("cuda:128"), c10::Error,
                       "Device index 128 in device string 'cuda:128' is too large: the greatest is "
                       "127");
  EXPECT_THROW_MESSAGE(Device("cuda:99999999999999999999"), c10::Error,
                       "Invalid device string: 'cuda:99999999999999999999'");
}

TEST(DeviceTest, RefusesUnknownTypesWithTheKnownOnes) {
  EXPECT_THROW_MESSAGE(
      Device("foo"), c10::Error,
      "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, "
      "xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device "
      "string: foo");
}

TEST(DeviceTest, ComparesPrintsAndHashes) {
  std::ostringstream out;
  out << Device("cuda:1") << " " << c10::kCPU;
  EXPECT_EQ(out.str(), "cuda:1 cpu");
  EXPECT_NE(Device("cuda:1"), Device("cuda"));
  std::unordered_set<Device> devices{Device("cpu"), Device("cuda:1"), Device("cuda:1")};
  EXPECT_EQ(devices.size(), 2u);
  EXPECT_TRUE(Device("cuda").is_cuda());
  EXPECT_FALSE(Device("cuda").has_index());
}

TEST(DeviceTest, DebugBuildsCheckIndices) {
#ifndef NDEBUG
  EXPECT_THROW_CONTAINS(Device(c10::kCPU, 2), c10::Error,
                        "CPU device index must be -1 or zero, got 2");
  EXPECT_THROW_CONTAINS(Device(c10::kCUDA, -2), c10::Error,
                        "Device index must be -1 or non-negative, got -2");
#else
  EXPECT_EQ(Device(c10::kCPU, 2).index(), 2);
  EXPECT_EQ(Device("cpu:1").index(), 1);
#endif
}

TEST(DeviceTypeTest, Names) {
  EXPECT_EQ(c10::DeviceTypeName(c10::kVulkan), "VULKAN");
  EXPECT_EQ(c10::DeviceTypeName(c10::kVulkan, /*lower_case=*/true), "vulkan");
  EXPECT_TRUE(c10::isValidDeviceType(c10::kMPS));
  EXPECT_FALSE(c10::isValidDeviceType(DeviceType::COMPILE_TIME_MAX_DEVICE_TYPES));
  EXPECT_THROW_MESSAGE(c10::DeviceTypeName(DeviceType::COMPILE_TIME_MAX_DEVICE_TYPES), c10::Error,
                       "Unknown device: 21");
}

// One test: the name lasts as long as the process.
TEST(DeviceTypeTest, PrivateUse1TakesOneName) {
  EXPECT_FALSE(c10::is_privateuse1_backend_registered());
  EXPECT_EQ(c10::get_privateuse1_backend(), "privateuseone");
  EXPECT_THROW_MESSAGE(c10::register_privateuse1_backend("cuda"), c10::Error,
                       "Cannot register privateuse1 backend with in-tree device name: cuda");
  c10::register_privateuse1_backend("npu");
  c10::register_privateuse1_backend("npu");
  EXPECT_TRUE(c10::is_privateuse1_backend_registered());
  EXPECT_EQ(Device("npu:2"), Device(c10::kPrivateUse1, 2));
  EXPECT_EQ(Device(c10::kPrivateUse1).str(), "npu");
  EXPECT_EQ(c10::DeviceTypeName(c10::kPrivateUse1), "NPU");
  EXPECT_THROW_MESSAGE(
      c10::register_privateuse1_backend("tpu"), c10::Error,
      "torch.register_privateuse1_backend() has already been set! Current backend: npu");
}

TEST(BackendTest, RoundTripsThroughKeys) {
  for (int i = 0; i < static_cast<int>(c10::Backend::NumOptions); ++i) {
    const auto backend = static_cast<c10::Backend>(i);
    EXPECT_EQ(c10::dispatchKeyToBackend(c10::backendToDispatchKey(backend)), backend);
  }
  EXPECT_EQ(c10::backendToDeviceType(c10::Backend::MPS), c10::kMPS);
  EXPECT_STREQ(c10::toString(c10::Backend::CUDA), "CUDA");
  EXPECT_THROW_MESSAGE(c10::dispatchKeyToBackend(c10::DispatchKey::AutogradCPU), c10::Error,
                       "Unrecognized tensor type ID: AutogradCPU");
}

}  // namespace
