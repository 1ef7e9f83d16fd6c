// Products of matrices by cuBLAS, in builds with --cublas.

#include <ATen/native/cuda/Gemm.h>

#include <c10/util/Exception.h>

#ifdef USE_CUBLAS
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <cublas_v2.h>
#include <library_types.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#define TORCH_CUDABLAS_CHECK(EXPR)                                                              \
  do {                                                                                          \
    const cublasStatus_t status_ = (EXPR);                                                      \
    TORCH_CHECK(status_ == CUBLAS_STATUS_SUCCESS, "CUDA error: ", cublasGetStatusName(status_), \
                ": ", cublasGetStatusString(status_), " when calling `" #EXPR "`");             \
  } while (0)
#endif

namespace at::native {

#ifndef USE_CUBLAS

void* gemm_library_handle() {
  TORCH_CHECK(false,
              "this build has no cuBLAS: ./bazelw build //torch:wheel --config=cuda --cublas");
}

bool has_gemm_library() { return false; }

bool gemm_by_library(c10::ScalarType, const GemmProblem&) { return false; }

#else

namespace {

// The handle of this thread for the current device. It is never destroyed, because the driver may
// be gone at exit.
cublasHandle_t current_handle() {
  static thread_local std::vector<cublasHandle_t> handles;
  const auto device = static_cast<size_t>(c10::cuda::current_device());
  if (handles.size() <= device) handles.resize(device + 1, nullptr);
  if (handles[device] == nullptr) TORCH_CUDABLAS_CHECK(cublasCreate(&handles[device]));
  TORCH_CUDABLAS_CHECK(
      cublasSetStream(handles[device], c10::cuda::getCurrentCUDAStream().stream()));
  return handles[device];
}

struct Types {
  cudaDataType_t elements;
  cublasComputeType_t compute;
};

// Half and BFloat16 are added up in float, and float in full precision.
std::optional<Types> types_of(c10::ScalarType dtype) {
  switch (dtype) {
    case c10::ScalarType::Half:
      return Types{CUDA_R_16F, CUBLAS_COMPUTE_32F};
    case c10::ScalarType::BFloat16:
      return Types{CUDA_R_16BF, CUBLAS_COMPUTE_32F};
    case c10::ScalarType::Float:
      return Types{CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case c10::ScalarType::Double:
      return Types{CUDA_R_64F, CUBLAS_COMPUTE_64F};
    case c10::ScalarType::ComplexFloat:
      return Types{CUDA_C_32F, CUBLAS_COMPUTE_32F};
    case c10::ScalarType::ComplexDouble:
      return Types{CUDA_C_64F, CUBLAS_COMPUTE_64F};
    default:
      return std::nullopt;
  }
}

// A matrix as cuBLAS takes it: columns one after the other, or the transpose of such a one.
struct Layout {
  cublasOperation_t operation;
  int64_t leading;
};

template <typename Pointer>
std::optional<Layout> layout_of(const GemmOperand<Pointer>& x, int64_t rows, int64_t columns) {
  const auto fits = [](int64_t inner, int64_t inner_stride, int64_t outer, int64_t outer_stride) {
    return (inner_stride == 1 || inner <= 1) && (outer_stride >= inner || outer <= 1);
  };
  const auto leading = [](int64_t inner, int64_t outer, int64_t outer_stride) {
    return std::max<int64_t>({1, inner, outer <= 1 ? 1 : outer_stride});
  };
  if (fits(rows, x.row_stride, columns, x.column_stride)) {
    return Layout{CUBLAS_OP_N, leading(rows, columns, x.column_stride)};
  }
  if (fits(columns, x.column_stride, rows, x.row_stride)) {
    return Layout{CUBLAS_OP_T, leading(columns, rows, x.row_stride)};
  }
  return std::nullopt;
}

template <typename Pointer>
GemmOperand<Pointer> transposed(GemmOperand<Pointer> x) {
  std::swap(x.row_stride, x.column_stride);
  return x;
}

// The same product read by columns: c^T = b^T a^T.
GemmProblem transposed(const GemmProblem& p) {
  GemmProblem result = p;
  std::swap(result.m, result.n);
  result.a = transposed(p.b);
  result.b = transposed(p.a);
  result.source = transposed(p.source);
  result.result = transposed(p.result);
  return result;
}

}  // namespace

void* gemm_library_handle() { return current_handle(); }

bool has_gemm_library() { return true; }

bool gemm_by_library(c10::ScalarType dtype, const GemmProblem& problem) {
  const auto types = types_of(dtype);
  if (!types) return false;
  GemmProblem p = problem;
  auto c = layout_of(p.result, p.m, p.n);
  if (c && c->operation == CUBLAS_OP_T) {
    p = transposed(problem);
    c = layout_of(p.result, p.m, p.n);
  }
  const auto a = layout_of(p.a, p.m, p.k);
  const auto b = layout_of(p.b, p.k, p.n);
  if (!a || !b || !c || c->operation == CUBLAS_OP_T) return false;
  if (p.batch > 1 && p.result.batch_stride == 0) return false;

  // Factors are of the type that is computed in; complex ones have an imaginary part.
  const double alpha[2] = {p.alpha, 0};
  const double beta[2] = {p.beta, 0};
  const float short_alpha[2] = {static_cast<float>(p.alpha), 0};
  const float short_beta[2] = {static_cast<float>(p.beta), 0};
  const bool wide = types->compute == CUBLAS_COMPUTE_64F;
  TORCH_CUDABLAS_CHECK(cublasGemmStridedBatchedEx_64(
      current_handle(), a->operation, b->operation, p.m, p.n, p.k,
      wide ? static_cast<const void*>(alpha) : short_alpha, p.a.data, types->elements, a->leading,
      p.a.batch_stride, p.b.data, types->elements, b->leading, p.b.batch_stride,
      wide ? static_cast<const void*>(beta) : short_beta, p.result.data, types->elements,
      c->leading, p.result.batch_stride, p.batch, types->compute, CUBLAS_GEMM_DEFAULT));
  return true;
}

#endif

}  // namespace at::native
