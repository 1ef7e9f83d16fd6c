#include <ATen/FromBlob.h>

#include <ATen/core/TensorBase.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/Exception.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace {

int released = 0;
void release(void*) { ++released; }

at::TensorBase blob(void* data, at::IntArrayRef sizes, c10::OptionalIntArrayRef strides,
                    int64_t offset = 0) {
  return at::detail::from_blob(data, sizes, strides, offset, release, at::kFloat);
}

TEST(FromBlob, DescribesTheMemory) {
  float data[8] = {};
  released = 0;
  {
    const at::TensorBase t = blob(data, {2, 3}, std::nullopt);
    EXPECT_EQ(t.strides(), at::IntArrayRef({3, 1}));
    EXPECT_EQ(t.storage().nbytes(), 24);
    EXPECT_EQ(t.data_ptr(), data);
    const at::TensorBase u = blob(data, {2, 3}, at::IntArrayRef({1, 2}), 2);
    EXPECT_EQ(u.storage().nbytes(), 32);
    EXPECT_EQ(u.data_ptr(), data + 2);
    EXPECT_EQ(blob(data, {0, 3}, std::nullopt).strides(), at::IntArrayRef({3, 1}));
    EXPECT_EQ(released, 1);
  }
  EXPECT_EQ(released, 3);
  EXPECT_EQ(blob(nullptr, {2, 0}, std::nullopt).numel(), 0);
}

// The caller keeps the memory then.
TEST(FromBlob, RefusesAndReleasesNothing) {
  float data[4] = {};
  released = 0;
  const auto refuses = [&](const auto& make, const std::string& message) {
    EXPECT_THROW_CONTAINS(make(), c10::Error, message);
  };
  constexpr int64_t kBig = int64_t(1) << 40;
  refuses([&] { blob(data, {2, -1}, std::nullopt); },
          "Trying to create tensor with negative dimension -1: [2, -1]");
  refuses([&] { blob(data, {2}, at::IntArrayRef({-1})); }, "strides cannot be negative");
  refuses([&] { blob(data, {2}, at::IntArrayRef({1}), -1); }, "the offset cannot be negative");
  refuses([&] { blob(data, {2}, at::IntArrayRef({1, 1})); }, "1 sizes and 2 strides");
  refuses([&] { blob(data, {kBig, kBig}, std::nullopt); },
          "Storage size calculation overflowed with sizes=[1099511627776, 1099511627776]");
  refuses([&] { blob(data, {0, kBig, kBig}, std::nullopt); }, "overflowed");
  refuses([&] { blob(data, {kBig, 2}, at::IntArrayRef({kBig, 1})); }, "overflowed");
  refuses([&] { blob(data, {2}, at::IntArrayRef({1}), INT64_MAX); }, "overflowed");
  // Strides of 0: few bytes, too many elements.
  refuses([&] { blob(data, {kBig, kBig}, at::IntArrayRef({0, 0})); }, "overflow");
  refuses([&] { blob(nullptr, {2, 2}, std::nullopt); },
          "the data is a null pointer, and a tensor of sizes [2, 2] has 16 bytes");
  refuses(
      [&] {
        at::detail::from_blob(data, {2}, std::nullopt, 0, release,
                              at::TensorOptions().requires_grad(true));
      },
      "call torch::from_blob");
  EXPECT_EQ(released, 0);
}

}  // namespace
