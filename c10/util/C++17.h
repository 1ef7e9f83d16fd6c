#pragma once

// Parts of the standard library under the names that they had in PyTorch before C++17.

#include <c10/util/Metaprogramming.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace c10 {

using std::enable_if_t;
using std::make_unique;

namespace guts {

using std::conditional_t;
using std::conjunction;
using std::enable_if_t;
using std::invoke_result;
using std::invoke_result_t;
using std::make_unique;
using std::to_string;
using std::void_t;

}  // namespace guts
}  // namespace c10
