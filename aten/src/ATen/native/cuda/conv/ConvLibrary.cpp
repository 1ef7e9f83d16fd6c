// Convolutions by cuDNN, in builds with --cudnn.

#include <ATen/native/cuda/ConvLibrary.h>

#ifdef USE_CUDNN
#include <ATen/native/ConvLibrary.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>
#include <cudnn.h>

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#define TORCH_CUDNN_CHECK(EXPR)                                                                 \
  do {                                                                                          \
    const cudnnStatus_t status_ = (EXPR);                                                       \
    TORCH_CHECK(status_ == CUDNN_STATUS_SUCCESS, "cuDNN error: ", cudnnGetErrorString(status_), \
                " when calling `" #EXPR "`");                                                   \
  } while (0)
#endif

namespace at::native {

#ifndef USE_CUDNN

int64_t conv_library_version() { return 0; }

#else

int64_t conv_library_version() { return static_cast<int64_t>(cudnnGetVersion()); }

namespace {

// Destroys what one of the library's functions has made.
template <typename Handle, cudnnStatus_t (*kCreate)(Handle*), cudnnStatus_t (*kDestroy)(Handle)>
class Owned {
 public:
  Owned() { TORCH_CUDNN_CHECK(kCreate(&handle_)); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { kDestroy(handle_); }
  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};
using TensorDescriptor =
    Owned<cudnnTensorDescriptor_t, &cudnnCreateTensorDescriptor, &cudnnDestroyTensorDescriptor>;
using FilterDescriptor =
    Owned<cudnnFilterDescriptor_t, &cudnnCreateFilterDescriptor, &cudnnDestroyFilterDescriptor>;
using ConvolutionDescriptor = Owned<cudnnConvolutionDescriptor_t, &cudnnCreateConvolutionDescriptor,
                                    &cudnnDestroyConvolutionDescriptor>;

// The handle of this thread for the current device. It is never destroyed, because the driver may
// be gone at exit.
cudnnHandle_t current_handle() {
  static thread_local std::vector<cudnnHandle_t> handles;
  const auto device = static_cast<size_t>(c10::cuda::current_device());
  if (handles.size() <= device) handles.resize(device + 1, nullptr);
  if (handles[device] == nullptr) TORCH_CUDNN_CHECK(cudnnCreate(&handles[device]));
  TORCH_CUDNN_CHECK(cudnnSetStream(handles[device], c10::cuda::getCurrentCUDAStream().stream()));
  return handles[device];
}

std::optional<cudnnDataType_t> type_of(c10::ScalarType dtype) {
  switch (dtype) {
    case c10::ScalarType::Half:
      return CUDNN_DATA_HALF;
    case c10::ScalarType::BFloat16:
      return CUDNN_DATA_BFLOAT16;
    case c10::ScalarType::Float:
      return CUDNN_DATA_FLOAT;
    case c10::ScalarType::Double:
      return CUDNN_DATA_DOUBLE;
    default:
      return std::nullopt;
  }
}

// A convolution in two dimensions, or in three where the first is not trivial.
struct Description {
  TensorDescriptor x, y;
  FilterDescriptor w;
  ConvolutionDescriptor convolution;

  Description(const ConvGeometry& g, cudnnDataType_t type) {
    const bool flat = g.in[0] == 1 && g.out[0] == 1 && g.kernel[0] == 1 && g.padding[0] == 0;
    const size_t first = flat ? 1 : 0;
    const auto rest = static_cast<int>(3 - first);
    const auto from = [&](const ConvGeometry::Dims& dims) {
      std::vector<int> result;
      for (size_t d = first; d < 3; ++d) result.push_back(static_cast<int>(dims[d]));
      return result;
    };
    const auto with = [&](int64_t a, int64_t b, const ConvGeometry::Dims& dims) {
      std::vector<int> result = {static_cast<int>(a), static_cast<int>(b)};
      for (const int d : from(dims)) result.push_back(d);
      return result;
    };
    set(x, type, with(g.batch, g.groups * g.in_channels, g.in));
    set(y, type, with(g.batch, g.groups * g.out_channels, g.out));
    const std::vector<int> kernel = with(g.groups * g.out_channels, g.in_channels, g.kernel);
    TORCH_CUDNN_CHECK(
        cudnnSetFilterNdDescriptor(w.get(), type, CUDNN_TENSOR_NCHW, rest + 2, kernel.data()));
    TORCH_CUDNN_CHECK(cudnnSetConvolutionNdDescriptor(
        convolution.get(), rest, from(g.padding).data(), from(g.stride).data(),
        from(g.dilation).data(), CUDNN_CROSS_CORRELATION,
        type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT));
    TORCH_CUDNN_CHECK(cudnnSetConvolutionGroupCount(convolution.get(), static_cast<int>(g.groups)));
    const bool exact = type == CUDNN_DATA_FLOAT && !conv_library_options().allow_tf32;
    TORCH_CUDNN_CHECK(cudnnSetConvolutionMathType(convolution.get(),
                                                  exact ? CUDNN_FMA_MATH : CUDNN_DEFAULT_MATH));
  }

 private:
  // Contiguous.
  static void set(const TensorDescriptor& made, cudnnDataType_t type,
                  const std::vector<int>& dims) {
    std::vector<int> strides(dims.size(), 1);
    for (size_t d = dims.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * dims[d];
    TORCH_CUDNN_CHECK(cudnnSetTensorNdDescriptor(made.get(), type, static_cast<int>(dims.size()),
                                                 dims.data(), strides.data()));
  }
};

// An algorithm and the bytes that it works in.
struct Choice {
  int algorithm;
  size_t bytes;
};

// The first that works and, if it must, always gives the same bits.
template <typename Performance>
std::optional<Choice> choose(const std::vector<Performance>& found, int count) {
  for (int i = 0; i < count; ++i) {
    const Performance& p = found[static_cast<size_t>(i)];
    const bool repeats = p.determinism == CUDNN_DETERMINISTIC;
    if (p.status == CUDNN_STATUS_SUCCESS && (repeats || !conv_library_options().deterministic)) {
      return Choice{static_cast<int>(p.algo), p.memory};
    }
  }
  return std::nullopt;
}

// Asks one of the library's functions, which tell what they expect or what they measured.
template <typename Performance, typename Function, typename... Descriptors>
std::optional<Choice> ask(const Function& function, Descriptors... descriptors) {
  std::vector<Performance> found(16);
  int count = 0;
  const cudnnStatus_t status = function(current_handle(), descriptors...,
                                        static_cast<int>(found.size()), &count, found.data());
  if (status == CUDNN_STATUS_NOT_SUPPORTED) return std::nullopt;
  TORCH_CHECK(status == CUDNN_STATUS_SUCCESS, "cuDNN error: ", cudnnGetErrorString(status),
              " when asking for an algorithm of a convolution");
  return choose(found, count);
}

std::optional<Choice> ask(ConvProduct product, const Description& d) {
  const bool measure = conv_library_options().benchmark;
  const auto x = d.x.get(), y = d.y.get();
  const auto w = d.w.get();
  const auto c = d.convolution.get();
  switch (product) {
    case ConvProduct::FORWARD:
      return ask<cudnnConvolutionFwdAlgoPerf_t>(
          measure ? cudnnFindConvolutionForwardAlgorithm : cudnnGetConvolutionForwardAlgorithm_v7,
          x, w, c, y);
    case ConvProduct::BACKWARD_INPUT:
      return ask<cudnnConvolutionBwdDataAlgoPerf_t>(
          measure ? cudnnFindConvolutionBackwardDataAlgorithm
                  : cudnnGetConvolutionBackwardDataAlgorithm_v7,
          w, y, c, x);
    default:
      return ask<cudnnConvolutionBwdFilterAlgoPerf_t>(
          measure ? cudnnFindConvolutionBackwardFilterAlgorithm
                  : cudnnGetConvolutionBackwardFilterAlgorithm_v7,
          x, y, c, w);
  }
}

// Remembers what was chosen for a shape.
std::optional<Choice> chosen(ConvProduct product, const ConvGeometry& g, cudnnDataType_t type,
                             const Description& description) {
  using Key = std::array<int64_t, 25>;
  static std::mutex& mutex = *new std::mutex();
  static auto& choices = *new std::map<Key, std::optional<Choice> >();
  const ConvLibraryOptions& o = conv_library_options();
  Key key = {c10::cuda::current_device(),
             static_cast<int64_t>(product),
             type,
             o.benchmark,
             o.deterministic,
             o.allow_tf32,
             g.batch,
             g.groups,
             g.in_channels,
             g.out_channels};
  size_t at = 10;
  for (const auto* dims : {&g.in, &g.kernel, &g.stride, &g.padding, &g.dilation}) {
    for (const int64_t d : *dims) key[at++] = d;
  }
  const std::lock_guard<std::mutex> lock(mutex);
  const auto known = choices.find(key);
  if (known != choices.end()) return known->second;
  return choices[key] = ask(product, description);
}

bool conv_cudnn(ConvProduct product, const ConvGeometry& g, c10::ScalarType dtype, void* x, void* w,
                void* y) {
  const auto type = type_of(dtype);
  if (!type || !conv_library_options().enabled) return false;
  const Description d(g, *type);
  const auto choice = chosen(product, g, *type, d);
  if (!choice) return false;
  c10::DataPtr workspace = c10::cuda::CUDACachingAllocator::get()->allocate(choice->bytes);
  // Factors are of the type that is computed in.
  const float one = 1, zero = 0;
  const double wide_one = 1, wide_zero = 0;
  const bool wide = *type == CUDNN_DATA_DOUBLE;
  const void* alpha = wide ? static_cast<const void*>(&wide_one) : &one;
  const void* beta = wide ? static_cast<const void*>(&wide_zero) : &zero;
  switch (product) {
    case ConvProduct::FORWARD:
      TORCH_CUDNN_CHECK(cudnnConvolutionForward(
          current_handle(), alpha, d.x.get(), x, d.w.get(), w, d.convolution.get(),
          static_cast<cudnnConvolutionFwdAlgo_t>(choice->algorithm), workspace.mutable_get(),
          choice->bytes, beta, d.y.get(), y));
      break;
    case ConvProduct::BACKWARD_INPUT:
      TORCH_CUDNN_CHECK(cudnnConvolutionBackwardData(
          current_handle(), alpha, d.w.get(), w, d.y.get(), y, d.convolution.get(),
          static_cast<cudnnConvolutionBwdDataAlgo_t>(choice->algorithm), workspace.mutable_get(),
          choice->bytes, beta, d.x.get(), x));
      break;
    case ConvProduct::BACKWARD_WEIGHT:
      TORCH_CUDNN_CHECK(cudnnConvolutionBackwardFilter(
          current_handle(), alpha, d.x.get(), x, d.y.get(), y, d.convolution.get(),
          static_cast<cudnnConvolutionBwdFilterAlgo_t>(choice->algorithm), workspace.mutable_get(),
          choice->bytes, beta, d.w.get(), w));
      break;
  }
  return true;
}

}  // namespace

REGISTER_CUDA_DISPATCH(conv_library_stub, &conv_cudnn)

#endif

}  // namespace at::native
