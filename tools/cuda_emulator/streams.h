#pragma once

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

// Streams that do their work as late as a GPU may: only when somebody waits for it. What a program
// forgot to wait for is then not there. Everything is called with the runtime's lock held.
namespace emulator {

using Work = std::function<void()>;
struct Capture;
// How much of each stream a point in a capture comes after.
using Seen = std::map<CUstream_st*, std::size_t>;

}  // namespace emulator

struct CUstream_st {
  int device = 0;
  int priority = 0;
  bool blocking = false;  // waits for the default stream, which waits for it
  std::uint64_t queued = 0;
  std::uint64_t done = 0;
  std::deque<emulator::Work> queue;
  emulator::Capture* capture = nullptr;
};

struct CUevent_st {
  int device = 0;
  bool timing = true;
  CUstream_st* stream = nullptr;
  std::uint64_t at = 0;
  // When it happened; shared with the work that sets it, which may outlive the event.
  std::shared_ptr<std::chrono::steady_clock::time_point> time;
  emulator::Capture* capture = nullptr;  // in which it was recorded
  emulator::Seen seen;
};

struct CUgraph_st {
  std::vector<emulator::Work> work;
};
struct CUgraphExec_st {
  std::shared_ptr<const std::vector<emulator::Work>> work;
};

namespace emulator {

// A stream whose work is written down, and those that joined it by events.
struct Capture {
  CUstream_st* origin;
  cudaStreamCaptureMode mode;
  std::vector<Work> work;
  std::map<CUstream_st*, Seen> streams;
  cudaError_t invalid = cudaSuccess;
};

// Each GPU has one.
CUstream_st* default_stream(int device);
// What a handle of the API stands for: 0 is the default stream of the current GPU.
CUstream_st* stream_of(cudaStream_t stream);
// Creates a stream of the current GPU.
CUstream_st* create_stream(int priority, bool blocking);

// Adds work to a stream, or to its capture.
cudaError_t enqueue(CUstream_st* stream, Work work);
// Does the work of a stream up to a point, with all that it waits for.
void finish(CUstream_st* stream, std::uint64_t until);
void finish(CUstream_st* stream);
void finish_all(int device);
bool is_done(const CUstream_st* stream);
// As if a little time had passed: a program that asks again and again gets on.
void advance(CUstream_st* stream);

cudaError_t record(CUevent_st* event, CUstream_st* stream);
cudaError_t wait(CUstream_st* stream, CUevent_st* event);

// The error of a call that a capture forbids, cudaSuccess where there is none; such a call spoils
// the capture.
cudaError_t unsafe_call(cudaStreamCaptureMode mode_of_thread);
// The same for a call that asks about a stream or an event.
cudaError_t asks_about(Capture* capture);
cudaError_t begin_capture(CUstream_st* stream, cudaStreamCaptureMode mode);
cudaError_t end_capture(CUstream_st* stream, std::vector<Work>* work);

}  // namespace emulator
