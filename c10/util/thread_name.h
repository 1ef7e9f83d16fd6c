#pragma once

// The name of a thread, as debuggers and `top -H` show it.

#include <c10/macros/Export.h>

#include <string>

namespace c10 {

/// Names the calling thread. Linux keeps 15 characters.
C10_API void setThreadName(std::string name);
/// The calling thread's name; empty where the system has none.
C10_API std::string getThreadName();

}  // namespace c10
