// What cuSPARSELt is asked for, on a cuSPARSELt that runs on the host and computes with floats.

#include <ATen/native/cuda/SparseGemm.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <cusparseLt.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

int alive = 0;  // objects that are not destroyed yet
cusparseStatus_t answer = CUSPARSE_STATUS_SUCCESS;

struct Matrix {
  int64_t rows, columns, leading;
  cudaDataType type;
  cusparseOrder_t order;
  bool sparse;

  size_t offset(int64_t row, int64_t column) const {
    return static_cast<size_t>(order == CUSPARSE_ORDER_ROW ? row * leading + column
                                                           : column * leading + row);
  }
};
struct Description {
  Matrix a, b, result;
  cusparseComputeType compute;
  const float* bias;
  int alpha_of_row;
};
struct Algorithm {
  const Description* description;
  int id, split_k, split_k_mode;
};
struct Plan {
  const Description* description;
  Algorithm* algorithm;
};

// The library's types are bytes.
template <typename T, typename Opaque>
T& of(Opaque* opaque) {
  static_assert(sizeof(T) <= sizeof(Opaque));
  return *reinterpret_cast<T*>(opaque);
}
template <typename T, typename Opaque>
const T& of(const Opaque* opaque) {
  return *reinterpret_cast<const T*>(opaque);
}

Algorithm last;  // of the last product

constexpr int kFastest = 7;

// One of two neighbours: floats have half of their values in pairs, not in fours.
struct Kept {
  float value;
  int64_t place;
};

}  // namespace

extern "C" {

const char* cusparseLtGetErrorString(cusparseStatus_t) { return "the kernel failed to launch"; }

cusparseStatus_t cusparseLtInit(cusparseLtHandle_t*) { return CUSPARSE_STATUS_SUCCESS; }

cusparseStatus_t cusparseLtGetProperty(libraryPropertyType type, int* value) {
  *value = type == MINOR_VERSION ? 8 : type == PATCH_LEVEL ? 1 : 0;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtDenseDescriptorInit(const cusparseLtHandle_t*,
                                               cusparseLtMatDescriptor_t* made, int64_t rows,
                                               int64_t columns, int64_t leading, uint32_t,
                                               cudaDataType type, cusparseOrder_t order) {
  of<Matrix>(made) = {rows, columns, leading, type, order, false};
  ++alive;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtStructuredDescriptorInit(const cusparseLtHandle_t*,
                                                    cusparseLtMatDescriptor_t* made, int64_t rows,
                                                    int64_t columns, int64_t leading, uint32_t,
                                                    cudaDataType type, cusparseOrder_t order,
                                                    cusparseLtSparsity_t) {
  of<Matrix>(made) = {rows, columns, leading, type, order, true};
  ++alive;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatDescriptorDestroy(const cusparseLtMatDescriptor_t*) {
  --alive;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulDescriptorInit(
    const cusparseLtHandle_t*, cusparseLtMatmulDescriptor_t* made, cusparseOperation_t a_operation,
    cusparseOperation_t b_operation, const cusparseLtMatDescriptor_t* a,
    const cusparseLtMatDescriptor_t* b, const cusparseLtMatDescriptor_t* c,
    const cusparseLtMatDescriptor_t* d, cusparseComputeType compute) {
  EXPECT_EQ(a_operation, CUSPARSE_OPERATION_NON_TRANSPOSE);
  EXPECT_EQ(b_operation, CUSPARSE_OPERATION_NON_TRANSPOSE);
  EXPECT_EQ(c, d);
  EXPECT_TRUE(of<Matrix>(a).sparse);
  of<Description>(made) = {of<Matrix>(a), of<Matrix>(b), of<Matrix>(d), compute, nullptr, 0};
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulDescSetAttribute(const cusparseLtHandle_t*,
                                                  cusparseLtMatmulDescriptor_t* description,
                                                  cusparseLtMatmulDescAttribute_t attribute,
                                                  const void* value, size_t size) {
  Description& d = of<Description>(description);
  if (attribute == CUSPARSELT_MATMUL_BIAS_POINTER) {
    EXPECT_EQ(size, sizeof(d.bias));
    std::memcpy(&d.bias, value, size);
  } else if (attribute == CUSPARSELT_MATMUL_ALPHA_VECTOR_SCALING) {
    EXPECT_EQ(size, sizeof(d.alpha_of_row));
    std::memcpy(&d.alpha_of_row, value, size);
  } else {
    ADD_FAILURE() << "attribute " << attribute;
  }
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulAlgSelectionInit(const cusparseLtHandle_t*,
                                                  cusparseLtMatmulAlgSelection_t* made,
                                                  const cusparseLtMatmulDescriptor_t* description,
                                                  cusparseLtMatmulAlg_t) {
  of<Algorithm>(made) = {&of<Description>(description), 0, 1, 0};
  ++alive;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulAlgSelectionDestroy(const cusparseLtMatmulAlgSelection_t*) {
  --alive;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulAlgSetAttribute(const cusparseLtHandle_t*,
                                                 cusparseLtMatmulAlgSelection_t* algorithm,
                                                 cusparseLtMatmulAlgAttribute_t attribute,
                                                 const void* value, size_t size) {
  Algorithm& a = of<Algorithm>(algorithm);
  EXPECT_EQ(size, sizeof(int));
  int& field = attribute == CUSPARSELT_MATMUL_ALG_CONFIG_ID ? a.id
               : attribute == CUSPARSELT_MATMUL_SPLIT_K     ? a.split_k
                                                            : a.split_k_mode;
  std::memcpy(&field, value, size);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulAlgGetAttribute(const cusparseLtHandle_t*,
                                                 const cusparseLtMatmulAlgSelection_t* algorithm,
                                                 cusparseLtMatmulAlgAttribute_t attribute,
                                                 void* value, size_t size) {
  EXPECT_EQ(attribute, CUSPARSELT_MATMUL_ALG_CONFIG_ID);
  std::memcpy(value, &of<Algorithm>(algorithm).id, size);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulPlanInit(const cusparseLtHandle_t*, cusparseLtMatmulPlan_t* made,
                                          const cusparseLtMatmulDescriptor_t* description,
                                          const cusparseLtMatmulAlgSelection_t* algorithm) {
  of<Plan>(made) = {&of<Description>(description),
                    const_cast<Algorithm*>(&of<Algorithm>(algorithm))};
  ++alive;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulPlanDestroy(const cusparseLtMatmulPlan_t*) {
  --alive;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulGetWorkspace(const cusparseLtHandle_t*,
                                              const cusparseLtMatmulPlan_t*, size_t* size) {
  *size = 64;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtSpMMACompressedSize2(const cusparseLtHandle_t*,
                                                const cusparseLtMatDescriptor_t* matrix,
                                                size_t* size, size_t* workspace) {
  const Matrix& m = of<Matrix>(matrix);
  *size = static_cast<size_t>(m.rows * m.columns / 2) * sizeof(Kept);
  *workspace = 32;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtSpMMACompress2(const cusparseLtHandle_t*,
                                          const cusparseLtMatDescriptor_t* matrix, int is_a,
                                          cusparseOperation_t, const void* dense, void* compressed,
                                          void* workspace, cudaStream_t) {
  EXPECT_EQ(is_a, 1);
  EXPECT_NE(workspace, nullptr);
  const Matrix& m = of<Matrix>(matrix);
  const auto* from = static_cast<const float*>(dense);
  auto* to = static_cast<Kept*>(compressed);
  for (int64_t i = 0; i < m.rows * m.columns; i += 2, ++to) {
    const int64_t kept = from[i] != 0 ? i : i + 1;
    *to = {from[kept], kept % m.columns};
  }
  return CUSPARSE_STATUS_SUCCESS;
}

// By the definition, for floats.
cusparseStatus_t cusparseLtMatmul(const cusparseLtHandle_t*, const cusparseLtMatmulPlan_t* plan,
                                  const void* alpha, const void* a, const void* b, const void* beta,
                                  const void* c, void* d, void* workspace, cudaStream_t*,
                                  int32_t streams) {
  if (answer != CUSPARSE_STATUS_SUCCESS) return answer;
  EXPECT_EQ(*static_cast<const float*>(beta), 0);
  EXPECT_EQ(c, d);
  EXPECT_NE(workspace, nullptr);
  EXPECT_EQ(streams, 1);
  const Plan& p = of<Plan>(plan);
  const Description& what = *p.description;
  last = *p.algorithm;
  for (int64_t row = 0; row < what.a.rows; ++row) {
    const auto* values = static_cast<const Kept*>(a) + row * what.a.columns / 2;
    const float factor = static_cast<const float*>(alpha)[what.alpha_of_row != 0 ? row : 0];
    for (int64_t column = 0; column < what.b.columns; ++column) {
      float sum = 0;
      for (int64_t i = 0; i < what.a.columns / 2; ++i) {
        sum +=
            values[i].value * static_cast<const float*>(b)[what.b.offset(values[i].place, column)];
      }
      static_cast<float*>(d)[what.result.offset(row, column)] =
          factor * sum + (what.bias == nullptr ? 0 : what.bias[row]);
    }
  }
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseLtMatmulSearch(const cusparseLtHandle_t* handle,
                                        cusparseLtMatmulPlan_t* plan, const void* alpha,
                                        const void* a, const void* b, const void* beta,
                                        const void* c, void* d, void* workspace,
                                        cudaStream_t* streams, int32_t count) {
  of<Plan>(plan).algorithm->id = kFastest;
  return cusparseLtMatmul(handle, plan, alpha, a, b, beta, c, d, workspace, streams, count);
}

}  // extern "C"

namespace at::native {
namespace {

constexpr int64_t M = 8, N = 4, K = 16;

std::vector<float> values(size_t count) {
  std::vector<float> result(count);
  for (size_t i = 0; i < count; ++i) result[i] = static_cast<float>(i * 7 % 11) / 4 - 1;
  return result;
}

// One of two neighbours is zero, now the first and now the second.
std::vector<float> sparse() {
  std::vector<float> result = values(M * K);
  for (size_t i = 0; i < result.size(); i += 2) result[i + i / 2 % 2] = 0;
  return result;
}

struct Product {
  std::vector<float> a = sparse();
  std::vector<float> b = values(K * N);
  std::vector<float> bias = values(M);
  std::vector<float> factors = values(M);
  std::vector<float> result = std::vector<float>(M * N);
  std::vector<char> compressed;
  SparseGemmProblem problem{};

  Product() {
    const auto dtype = c10::ScalarType::Float;
    compressed.resize(static_cast<size_t>(sparse_compressed_bytes(dtype, M, K)));
    sparse_compress(dtype, M, K, a.data(), compressed.data());
    problem.dtype = problem.result_dtype = dtype;
    problem.m = M;
    problem.n = N;
    problem.k = K;
    problem.a = compressed.data();
    problem.b = b.data();
    problem.b_by_rows = problem.result_by_rows = true;
    problem.result = result.data();
    problem.alpha = 1;
    problem.split_k = 1;
    problem.split_k_mode = -1;
  }

  void expect_result() const {
    const auto at = [](const std::vector<float>& x, bool by_rows, int64_t rows, int64_t columns,
                       int64_t i, int64_t j) {
      return x[static_cast<size_t>(by_rows ? i * columns + j : j * rows + i)];
    };
    for (int64_t i = 0; i < M; ++i) {
      for (int64_t j = 0; j < N; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < K; ++k) {
          sum +=
              static_cast<double>(at(a, true, M, K, i, k)) * at(b, problem.b_by_rows, K, N, k, j);
        }
        sum *= problem.alpha_of_row == nullptr ? problem.alpha : problem.alpha_of_row[i];
        if (problem.bias != nullptr) sum += bias[static_cast<size_t>(i)];
        EXPECT_NEAR(at(result, problem.result_by_rows, M, N, i, j), sum, 1e-4) << i << " " << j;
      }
    }
  }
};

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "it did not throw";
}

TEST(SparseGemmLibraryTest, EveryOrder) {
  for (const bool b_by_rows : {true, false}) {
    for (const bool result_by_rows : {true, false}) {
      Product p;
      p.problem.b_by_rows = b_by_rows;
      p.problem.result_by_rows = result_by_rows;
      sparse_gemm(p.problem);
      p.expect_result();
    }
  }
  EXPECT_EQ(alive, 0);
}

TEST(SparseGemmLibraryTest, BiasAndFactors) {
  Product p;
  p.problem.bias = p.bias.data();
  p.problem.alpha = 0.5;
  sparse_gemm(p.problem);
  p.expect_result();
  p.problem.alpha_of_row = p.factors.data();
  sparse_gemm(p.problem);
  p.expect_result();
}

TEST(SparseGemmLibraryTest, TheAlgorithmIsChosenOrSearched) {
  Product p;
  p.problem.algorithm = 3;
  p.problem.split_k = 2;
  p.problem.split_k_mode = 1;
  sparse_gemm(p.problem);
  EXPECT_EQ(last.id, 3);
  EXPECT_EQ(last.split_k, 2);
  EXPECT_EQ(last.split_k_mode, 1);
  EXPECT_EQ(sparse_gemm_search(p.problem), kFastest);
}

TEST(SparseGemmLibraryTest, ItRefusesWhatTheLibraryLacks) {
  const auto bytes = [](c10::ScalarType dtype, int64_t rows, int64_t columns) {
    return message([=] { sparse_compressed_bytes(dtype, rows, columns); });
  };
  EXPECT_EQ(bytes(c10::ScalarType::Double, 16, 16),
            "cuSPARSELt has no products of Double: convert to int8, float16, bfloat16 or float32");
  EXPECT_EQ(bytes(c10::ScalarType::Half, 16, 24),
            "cuSPARSELt takes a sparse matrix of Half whose sizes are multiples of 16, not 16x24");
  EXPECT_EQ(bytes(c10::ScalarType::Char, 0, 32),
            "cuSPARSELt takes a sparse matrix of Char whose sizes are multiples of 32, not 0x32");
  Product p;
  p.problem.n = 6;
  EXPECT_EQ(message([&] { sparse_gemm(p.problem); }),
            "cuSPARSELt takes a dense matrix of Float whose sizes are multiples of 4, not 16x6");
  p.problem.n = N;
  p.problem.result_dtype = c10::ScalarType::Half;
  EXPECT_EQ(message([&] { sparse_gemm(p.problem); }),
            "cuSPARSELt has no product of Float that is Half. "
            "Only a product of int8 may have another type: int32, float16 or bfloat16");
  p.problem.dtype = p.problem.result_dtype = c10::ScalarType::Char;
  p.problem.m = p.problem.n = p.problem.k = 32;
  p.problem.bias = p.bias.data();
  EXPECT_EQ(message([&] { sparse_gemm(p.problem); }),
            "cuSPARSELt adds a bias to products of floating point types alone, not of int8");
  EXPECT_EQ(alive, 0);
}

TEST(SparseGemmLibraryTest, AFailureIsNamed) {
  Product p;
  answer = CUSPARSE_STATUS_EXECUTION_FAILED;
  EXPECT_EQ(
      message([&] {
        sparse_gemm(p.problem);
      }).find("cuSPARSELt error: the kernel failed to launch when calling `cusparseLtMatmul("),
      0u);
  answer = CUSPARSE_STATUS_SUCCESS;
  EXPECT_EQ(alive, 0);
}

TEST(SparseGemmLibraryTest, Version) { EXPECT_EQ(sparse_gemm_library_version(), 801); }

}  // namespace
}  // namespace at::native
