#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/cuda/Collectives.h>

#include <c10/util/Exception.h>

#ifdef USE_NCCL
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <nccl.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#define TORCH_NCCL_CHECK(EXPR)                                                       \
  do {                                                                               \
    const ncclResult_t result_ = (EXPR);                                             \
    TORCH_CHECK(result_ == ncclSuccess, "NCCL error: ", ncclGetErrorString(result_), \
                " when calling `" #EXPR                                              \
                "`. NCCL_DEBUG=INFO in the environment makes it say more");          \
  } while (0)
#endif

namespace at::native {

#ifndef USE_NCCL

namespace {

constexpr const char* kWithout =
    "this build has no NCCL: ./bazelw build //torch:wheel --config=cuda --nccl";

}  // namespace

void collective(Collective, c10::ScalarType, int64_t, c10::ArrayRef<CollectivePart>, Reduction,
                int64_t) {
  TORCH_CHECK(false, kWithout);
}

int64_t collective_library_version() { return 0; }

std::string collective_unique_id() { TORCH_CHECK(false, kWithout); }

#else

namespace {

ncclDataType_t type_of(c10::ScalarType dtype) {
  switch (dtype) {
    case c10::ScalarType::Char:
      return ncclInt8;
    case c10::ScalarType::Byte:
    case c10::ScalarType::Bool:
      return ncclUint8;
    case c10::ScalarType::Int:
      return ncclInt32;
    case c10::ScalarType::Long:
      return ncclInt64;
    case c10::ScalarType::Half:
      return ncclFloat16;
    case c10::ScalarType::BFloat16:
      return ncclBfloat16;
    case c10::ScalarType::Float:
      return ncclFloat32;
    case c10::ScalarType::Double:
      return ncclFloat64;
    default:
      TORCH_CHECK(false, "NCCL has no type for ", c10::toString(dtype),
                  ": convert to uint8, int8, int32, int64, float16, bfloat16, float32 or float64");
  }
}

// One for each part. They are never given back: at exit the driver may be gone.
const std::vector<ncclComm_t>& communicators(c10::ArrayRef<CollectivePart> parts) {
  static std::mutex& mutex = *new std::mutex();
  static auto& all = *new std::map<std::vector<int>, std::vector<ncclComm_t> >();
  std::vector<int> devices;
  for (const CollectivePart& part : parts) devices.push_back(part.device);
  const std::lock_guard<std::mutex> lock(mutex);
  const auto known = all.find(devices);
  if (known != all.end()) return known->second;
  std::vector<ncclComm_t> made(devices.size());
  TORCH_NCCL_CHECK(ncclCommInitAll(made.data(), static_cast<int>(devices.size()), devices.data()));
  return all[devices] = made;
}

// Calls between its two ends begin together; ends what an exception leaves, too.
class Group {
 public:
  Group() { TORCH_NCCL_CHECK(ncclGroupStart()); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() {
    if (!ended_) ncclGroupEnd();
  }
  void end() {
    ended_ = true;
    TORCH_NCCL_CHECK(ncclGroupEnd());
  }

 private:
  bool ended_ = false;
};

}  // namespace

void collective(Collective what, c10::ScalarType dtype, int64_t count,
                c10::ArrayRef<CollectivePart> parts, Reduction reduction, int64_t root) {
  const ncclDataType_t type = type_of(dtype);
  // bools are sent as bytes, whose sum could be 2.
  const bool any = dtype == c10::ScalarType::Bool && reduction == Reduction::SUM;
  const auto op = static_cast<ncclRedOp_t>(any ? Reduction::MAX : reduction);
  const auto size = static_cast<size_t>(count);
  const int from = static_cast<int>(root);
  const std::vector<ncclComm_t>& all = communicators(parts);
  Group group;
  for (size_t i = 0; i < parts.size(); ++i) {
    const CollectivePart& p = parts[i];
    const c10::cuda::CUDAGuard guard(p.device);
    const auto stream = c10::cuda::getCurrentCUDAStream(p.device).stream();
    switch (what) {
      case Collective::ALL_REDUCE:
        TORCH_NCCL_CHECK(ncclAllReduce(p.input, p.output, size, type, op, all[i], stream));
        break;
      case Collective::BROADCAST:
        TORCH_NCCL_CHECK(ncclBroadcast(p.input, p.output, size, type, from, all[i], stream));
        break;
      case Collective::REDUCE:
        TORCH_NCCL_CHECK(ncclReduce(p.input, p.output, size, type, op, from, all[i], stream));
        break;
      case Collective::ALL_GATHER:
        TORCH_NCCL_CHECK(ncclAllGather(p.input, p.output, size, type, all[i], stream));
        break;
      case Collective::REDUCE_SCATTER:
        TORCH_NCCL_CHECK(ncclReduceScatter(p.input, p.output, size, type, op, all[i], stream));
        break;
    }
  }
  group.end();
}

int64_t collective_library_version() {
  int version = 0;
  TORCH_NCCL_CHECK(ncclGetVersion(&version));
  return version;
}

std::string collective_unique_id() {
  ncclUniqueId id;
  TORCH_NCCL_CHECK(ncclGetUniqueId(&id));
  return std::string(id.internal, sizeof(id.internal));
}

#endif

}  // namespace at::native
