// How lists are split among launches: every element is in one chunk of one block, and what a launch
// gets fits the arguments of a kernel. No GPU takes part.

#include <ATen/native/TensorRows.h>
#include <ATen/native/cuda/MultiTensorApply.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace at::native {
namespace {

constexpr int64_t kChunk = 10;

// Does what a kernel does: block b adds one to each element of its chunk.
template <int kRoles>
void run(const std::vector<TensorRow>& rows, int& launches) {
  for_each_batch<kRoles>(rows, kChunk, [&](const TensorBatch<kRoles>& batch, int blocks) {
    ++launches;
    ASSERT_GT(blocks, 0);
    ASSERT_LE(blocks, TensorBatch<kRoles>::kBlocks);
    for (int block = 0; block < blocks; ++block) {
      const int tensor = batch.tensor_of_block[block];
      const int64_t begin = batch.chunk_of_block[block] * kChunk;
      const int64_t end = std::min(begin + kChunk, batch.numel[tensor]);
      ASSERT_LT(begin, end);
      for (int r = 0; r < kRoles; ++r) {
        auto* data = static_cast<int*>(batch.data[r][tensor]);
        for (int64_t i = begin; i < end; ++i) ++data[i];
      }
    }
  });
}

template <int kRoles>
void expect_covered(const std::vector<int64_t>& sizes, int most_launches) {
  std::vector<std::vector<int>> memory(sizes.size() * kRoles);
  std::vector<TensorRow> rows;
  for (size_t t = 0; t < sizes.size(); ++t) {
    TensorRow row{};
    row.numel = sizes[t];
    for (size_t r = 0; r < kRoles; ++r) {
      memory[t * kRoles + r].resize(static_cast<size_t>(sizes[t]));
      row.data[r] = memory[t * kRoles + r].data();
    }
    if (sizes[t] > 0) rows.push_back(row);
  }
  int launches = 0;
  run<kRoles>(rows, launches);
  EXPECT_LE(launches, most_launches);
  for (const std::vector<int>& data : memory) {
    for (const int count : data) ASSERT_EQ(count, 1);
  }
}

TEST(MultiTensorApplyTest, EveryElementIsInOneChunk) {
  expect_covered<1>({}, 0);
  expect_covered<1>({1}, 1);
  expect_covered<5>({9, 10, 11, 25}, 1);
  // More tensors than a launch takes, more blocks than a launch takes, and both.
  expect_covered<5>(std::vector<int64_t>(1000, 3), 1 + 1000 / TensorBatch<5>::kTensors);
  expect_covered<1>({TensorBatch<1>::kBlocks * kChunk}, 1);
  expect_covered<1>({TensorBatch<1>::kBlocks * kChunk + 1}, 2);
  expect_covered<3>({10000, 3, 5000, 1, 1, 40000}, 18);
  std::vector<int64_t> growing;
  for (int64_t i = 1; i < 400; ++i) growing.push_back(i);
  expect_covered<5>(growing, 40);
}

TEST(MultiTensorApplyTest, ALaunchFitsTheArgumentsOfAKernel) {
  // 4 KiB; options take up to 200 bytes of them.
  EXPECT_LE(sizeof(TensorBatch<1>), 3896u);
  EXPECT_LE(sizeof(TensorBatch<3>), 3896u);
  EXPECT_LE(sizeof(TensorBatch<5>), 3896u);
  EXPECT_GE(TensorBatch<5>::kTensors, 30);
}

}  // namespace
}  // namespace at::native
