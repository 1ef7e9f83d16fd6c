#pragma once

// Splits lists of tensors among launches. Kernel arguments are limited to 4 KiB, so each launch
// gets as many tensors and blocks as fit. Host code only.

#include <ATen/native/TensorRows.h>
#include <c10/macros/Macros.h>
#include <c10/util/ArrayRef.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace at::native {

// Tensors of one launch, and for each block its tensor and chunk.
template <int kRoles>
struct TensorBatch {
  // Leaves room for options among the arguments.
  static constexpr int kBytes = 3800;
  static constexpr int kBlocks = 320;
  static constexpr int kBytesOfATensor = (kRoles + 2) * 8;
  static constexpr int kTensors = std::min(255, (kBytes - kBlocks * 5) / kBytesOfATensor);

  void* data[kRoles][kTensors];
  const float* step[kTensors];
  int64_t numel[kTensors];
  int32_t chunk_of_block[kBlocks];
  uint8_t tensor_of_block[kBlocks];
};

// Calls `launch(batch, blocks)` until all rows are covered, with one block per chunk of `chunk`
// elements.
template <int kRoles, typename Launch>
void for_each_batch(c10::ArrayRef<TensorRow> rows, int64_t chunk, const Launch& launch) {
  using Batch = TensorBatch<kRoles>;
  static_assert(sizeof(Batch) <= Batch::kBytes && kRoles <= static_cast<int>(kMostRoles));
  Batch batch;
  int tensors = 0;
  int blocks = 0;
  for (const TensorRow& row : rows) {
    const int64_t chunks = (row.numel + chunk - 1) / chunk;
    for (int64_t c = 0; c < chunks; ++c) {
      if (c == 0 || tensors == 0) {
        for (int r = 0; r < kRoles; ++r) {
          batch.data[r][tensors] = row.data[static_cast<size_t>(r)];
        }
        batch.step[tensors] = row.step;
        batch.numel[tensors] = row.numel;
        ++tensors;
      }
      batch.tensor_of_block[blocks] = static_cast<uint8_t>(tensors - 1);
      batch.chunk_of_block[blocks] = static_cast<int32_t>(c);
      ++blocks;
      const bool full = blocks == Batch::kBlocks || (tensors == Batch::kTensors && c == chunks - 1);
      if (full) {
        launch(batch, blocks);
        tensors = blocks = 0;
      }
    }
  }
  if (blocks > 0) launch(batch, blocks);
}

}  // namespace at::native
