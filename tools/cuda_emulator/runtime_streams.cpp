// Part of the emulated CUDA runtime; the semantics are those of NVIDIA's "CUDA Runtime API"
// reference.

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "tools/cuda_emulator/runtime.h"
#include "tools/cuda_emulator/streams.h"

namespace emulator {

cudaStreamCaptureMode& capture_mode() {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

// Queues work; waits for it where CUDA_LAUNCH_BLOCKING=1 says so.
cudaError_t submit(cudaStream_t handle, Work work) {
  CUstream_st* stream = stream_of(handle);
  const cudaError_t error = enqueue(stream, std::move(work));
  static const bool blocking = is_set("CUDA_LAUNCH_BLOCKING");
  if (blocking && error == cudaSuccess && stream->capture == nullptr) finish(stream);
  return answer(error);
}

}  // namespace emulator

// The library that holds these functions hands them on to those that it links with.
#pragma GCC visibility push(default)

extern "C" {

using namespace emulator;  // NOLINT: these functions are the namespace's face

// Streams.

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  *lowest = 0;
  *highest = kHighestPriority;
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  const Lock lock(lock_of_runtime());
  *stream = create_stream(std::clamp(priority, kHighestPriority, 0),
                          (flags & cudaStreamNonBlocking) == 0);
  return answer();
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  const Lock lock(lock_of_runtime());
  *priority = stream_of(stream)->priority;
  return answer();
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  const Lock lock(lock_of_runtime());
  CUstream_st* stream = stream_of(handle);
  if (const cudaError_t error = asks_about(stream->capture)) return answer(error);
  if (is_done(stream)) return answer();
  advance(stream);
  return answer(cudaErrorNotReady);
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  const Lock lock(lock_of_runtime());
  CUstream_st* stream = stream_of(handle);
  if (const cudaError_t error = asks_about(stream->capture)) return answer(error);
  if (const cudaError_t error = unsafe_call(capture_mode())) return answer(error);
  finish(stream);
  return answer();
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const Lock lock(lock_of_runtime());
  return answer(wait(stream_of(stream), event));
}

// Events.

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  *event = new CUevent_st;
  (*event)->device = current_device();
  (*event)->timing = (flags & cudaEventDisableTiming) == 0;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const Lock lock(lock_of_runtime());
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return answer(record(event, stream_of(stream)));
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  const Lock lock(lock_of_runtime());
  if (event->capture != nullptr)
    return answer(asks_about(event->capture) ? cudaErrorCapturedEvent : cudaErrorInvalidValue);
  if (const cudaError_t error = unsafe_call(capture_mode())) return answer(error);
  if (event->stream == nullptr || event->stream->done >= event->at) return answer();
  advance(event->stream);
  return answer(cudaErrorNotReady);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const Lock lock(lock_of_runtime());
  if (event->capture != nullptr)
    return answer(asks_about(event->capture) ? cudaErrorCapturedEvent : cudaErrorInvalidValue);
  if (const cudaError_t error = unsafe_call(capture_mode())) return answer(error);
  if (event->stream != nullptr) finish(event->stream, event->at);
  return answer();
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  const Lock lock(lock_of_runtime());
  for (const CUevent_st* event : {start, end}) {
    if (!event->timing || event->time == nullptr) return answer(cudaErrorInvalidResourceHandle);
    if (event->stream->done < event->at) return answer(cudaErrorNotReady);
  }
  *milliseconds = std::chrono::duration<float, std::milli>(*end->time - *start->time).count();
  return answer();
}

// Graphs.

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, capture_mode());
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  const Lock lock(lock_of_runtime());
  const Capture* capture = stream_of(handle)->capture;
  *status = capture == nullptr                ? cudaStreamCaptureStatusNone
            : capture->invalid == cudaSuccess ? cudaStreamCaptureStatusActive
                                              : cudaStreamCaptureStatusInvalidated;
  return answer();
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  const Lock lock(lock_of_runtime());
  return answer(begin_capture(stream_of(stream), mode));
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const Lock lock(lock_of_runtime());
  *graph = nullptr;
  std::vector<Work> work;
  const cudaError_t error = end_capture(stream_of(stream), &work);
  if (error == cudaSuccess) *graph = new CUgraph_st{std::move(work)};
  return answer(error);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 unsigned long long) {
  *executable = new CUgraphExec_st{std::make_shared<const std::vector<Work>>(graph->work)};
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  const Lock lock(lock_of_runtime());
  return submit(stream, [work = executable->work] {
    for (const Work& item : *work) item();
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

}  // extern "C"

#pragma GCC visibility pop
