#pragma once

// What the decompositions share: batches of matrices stored by columns, as LAPACK wants them.

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace at::native {

// A copy with matrices stored by columns, batches one after the other.
Tensor column_major_copy(const Tensor& a);
// Without values, of that layout.
Tensor empty_column_major(IntArrayRef sizes, const TensorOptions& options);

// The sizes without the last `count`.
IntArrayRef batch_sizes(const Tensor& a, int64_t count = 2);
int64_t batch_count(const Tensor& a);

// Throw "linalg.inv: A must be batches of square matrices, but they are 2 by 3 matrices".
void check_is_matrix(const Tensor& a, const char* name, const char* argument = "A");
void check_square(const Tensor& a, const char* name, const char* argument = "A");
// Half and BFloat16 are refused, or only integers.
void check_floating_or_complex(const Tensor& a, const char* name, bool allow_low_precision = false);

// Throws LinAlgError for the first matrix whose `info` is not 0, as the routine `name` says it.
void check_linalg_errors(const Tensor& infos, const char* name, bool is_matrix);

}  // namespace at::native
