#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/macros/Macros.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

TEST(CPUAllocatorTest, MemoryIsAligned) {
  for (const size_t size : {1u, 3u, 64u, 65u, 4097u}) {
    const c10::DataPtr data = c10::GetCPUAllocator()->allocate(size);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data.get()) % c10::gAlignment, 0u) << size;
    EXPECT_EQ(data.device(), c10::Device(c10::kCPU));
  }
}

TEST(CPUAllocatorTest, NoBytesGiveNull) {
  EXPECT_EQ(c10::GetCPUAllocator()->allocate(0).get(), nullptr);
}

TEST(CPUAllocatorTest, SaysHowMuchWasWanted) {
#if C10_ASAN_ENABLED || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's allocator aborts instead of failing";
#endif
  EXPECT_THROW_MESSAGE(c10::alloc_cpu(size_t{1} << 60), c10::OutOfMemoryError,
                       "DefaultCPUAllocator: can't allocate memory: you tried to allocate "
                       "1152921504606846976 bytes. Error code 12 (Cannot allocate memory)");
}

#if defined(__linux__)
// The kernel's flags of the mapping that holds an address, of /proc/self/smaps; "hg": huge pages.
std::string mapping_flags(const void* data) {
  std::ifstream file("/proc/self/smaps");
  const auto address = reinterpret_cast<uintptr_t>(data);
  bool found = false;
  for (std::string line; std::getline(file, line);) {
    unsigned long long begin = 0, end = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> begin >> dash >> end && dash == '-') {
      found = begin <= address && address < end;
    } else if (found && line.rfind("VmFlags:", 0) == 0) {
      return line + " ";
    }
  }
  return "";
}

TEST(CPUAllocatorTest, LargeMemoryAsksForHugePages) {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled")) {
    GTEST_SKIP() << "this kernel has no huge pages";
  }
  constexpr size_t kSize = size_t{64} << 20;
  const c10::DataPtr data = c10::GetCPUAllocator()->allocate(kSize);
  const char* middle = static_cast<const char*>(data.get()) + kSize / 2;
  EXPECT_NE(mapping_flags(middle).find(" hg "), std::string::npos) << mapping_flags(middle);
}
#endif

#if defined(__GLIBC__) && !C10_ASAN_ENABLED && !defined(__SANITIZE_THREAD__)
size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  size_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

TEST(CPUAllocatorTest, LargeBlocksServeAgain) {
  constexpr size_t kSize = size_t{3} << 20;
  void* first = c10::alloc_cpu(kSize);
  void* second = c10::alloc_cpu(kSize);
  EXPECT_NE(first, second);
  c10::free_cpu(first);
  c10::free_cpu(second);
  void* again = c10::alloc_cpu(kSize - kSize / 8);
  EXPECT_EQ(again, second);  // Both serve, and nothing serves twice.
  void* other = c10::alloc_cpu(kSize - kSize / 8);
  EXPECT_NE(again, other);
  std::memset(again, 1, kSize - kSize / 8);
  std::memset(other, 2, kSize - kSize / 8);
  EXPECT_EQ(static_cast<char*>(again)[kSize / 2], 1);
  c10::free_cpu(again);
  c10::free_cpu(other);
}

TEST(CPUAllocatorTest, FreedBlocksGoBeforeTheProcessGrows) {
  constexpr size_t kSize = size_t{64} << 20;
  void* block = c10::alloc_cpu(kSize);
  std::memset(block, 1, kSize);
  c10::free_cpu(block);
  const size_t kept = resident_bytes();
  block = c10::alloc_cpu(kSize);
  EXPECT_GE(resident_bytes() + kSize / 8, kept);  // The same, mapped already.
  c10::free_cpu(block);
  void* larger = c10::alloc_cpu(2 * kSize);
  EXPECT_LE(resident_bytes() + kSize / 2, kept);
  c10::free_cpu(larger);
}

TEST(CPUAllocatorTest, SmallBlocksStayMapped) {
  constexpr size_t kSize = size_t{32} << 10;
  constexpr size_t kBlocks = 64;
  const auto faults = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  const auto use = [] {
    std::vector<void*> blocks;
    for (size_t i = 0; i < kBlocks; ++i) {
      blocks.push_back(c10::alloc_cpu(kSize));
      std::memset(blocks.back(), 1, kSize);
    }
    for (void* block : blocks) c10::free_cpu(block);
  };
  use();
  use();
  const auto before = faults();
  use();
  // Each block has 8 pages.
  EXPECT_LT(faults() - before, static_cast<long>(kBlocks));
}

TEST(CPUAllocatorTest, ThreadsShareFreedBlocks) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t, &wrong] {
      for (size_t i = 0; i < 500; ++i) {
        const size_t size = (size_t{64} << 10) * (1 + (i * 7 + static_cast<size_t>(t)) % 9);
        auto* data = static_cast<unsigned char*>(c10::alloc_cpu(size));
        std::memset(data, t, size);
        for (size_t k = 0; k < size; k += 997) wrong += data[k] != t;
        c10::free_cpu(data);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}
#endif

TEST(CPUAllocatorTest, RefusesNegativeSizes) {
  EXPECT_THROW_CONTAINS(c10::alloc_cpu(static_cast<size_t>(-4)), c10::Error,
                        "alloc_cpu() seems to have been called with negative number: ");
}

TEST(AllocatorTest, RawAndClone) {
  c10::Allocator* allocator = c10::GetCPUAllocator();
  void* raw = allocator->raw_allocate(8);
  std::memcpy(raw, "1234567", 8);
  c10::DataPtr copy = allocator->clone(raw, 8);
  EXPECT_NE(copy.get(), raw);
  EXPECT_EQ(std::memcmp(copy.get(), raw, 8), 0);
  EXPECT_TRUE(allocator->is_simple_data_ptr(copy));
  allocator->raw_deallocate(raw);
}

struct CountingAllocator final : c10::Allocator {
  c10::DataPtr allocate(size_t n) override {
    ++allocations;
    return c10::GetDefaultCPUAllocator()->allocate(n);
  }
  void copy_data(void* dest, const void* src, size_t count) const override {
    default_copy_data(dest, src, count);
  }
  int allocations = 0;
};

TEST(AllocatorTest, PriorityDecides) {
  static CountingAllocator low, high;  // never removed from the registry
  c10::SetAllocator(c10::kPrivateUse1, &high, /*priority=*/2);
  c10::SetAllocator(c10::kPrivateUse1, &low, /*priority=*/1);
  EXPECT_EQ(c10::GetAllocator(c10::kPrivateUse1), &high);
  c10::GetAllocator(c10::kPrivateUse1)->allocate(4);
  EXPECT_EQ(high.allocations, 1);
  EXPECT_EQ(low.allocations, 0);
}

TEST(AllocatorTest, MissingOnesAreNamed) {
  EXPECT_THROW_CONTAINS(c10::GetAllocator(c10::kFPGA), c10::Error,
                        "Allocator for fpga is not set.");
}

TEST(AllocatorTest, MemoryThatIsNotFreedByAddress) {
  CountingAllocator allocator;
  void* memory = c10::GetDefaultCPUAllocator()->raw_allocate(1);
  EXPECT_THROW_MESSAGE(allocator.raw_deallocate(memory), c10::Error,
                       "raw_deallocate: this allocator's memory cannot be freed by its address");
  c10::GetDefaultCPUAllocator()->raw_deallocate(memory);
}

TEST(DataPtrTest, MovesAndReleases) {
  c10::DataPtr data = c10::GetCPUAllocator()->allocate(4);
  const void* address = data.get();
  c10::DataPtr moved = std::move(data);
  EXPECT_EQ(moved.get(), address);
  EXPECT_TRUE(data == nullptr);  // NOLINT
  EXPECT_NE(moved.get_deleter(), nullptr);
  c10::free_cpu(moved.release_context());
}

}  // namespace
