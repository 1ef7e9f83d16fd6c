#pragma once

#include <c10/macros/Export.h>

#include <cstddef>
#include <string>
#include <vector>

namespace c10 {

/// The return addresses of a call stack. Taking one is cheap; symbols are looked up only when
/// `symbolize` is called.
class C10_API CapturedBacktrace {
 public:
  CapturedBacktrace() = default;

  /// Captures the calling thread's stack, leaving out the `frames_to_skip` innermost frames (the
  /// caller of `capture` is frame 0) and all after `maximum_number_of_frames`.
  static CapturedBacktrace capture(size_t frames_to_skip = 0, size_t maximum_number_of_frames = 64);

  bool empty() const { return frames_.empty(); }
  size_t size() const { return frames_.size(); }

  /// One line a frame: `frame #0: function + 0x12 (0x7f.. in libx.so)`.
  std::string symbolize() const;

 private:
  std::vector<void*> frames_;
};

/// The calling thread's stack as text.
C10_API std::string get_backtrace(size_t frames_to_skip = 0, size_t maximum_number_of_frames = 64,
                                  bool skip_python_frames = true);

}  // namespace c10
