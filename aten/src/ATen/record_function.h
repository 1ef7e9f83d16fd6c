#pragma once

// Marks of a profiler: operators, nodes of a backward pass and parts that a program names.
//
//   at::start_recording(/*shapes=*/false);
//   { RECORD_USER_SCOPE("forward"); model.forward(x); }
//   for (const at::RecordedRange& range : at::stop_recording()) use(range.name, range.end);
//
// A thread records what it does itself. While it does not record, an operator costs nothing more
// and a mark costs the look at a flag.

#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace at {

enum class RecordScope : unsigned char { FUNCTION = 0, BACKWARD_FUNCTION, USER_SCOPE };

/// What ran between two moments.
struct RecordedRange {
  RecordScope scope;
  std::string name;  // "aten::add", "AddBackward0", or the program's own
  int64_t start;     // nanoseconds since 1970
  int64_t end;
  uint64_t thread;  // the system's number
  // The sizes of each argument of an operator, if they were asked for; empty for what is no tensor.
  std::vector<std::vector<int64_t>> shapes;
};

/// From now on this thread records. Throws c10::Error if it does already.
TORCH_API void start_recording(bool shapes);
/// Ends it; what was recorded, in the order of the beginnings. What has not ended ends now. Throws
/// c10::Error if the thread does not record.
TORCH_API std::vector<RecordedRange> stop_recording();
/// Whether this thread records.
TORCH_API bool is_recording();

/// Begins a range of this thread; a number for `end_range`. Does nothing if it does not record.
TORCH_API size_t begin_range(RecordScope scope, std::string name);
TORCH_API void end_range(size_t number);

/// The range of a scope.
class RecordFunction {
 public:
  template <typename Name>
  RecordFunction(RecordScope scope, const Name& name) : active_(is_recording()) {
    if (active_) number_ = begin_range(scope, std::string(name));
  }
  RecordFunction(const RecordFunction&) = delete;
  RecordFunction& operator=(const RecordFunction&) = delete;
  ~RecordFunction() {
    if (active_) end_range(number_);
  }

 private:
  bool active_;
  size_t number_ = 0;
};

}  // namespace at

// A name is a `const char*` or a `std::string`. PyTorch's macros take the arguments of a function
// too, which are not recorded.
#define AT_RECORD_JOIN_(a, b) a##b
#define AT_RECORD_JOIN(a, b) AT_RECORD_JOIN_(a, b)
#define RECORD_FUNCTION_WITH_SCOPE(scope, fn, inputs, ...) \
  const ::at::RecordFunction AT_RECORD_JOIN(recorded_, __LINE__)(scope, fn)
#define RECORD_FUNCTION(fn, inputs, ...) \
  RECORD_FUNCTION_WITH_SCOPE(::at::RecordScope::FUNCTION, fn, inputs)
#define RECORD_USER_SCOPE(fn) RECORD_FUNCTION_WITH_SCOPE(::at::RecordScope::USER_SCOPE, fn, {})
#define RECORD_TORCHSCRIPT_FUNCTION(mn, inputs) RECORD_FUNCTION(mn, inputs)
