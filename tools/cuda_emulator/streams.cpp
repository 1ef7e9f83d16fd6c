#include "tools/cuda_emulator/streams.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tools/cuda_emulator/runtime.h"

namespace emulator {
namespace {

std::set<CUstream_st*>& streams() {
  static auto* const all = new std::set<CUstream_st*>;
  return *all;
}

std::set<Capture*>& captures() {
  static auto* const all = new std::set<Capture*>;
  return *all;
}

void spoil(Capture* capture) { capture->invalid = cudaErrorStreamCaptureInvalidated; }

void push(CUstream_st* stream, Work work) {
  stream->queue.push_back(std::move(work));
  ++stream->queued;
}

bool is_default(const CUstream_st* stream) { return stream == default_stream(stream->device); }

// Streams that were not made with cudaStreamNonBlocking and the default one do not overtake each
// other.
void order_with_default(CUstream_st* stream) {
  const auto after = [&](CUstream_st* other) {
    if (is_done(other)) return;
    push(stream, [other, until = other->queued] { finish(other, until); });
  };
  if (!is_default(stream)) {
    if (stream->blocking) after(default_stream(stream->device));
    return;
  }
  for (CUstream_st* other : streams()) {
    if (other->blocking && other->device == stream->device) after(other);
  }
}

}  // namespace

CUstream_st* default_stream(int device) {
  static auto* const all = new std::map<int, CUstream_st>;
  CUstream_st* stream = &(*all)[device];
  stream->device = device;
  return stream;
}

CUstream_st* stream_of(cudaStream_t stream) {
  const bool is_handle = stream != nullptr && stream != cudaStreamLegacy;
  return is_handle ? stream : default_stream(current_device());
}

CUstream_st* create_stream(int priority, bool blocking) {
  auto* stream = new CUstream_st;
  stream->device = current_device();
  stream->priority = priority;
  stream->blocking = blocking;
  streams().insert(stream);
  return stream;
}

cudaError_t enqueue(CUstream_st* stream, Work work) {
  Capture* capture = stream->capture;
  if (capture == nullptr) {
    const auto waits_for_default = [&](const Capture* other) { return other->origin->blocking; };
    if (is_default(stream)) {
      for (Capture* other : captures()) {
        if (!waits_for_default(other) || other->origin->device != stream->device) continue;
        spoil(other);
        return cudaErrorStreamCaptureImplicit;
      }
    }
    order_with_default(stream);
    push(stream, std::move(work));
    return cudaSuccess;
  }
  if (capture->invalid != cudaSuccess) return capture->invalid;
  capture->work.push_back(std::move(work));
  ++capture->streams[stream][stream];
  return cudaSuccess;
}

void finish(CUstream_st* stream, std::uint64_t until) {
  while (stream->done < until && !stream->queue.empty()) {
    const Work work = std::move(stream->queue.front());
    stream->queue.pop_front();
    ++stream->done;
    work();
  }
}

void finish(CUstream_st* stream) { finish(stream, stream->queued); }

void finish_all(int device) {
  finish(default_stream(device));
  for (CUstream_st* stream : streams()) {
    if (stream->device == device) finish(stream);
  }
}

bool is_done(const CUstream_st* stream) { return stream->done == stream->queued; }

void advance(CUstream_st* stream) { finish(stream, stream->done + 1); }

cudaError_t record(CUevent_st* event, CUstream_st* stream) {
  if (event->device != stream->device) return cudaErrorInvalidResourceHandle;
  event->stream = stream;
  event->capture = stream->capture;
  if (stream->capture != nullptr) {
    if (stream->capture->invalid != cudaSuccess) return stream->capture->invalid;
    event->seen = stream->capture->streams[stream];
    return cudaSuccess;
  }
  event->time = std::make_shared<std::chrono::steady_clock::time_point>();
  const cudaError_t error =
      enqueue(stream, [time = event->time] { *time = std::chrono::steady_clock::now(); });
  event->at = stream->queued;
  return error;
}

cudaError_t wait(CUstream_st* stream, CUevent_st* event) {
  if (event->capture != nullptr) {
    Capture* capture = event->capture;
    if (!captures().contains(capture)) return cudaErrorInvalidValue;
    if (stream->capture != nullptr && stream->capture != capture) {
      spoil(stream->capture);
      spoil(capture);
      return cudaErrorStreamCaptureMerge;
    }
    if (is_default(stream)) {
      spoil(capture);
      return cudaErrorStreamCaptureImplicit;
    }
    stream->capture = capture;
    for (const auto& [other, count] : event->seen) {
      std::size_t& seen = capture->streams[stream][other];
      seen = std::max(seen, count);
    }
    return cudaSuccess;
  }
  if (event->stream == nullptr) return cudaSuccess;  // never recorded
  if (stream->capture != nullptr) {
    spoil(stream->capture);
    return cudaErrorStreamCaptureIsolation;
  }
  CUstream_st* other = event->stream;
  return enqueue(stream, [other, until = event->at] { finish(other, until); });
}

cudaError_t unsafe_call(cudaStreamCaptureMode mode_of_thread) {
  if (mode_of_thread == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  for (Capture* capture : captures()) {
    if (capture->mode == cudaStreamCaptureModeRelaxed) continue;
    spoil(capture);
    return cudaErrorStreamCaptureUnsupported;
  }
  return cudaSuccess;
}

cudaError_t asks_about(Capture* capture) {
  if (capture == nullptr || !captures().contains(capture)) return cudaSuccess;
  spoil(capture);
  return cudaErrorStreamCaptureUnsupported;
}

cudaError_t begin_capture(CUstream_st* stream, cudaStreamCaptureMode mode) {
  if (is_default(stream)) return cudaErrorStreamCaptureUnsupported;
  if (stream->capture != nullptr) return cudaErrorIllegalState;
  auto* capture = new Capture;
  capture->origin = stream;
  capture->mode = mode;
  capture->streams[stream];
  stream->capture = capture;
  captures().insert(capture);
  return cudaSuccess;
}

cudaError_t end_capture(CUstream_st* stream, std::vector<Work>* work) {
  Capture* capture = stream->capture;
  if (capture == nullptr) return cudaErrorIllegalState;
  if (capture->origin != stream) return cudaErrorStreamCaptureUnmatched;
  cudaError_t error = capture->invalid;
  const Seen& seen = capture->streams[stream];
  for (const auto& [other, theirs] : capture->streams) {
    other->capture = nullptr;
    const auto own = theirs.find(other);
    if (own == theirs.end() || other == stream) continue;
    const auto joined = seen.find(other);
    if (error == cudaSuccess && (joined == seen.end() || joined->second < own->second)) {
      error = cudaErrorStreamCaptureUnjoined;
    }
  }
  if (error == cudaSuccess) *work = std::move(capture->work);
  captures().erase(capture);  // events may still name it
  return error;
}

}  // namespace emulator
