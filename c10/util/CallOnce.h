#pragma once

// std::call_once under the name of PyTorch's headers.

#include <mutex>
#include <utility>

namespace c10 {

using once_flag = std::once_flag;

template <typename Flag, typename F, typename... Args>
void call_once(Flag& flag, F&& function, Args&&... args) {
  std::call_once(flag, std::forward<F>(function), std::forward<Args>(args)...);
}

}  // namespace c10
