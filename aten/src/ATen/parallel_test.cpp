#include <ATen/Parallel.h>

#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <latch>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace {

class ParallelTest : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { at::set_num_threads(GetParam()); }
  void TearDown() override { at::set_num_threads(threads_); }
  int threads_ = at::get_num_threads();
};

TEST_P(ParallelTest, CoversTheRangeOnce) {
  for (const int64_t n : {0, 1, 7, 1000, 4097}) {
    for (const int64_t grain : {1, 10, 5000}) {
      std::vector<std::atomic<int>> hits(static_cast<size_t>(n));
      at::parallel_for(0, n, grain, [&](int64_t begin, int64_t end) {
        EXPECT_LT(begin, end);
        for (int64_t i = begin; i < end; ++i) ++hits[static_cast<size_t>(i)];
      });
      for (const auto& hit : hits) ASSERT_EQ(hit.load(), 1);
    }
  }
}

TEST_P(ParallelTest, NestedLoopsStayOnTheirThread) {
  EXPECT_FALSE(at::in_parallel_region());
  std::atomic<int> inner_chunks{0};
  std::atomic<int> outer_chunks{0};
  at::parallel_for(0, 8, 1, [&](int64_t begin, int64_t end) {
    ++outer_chunks;
    at::parallel_for(0, 100, 1, [&](int64_t, int64_t) { ++inner_chunks; });
    (void)begin;
    (void)end;
  });
  if (GetParam() > 1) {
    EXPECT_EQ(inner_chunks, outer_chunks);
  }
  EXPECT_FALSE(at::in_parallel_region());
}

TEST_P(ParallelTest, RethrowsAnException) {
  EXPECT_THROW(at::parallel_for(0, 100, 1,
                                [](int64_t begin, int64_t end) {
                                  if (begin <= 50 && 50 < end) throw std::out_of_range("50");
                                }),
               std::out_of_range);
}

TEST_P(ParallelTest, CarriesThreadLocalState) {
  const c10::NoGradGuard no_grad;
  std::atomic<bool> enabled{false};
  at::parallel_for(0, 64, 1, [&](int64_t, int64_t) {
    if (c10::GradMode::is_enabled()) enabled = true;
  });
  EXPECT_FALSE(enabled);
}

TEST_P(ParallelTest, ReducesInAFixedOrder) {
  const auto sum = [](int64_t n) {
    return at::parallel_reduce(
        int64_t{0}, n, int64_t{100}, 0.0,
        [](int64_t begin, int64_t end, double ident) {
          double total = ident;
          for (int64_t i = begin; i < end; ++i) total += 1.0 / static_cast<double>(i + 1);
          return total;
        },
        [](double a, double b) { return a + b; });
  };
  const double here = sum(12345);
  at::set_num_threads(1);
  EXPECT_EQ(here, sum(12345));
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelTest, testing::Values(1, 2, 4));

TEST(Parallel, LoopsFromManyThreads) {
  at::set_num_threads(2);
  std::atomic<int64_t> total{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        at::parallel_for(0, 100, 1, [&](int64_t begin, int64_t end) { total += end - begin; });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(total, 4 * 50 * 100);
}

// How many threads of this process took part in a loop.
size_t threads_of_a_loop() {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  std::latch all(3);
  at::parallel_for(0, 3, 1, [&](int64_t, int64_t) {
    all.arrive_and_wait();
    const std::lock_guard<std::mutex> lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  return seen.size();
}

TEST(Parallel, ForkedChildrenHaveThreadsOfTheirOwn) {
  const int before = at::get_num_threads();
  at::set_num_threads(3);
  const size_t expected = threads_of_a_loop();
  ASSERT_EQ(expected, 3);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);  // Ends a child that waits for threads that are not there.
    at::set_num_threads(3);
    const bool right = threads_of_a_loop() == expected && threads_of_a_loop() == expected;
    // A destructor that joins the parent's threads would wait, too.
    std::exit(right ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(threads_of_a_loop(), expected);
  at::set_num_threads(before);
}

TEST(Parallel, RefusesNoThreads) { EXPECT_THROW(at::set_num_threads(0), c10::Error); }

}  // namespace
