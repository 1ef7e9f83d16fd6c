// What cuBLAS is asked for, on a cuBLAS that runs on the host and has PyTorch's layouts to read.

#include <ATen/native/cuda/Gemm.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <cublas_v2.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

cublasStatus_t answer = CUBLAS_STATUS_SUCCESS;
int handle = 0;

float element(const void* data, cublasOperation_t operation, int64_t row, int64_t column,
              int64_t leading) {
  const auto* x = static_cast<const float*>(data);
  return operation == CUBLAS_OP_N ? x[row + column * leading] : x[column + row * leading];
}

}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* made) {
  *made = reinterpret_cast<cublasHandle_t>(&handle);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t, cudaStream_t) { return CUBLAS_STATUS_SUCCESS; }

const char* cublasGetStatusName(cublasStatus_t) { return "CUBLAS_STATUS_EXECUTION_FAILED"; }

const char* cublasGetStatusString(cublasStatus_t) { return "the function failed to launch"; }

// By the definition, for floats.
cublasStatus_t cublasGemmStridedBatchedEx_64(cublasHandle_t, cublasOperation_t transa,
                                             cublasOperation_t transb, int64_t m, int64_t n,
                                             int64_t k, const void* alpha, const void* a,
                                             cudaDataType_t, int64_t lda, long long stride_a,
                                             const void* b, cudaDataType_t, int64_t ldb,
                                             long long stride_b, const void* beta, void* c,
                                             cudaDataType_t, int64_t ldc, long long stride_c,
                                             int64_t batch, cublasComputeType_t, cublasGemmAlgo_t) {
  if (answer != CUBLAS_STATUS_SUCCESS) return answer;
  if (lda < (transa == CUBLAS_OP_N ? m : k) || ldb < (transb == CUBLAS_OP_N ? k : n) || ldc < m) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  for (int64_t i = 0; i < batch; ++i) {
    const auto* left = static_cast<const float*>(a) + i * stride_a;
    const auto* right = static_cast<const float*>(b) + i * stride_b;
    auto* result = static_cast<float*>(c) + i * stride_c;
    for (int64_t row = 0; row < m; ++row) {
      for (int64_t column = 0; column < n; ++column) {
        float sum = 0;
        for (int64_t inner = 0; inner < k; ++inner) {
          sum +=
              element(left, transa, row, inner, lda) * element(right, transb, inner, column, ldb);
        }
        float& x = result[row + column * ldc];
        const float factor = *static_cast<const float*>(beta);
        x = *static_cast<const float*>(alpha) * sum + (factor == 0 ? 0 : factor * x);
      }
    }
  }
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"

namespace at::native {
namespace {

// A batch of matrices with gaps between rows or columns.
struct Matrices {
  int64_t batch, rows, columns, row_stride, column_stride;
  std::vector<float> values;

  Matrices(int64_t batch, int64_t rows, int64_t columns, bool by_rows, int64_t gap)
      : batch(batch),
        rows(rows),
        columns(columns),
        row_stride(by_rows ? columns + gap : 1),
        column_stride(by_rows ? 1 : rows + gap),
        values(static_cast<size_t>(batch * (rows + gap) * (columns + gap))) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7 % 11) - 5;
  }
  int64_t batch_stride() const { return static_cast<int64_t>(values.size()) / batch; }
  float at(int64_t b, int64_t row, int64_t column) const {
    return values[static_cast<size_t>(b * batch_stride() + row * row_stride +
                                      column * column_stride)];
  }
  template <typename Pointer>
  GemmOperand<Pointer> operand() {
    return {values.data(), batch_stride(), row_stride, column_stride};
  }
};

void expect_product(int64_t m, int64_t n, int64_t k, bool a_rows, bool b_rows, bool c_rows) {
  Matrices a(2, m, k, a_rows, 1), b(2, k, n, b_rows, 2), c(2, m, n, c_rows, 3);
  const Matrices before = c;
  GemmProblem p{};
  p.batch = 2;
  p.m = m;
  p.n = n;
  p.k = k;
  p.a = a.operand<const void*>();
  p.b = b.operand<const void*>();
  p.source = c.operand<const void*>();
  p.result = c.operand<void*>();
  p.alpha = 2;
  p.beta = 3;
  ASSERT_TRUE(gemm_by_library(c10::ScalarType::Float, p));
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t row = 0; row < m; ++row) {
      for (int64_t column = 0; column < n; ++column) {
        float sum = 0;
        for (int64_t inner = 0; inner < k; ++inner) {
          sum += a.at(i, row, inner) * b.at(i, inner, column);
        }
        ASSERT_EQ(c.at(i, row, column), 2 * sum + 3 * before.at(i, row, column))
            << m << " " << n << " " << k << a_rows << b_rows << c_rows;
      }
    }
  }
}

TEST(GemmLibraryTest, EveryLayoutIsTheSameProduct) {
  for (int layout = 0; layout < 8; ++layout) {
    for (const int64_t m : {1, 3}) {
      for (const int64_t n : {1, 4}) {
        for (const int64_t k : {1, 5}) {
          expect_product(m, n, k, (layout & 1) != 0, (layout & 2) != 0, (layout & 4) != 0);
        }
      }
    }
  }
}

TEST(GemmLibraryTest, StridesAndTypesThatItLacksAreLeftToTheKernels) {
  Matrices a(1, 3, 3, true, 0), c(1, 3, 3, true, 0);
  GemmProblem p{};
  p.batch = 1;
  p.m = p.n = p.k = 3;
  p.a = p.b = a.operand<const void*>();
  p.result = c.operand<void*>();
  p.alpha = 1;
  EXPECT_TRUE(gemm_by_library(c10::ScalarType::Float, p));
  EXPECT_FALSE(gemm_by_library(c10::ScalarType::Long, p));
  p.a.column_stride = 2;
  EXPECT_FALSE(gemm_by_library(c10::ScalarType::Float, p));
}

TEST(GemmLibraryTest, AFailureIsNamed) {
  Matrices a(1, 3, 3, true, 0), c(1, 3, 3, true, 0);
  GemmProblem p{};
  p.batch = 1;
  p.m = p.n = p.k = 3;
  p.a = p.b = a.operand<const void*>();
  p.result = c.operand<void*>();
  answer = CUBLAS_STATUS_EXECUTION_FAILED;
  try {
    gemm_by_library(c10::ScalarType::Float, p);
    FAIL() << "it did not throw";
  } catch (const c10::Error& error) {
    const std::string message = error.what_without_backtrace();
    EXPECT_EQ(
        message.find(
            "CUDA error: CUBLAS_STATUS_EXECUTION_FAILED: the function failed to launch when calling `cublasGemmStridedBatchedEx_64("),
        0u)
        << message;
  }
  answer = CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace at::native
