#include <ATen/vulkan/Device.h>

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace at::vulkan {
namespace {

using shaders::device_count;
using shaders::device_of_address;
using shaders::why_unavailable;

VKAPI_ATTR VkResult VKAPI_CALL lose_device(VkQueue, uint32_t, const VkSubmitInfo*, VkFence) {
  return VK_ERROR_DEVICE_LOST;
}

VKAPI_ATTR VkResult VKAPI_CALL have_no_memory(VkDevice, const VkMemoryAllocateInfo*,
                                              const VkAllocationCallbacks*, VkDeviceMemory*) {
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

template <typename F>
std::string message_of(F&& function) {
  try {
    function();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "";
}

std::vector<uint8_t> random_bytes(size_t count) {
  std::random_device seed;
  std::mt19937 generator(seed());
  std::vector<uint8_t> result(count);
  for (uint8_t& byte : result) byte = static_cast<uint8_t>(generator());
  return result;
}

class Vulkan : public testing::Test {
 protected:
  void SetUp() override {
    if (device_count() == 0) GTEST_SKIP() << why_unavailable();
  }
};

TEST_F(Vulkan, WhatIsCopiedThereComesBack) {
  DeviceState& device = device_state(0);
  for (const size_t bytes : {1, 7, 1000, 5 << 20}) {
    const std::vector<uint8_t> sent = random_bytes(bytes);
    void* first = device.memory->allocate(bytes);
    void* second = device.memory->allocate(bytes);
    device.queue->copy_from_host(first, sent.data(), bytes);
    device.queue->copy_on_device(second, first, bytes);
    std::vector<uint8_t> received(bytes);
    device.queue->copy_to_host(received.data(), second, bytes);
    EXPECT_EQ(received, sent) << bytes;
    device.memory->free(first);
    device.memory->free(second);
  }
}

TEST_F(Vulkan, PartsOfABlockDoNotOverlapAndAreUsedAgain) {
  DeviceState& device = device_state(0);
  const size_t before = device.memory->stats().allocated;
  std::vector<std::pair<void*, std::vector<uint8_t>>> parts;
  for (int i = 0; i < 50; ++i) {
    const std::vector<uint8_t> content = random_bytes(static_cast<size_t>(100 + 997 * i));
    void* part = device.memory->allocate(content.size());
    device.queue->copy_from_host(part, content.data(), content.size());
    parts.emplace_back(part, content);
  }
  for (const auto& [part, content] : parts) {
    std::vector<uint8_t> received(content.size());
    device.queue->copy_to_host(received.data(), part, received.size());
    EXPECT_EQ(received, content);
    EXPECT_EQ(&device_of_address(static_cast<char*>(part) + content.size() - 1), &device);
    device.memory->free(part);
  }
  EXPECT_EQ(device.memory->stats().allocated, before);
  const size_t reserved = device.memory->stats().reserved;
  void* again = device.memory->allocate(20 << 20);
  EXPECT_EQ(device.memory->stats().reserved, reserved);
  device.memory->free(again);
}

TEST_F(Vulkan, NoMemoryIsAnErrorWithSizes) {
  DeviceState& device = device_state(0);
  Functions& functions = instance().functions;
  const auto allocate = functions.vkAllocateMemory;
  functions.vkAllocateMemory = &have_no_memory;
  const std::string message =
      message_of([&] { device.memory->allocate(device.capabilities.max_tensor_bytes); });
  functions.vkAllocateMemory = allocate;
  EXPECT_NE(message.find("Vulkan out of memory. Tried to allocate "), std::string::npos) << message;
  EXPECT_NE(message.find(" on vulkan:0 ("), std::string::npos) << message;
  EXPECT_NE(message.find("its budget is "), std::string::npos) << message;
  device.memory->free(device.memory->allocate(100));
}

// The last: the device is not to be used again.
TEST_F(Vulkan, ZLostDeviceIsNamedAndStaysLost) {
  DeviceState& device = device_state(0);
  void* part = device.memory->allocate(4);
  uint32_t word = 1;
  device.queue->copy_from_host(part, &word, sizeof(word));
  instance().functions.vkQueueSubmit = &lose_device;
  const std::string message = message_of([&] { device.queue->synchronize(); });
  EXPECT_NE(message.find(
                "was lost in vkQueueSubmit: its driver gave up, or it was removed. Its tensors are "
                "gone; start the program again."),
            std::string::npos)
      << message;
  const std::string later =
      message_of([&] { device.queue->copy_from_host(part, &word, sizeof(word)); });
  EXPECT_NE(later.find("was lost: its tensors are gone; start the program again."),
            std::string::npos)
      << later;
}

}  // namespace
}  // namespace at::vulkan
