#pragma once

#include <iterator>

namespace c10 {
using std::ssize;
}  // namespace c10
