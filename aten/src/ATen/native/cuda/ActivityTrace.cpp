// CUPTI's Activity API (CUPTI documentation, "CUPTI Activity API"): it asks for buffers, fills them
// with records and gives them back, maybe from a thread of its own.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/cuda/ActivityTrace.h>

#include <c10/util/Exception.h>

#ifdef USE_CUPTI
#include <cupti.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#define TORCH_CUPTI_CHECK(EXPR)                                                                                    \
  do {                                                                                                             \
    const CUptiResult result_ = (EXPR);                                                                            \
    TORCH_CHECK(                                                                                                   \
        result_ == CUPTI_SUCCESS, "CUPTI error: ", text_of(result_),                                               \
        " when calling `" #EXPR                                                                                    \
        "`. One profiler at a time may watch a program, and the driver may keep its counters for administrators"); \
  } while (0)
#endif

namespace at::native {

#ifndef USE_CUPTI

namespace {

constexpr const char* kWithout =
    "this build has no CUPTI: ./bazelw build //torch:wheel --config=cuda --cupti";

}  // namespace

bool has_activity_trace() { return false; }

void start_activity_trace() { TORCH_CHECK(false, kWithout); }

std::vector<GpuActivity> stop_activity_trace() { TORCH_CHECK(false, kWithout); }

#else

namespace {

constexpr size_t kBufferBytes = size_t{1} << 20;
constexpr std::align_val_t kAlignment{ACTIVITY_RECORD_ALIGNMENT};

constexpr CUpti_ActivityKind kKinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                         CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET};

struct Trace {
  std::mutex mutex;
  bool running = false;
  std::vector<GpuActivity> activities;
};

// Never destroyed: CUPTI may give back a buffer at exit.
Trace& trace() {
  static Trace& one = *new Trace();
  return one;
}

std::string text_of(CUptiResult result) {
  const char* text = nullptr;
  return cuptiGetErrorMessage(result, &text) == CUPTI_SUCCESS && text != nullptr
             ? text
             : "number " + std::to_string(static_cast<int>(result));
}

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : name;
}

const char* name_of(uint8_t copy) {
  switch (copy) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "Memcpy HtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "Memcpy DtoH";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "Memcpy DtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return "Memcpy PtoP";
    default:
      return "Memcpy";
  }
}

template <typename Record>
GpuActivity common(GpuWork work, std::string name, const Record& r) {
  GpuActivity result;
  result.work = work;
  result.name = std::move(name);
  result.start = r.start;
  result.end = r.end;
  result.device = r.deviceId;
  result.stream = r.streamId;
  return result;
}

void add(const CUpti_Activity& record, std::vector<GpuActivity>& to) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto& r = reinterpret_cast<const CUpti_ActivityKernel10&>(record);
      GpuActivity a = common(GpuWork::KERNEL, demangled(r.name), r);
      a.grid = {r.gridX, r.gridY, r.gridZ};
      a.block = {r.blockX, r.blockY, r.blockZ};
      a.shared_memory = int64_t{r.staticSharedMemory} + r.dynamicSharedMemory;
      to.push_back(std::move(a));
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& r = reinterpret_cast<const CUpti_ActivityMemcpy6&>(record);
      to.push_back(common(GpuWork::COPY, name_of(r.copyKind), r));
      to.back().bytes = r.bytes;
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& r = reinterpret_cast<const CUpti_ActivityMemset4&>(record);
      to.push_back(common(GpuWork::FILL, "Memset", r));
      to.back().bytes = r.bytes;
      break;
    }
    default:
      break;
  }
}

void CUPTIAPI give_buffer(uint8_t** buffer, size_t* bytes, size_t* records) {
  *buffer = static_cast<uint8_t*>(::operator new(kBufferBytes, kAlignment));
  *bytes = kBufferBytes;
  *records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid_bytes) {
  Trace& t = trace();
  const std::lock_guard<std::mutex> lock(t.mutex);
  CUpti_Activity* record = nullptr;
  while (valid_bytes != 0 &&
         cuptiActivityGetNextRecord(buffer, valid_bytes, &record) == CUPTI_SUCCESS) {
    add(*record, t.activities);
  }
  ::operator delete(buffer, kAlignment);
}

void disable() {
  for (const CUpti_ActivityKind kind : kKinds) cuptiActivityDisable(kind);
}

}  // namespace

bool has_activity_trace() { return true; }

void start_activity_trace() {
  Trace& t = trace();
  {
    const std::lock_guard<std::mutex> lock(t.mutex);
    TORCH_CHECK(!t.running, "a trace of the GPUs is running: stop it before another is started");
    t.activities.clear();
    t.running = true;
  }
  try {
    TORCH_CUPTI_CHECK(cuptiActivityRegisterCallbacks(&give_buffer, &take_buffer));
    for (const CUpti_ActivityKind kind : kKinds) TORCH_CUPTI_CHECK(cuptiActivityEnable(kind));
  } catch (...) {
    disable();
    const std::lock_guard<std::mutex> lock(t.mutex);
    t.running = false;
    throw;
  }
}

std::vector<GpuActivity> stop_activity_trace() {
  Trace& t = trace();
  {
    const std::lock_guard<std::mutex> lock(t.mutex);
    TORCH_CHECK(t.running, "no trace of the GPUs is running");
    t.running = false;
  }
  // Calls take_buffer, which takes the lock.
  const CUptiResult flushed = cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  disable();
  TORCH_CUPTI_CHECK(flushed);
  const std::lock_guard<std::mutex> lock(t.mutex);
  std::vector<GpuActivity> result = std::move(t.activities);
  t.activities.clear();
  std::sort(result.begin(), result.end(),
            [](const GpuActivity& a, const GpuActivity& b) { return a.start < b.start; });
  return result;
}

#endif

}  // namespace at::native
