// What NCCL is asked for, on a NCCL that runs on the host and computes by the definition.

#include <ATen/native/cuda/Collectives.h>
#include <c10/core/ScalarType.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>
#include <nccl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

struct ncclComm {
  int device, rank, ranks;
};

namespace {

struct Call {
  at::native::Collective what;
  const float* send;
  float* receive;
  size_t count;
  int root;
  ncclComm_t comm;
};

ncclResult_t answer = ncclSuccess;
int made = 0;       // lists of communicators
bool open = false;  // a group
ncclRedOp_t last_op = ncclSum;
ncclDataType_t last_type = ncclFloat32;
std::vector<Call> calls;

ncclResult_t remember(at::native::Collective what, const void* send, void* receive, size_t count,
                      ncclDataType_t type, ncclRedOp_t op, int root, ncclComm_t comm) {
  if (answer != ncclSuccess) return answer;
  EXPECT_TRUE(open);
  EXPECT_EQ(comm->device, c10::cuda::current_device());
  EXPECT_EQ(comm->rank, static_cast<int>(calls.size()));
  last_op = op;
  last_type = type;
  calls.push_back(
      {what, static_cast<const float*>(send), static_cast<float*>(receive), count, root, comm});
  return ncclSuccess;
}

float combine(float a, float b) {
  switch (last_op) {
    case ncclProd:
      return a * b;
    case ncclMax:
      return std::max(a, b);
    case ncclMin:
      return std::min(a, b);
    default:
      return a + b;
  }
}

// Element i of the reduction of all that is sent.
float reduced(const std::vector<std::vector<float>>& sent, size_t i) {
  float result = sent[0][i];
  for (size_t rank = 1; rank < sent.size(); ++rank) result = combine(result, sent[rank][i]);
  return last_op == ncclAvg ? result / static_cast<float>(sent.size()) : result;
}

void run_calls() {
  using at::native::Collective;
  const size_t ranks = calls.size();
  std::vector<std::vector<float>> sent;
  for (const Call& c : calls) {
    const size_t size = c.what == Collective::REDUCE_SCATTER ? c.count * ranks : c.count;
    sent.emplace_back(c.send, c.send + size);
  }
  for (size_t rank = 0; rank < ranks; ++rank) {
    const Call& c = calls[rank];
    EXPECT_EQ(c.comm->ranks, static_cast<int>(ranks));
    const auto root = static_cast<size_t>(c.root);
    for (size_t i = 0; i < c.count; ++i) {
      switch (c.what) {
        case Collective::ALL_REDUCE:
          c.receive[i] = reduced(sent, i);
          break;
        case Collective::BROADCAST:
          c.receive[i] = sent[root][i];
          break;
        case Collective::REDUCE:
          if (rank == root) c.receive[i] = reduced(sent, i);
          break;
        case Collective::ALL_GATHER:
          for (size_t from = 0; from < ranks; ++from) c.receive[from * c.count + i] = sent[from][i];
          break;
        case Collective::REDUCE_SCATTER:
          c.receive[i] = reduced(sent, rank * c.count + i);
          break;
      }
    }
  }
  calls.clear();
}

}  // namespace

extern "C" {

const char* ncclGetErrorString(ncclResult_t) { return "unhandled system error"; }

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_VERSION_CODE;
  return answer;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::memset(id->internal, 7, sizeof(id->internal));
  return answer;
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int count, const int* devices) {
  ++made;
  for (int i = 0; i < count; ++i) comms[i] = new ncclComm{devices[i], i, count};
  return answer;
}

ncclResult_t ncclGroupStart() {
  EXPECT_FALSE(open);
  open = true;
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  EXPECT_TRUE(open);
  open = false;
  run_calls();
  return answer;
}

ncclResult_t ncclAllReduce(const void* send, void* receive, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t) {
  return remember(at::native::Collective::ALL_REDUCE, send, receive, count, type, op, 0, comm);
}

ncclResult_t ncclBroadcast(const void* send, void* receive, size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t) {
  return remember(at::native::Collective::BROADCAST, send, receive, count, type, ncclSum, root,
                  comm);
}

ncclResult_t ncclReduce(const void* send, void* receive, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t) {
  return remember(at::native::Collective::REDUCE, send, receive, count, type, op, root, comm);
}

ncclResult_t ncclAllGather(const void* send, void* receive, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t) {
  return remember(at::native::Collective::ALL_GATHER, send, receive, count, type, ncclSum, 0, comm);
}

ncclResult_t ncclReduceScatter(const void* send, void* receive, size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t) {
  return remember(at::native::Collective::REDUCE_SCATTER, send, receive, count, type, op, 0, comm);
}

}  // extern "C"

namespace at::native {
namespace {

using Values = std::vector<float>;

// The outputs on GPUs 0 and 1, whose memory is the host's here.
std::vector<Values> run(Collective what, int64_t count, std::vector<Values> inputs, size_t size,
                        Reduction reduction = Reduction::SUM, int64_t root = 0) {
  std::vector<Values> outputs(inputs.size(), Values(size, -1));
  std::vector<CollectivePart> parts;
  for (size_t i = 0; i < inputs.size(); ++i) {
    parts.push_back({static_cast<c10::DeviceIndex>(i), inputs[i].data(), outputs[i].data()});
  }
  collective(what, c10::ScalarType::Float, count, parts, reduction, root);
  return outputs;
}

const std::vector<Values> kInputs = {{1, 2, 3, 4}, {5, 7, 2, -4}};

TEST(Collectives, AreThoseOfTheirNames) {
  const auto both = [](const Values& v) { return std::vector<Values>{v, v}; };
  EXPECT_EQ(run(Collective::ALL_REDUCE, 4, kInputs, 4), both({6, 9, 5, 0}));
  EXPECT_EQ(run(Collective::BROADCAST, 4, kInputs, 4, Reduction::SUM, 1), both(kInputs[1]));
  EXPECT_EQ(run(Collective::ALL_GATHER, 4, kInputs, 8), both({1, 2, 3, 4, 5, 7, 2, -4}));
  EXPECT_EQ(run(Collective::REDUCE_SCATTER, 2, kInputs, 2), (std::vector<Values>{{6, 9}, {5, 0}}));
  EXPECT_EQ(run(Collective::REDUCE, 4, kInputs, 4, Reduction::SUM, 1),
            (std::vector<Values>{{-1, -1, -1, -1}, {6, 9, 5, 0}}));
}

TEST(Collectives, ReduceByNcclsNumbers) {
  const auto all = [](Reduction reduction) {
    return run(Collective::ALL_REDUCE, 4, kInputs, 4, reduction)[0];
  };
  EXPECT_EQ(all(Reduction::PRODUCT), (Values{5, 14, 6, -16}));
  EXPECT_EQ(all(Reduction::MAX), (Values{5, 7, 3, 4}));
  EXPECT_EQ(all(Reduction::MIN), (Values{1, 2, 2, -4}));
  EXPECT_EQ(all(Reduction::AVERAGE), (Values{3, 4.5, 2.5, 0}));
}

TEST(Collectives, SumBoolsToBools) {
  float x = 0;
  const std::vector<CollectivePart> one = {{0, &x, &x}};
  const auto op_of = [&](c10::ScalarType dtype, Reduction reduction) {
    collective(Collective::ALL_REDUCE, dtype, 1, one, reduction, 0);
    return last_op;
  };
  EXPECT_EQ(op_of(c10::ScalarType::Bool, Reduction::SUM), ncclMax);
  EXPECT_EQ(op_of(c10::ScalarType::Bool, Reduction::MIN), ncclMin);
  EXPECT_EQ(op_of(c10::ScalarType::Byte, Reduction::SUM), ncclSum);
}

TEST(Collectives, KeepCommunicatorsOfAListOfGpus) {
  run(Collective::ALL_REDUCE, 4, {kInputs[0]}, 4);
  const int before = made;
  run(Collective::ALL_REDUCE, 4, {kInputs[0]}, 4);
  EXPECT_EQ(made, before);
  // In another order.
  float x = 1, y = 2;
  const std::vector<CollectivePart> turned = {{1, &x, &x}, {0, &y, &y}};
  collective(Collective::ALL_REDUCE, c10::ScalarType::Float, 1, turned, Reduction::SUM, 0);
  EXPECT_EQ(made, before + 1);
  EXPECT_EQ(x, 3);
  EXPECT_EQ(c10::cuda::current_device(), 0);
}

TEST(Collectives, NameTypes) {
  float x = 0;
  const std::vector<CollectivePart> one = {{0, &x, &x}};
  for (const auto& [dtype, wanted] : std::vector<std::pair<c10::ScalarType, ncclDataType_t>>{
           {c10::ScalarType::Byte, ncclUint8},
           {c10::ScalarType::Bool, ncclUint8},
           {c10::ScalarType::Char, ncclInt8},
           {c10::ScalarType::Int, ncclInt32},
           {c10::ScalarType::Long, ncclInt64},
           {c10::ScalarType::Half, ncclFloat16},
           {c10::ScalarType::BFloat16, ncclBfloat16},
           {c10::ScalarType::Float, ncclFloat32},
           {c10::ScalarType::Double, ncclFloat64}}) {
    collective(Collective::ALL_REDUCE, dtype, 1, one, Reduction::SUM, 0);
    EXPECT_EQ(last_type, wanted) << c10::toString(dtype);
  }
  try {
    collective(Collective::ALL_REDUCE, c10::ScalarType::Short, 1, one, Reduction::SUM, 0);
    FAIL() << "int16 was taken";
  } catch (const c10::Error& error) {
    EXPECT_NE(std::string(error.what()).find("NCCL has no type for Short: convert to uint8, int8"),
              std::string::npos)
        << error.what();
  }
}

TEST(Collectives, SayWhatFailed) {
  answer = ncclSystemError;
  try {
    run(Collective::ALL_REDUCE, 4, {kInputs[0]}, 4);
    FAIL() << "an error was overlooked";
  } catch (const c10::Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("NCCL error: unhandled system error when calling `ncclAllReduce("),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("NCCL_DEBUG=INFO"), std::string::npos) << text;
  }
  EXPECT_FALSE(open);  // the group has ended
  answer = ncclSuccess;
}

TEST(Collectives, HaveAVersionAndIds) {
  EXPECT_EQ(collective_library_version(), NCCL_VERSION_CODE);
  EXPECT_EQ(collective_unique_id(), std::string(NCCL_UNIQUE_ID_BYTES, 7));
}

}  // namespace
}  // namespace at::native
