// Products of matrices with a bias and an activation by cuBLASLt, in builds with --cublas.

#include <ATen/native/cuda/Gemm.h>

#ifdef USE_CUBLAS
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>
#include <cublasLt.h>
#include <library_types.h>

#include <cstddef>
#include <optional>
#include <vector>

#define TORCH_CUBLASLT_CHECK(EXPR)                                                                \
  do {                                                                                            \
    const cublasStatus_t status_ = (EXPR);                                                        \
    TORCH_CHECK(status_ == CUBLAS_STATUS_SUCCESS, "CUDA error: ", cublasLtGetStatusName(status_), \
                ": ", cublasLtGetStatusString(status_), " when calling `" #EXPR "`");             \
  } while (0)
#endif

namespace at::native {

#ifndef USE_CUBLAS

bool gemm_with_bias_by_library(c10::ScalarType, const GemmProblem&, const void*, Activation) {
  return false;
}

#else

namespace {

// What PyTorch gives it by default, in bytes; more lets it choose among more algorithms.
constexpr size_t kWorkspace = size_t{1} << 20;

// Destroys what one of the library's functions has made.
template <typename Handle, cublasStatus_t (*kDestroy)(Handle)>
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (handle_ != nullptr) kDestroy(handle_);
  }
  Handle* make() { return &handle_; }
  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};
using MatmulDesc = Owned<cublasLtMatmulDesc_t, &cublasLtMatmulDescDestroy>;
using MatrixLayout = Owned<cublasLtMatrixLayout_t, &cublasLtMatrixLayoutDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, &cublasLtMatmulPreferenceDestroy>;

// The handle of this thread for the current device. It is never destroyed, because the driver may
// be gone at exit.
cublasLtHandle_t current_handle() {
  static thread_local std::vector<cublasLtHandle_t> handles;
  const auto device = static_cast<size_t>(c10::cuda::current_device());
  if (handles.size() <= device) handles.resize(device + 1, nullptr);
  if (handles[device] == nullptr) TORCH_CUBLASLT_CHECK(cublasLtCreate(&handles[device]));
  return handles[device];
}

std::optional<cudaDataType_t> type_of(c10::ScalarType dtype) {
  switch (dtype) {
    case c10::ScalarType::Half:
      return CUDA_R_16F;
    case c10::ScalarType::BFloat16:
      return CUDA_R_16BF;
    case c10::ScalarType::Float:
      return CUDA_R_32F;
    default:
      return std::nullopt;
  }
}

// A matrix whose rows lie one after the other is, read by columns, its transpose. `by_rows` says
// which of the two `x` is; nothing when neither its rows nor its columns are dense.
struct Layout {
  bool by_rows;
  int64_t leading;
};
template <typename Pointer>
std::optional<Layout> layout_of(const GemmOperand<Pointer>& x, int64_t rows, int64_t columns) {
  if ((x.column_stride == 1 || columns == 1) && (x.row_stride >= columns || rows == 1)) {
    return Layout{true, rows == 1 ? columns : x.row_stride};
  }
  if ((x.row_stride == 1 || rows == 1) && (x.column_stride >= rows || columns == 1)) {
    return Layout{false, columns == 1 ? rows : x.column_stride};
  }
  return std::nullopt;
}

// Rows and columns are those in memory read by columns.
void make_layout(MatrixLayout& made, cudaDataType_t type, const Layout& layout, int64_t rows,
                 int64_t columns) {
  TORCH_CUBLASLT_CHECK(cublasLtMatrixLayoutCreate(
      made.make(), type, static_cast<uint64_t>(layout.by_rows ? columns : rows),
      static_cast<uint64_t>(layout.by_rows ? rows : columns), layout.leading));
}

template <typename T>
void set(const MatmulDesc& desc, cublasLtMatmulDescAttributes_t attribute, const T& value) {
  TORCH_CUBLASLT_CHECK(
      cublasLtMatmulDescSetAttribute(desc.get(), attribute, &value, sizeof(value)));
}

}  // namespace

bool gemm_with_bias_by_library(c10::ScalarType dtype, const GemmProblem& p, const void* bias,
                               Activation activation) {
  const auto type = type_of(dtype);
  const auto a = layout_of(p.a, p.m, p.k);
  const auto b = layout_of(p.b, p.k, p.n);
  const auto c = layout_of(p.result, p.m, p.n);
  // The bias belongs to rows of what the library computes, c^T = b^T a^T.
  if (!type || !a || !b || !c || !c->by_rows || p.batch != 1 || p.beta != 1) return false;
  if (p.m == 0 || p.n == 0 || p.k == 0) return false;

  MatmulDesc desc;
  TORCH_CUBLASLT_CHECK(cublasLtMatmulDescCreate(desc.make(), CUBLAS_COMPUTE_32F, CUDA_R_32F));
  set(desc, CUBLASLT_MATMUL_DESC_TRANSA, b->by_rows ? CUBLAS_OP_N : CUBLAS_OP_T);
  set(desc, CUBLASLT_MATMUL_DESC_TRANSB, a->by_rows ? CUBLAS_OP_N : CUBLAS_OP_T);
  set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE,
      activation == Activation::RELU ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_GELU_BIAS);
  set(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
  MatrixLayout left, right, result;
  make_layout(left, *type, *b, p.k, p.n);
  make_layout(right, *type, *a, p.m, p.k);
  make_layout(result, *type, *c, p.m, p.n);

  Preference preference;
  TORCH_CUBLASLT_CHECK(cublasLtMatmulPreferenceCreate(preference.make()));
  TORCH_CUBLASLT_CHECK(cublasLtMatmulPreferenceSetAttribute(
      preference.get(), CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspace, sizeof(kWorkspace)));
  cublasLtMatmulHeuristicResult_t found{};
  int count = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
      current_handle(), desc.get(), left.get(), right.get(), result.get(), result.get(),
      preference.get(), 1, &found, &count);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || (status == CUBLAS_STATUS_SUCCESS && count == 0)) {
    return false;
  }
  TORCH_CHECK(status == CUBLAS_STATUS_SUCCESS, "CUDA error: ", cublasLtGetStatusName(status), ": ",
              cublasLtGetStatusString(status),
              " when calling `cublasLtMatmulAlgoGetHeuristic` for a product of ", p.m, "x", p.k,
              " and ", p.k, "x", p.n);
  const auto alpha = static_cast<float>(p.alpha);
  const float beta = 0;
  c10::DataPtr workspace = c10::cuda::CUDACachingAllocator::get()->allocate(kWorkspace);
  TORCH_CUBLASLT_CHECK(cublasLtMatmul(
      current_handle(), desc.get(), &alpha, p.b.data, left.get(), p.a.data, right.get(), &beta,
      p.result.data, result.get(), p.result.data, result.get(), &found.algo,
      workspace.mutable_get(), kWorkspace, c10::cuda::getCurrentCUDAStream().stream()));
  return true;
}

#endif

}  // namespace at::native
