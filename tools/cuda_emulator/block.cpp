#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tools/cuda_emulator/asynchronous.h"
#include "tools/cuda_emulator/barrier.h"
#include "tools/cuda_emulator/products.h"
#include "tools/cuda_emulator/race_check.h"
#include "tools/cuda_emulator/warp.h"

namespace emulator {
namespace {

constexpr std::size_t kStaticShared = 48 << 10;
constexpr std::size_t kMostShared = 227 << 10;

FindAllocation find_function = nullptr;
Print print_function = nullptr;

Options from_environment() {
  Options options;
  if (const char* threads = std::getenv("EMULATOR_THREADS"))
    options.threads = std::max(1, std::atoi(threads));
  if (const char* check = std::getenv("EMULATOR_RACECHECK"))
    options.racecheck = std::atoi(check) != 0;
  return options;
}

[[noreturn]] void refuse(const Kernel& kernel, const std::string& text) {
  throw Error(Error::Kind::kLaunch, text + "\n  kernel: " + kernel.name);
}

void check_launch(const Kernel& kernel, const Launch& launch) {
  const auto& [x, y, z] = launch.block;
  const std::uint64_t threads = std::uint64_t{x} * y * z;
  if (!threads || threads > 1024 || z > 64) {
    refuse(kernel, "a block of " + std::to_string(x) + " x " + std::to_string(y) + " x " +
                       std::to_string(z) + " threads: at least 1, at most 1024, and 64 in z");
  }
  if (threads > static_cast<std::uint64_t>(kernel.max_threads)) {
    refuse(kernel, "a block of " + std::to_string(threads) +
                       " threads: the kernel was compiled for at most " +
                       std::to_string(kernel.max_threads));
  }
  const auto& [columns, rows, layers] = launch.grid;
  if (!columns || !rows || !layers || columns > 0x7fffffffu || rows > 65535 || layers > 65535) {
    refuse(kernel, "a grid of " + std::to_string(columns) + " x " + std::to_string(rows) + " x " +
                       std::to_string(layers) +
                       " blocks: at least 1, at most 2147483647 x 65535 x 65535");
  }
  if (kernel.shared_bytes > kStaticShared ||
      kernel.shared_bytes + launch.dynamic_shared_bytes > kMostShared) {
    refuse(kernel, std::to_string(kernel.shared_bytes) + " bytes of static and " +
                       std::to_string(launch.dynamic_shared_bytes) +
                       " of dynamic shared memory: at most " + std::to_string(kStaticShared) +
                       " and " + std::to_string(kMostShared) + " in all");
  }
}

std::array<unsigned, 3> block_index(const Launch& launch, std::uint64_t number) {
  const unsigned x = static_cast<unsigned>(number % launch.grid[0]);
  number /= launch.grid[0];
  return {x, static_cast<unsigned>(number % launch.grid[1]),
          static_cast<unsigned>(number / launch.grid[1])};
}

}  // namespace

Options& options() {
  static Options options = from_environment();
  return options;
}

void set_find_allocation(FindAllocation find) { find_function = find; }
FindAllocation find_allocation() { return find_function; }
void set_print(Print print) { print_function = print; }

void print(std::string_view text) {
  if (print_function) {
    print_function(text);
  } else {
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
}

Block::Block(const Kernel& kernel, const Launch& launch, const std::byte* parameters)
    : kernel(kernel), launch(launch), parameters(parameters) {
  threads = launch.block[0] * launch.block[1] * launch.block[2];
  const std::size_t fixed =
      launch.dynamic_shared_bytes ? (kernel.shared_bytes + 15) / 16 * 16 : kernel.shared_bytes;
  shared_bytes = fixed + launch.dynamic_shared_bytes;
  shared_storage_ = std::make_unique_for_overwrite<std::byte[]>(shared_bytes + 1024);
  const auto address = reinterpret_cast<std::uintptr_t>(shared_storage_.get());
  shared = shared_storage_.get() + (1024 - address % 1024) % 1024;
  if (options().racecheck) races = std::make_unique<RaceCheck>(shared_bytes);
  if (kernel.function->asynchronous) asynchronous = std::make_unique<Asynchronous>(*this);
  warps_.resize((threads + kLanes - 1) / kLanes);
  for (unsigned warp = 0; warp < warps_.size(); ++warp)
    warps_[warp].prepare(*this, warp, threads - warp * kLanes);
}

Block::~Block() = default;

void Block::run(const std::array<unsigned, 3>& block) {
  index = block;
  // Not a number in every type: what was never written does not look like a result.
  std::memset(shared, 0xff, shared_bytes);
  if (races) races->clear();
  if (asynchronous) asynchronous->start();
  for (Warp& warp : warps_) warp.start();
  for (;;) {
    bool finished = true;
    bool moved = false;
    for (Warp& warp : warps_) {
      if (warp.state == Warp::State::kReady) {
        warp.run();
        moved |= warp.state != Warp::State::kReady || !warp.stalled;
      }
      finished &= warp.state == Warp::State::kFinished;
    }
    if (finished) break;
    // Copies arrive when nobody can go on without them.
    if (!release() && !moved && !(asynchronous && asynchronous->finish_copy())) report_deadlock();
  }
  finish();
}

// What asynchronous instructions have left.
void Block::finish() const {
  if (!asynchronous) return;
  constexpr std::size_t kGroup = 4;
  const auto count = [](const Warp& warp) {
    return warp.products ? warp.products->count() : std::uint64_t{0};
  };
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    if (warps_[i].products) warps_[i].products->finish(warps_[i]);
    if (count(warps_[i]) != count(warps_[i / kGroup * kGroup])) {
      throw Error(Error::Kind::kAsynchronous,
                  "the warps of a group have begun " +
                      std::to_string(count(warps_[i / kGroup * kGroup])) + " and " +
                      std::to_string(count(warps_[i])) + " products\n  kernel: " + kernel.name);
    }
  }
  asynchronous->finish();
}

// Opens each barrier to which all have come that it waits for. False when there was none.
bool Block::release() {
  struct Arrived {
    unsigned threads = 0;
    unsigned wanted = 0;
  };
  std::array<Arrived, kBarriers> barriers{};
  unsigned finished = 0;
  for (const Warp& warp : warps_) {
    if (warp.state == Warp::State::kFinished) finished += kLanes;
    if (warp.state != Warp::State::kBarrier) continue;
    const Barrier barrier = barrier_of(warp);
    barriers[barrier.number].threads += kLanes;
    barriers[barrier.number].wanted = barrier.threads;
  }
  bool released = false;
  for (unsigned number = 0; number < kBarriers; ++number) {
    const Arrived& barrier = barriers[number];
    if (!barrier.threads) continue;
    const bool open = barrier.wanted ? barrier.threads >= barrier.wanted
                                     : barrier.threads + finished >= warps_.size() * kLanes;
    if (!open) continue;
    std::vector<Warp*> waiting;
    for (Warp& warp : warps_) {
      if (warp.state == Warp::State::kBarrier && barrier_of(warp).number == number)
        waiting.push_back(&warp);
    }
    reduce_at_barrier(waiting);
    for (Warp* warp : waiting) warp->state = Warp::State::kReady;
    if (races) races->barrier();
    released = true;
  }
  return released;
}

void Block::report_deadlock() const {
  std::string text = "threads of a block wait at barriers that the others never reach:";
  for (const Warp& warp : warps_) {
    if (warp.state == Warp::State::kBarrier) {
      text += warp.place(warp.barrier, static_cast<unsigned>(__builtin_ctz(warp.barrier_lanes)));
    } else if (warp.state == Warp::State::kReady && warp.stalled) {
      text += warp.place(warp.stalled, 0);
    }
  }
  throw Error(Error::Kind::kDeadlock, text);
}

void run(const Kernel& kernel, const Launch& launch) {
  check_launch(kernel, launch);
  // Bytes of padding are the same in every run; aligned for vectors and tensor maps.
  constexpr std::size_t kAlignment = 128;
  std::vector<std::byte> parameters(kernel.parameter_bytes + 2 * kAlignment);
  std::byte* bytes = parameters.data();
  bytes += (kAlignment - reinterpret_cast<std::uintptr_t>(bytes) % kAlignment) % kAlignment;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter& parameter = kernel.parameters[i];
    std::memcpy(bytes + parameter.offset, launch.arguments[i], parameter.bytes);
  }

  const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  std::atomic<std::uint64_t> next = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    try {
      Block block(kernel, launch, bytes);
      for (std::uint64_t number; (number = next++) < blocks;)
        block.run(block_index(launch, number));
    } catch (...) {
      next = blocks;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  const std::uint64_t wanted = std::min<std::uint64_t>(options().threads, blocks);
  for (std::uint64_t i = 1; i < wanted; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace emulator
