#include <ATen/record_function.h>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include <chrono>
#include <memory>
#include <utility>

#include <sys/syscall.h>
#include <unistd.h>

namespace at {
namespace {

// Operators come by here only while this key is in the thread's keys.
constexpr c10::DispatchKey kKey = c10::DispatchKey::PythonDispatcher;

struct Recording {
  bool shapes;
  uint64_t thread;
  size_t first;  // the number of ranges[0]
  std::vector<RecordedRange> ranges;
};

thread_local std::unique_ptr<Recording> recording;
// Numbers are not used again, for a range may end in a later recording than it began in.
thread_local size_t next_number = 1;

// Null if this thread's recording has no such range.
RecordedRange* find(size_t number) {
  if (!recording || number < recording->first) return nullptr;
  const size_t place = number - recording->first;
  return place < recording->ranges.size() ? &recording->ranges[place] : nullptr;
}

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

uint64_t this_thread() {
#ifdef __linux__
  return static_cast<uint64_t>(syscall(SYS_gettid));
#else
  return static_cast<uint64_t>(getpid());
#endif
}

std::vector<std::vector<int64_t>> shapes_of(c10::ArrayRef<c10::IValue> arguments) {
  std::vector<std::vector<int64_t>> shapes;
  for (const c10::IValue& argument : arguments) {
    const bool has_sizes = argument.isTensor() && argument.toTensor().defined();
    shapes.push_back(has_sizes ? argument.toTensor().sizes().vec() : std::vector<int64_t>());
  }
  return shapes;
}

// Ends its range when the operator throws, too.
class OperatorRange {
 public:
  OperatorRange(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
    if (!recording) return;
    number_ = begin_range(RecordScope::FUNCTION, op.operator_name().name);
    if (recording->shapes) {
      const size_t count = op.schema().arguments().size();
      find(number_)->shapes =
          shapes_of(c10::ArrayRef<c10::IValue>(stack).slice(stack.size() - count));
    }
  }
  OperatorRange(const OperatorRange&) = delete;
  OperatorRange& operator=(const OperatorRange&) = delete;
  ~OperatorRange() { end_range(number_); }

 private:
  size_t number_ = 0;
};

void record(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const OperatorRange range(op, *stack);
  op.redispatchBoxed(keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey), stack);
}

}  // namespace

bool is_recording() { return recording != nullptr; }

void start_recording(bool shapes) {
  TORCH_CHECK(!recording, "this thread records already: end the first profile before the second");
  recording = std::make_unique<Recording>(Recording{shapes, this_thread(), next_number, {}});
  c10::impl::tls_set_dispatch_key_included(kKey, true);
}

std::vector<RecordedRange> stop_recording() {
  TORCH_CHECK(recording, "this thread does not record: start a profile first");
  c10::impl::tls_set_dispatch_key_included(kKey, false);
  const std::unique_ptr<Recording> ended = std::move(recording);
  const int64_t end = now();
  for (RecordedRange& range : ended->ranges) {
    if (range.end == 0) range.end = end;
  }
  return std::move(ended->ranges);
}

size_t begin_range(RecordScope scope, std::string name) {
  if (!recording) return 0;
  recording->ranges.push_back({scope, std::move(name), 0, 0, recording->thread, {}});
  recording->ranges.back().start = now();
  return next_number++;
}

void end_range(size_t number) {
  if (RecordedRange* const range = find(number)) range->end = now();
}

}  // namespace at

TORCH_LIBRARY_IMPL(_, PythonDispatcher, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&at::record>());
}
