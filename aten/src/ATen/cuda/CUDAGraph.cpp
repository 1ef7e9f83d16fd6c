#include <ATen/cuda/CUDAGraph.h>

#include <ATen/EmptyTensor.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <c10/core/TensorOptions.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>

#include <exception>
#include <mutex>
#include <utility>

namespace at::cuda {

namespace allocator = c10::cuda::CUDACachingAllocator;

void CUDAGraph::capture_begin(cudaStreamCaptureMode mode) {
  TORCH_CHECK(executable_ == nullptr && !capturing_,
              "This CUDAGraph instance already owns a captured graph. "
              "To capture a new graph, create a new instance.");
  const c10::cuda::CUDAStream stream = c10::cuda::getCurrentCUDAStream();
  TORCH_CHECK(
      stream.id() != 0,
      "CUDA graphs must be captured on a non-default stream. (However, after capture, it's ok to replay them on the default stream.)");
  device_ = stream.device_index();
  stream_ = stream.id();
  generator_ = detail::getDefaultCUDAGenerator(device_);
  random_state_ = at::detail::empty_on_device(
      {2}, c10::TensorOptions(c10::ScalarType::Long).device(stream.device()));
  {
    const std::lock_guard lock(generator_.mutex());
    generator_.get<CUDAGeneratorImpl>()->capture_prologue(
        static_cast<const uint64_t*>(random_state_.const_data_ptr()));
  }
  pool_ = allocator::beginAllocateToPool();
  has_pool_ = true;
  capturing_ = true;
  C10_CUDA_CHECK(cudaStreamBeginCapture(stream, mode));
}

void CUDAGraph::capture_end() {
  TORCH_CHECK(capturing_, "capture_end() was called without capture_begin()");
  const c10::cuda::CUDAStream stream = c10::cuda::getCurrentCUDAStream();
  TORCH_CHECK(stream.id() == stream_ && stream.device_index() == device_,
              "Capture must end on the same stream it began on.");
  capturing_ = false;
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph_);
  allocator::endAllocateToPool(device_, pool_);
  {
    const std::lock_guard lock(generator_.mutex());
    random_blocks_ = generator_.get<CUDAGeneratorImpl>()->capture_epilogue();
  }
  C10_CUDA_CHECK(ended);
  TORCH_CHECK(graph_ != nullptr, "Invalid capture.");
  C10_CUDA_CHECK(cudaGraphInstantiate(&executable_, graph_, 0));
}

void CUDAGraph::replay() {
  TORCH_CHECK(executable_ != nullptr,
              "Called CUDAGraph::replay without a preceding successful capture.");
  const c10::cuda::CUDAGuard guard(device_);
  const c10::cuda::CUDAStream stream = c10::cuda::getCurrentCUDAStream();
  if (random_blocks_ > 0) {
    PhiloxCudaState state;
    {
      const std::lock_guard lock(generator_.mutex());
      state = generator_.get<CUDAGeneratorImpl>()->philox_cuda_state(random_blocks_);
    }
    // From memory that is not pinned: it is read before the call returns.
    const uint64_t numbers[] = {state.seed, state.offset};
    C10_CUDA_CHECK(cudaMemcpyAsync(random_state_.mutable_data_ptr(), numbers, sizeof(numbers),
                                   cudaMemcpyHostToDevice, stream));
  }
  C10_CUDA_CHECK(cudaGraphLaunch(executable_, stream));
}

void CUDAGraph::reset() {
  if (executable_ != nullptr) {
    const c10::cuda::CUDAGuard guard(device_);
    c10::cuda::device_synchronize();
    C10_CUDA_CHECK(cudaGraphExecDestroy(std::exchange(executable_, nullptr)));
  }
  if (graph_ != nullptr) C10_CUDA_CHECK(cudaGraphDestroy(std::exchange(graph_, nullptr)));
  if (std::exchange(has_pool_, false)) allocator::releasePool(device_, pool_);
}

CUDAGraph::~CUDAGraph() {
  try {
    reset();
  } catch (const std::exception& error) {
    TORCH_WARN("a CUDA graph was not freed: ", error.what());
  }
}

bool isCurrentStreamCapturing() {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  C10_CUDA_CHECK(cudaStreamIsCapturing(c10::cuda::getCurrentCUDAStream(), &status));
  return status == cudaStreamCaptureStatusActive;
}

}  // namespace at::cuda
