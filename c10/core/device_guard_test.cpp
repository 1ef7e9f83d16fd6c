#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <unordered_set>

namespace {

using c10::Device;
using c10::DeviceIndex;
using c10::Stream;

DeviceIndex current = 0;
int events_alive = 0;

// Four devices whose current one is a variable; events are numbers.
struct FakeGuard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return c10::kPrivateUse1; }
  Device exchangeDevice(Device device) const override {
    const Device old = getDevice();
    setDevice(device);
    return old;
  }
  Device getDevice() const override { return Device(c10::kPrivateUse1, current); }
  void setDevice(Device device) const override { current = device.index(); }
  void uncheckedSetDevice(Device device) const noexcept override { current = device.index(); }
  Stream getStream(Device device) const override { return Stream(Stream::DEFAULT, device); }
  Stream exchangeStream(Stream stream) const override {
    return Stream(Stream::DEFAULT, stream.device());
  }
  DeviceIndex deviceCount() const noexcept override { return 4; }
  void record(void** event, const Stream&, DeviceIndex, c10::EventFlag) const override {
    if (*event == nullptr) ++events_alive;
    *event = &events_alive;
  }
  void destroyEvent(void* event, DeviceIndex) const noexcept override {
    if (event != nullptr) --events_alive;
  }
  bool queryEvent(void*) const override { return false; }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, FakeGuard);

Device fake(DeviceIndex index) { return Device(c10::kPrivateUse1, index); }

TEST(DeviceGuardTest, MakesADeviceCurrentForAScope) {
  current = 1;
  {
    c10::DeviceGuard guard(fake(3));
    EXPECT_EQ(current, 3);
    EXPECT_EQ(guard.original_device(), fake(1));
    guard.set_index(2);
    EXPECT_EQ(current, 2);
    EXPECT_EQ(guard.current_device(), fake(2));
  }
  EXPECT_EQ(current, 1);
}

TEST(DeviceGuardTest, NoIndexChangesNothing) {
  current = 1;
  {
    const c10::DeviceGuard guard{Device(c10::kPrivateUse1)};
    EXPECT_EQ(current, 1);
    EXPECT_EQ(guard.current_device(), fake(1));
  }
  EXPECT_EQ(current, 1);
}

TEST(DeviceGuardTest, OptionalGuardMayStartEmpty) {
  current = 1;
  {
    c10::OptionalDeviceGuard guard;
    EXPECT_EQ(guard.original_device(), std::nullopt);
    guard.reset_device(fake(2));
    guard.reset_device(fake(3));
    EXPECT_EQ(current, 3);
    EXPECT_EQ(guard.original_device(), fake(1));
  }
  EXPECT_EQ(current, 1);
  const c10::OptionalDeviceGuard none{std::optional<Device>()};
  EXPECT_EQ(none.current_device(), std::nullopt);
}

TEST(DeviceGuardTest, CpuHasNothingToDo) {
  const c10::DeviceGuard guard{Device(c10::kCPU)};
  EXPECT_EQ(guard.current_device(), Device(c10::kCPU));
  EXPECT_TRUE(c10::impl::hasDeviceGuardImpl(c10::kMeta));
}

TEST(DeviceGuardTest, MissingBackendsAreNamed) {
  EXPECT_FALSE(c10::impl::hasDeviceGuardImpl(c10::kFPGA));
  EXPECT_THROW_MESSAGE(c10::DeviceGuard(Device(c10::kFPGA, 0)), c10::Error,
                       "PyTorch is not linked with support for fpga devices");
}

TEST(StreamTest, ComparesPrintsAndHashes) {
  const Stream a(Stream::UNSAFE, fake(1), 7);
  const Stream b(Stream::UNSAFE, fake(2), 7);
  EXPECT_NE(a, b);
  EXPECT_EQ(Stream(Stream::DEFAULT, fake(1)).id(), 0);
  std::unordered_set<Stream> set{a, b, a};
  EXPECT_EQ(set.size(), 2u);
  std::ostringstream out;
  out << Stream(Stream::UNSAFE, Device(c10::kCPU), 0);
  EXPECT_EQ(out.str(), "stream 0 on device cpu");
}

TEST(StreamTest, AsksTheBackend) {
  EXPECT_TRUE(Stream(Stream::DEFAULT, Device(c10::kCPU)).query());
  EXPECT_NO_THROW(Stream(Stream::DEFAULT, Device(c10::kCPU)).synchronize());
  EXPECT_THROW_MESSAGE(Stream(Stream::DEFAULT, fake(0)).query(), c10::Error,
                       "Backend doesn't support querying streams.");
  const c10::impl::VirtualGuardImpl guard(c10::kPrivateUse1);
  EXPECT_THROW_MESSAGE(guard.getStreamNativeHandle(Stream(Stream::DEFAULT, fake(0))), c10::Error,
                       "Backend doesn't support getting stream native handle.");
}

TEST(EventTest, RecordsAndIsDestroyed) {
  {
    c10::Event event(c10::kPrivateUse1);
    EXPECT_TRUE(event.query());  // nothing recorded, nothing to wait for
    event.record(Stream(Stream::DEFAULT, fake(1)));
    event.recordOnce(Stream(Stream::DEFAULT, fake(1)));
    EXPECT_TRUE(event.was_marked_for_recording());
    EXPECT_FALSE(event.query());
    EXPECT_EQ(events_alive, 1);
    EXPECT_THROW_MESSAGE(event.synchronize(), c10::Error,
                         "Backend doesn't support synchronizing events.");
  }
  EXPECT_EQ(events_alive, 0);
}

TEST(EventTest, RefusesOtherDevicesStreams) {
  c10::Event event(c10::kPrivateUse1);
  EXPECT_THROW_CONTAINS(event.record(Stream(Stream::DEFAULT, Device(c10::kCPU))), c10::Error,
                        "does not match recording stream's device type cpu.");
  c10::Event on_cpu(c10::kCPU);
  EXPECT_THROW_MESSAGE(on_cpu.record(Stream(Stream::DEFAULT, Device(c10::kCPU))), c10::Error,
                       "Backend doesn't support events.");
}

}  // namespace
