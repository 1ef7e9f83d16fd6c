#pragma once

// What the decompositions share: batches of matrices stored by columns, as LAPACK wants them.

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace at::native {

// A copy with matrices stored by columns, batches one after the other.
Tensor column_major_copy(const Tensor& a);
// Their strides.
std::vector<int64_t> column_major_strides(IntArrayRef sizes);
// Without values, of that layout.
Tensor empty_column_major(IntArrayRef sizes, const TensorOptions& options);

// The sizes without the last `count`.
IntArrayRef batch_sizes(const Tensor& a, int64_t count = 2);
int64_t batch_count(const Tensor& a);
// The sizes of a batch, and those of its items.
std::vector<int64_t> appended(IntArrayRef batch, std::initializer_list<int64_t> sizes);

// LAPACK's distance between columns, which is never 0.
inline int64_t leading(int64_t rows) { return std::max<int64_t>(rows, 1); }

// Calls f(b) for each matrix, on different threads where `work`, the operations in one, is worth
// it.
template <typename F>
void for_each_matrix(int64_t batches, int64_t work, F&& f) {
  const int64_t grain = std::max<int64_t>(1, 32768 / std::max<int64_t>(work, 1));
  at::parallel_for(0, batches, grain, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) f(b);
  });
}

// Calls f(b, first, count) for columns of each matrix that do not depend on each other, where
// `work` is the operations in one: all of a matrix, or shares of it where there are fewer matrices
// than threads.
template <typename F>
void for_each_share(int64_t batches, int64_t columns, int64_t work, F&& f) {
  constexpr int64_t kWorth = 32768;
  const int64_t threads = at::in_parallel_region() ? 1 : at::get_num_threads();
  const int64_t most = std::max<int64_t>(1, threads / std::max<int64_t>(batches, 1));
  const int64_t shares = std::clamp<int64_t>(columns * work / kWorth, 1, most);
  for_each_matrix(batches * shares, columns * work / shares, [&](int64_t i) {
    const int64_t share = i % shares;
    const int64_t first = columns * share / shares;
    f(i / shares, first, columns * (share + 1) / shares - first);
  });
}

// Zeros for LAPACK's `info` of each matrix.
Tensor empty_infos(const Tensor& a);

// Throw "linalg.inv: A must be batches of square matrices, but they are 2 by 3 matrices".
void check_is_matrix(const Tensor& a, const char* name, const char* argument = "A");
void check_square(const Tensor& a, const char* name, const char* argument = "A");
// Half and BFloat16 are refused, or only integers.
void check_floating_or_complex(const Tensor& a, const char* name, bool allow_low_precision = false);

// Copies `result` to `out`, which takes its shape, and where that is new its strides too: matrices
// by columns. With `cast` it converts as write_to_out does, else it throws what write_out throws.
Tensor& write_linalg_out(const Tensor& result, Tensor& out, bool cast = false);

// Throws LinAlgError for the first matrix whose `info` is not 0, as the routine `name` says it.
void check_linalg_errors(const Tensor& infos, const char* name, bool is_matrix);

}  // namespace at::native
