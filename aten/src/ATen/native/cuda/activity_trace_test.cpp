// What is asked of CUPTI and made of its records, on a CUPTI that runs on the host.

#include <ATen/native/cuda/ActivityTrace.h>
#include <c10/util/Exception.h>
#include <cupti.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace {

CUptiResult answer = CUPTI_SUCCESS;
std::set<CUpti_ActivityKind> enabled;
CUpti_BuffersCallbackRequestFunc request = nullptr;
CUpti_BuffersCallbackCompleteFunc complete = nullptr;

// Records that wait for a flush, each in so many bytes; the enabled ones are kept, as a GPU's.
std::vector<std::vector<uint8_t>> waiting;

template <typename Record>
void happen(const Record& record) {
  if (enabled.count(record.kind) == 0) return;
  std::vector<uint8_t> bytes(sizeof(record));
  std::memcpy(bytes.data(), &record, sizeof(record));
  waiting.push_back(bytes);
}

// Where the records of the buffer that is given back are.
std::vector<size_t> places;
size_t next_place = 0;

}  // namespace

extern "C" {

CUptiResult cuptiGetErrorMessage(CUptiResult, const char** text) {
  *text = "CUPTI doesn't allow multiple callback subscribers.";
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc requested,
                                           CUpti_BuffersCallbackCompleteFunc completed) {
  request = requested;
  complete = completed;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  if (answer == CUPTI_SUCCESS) enabled.insert(kind);
  return answer;
}

CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  enabled.erase(kind);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t* buffer, size_t, CUpti_Activity** record) {
  if (next_place == places.size()) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(buffer + places[next_place++]);
  return CUPTI_SUCCESS;
}

// Two records for each buffer, and one buffer that is empty.
CUptiResult cuptiActivityFlushAll(uint32_t flags) {
  EXPECT_EQ(flags, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  for (size_t first = 0; first < waiting.size() + 2; first += 2) {
    uint8_t* buffer = nullptr;
    size_t size = 0, records = 1;
    request(&buffer, &size, &records);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer) % ACTIVITY_RECORD_ALIGNMENT, 0U);
    EXPECT_EQ(records, 0U);
    size_t used = 0;
    places.clear();
    next_place = 0;
    for (size_t i = first; i < first + 2 && i < waiting.size(); ++i) {
      std::memcpy(buffer + used, waiting[i].data(), waiting[i].size());
      places.push_back(used);
      used += waiting[i].size();
    }
    EXPECT_LE(used, size);
    complete(nullptr, 0, buffer, size, used);
  }
  waiting.clear();
  return CUPTI_SUCCESS;
}

}  // extern "C"

namespace at::native {
namespace {

CUpti_ActivityKernel10 kernel(const char* name, uint64_t start, uint64_t end, uint32_t device,
                              uint32_t stream) {
  CUpti_ActivityKernel10 r{};
  r.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  r.name = name;
  r.start = start;
  r.end = end;
  r.deviceId = device;
  r.streamId = stream;
  r.gridX = 5;
  r.gridY = 6;
  r.gridZ = 7;
  r.blockX = 64;
  r.blockY = 2;
  r.blockZ = 1;
  r.staticSharedMemory = 100;
  r.dynamicSharedMemory = 1000;
  return r;
}

template <typename F>
void expect_error(const F& f, const std::string& wanted) {
  try {
    f();
    FAIL() << "nothing was thrown, wanted: " << wanted;
  } catch (const c10::Error& error) {
    EXPECT_NE(std::string(error.what()).find(wanted), std::string::npos) << error.what();
  }
}

TEST(ActivityTrace, HasWhatHappenedBetweenStartAndStop) {
  happen(kernel("before", 1, 2, 0, 7));
  EXPECT_TRUE(has_activity_trace());
  start_activity_trace();
  happen(kernel("_ZN2at6native3addEif", 300, 450, 1, 13));
  CUpti_ActivityMemcpy6 copy{};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
  copy.start = 500;
  copy.end = 510;
  copy.bytes = 4096;
  copy.streamId = 7;
  happen(copy);
  CUpti_ActivityMemset4 fill{};
  fill.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  fill.start = 100;
  fill.end = 120;
  fill.bytes = 12;
  happen(fill);
  const std::vector<GpuActivity> all = stop_activity_trace();
  happen(kernel("after", 600, 700, 0, 7));

  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].work, GpuWork::FILL);
  EXPECT_EQ(all[0].name, "Memset");
  EXPECT_EQ(all[0].bytes, 12U);
  EXPECT_EQ(all[1].work, GpuWork::KERNEL);
  EXPECT_EQ(all[1].name, "at::native::add(int, float)");
  EXPECT_EQ(all[1].start, 300U);
  EXPECT_EQ(all[1].end, 450U);
  EXPECT_EQ(all[1].device, 1U);
  EXPECT_EQ(all[1].stream, 13U);
  EXPECT_EQ(all[1].grid, (std::array<int32_t, 3>{5, 6, 7}));
  EXPECT_EQ(all[1].block, (std::array<int32_t, 3>{64, 2, 1}));
  EXPECT_EQ(all[1].shared_memory, 1100);
  EXPECT_EQ(all[2].work, GpuWork::COPY);
  EXPECT_EQ(all[2].name, "Memcpy DtoH");
  EXPECT_EQ(all[2].bytes, 4096U);
  EXPECT_EQ(all[2].stream, 7U);

  start_activity_trace();
  happen(kernel("plain_c", 1, 2, 0, 0));
  const std::vector<GpuActivity> again = stop_activity_trace();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].name, "plain_c");
}

TEST(ActivityTrace, RunsOnceAtATime) {
  expect_error([] { stop_activity_trace(); }, "no trace of the GPUs is running");
  start_activity_trace();
  expect_error([] { start_activity_trace(); },
               "a trace of the GPUs is running: stop it before another is started");
  EXPECT_TRUE(stop_activity_trace().empty());
}

TEST(ActivityTrace, SaysWhatFailed) {
  answer = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  expect_error([] { start_activity_trace(); },
               "CUPTI error: CUPTI doesn't allow multiple callback subscribers. when calling "
               "`cuptiActivityEnable(kind)`. One profiler at a time may watch a program");
  answer = CUPTI_SUCCESS;
  EXPECT_TRUE(enabled.empty());
  start_activity_trace();  // nothing is left of the failure
  stop_activity_trace();
}

}  // namespace
}  // namespace at::native
