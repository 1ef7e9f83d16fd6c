#include <c10/util/Backtrace.h>
#include <c10/util/StringUtil.h>
#include <c10/util/Type.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#if __has_include(<execinfo.h>) && __has_include(<dlfcn.h>)
#define C10_HAS_BACKTRACE 1
#include <dlfcn.h>
#include <execinfo.h>
#endif

namespace c10 {

#ifdef C10_HAS_BACKTRACE

CapturedBacktrace CapturedBacktrace::capture(size_t frames_to_skip,
                                             size_t maximum_number_of_frames) {
  const size_t skip = frames_to_skip + 1;  // this function
  std::vector<void*> frames(skip + maximum_number_of_frames);
  const int found = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  CapturedBacktrace result;
  if (static_cast<size_t>(found) > skip) {
    result.frames_.assign(frames.begin() + static_cast<ptrdiff_t>(skip), frames.begin() + found);
  }
  return result;
}

namespace {
std::string hex(uintptr_t value) { return c10::str(reinterpret_cast<const void*>(value)); }
}  // namespace

std::string CapturedBacktrace::symbolize() const {
  std::string text;
  for (size_t i = 0; i < frames_.size(); ++i) {
    const auto address = reinterpret_cast<uintptr_t>(frames_[i]);
    std::string function = "<unknown function>";
    std::string offset = hex(address);
    std::string object = "??";
    Dl_info info{};
    // The return address may be that of the next function: look up the call before it.
    if (dladdr(reinterpret_cast<void*>(address - 1), &info) != 0) {
      if (info.dli_fname != nullptr) object = info.dli_fname;
      if (info.dli_sname != nullptr) {
        function = demangle(info.dli_sname);
        offset = hex(address - reinterpret_cast<uintptr_t>(info.dli_saddr));
      } else {
        offset = hex(address - reinterpret_cast<uintptr_t>(info.dli_fbase));
      }
    }
    text += c10::str("frame #", i, ": ", function, " + ", offset, " (", hex(address), " in ",
                     object, ")\n");
  }
  return text;
}

#else  // no way to walk the stack here

CapturedBacktrace CapturedBacktrace::capture(size_t, size_t) { return {}; }
std::string CapturedBacktrace::symbolize() const { return "(no backtrace available)\n"; }

#endif

std::string get_backtrace(size_t frames_to_skip, size_t maximum_number_of_frames,
                          bool /*skip_python_frames*/) {
  return CapturedBacktrace::capture(frames_to_skip + 1, maximum_number_of_frames).symbolize();
}

}  // namespace c10
