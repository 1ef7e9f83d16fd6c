// What cuBLASLt is asked for, on a cuBLASLt that runs on the host and reads what it is described.

#include <ATen/native/cuda/Gemm.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <cublasLt.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

struct cublasLtContext {};

namespace {

int heuristics = 1;  // how many algorithms there are
cublasStatus_t answer = CUBLAS_STATUS_SUCCESS;
int alive = 0;  // descriptions that are not destroyed yet

struct Desc {
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const float* bias = nullptr;
};
struct Layout {
  int64_t rows, columns, leading;
};
Desc& of(cublasLtMatmulDesc_t desc) { return *reinterpret_cast<Desc*>(desc); }
const Layout& of(cublasLtMatrixLayout_t layout) { return *reinterpret_cast<Layout*>(layout); }

float element(const void* data, const Layout& x, cublasOperation_t operation, int64_t row,
              int64_t column) {
  const int64_t i = operation == CUBLAS_OP_N ? row : column;
  const int64_t j = operation == CUBLAS_OP_N ? column : row;
  EXPECT_LT(i, x.rows);
  EXPECT_LT(j, x.columns);
  return static_cast<const float*>(data)[i + j * x.leading];
}

float activation(cublasLtEpilogue_t epilogue, float x) {
  if (epilogue == CUBLASLT_EPILOGUE_RELU_BIAS) return x < 0 ? 0 : x;
  EXPECT_EQ(epilogue, CUBLASLT_EPILOGUE_GELU_BIAS);
  return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* made) {
  static cublasLtContext handle;
  *made = &handle;
  return CUBLAS_STATUS_SUCCESS;
}
const char* cublasLtGetStatusName(cublasStatus_t) { return "CUBLAS_STATUS_EXECUTION_FAILED"; }
const char* cublasLtGetStatusString(cublasStatus_t) { return "the function failed to launch"; }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t,
                                        cudaDataType_t) {
  *made = reinterpret_cast<cublasLtMatmulDesc_t>(new Desc);
  ++alive;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  delete &of(desc);
  --alive;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t size) {
  Desc& d = of(desc);
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      EXPECT_EQ(size, sizeof(d.a));
      std::memcpy(&d.a, value, size);
      break;
    case CUBLASLT_MATMUL_DESC_TRANSB:
      EXPECT_EQ(size, sizeof(d.b));
      std::memcpy(&d.b, value, size);
      break;
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      EXPECT_EQ(size, sizeof(d.epilogue));
      std::memcpy(&d.epilogue, value, size);
      break;
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      EXPECT_EQ(size, sizeof(d.bias));
      std::memcpy(&d.bias, value, size);
      break;
    default:
      ADD_FAILURE() << "attribute " << attribute;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType_t,
                                          uint64_t rows, uint64_t columns, int64_t leading) {
  if (leading < static_cast<int64_t>(rows)) return CUBLAS_STATUS_INVALID_VALUE;
  *made = reinterpret_cast<cublasLtMatrixLayout_t>(
      new Layout{static_cast<int64_t>(rows), static_cast<int64_t>(columns), leading});
  ++alive;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete &of(layout);
  --alive;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  *made = reinterpret_cast<cublasLtMatmulPreference_t>(new int);
  ++alive;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete reinterpret_cast<int*>(preference);
  --alive;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t,
                                                    const void*, size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t, int,
                                              cublasLtMatmulHeuristicResult_t[], int* found) {
  *found = heuristics;
  return CUBLAS_STATUS_SUCCESS;
}

// By the definition, for floats.
cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t desc, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* beta, const void*,
                              cublasLtMatrixLayout_t, void* d, cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t*, void* workspace, size_t bytes,
                              cudaStream_t) {
  if (answer != CUBLAS_STATUS_SUCCESS) return answer;
  EXPECT_TRUE(workspace != nullptr && bytes > 0);
  EXPECT_EQ(*static_cast<const float*>(beta), 0);
  const Desc& how = of(desc);
  const Layout& result = of(d_layout);
  const Layout& left = of(a_layout);
  const int64_t inner = how.a == CUBLAS_OP_N ? left.columns : left.rows;
  for (int64_t row = 0; row < result.rows; ++row) {
    for (int64_t column = 0; column < result.columns; ++column) {
      float sum = 0;
      for (int64_t k = 0; k < inner; ++k) {
        sum += element(a, left, how.a, row, k) * element(b, of(b_layout), how.b, k, column);
      }
      static_cast<float*>(d)[row + column * result.leading] =
          activation(how.epilogue, *static_cast<const float*>(alpha) * sum + how.bias[row]);
    }
  }
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"

namespace at::native {
namespace {

// A matrix with a gap after each row, or after each column.
struct Matrix {
  int64_t row_stride, column_stride;
  std::vector<float> values;

  Matrix(int64_t rows, int64_t columns, bool by_rows)
      : row_stride(by_rows ? columns + 2 : 1),
        column_stride(by_rows ? 1 : rows + 2),
        values(static_cast<size_t>((rows + 2) * (columns + 2))) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i * 7 % 11) / 4 - 1;
  }
  float at(int64_t row, int64_t column) const {
    return values[static_cast<size_t>(row * row_stride + column * column_stride)];
  }
  template <typename Pointer>
  GemmOperand<Pointer> operand() {
    return {values.data(), 0, row_stride, column_stride};
  }
};

GemmProblem problem(Matrix& a, Matrix& b, Matrix& c, int64_t m, int64_t n, int64_t k) {
  GemmProblem p{};
  p.batch = 1;
  p.m = m;
  p.n = n;
  p.k = k;
  p.a = a.operand<const void*>();
  p.b = b.operand<const void*>();
  p.result = c.operand<void*>();
  p.alpha = 0.5;
  p.beta = 1;
  return p;
}

const std::vector<float> kBias = {-1, 2, 0.5, -3};

TEST(GemmLibraryLtTest, EveryLayoutWithBiasAndActivation) {
  for (const bool a_rows : {false, true}) {
    for (const bool b_rows : {false, true}) {
      for (const auto kind : {Activation::RELU, Activation::GELU}) {
        for (const int64_t m : {1, 3}) {
          const int64_t n = 4, k = 5;
          Matrix a(m, k, a_rows), b(k, n, b_rows), c(m, n, true);
          const GemmProblem p = problem(a, b, c, m, n, k);
          ASSERT_TRUE(gemm_with_bias_by_library(c10::ScalarType::Float, p, kBias.data(), kind));
          for (int64_t row = 0; row < m; ++row) {
            for (int64_t column = 0; column < n; ++column) {
              float sum = kBias[static_cast<size_t>(column)];
              for (int64_t i = 0; i < k; ++i) sum += 0.5f * a.at(row, i) * b.at(i, column);
              const float expected =
                  activation(kind == Activation::RELU ? CUBLASLT_EPILOGUE_RELU_BIAS
                                                      : CUBLASLT_EPILOGUE_GELU_BIAS,
                             sum);
              EXPECT_NEAR(c.at(row, column), expected, 1e-5f) << a_rows << b_rows << m;
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(alive, 0) << "descriptions are destroyed";
}

TEST(GemmLibraryLtTest, WhatItLacksIsLeftToTheKernels) {
  Matrix a(3, 3, true), c(3, 4, true), b(3, 4, true);
  const auto library = [&](c10::ScalarType dtype, const GemmProblem& p) {
    return gemm_with_bias_by_library(dtype, p, kBias.data(), Activation::RELU);
  };
  const GemmProblem good = problem(a, b, c, 3, 4, 3);
  EXPECT_TRUE(library(c10::ScalarType::Float, good));
  EXPECT_FALSE(library(c10::ScalarType::Long, good));
  GemmProblem strided = good;
  strided.a.column_stride = 2;
  EXPECT_FALSE(library(c10::ScalarType::Float, strided));
  GemmProblem scaled = good;
  scaled.beta = 2;
  EXPECT_FALSE(library(c10::ScalarType::Float, scaled));
  heuristics = 0;
  EXPECT_FALSE(library(c10::ScalarType::Float, good));
  heuristics = 1;
}

TEST(GemmLibraryLtTest, AFailureIsNamed) {
  Matrix a(3, 3, true), b(3, 4, true), c(3, 4, true);
  answer = CUBLAS_STATUS_EXECUTION_FAILED;
  try {
    gemm_with_bias_by_library(c10::ScalarType::Float, problem(a, b, c, 3, 4, 3), kBias.data(),
                              Activation::RELU);
    FAIL() << "it did not throw";
  } catch (const c10::Error& error) {
    EXPECT_EQ(
        std::string(error.what_without_backtrace())
            .find(
                "CUDA error: CUBLAS_STATUS_EXECUTION_FAILED: the function failed to launch when calling `cublasLtMatmul("),
        0u);
  }
  answer = CUBLAS_STATUS_SUCCESS;
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace at::native
