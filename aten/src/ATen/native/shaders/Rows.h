#pragma once

// Arguments of the shaders that include rows.glsl.

#include <ATen/native/ReduceOpsUtils.h>
#include <ATen/native/shaders/Launch.h>

#include <cstdint>

namespace at {
class TensorBase;

namespace native::shaders {

constexpr size_t kMostRowDims = 16;

struct RowArguments {
  uint32_t start[8];
  uint32_t rows;
  uint32_t count;
  uint32_t kept_size[kMostRowDims];
  uint32_t kept_stride[kMostRowDims];
  uint32_t size[kMostRowDims];
  uint32_t stride[kMostRowDims];
  float a;
  float b;
};

/// The arguments, and how many dimensions of each kind there are.
struct Rows {
  RowArguments arguments{};
  uint32_t kept_dims = 0;
  uint32_t dims = 0;
};

/// A row for each place in the dimensions of `self` that are not in `mask`.
Rows rows_of(const TensorBase& self, DimMask mask, const char* op);

/// Contiguous memory as `count` rows of `length`.
Rows contiguous_rows(int64_t count, int64_t length);

/// Runs a shader: long rows have a workgroup each, short ones a thread.
void run_rows(at::shaders::ComputeDevice& device, const std::string& shader, int op,
              const Rows& rows, std::initializer_list<at::shaders::Binding> bindings);

}  // namespace native::shaders
}  // namespace at
