#include <ATen/Parallel.h>

#include <ATen/ThreadLocalState.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <thread>

#if defined(AT_PARALLEL_OPENMP)
#include <omp.h>
#endif
#if !defined(AT_PARALLEL_SERIAL)
#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <vector>
#endif

namespace at {

namespace {

std::atomic<int> num_threads{0};
thread_local bool is_in_parallel_region = false;
thread_local int thread_number = 0;

int defaultThreads() {
#if defined(AT_PARALLEL_SERIAL)
  return 1;
#else
  for (const char* name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS"}) {
    const char* value = std::getenv(name);
    const int n = value == nullptr ? 0 : std::atoi(value);
    if (n > 0) return n;
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
#endif
}

// Marks a chunk's thread for the chunk's time.
class RegionGuard {
 public:
  explicit RegionGuard(int thread) : thread_(thread_number), in_region_(is_in_parallel_region) {
    thread_number = thread;
    is_in_parallel_region = true;
  }
  ~RegionGuard() {
    thread_number = thread_;
    is_in_parallel_region = in_region_;
  }

 private:
  int thread_;
  bool in_region_;
};

// Runs `task(i)` for i in [0, n), each on a thread of its own if there are enough.
void runTasks(int n, c10::function_ref<void(int)> task);

#if !defined(AT_PARALLEL_SERIAL)

// Threads that wait for work and are joined at the program's end. One loop runs at a time; a loop
// started while another thread's runs is done by its caller alone.
class ThreadPool {
 public:
  ~ThreadPool() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  void run(int n, c10::function_ref<void(int)> task) {
    std::unique_lock<std::mutex> owner(owner_, std::try_to_lock);
    if (!owner.owns_lock()) {
      for (int i = 0; i < n; ++i) task(i);
      return;
    }
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      while (static_cast<int>(workers_.size()) < n - 1) {
        workers_.emplace_back([this, seen = generation_] { work(seen); });
      }
      task_ = &task;
      next_ = 0;
      total_ = n;
      pending_ = n;
      ++generation_;
    }
    wake_.notify_all();
    drain();
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return pending_ == 0; });
    task_ = nullptr;
  }

 private:
  void work(uint64_t seen) {
    while (true) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
        if (stop_) return;
        seen = generation_;
      }
      drain();
    }
  }

  // Takes tasks until none is left.
  void drain() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (next_ < total_) {
      const int i = next_++;
      const auto* task = task_;
      lock.unlock();
      (*task)(i);
      lock.lock();
      if (--pending_ == 0) done_.notify_all();
    }
  }

  std::mutex owner_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::vector<std::thread> workers_;
  c10::function_ref<void(int)>* task_ = nullptr;
  int next_ = 0;
  int total_ = 0;
  int pending_ = 0;
  uint64_t generation_ = 0;
  bool stop_ = false;
};

// This process's pool. Threads do not live on in a forked child: it has a pool of its own, with
// OpenMP too, whose runtime would wait for the parent's threads.
struct ProcessPool {
  ThreadPool* pool = new ThreadPool;
  bool is_child = false;

  ProcessPool();
  ~ProcessPool() { delete pool; }
} process_pool;

void start_over() {
  process_pool.pool = new ThreadPool;  // The parent's cannot be joined.
  process_pool.is_child = true;
#if defined(AT_PARALLEL_OPENMP)
  omp_set_num_threads(1);
#endif
}

ProcessPool::ProcessPool() { pthread_atfork(nullptr, nullptr, &start_over); }

void runTasks(int n, c10::function_ref<void(int)> task) {
#if defined(AT_PARALLEL_OPENMP)
  if (!process_pool.is_child) {
#pragma omp parallel for num_threads(n) schedule(static, 1)
    for (int i = 0; i < n; ++i) task(i);
    return;
  }
#endif
  process_pool.pool->run(n, task);
}

#else

void runTasks(int n, c10::function_ref<void(int)> task) {
  for (int i = 0; i < n; ++i) task(i);
}

#endif

}  // namespace

int get_num_threads() {
  int n = num_threads.load(std::memory_order_relaxed);
  if (n == 0) {
    n = defaultThreads();
    num_threads.store(n, std::memory_order_relaxed);
  }
  return n;
}

void set_num_threads(int n) {
  TORCH_CHECK(n > 0, "Expected positive number of threads");
#if !defined(AT_PARALLEL_SERIAL)
  num_threads.store(n, std::memory_order_relaxed);
#endif
#if defined(AT_PARALLEL_OPENMP)
  // For the libraries that share this OpenMP: oneDNN and some BLAS.
  if (!process_pool.is_child) omp_set_num_threads(n);
#endif
}

int get_thread_num() { return thread_number; }
bool in_parallel_region() { return is_in_parallel_region; }
int get_num_interop_threads() { return 1; }
void set_num_interop_threads(int n) { TORCH_CHECK(n > 0, "Expected positive number of threads"); }

std::string get_parallel_info() {
#if defined(AT_PARALLEL_OPENMP)
  const char* backend = "OpenMP";
#elif defined(AT_PARALLEL_NATIVE)
  const char* backend = "native thread pool";
#else
  const char* backend = "serial";
#endif
  return c10::str("ATen/Parallel:\n\tat::get_num_threads() : ", get_num_threads(),
                  "\nstd::thread::hardware_concurrency() : ", std::thread::hardware_concurrency(),
                  "\nATen parallel backend: ", backend, "\n");
}

namespace internal {

bool parallel_backend_is_openmp() {
#if defined(AT_PARALLEL_OPENMP)
  return true;
#else
  return false;
#endif
}

void parallel_for_impl(int64_t begin, int64_t end, int64_t grain_size,
                       c10::function_ref<void(int64_t, int64_t)> f) {
  const int64_t n = end - begin;
  int64_t chunks = in_parallel_region() ? 1 : get_num_threads();
  if (grain_size > 0) chunks = std::min(chunks, divup(n, grain_size));
  chunks = std::min(chunks, n);
  if (chunks <= 1) {
    f(begin, end);
    return;
  }
  const int64_t chunk_size = divup(n, chunks);
  const ThreadLocalState state;
  std::atomic_flag has_error = ATOMIC_FLAG_INIT;
  std::exception_ptr error;
  runTasks(static_cast<int>(chunks), [&](int i) {
    const int64_t chunk_begin = begin + i * chunk_size;
    if (chunk_begin >= end) return;
    const ThreadLocalStateGuard state_guard(state);
    const RegionGuard region_guard(i);
    try {
      f(chunk_begin, std::min(end, chunk_begin + chunk_size));
    } catch (...) {
      if (!has_error.test_and_set()) error = std::current_exception();
    }
  });
  if (error) std::rethrow_exception(error);
}

}  // namespace internal

}  // namespace at
