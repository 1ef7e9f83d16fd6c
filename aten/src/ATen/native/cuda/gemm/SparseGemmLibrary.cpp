#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/cuda/SparseGemm.h>

#include <c10/util/Exception.h>

#ifdef USE_CUSPARSELT
#include <c10/core/Allocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <cusparseLt.h>
#include <library_types.h>

#include <cstddef>
#include <memory>
#include <vector>

#define TORCH_CUSPARSELT_CHECK(EXPR)                                     \
  do {                                                                   \
    const cusparseStatus_t status_ = (EXPR);                             \
    TORCH_CHECK(status_ == CUSPARSE_STATUS_SUCCESS,                      \
                "cuSPARSELt error: ", cusparseLtGetErrorString(status_), \
                " when calling `" #EXPR "`");                            \
  } while (0)
#endif

namespace at::native {

#ifndef USE_CUSPARSELT

namespace {

[[noreturn]] void refuse() {
  TORCH_CHECK(false,
              "this build has no cuSPARSELt: "
              "./bazelw build //torch:wheel --config=cuda --cusparselt");
}

}  // namespace

int64_t sparse_gemm_library_version() { return 0; }
int64_t sparse_compressed_bytes(c10::ScalarType, int64_t, int64_t) { refuse(); }
void sparse_compress(c10::ScalarType, int64_t, int64_t, const void*, void*) { refuse(); }
void sparse_gemm(const SparseGemmProblem&) { refuse(); }
int64_t sparse_gemm_search(const SparseGemmProblem&) { refuse(); }

#else

namespace {

// The handle of this thread for the current device. It is never destroyed, because the driver may
// be gone at exit.
const cusparseLtHandle_t* current_handle() {
  static thread_local std::vector<cusparseLtHandle_t*> handles;
  const auto device = static_cast<size_t>(c10::cuda::current_device());
  if (handles.size() <= device) handles.resize(device + 1, nullptr);
  if (handles[device] == nullptr) {
    auto made = std::make_unique<cusparseLtHandle_t>();
    TORCH_CUSPARSELT_CHECK(cusparseLtInit(made.get()));
    handles[device] = made.release();
  }
  return handles[device];
}

// What the library knows of a type. Sizes of a sparse matrix are multiples of `step`, those of a
// dense one of half of it.
struct Type {
  cudaDataType_t cuda;
  cusparseComputeType compute;
  int64_t step;
};

Type type_of(c10::ScalarType dtype) {
  switch (dtype) {
    case c10::ScalarType::Char:
      return {CUDA_R_8I, CUSPARSE_COMPUTE_32I, 32};
    case c10::ScalarType::Half:
      return {CUDA_R_16F, CUSPARSE_COMPUTE_32F, 16};
    case c10::ScalarType::BFloat16:
      return {CUDA_R_16BF, CUSPARSE_COMPUTE_32F, 16};
    case c10::ScalarType::Float:
      return {CUDA_R_32F, CUSPARSE_COMPUTE_32F, 8};
    default:
      TORCH_CHECK(false, "cuSPARSELt has no products of ", c10::toString(dtype),
                  ": convert to int8, float16, bfloat16 or float32");
  }
}

cudaDataType_t result_type_of(const SparseGemmProblem& p) {
  if (p.result_dtype == p.dtype) return type_of(p.dtype).cuda;
  TORCH_CHECK(p.dtype == c10::ScalarType::Char && (p.result_dtype == c10::ScalarType::Int ||
                                                   p.result_dtype == c10::ScalarType::Half ||
                                                   p.result_dtype == c10::ScalarType::BFloat16),
              "cuSPARSELt has no product of ", c10::toString(p.dtype), " that is ",
              c10::toString(p.result_dtype),
              ". Only a product of int8 may have another type: int32, float16 or bfloat16");
  return p.result_dtype == c10::ScalarType::Int ? CUDA_R_32I : type_of(p.result_dtype).cuda;
}

// An object of the library, destroyed if it was made.
template <typename T, cusparseStatus_t (*kDestroy)(const T*)>
class Owned {
 public:
  Owned() = default;
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (made_) kDestroy(&value_);
  }
  template <typename Init, typename... Arguments>
  cusparseStatus_t make(Init init, Arguments... arguments) {
    const cusparseStatus_t status = init(current_handle(), &value_, arguments...);
    made_ = status == CUSPARSE_STATUS_SUCCESS;
    return status;
  }
  const T* get() const { return &value_; }
  T* mutable_get() { return &value_; }

 private:
  T value_{};
  bool made_ = false;
};
using Matrix = Owned<cusparseLtMatDescriptor_t, &cusparseLtMatDescriptorDestroy>;
using Algorithm = Owned<cusparseLtMatmulAlgSelection_t, &cusparseLtMatmulAlgSelectionDestroy>;
using Plan = Owned<cusparseLtMatmulPlan_t, &cusparseLtMatmulPlanDestroy>;

// Bytes: what the library wants of pointers.
constexpr uint32_t kAlignment = 16;

void make_sparse(Matrix& made, c10::ScalarType dtype, int64_t rows, int64_t columns) {
  const Type type = type_of(dtype);
  TORCH_CHECK(rows > 0 && columns > 0 && rows % type.step == 0 && columns % type.step == 0,
              "cuSPARSELt takes a sparse matrix of ", c10::toString(dtype),
              " whose sizes are multiples of ", type.step, ", not ", rows, "x", columns);
  TORCH_CUSPARSELT_CHECK(made.make(cusparseLtStructuredDescriptorInit, rows, columns, columns,
                                   kAlignment, type.cuda, CUSPARSE_ORDER_ROW,
                                   CUSPARSELT_SPARSITY_50_PERCENT));
}

void make_dense(Matrix& made, cudaDataType_t type, int64_t rows, int64_t columns, bool by_rows) {
  TORCH_CUSPARSELT_CHECK(made.make(cusparseLtDenseDescriptorInit, rows, columns,
                                   by_rows ? columns : rows, kAlignment, type,
                                   by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
}

class Product {
 public:
  explicit Product(const SparseGemmProblem& p) : problem_(p) {
    const Type type = type_of(p.dtype);
    const cudaDataType_t result_type = result_type_of(p);
    make_sparse(a_, p.dtype, p.m, p.k);
    TORCH_CHECK(p.n > 0 && p.n % (type.step / 2) == 0, "cuSPARSELt takes a dense matrix of ",
                c10::toString(p.dtype), " whose sizes are multiples of ", type.step / 2, ", not ",
                p.k, "x", p.n);
    // The library reads such a bias as another type than it writes.
    TORCH_CHECK(p.bias == nullptr || p.dtype != c10::ScalarType::Char,
                "cuSPARSELt adds a bias to products of floating point types alone, not of int8");
    make_dense(b_, type.cuda, p.k, p.n, p.b_by_rows);
    make_dense(result_, result_type, p.m, p.n, p.result_by_rows);
    TORCH_CUSPARSELT_CHECK(cusparseLtMatmulDescriptorInit(
        current_handle(), &description_, CUSPARSE_OPERATION_NON_TRANSPOSE,
        CUSPARSE_OPERATION_NON_TRANSPOSE, a_.get(), b_.get(), result_.get(), result_.get(),
        type.compute));
    if (p.bias != nullptr) set(CUSPARSELT_MATMUL_BIAS_POINTER, p.bias);
    if (p.alpha_of_row != nullptr) set(CUSPARSELT_MATMUL_ALPHA_VECTOR_SCALING, 1);
    TORCH_CUSPARSELT_CHECK(algorithm_.make(cusparseLtMatmulAlgSelectionInit, &description_,
                                           CUSPARSELT_MATMUL_ALG_DEFAULT));
    choose(CUSPARSELT_MATMUL_ALG_CONFIG_ID, p.algorithm);
    if (p.split_k != 1) choose(CUSPARSELT_MATMUL_SPLIT_K, p.split_k);
    if (p.split_k_mode != -1) choose(CUSPARSELT_MATMUL_SPLIT_K_MODE, p.split_k_mode);
    TORCH_CUSPARSELT_CHECK(plan_.make(cusparseLtMatmulPlanInit, &description_, algorithm_.get()));
    size_t bytes = 0;
    TORCH_CUSPARSELT_CHECK(cusparseLtMatmulGetWorkspace(current_handle(), plan_.get(), &bytes));
    workspace_ = c10::cuda::CUDACachingAllocator::get()->allocate(bytes);
  }

  void run() {
    cudaStream_t stream = c10::cuda::getCurrentCUDAStream().stream();
    TORCH_CUSPARSELT_CHECK(cusparseLtMatmul(current_handle(), plan_.get(), alpha(), problem_.a,
                                            problem_.b, &beta_, problem_.result, problem_.result,
                                            workspace_.mutable_get(), &stream, 1));
  }

  int64_t search() {
    cudaStream_t stream = c10::cuda::getCurrentCUDAStream().stream();
    TORCH_CUSPARSELT_CHECK(cusparseLtMatmulSearch(
        current_handle(), plan_.mutable_get(), alpha(), problem_.a, problem_.b, &beta_,
        problem_.result, problem_.result, workspace_.mutable_get(), &stream, 1));
    int found = 0;
    TORCH_CUSPARSELT_CHECK(cusparseLtMatmulAlgGetAttribute(current_handle(), algorithm_.get(),
                                                           CUSPARSELT_MATMUL_ALG_CONFIG_ID, &found,
                                                           sizeof(found)));
    return found;
  }

 private:
  template <typename T>
  void set(cusparseLtMatmulDescAttribute_t attribute, const T& value) {
    TORCH_CUSPARSELT_CHECK(cusparseLtMatmulDescSetAttribute(current_handle(), &description_,
                                                            attribute, &value, sizeof(value)));
  }
  void choose(cusparseLtMatmulAlgAttribute_t attribute, int64_t number) {
    const int value = static_cast<int>(number);
    TORCH_CUSPARSELT_CHECK(cusparseLtMatmulAlgSetAttribute(
        current_handle(), algorithm_.mutable_get(), attribute, &value, sizeof(value)));
  }
  const void* alpha() const {
    return problem_.alpha_of_row != nullptr ? static_cast<const void*>(problem_.alpha_of_row)
                                            : &problem_.alpha;
  }

  const SparseGemmProblem& problem_;
  const float beta_ = 0;
  Matrix a_, b_, result_;
  cusparseLtMatmulDescriptor_t description_{};
  Algorithm algorithm_;
  Plan plan_;
  c10::DataPtr workspace_;
};

struct CompressedSize {
  size_t bytes = 0;
  size_t workspace = 0;
};

CompressedSize compressed_size(const Matrix& matrix) {
  CompressedSize size;
  TORCH_CUSPARSELT_CHECK(
      cusparseLtSpMMACompressedSize2(current_handle(), matrix.get(), &size.bytes, &size.workspace));
  return size;
}

}  // namespace

int64_t sparse_gemm_library_version() {
  int major = 0, minor = 0, patch = 0;
  TORCH_CUSPARSELT_CHECK(cusparseLtGetProperty(MAJOR_VERSION, &major));
  TORCH_CUSPARSELT_CHECK(cusparseLtGetProperty(MINOR_VERSION, &minor));
  TORCH_CUSPARSELT_CHECK(cusparseLtGetProperty(PATCH_LEVEL, &patch));
  return major * 1000 + minor * 100 + patch;
}

int64_t sparse_compressed_bytes(c10::ScalarType dtype, int64_t rows, int64_t columns) {
  Matrix matrix;
  make_sparse(matrix, dtype, rows, columns);
  return static_cast<int64_t>(compressed_size(matrix).bytes);
}

void sparse_compress(c10::ScalarType dtype, int64_t rows, int64_t columns, const void* dense,
                     void* compressed) {
  Matrix matrix;
  make_sparse(matrix, dtype, rows, columns);
  c10::DataPtr workspace =
      c10::cuda::CUDACachingAllocator::get()->allocate(compressed_size(matrix).workspace);
  constexpr int kIsA = 1;
  TORCH_CUSPARSELT_CHECK(cusparseLtSpMMACompress2(
      current_handle(), matrix.get(), kIsA, CUSPARSE_OPERATION_NON_TRANSPOSE, dense, compressed,
      workspace.mutable_get(), c10::cuda::getCurrentCUDAStream().stream()));
}

void sparse_gemm(const SparseGemmProblem& problem) { Product(problem).run(); }

int64_t sparse_gemm_search(const SparseGemmProblem& problem) { return Product(problem).search(); }

#endif

}  // namespace at::native
