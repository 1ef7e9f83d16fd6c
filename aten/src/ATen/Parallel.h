#pragma once

// Loops over several threads. Which threads is a build option: OpenMP's (AT_PARALLEL_OPENMP), a
// pool of our own (AT_PARALLEL_NATIVE), or none (AT_PARALLEL_SERIAL).

#include <c10/macros/Export.h>
#include <c10/util/FunctionRef.h>

#include <cstdint>
#include <string>

namespace at {

inline int64_t divup(int64_t x, int64_t y) { return (x + y - 1) / y; }

// Threads that a parallel region uses: set_num_threads's, else OMP_NUM_THREADS, else the cores.
TORCH_API int get_num_threads();
TORCH_API void set_num_threads(int n);
// Nothing is left to do: a thread that enters a region sets itself up.
inline void init_num_threads() {}
// The calling thread's number in its region, 0 outside of one.
TORCH_API int get_thread_num();
TORCH_API bool in_parallel_region();
// Which threads these are, for torch.__config__.parallel_info().
TORCH_API std::string get_parallel_info();
TORCH_API int get_num_interop_threads();
TORCH_API void set_num_interop_threads(int n);

namespace internal {
// Elements below which a loop stays on one thread.
inline constexpr int64_t GRAIN_SIZE = 32768;

TORCH_API bool parallel_backend_is_openmp();
TORCH_API void parallel_for_impl(int64_t begin, int64_t end, int64_t grain_size,
                                 c10::function_ref<void(int64_t, int64_t)> f);
}  // namespace internal

// Calls `f(chunk_begin, chunk_end)` for chunks of at least `grain_size` that cover the range. Runs
// on the calling thread when there is one chunk or it already is in a parallel region. The first
// exception thrown in a chunk is rethrown here. Thread-local state is the caller's in each chunk.
template <class F>
void parallel_for(int64_t begin, int64_t end, int64_t grain_size, const F& f) {
  if (begin >= end) return;
  internal::parallel_for_impl(begin, end, grain_size, f);
}

}  // namespace at

#include <ATen/ParallelReduce.h>
