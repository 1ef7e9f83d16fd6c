#include <c10/cuda/CUDAStream.h>

#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <ostream>
#include <vector>

// A stream's number says what it is: 0 is the default stream; odd numbers are the pool's, with its
// priority in the next three bits and its place above them; all others are handles from elsewhere,
// which are addresses and so even.

namespace c10::cuda {
namespace {

constexpr int kStreamsPerPool = 32;
constexpr int kMaxPriorities = 4;
constexpr int kPriorityBits = 3;

// The pools of one device, one for each priority.
struct Pools {
  std::once_flag made;
  int priorities = 0;
  std::array<std::array<cudaStream_t, kStreamsPerPool>, kMaxPriorities> streams{};
  std::array<std::atomic<uint32_t>, kMaxPriorities> next{};
};

std::vector<Pools>& pools() {
  static std::vector<Pools>* const all =
      new std::vector<Pools>(static_cast<size_t>(device_count_ensure_non_zero()));
  return *all;
}

Pools& pools_of(DeviceIndex device) {
  Pools& result = pools().at(static_cast<size_t>(device));
  std::call_once(result.made, [&] {
    const CUDAGuard guard(device);
    int lowest = 0;
    int highest = 0;
    C10_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    result.priorities = std::clamp(1 - highest, 1, kMaxPriorities);
    for (int priority = 0; priority < result.priorities; ++priority) {
      for (cudaStream_t& stream : result.streams[static_cast<size_t>(priority)]) {
        C10_CUDA_CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -priority));
      }
    }
  });
  return result;
}

StreamId pool_id(int priority, uint32_t place) {
  return static_cast<StreamId>(place) << (kPriorityBits + 1) | priority << 1 | 1;
}
bool is_pool(StreamId id) { return (id & 1) != 0; }
int pool_priority(StreamId id) { return static_cast<int>(id >> 1) & ((1 << kPriorityBits) - 1); }
size_t pool_place(StreamId id) { return static_cast<size_t>(id >> (kPriorityBits + 1)); }

// The current streams of this thread by device; empty until setCurrentCUDAStream is called.
std::vector<StreamId>& current_streams() {
  thread_local std::vector<StreamId> streams(static_cast<size_t>(device_count_ensure_non_zero()),
                                             0);
  return streams;
}

DeviceIndex or_current(DeviceIndex device) {
  if (device == -1) return current_device();
  TORCH_CHECK(device >= 0 && device < device_count_ensure_non_zero(), "there is no CUDA device ",
              static_cast<int>(device), "; devices are 0 to ", device_count() - 1);
  return device;
}

CUDAStream make(StreamId id, DeviceIndex device) {
  return CUDAStream(CUDAStream::UNCHECKED,
                    Stream(Stream::UNSAFE, Device(DeviceType::CUDA, device), id));
}

}  // namespace

cudaStream_t CUDAStream::stream() const {
  const StreamId id = stream_.id();
  if (id == 0) return nullptr;
  if (!is_pool(id)) return reinterpret_cast<cudaStream_t>(id);
  return pools_of(device_index())
      .streams.at(static_cast<size_t>(pool_priority(id)))
      .at(pool_place(id));
}

bool CUDAStream::query() const {
  const CUDAGuard guard(device());
  const cudaError_t error = cudaStreamQuery(stream());
  if (error == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  C10_CUDA_CHECK(error);
  return true;
}

void CUDAStream::synchronize() const {
  const CUDAGuard guard(device());
  C10_CUDA_CHECK(cudaStreamSynchronize(stream()));
}

int CUDAStream::priority() const {
  const CUDAGuard guard(device());
  int priority = 0;
  C10_CUDA_CHECK(cudaStreamGetPriority(stream(), &priority));
  return priority;
}

CUDAStream getStreamFromPool(int priority, DeviceIndex device) {
  device = or_current(device);
  Pools& all = pools_of(device);
  TORCH_CHECK(priority <= 0, "Expected cuda stream priority to be less than or equal to 0, got ",
              priority);
  const int pool = std::min(-priority, all.priorities - 1);
  const uint32_t place = all.next[static_cast<size_t>(pool)]++ % kStreamsPerPool;
  return make(pool_id(pool, place), device);
}

CUDAStream getStreamFromPool(bool isHighPriority, DeviceIndex device) {
  return getStreamFromPool(isHighPriority ? 1 - kMaxPriorities : 0, device);
}

CUDAStream getStreamFromExternal(cudaStream_t ext_stream, DeviceIndex device_index) {
  return make(reinterpret_cast<StreamId>(ext_stream), or_current(device_index));
}

CUDAStream getDefaultCUDAStream(DeviceIndex device_index) {
  return make(0, or_current(device_index));
}

CUDAStream getCurrentCUDAStream(DeviceIndex device_index) {
  device_index = or_current(device_index);
  return make(current_streams().at(static_cast<size_t>(device_index)), device_index);
}

void setCurrentCUDAStream(CUDAStream stream) {
  current_streams().at(static_cast<size_t>(stream.device_index())) = stream.id();
}

std::ostream& operator<<(std::ostream& stream, const CUDAStream& s) { return stream << s.unwrap(); }

}  // namespace c10::cuda
