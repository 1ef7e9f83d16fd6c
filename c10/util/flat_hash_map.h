#pragma once

// The names of a hash table that PyTorch's headers have, for the standard library's tables.

#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ska {

template <typename K, typename V, typename H = std::hash<K>, typename E = std::equal_to<K>,
          typename A = std::allocator<std::pair<const K, V>>>
using flat_hash_map = std::unordered_map<K, V, H, E, A>;
template <typename T, typename H = std::hash<T>, typename E = std::equal_to<T>,
          typename A = std::allocator<T>>
using flat_hash_set = std::unordered_set<T, H, E, A>;

}  // namespace ska
