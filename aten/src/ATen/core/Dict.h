#pragma once

// A map that schemas write as `Dict(K, V)`.
//
//   c10::Dict<std::string, at::Tensor> dict;
//   dict.insert("weight", w);
//   for (const auto& entry : dict) use(entry.key(), entry.value());
//
// It keeps the order of insertion, as a dict of Python does. It shares its contents with its copies
// and with the IValue that it came from, as c10::List does. ivalue.h includes this header.

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace c10 {

namespace detail {

struct DictEntry {
  IValue key;
  IValue value;
  DictEntry* previous = nullptr;
  DictEntry* next = nullptr;
};

// Throws that dict has other types than a Dict of C++.
[[noreturn]] TORCH_API void throwDictTypes(const DictImpl& dict, const Type& key,
                                           const Type& value);

template <typename Key>
inline constexpr bool is_dict_key =
    std::is_same_v<Key, int64_t> || std::is_same_v<Key, std::string> ||
    std::is_same_v<Key, double> || std::is_same_v<Key, c10::complex<double>> ||
    std::is_same_v<Key, bool> || std::is_same_v<Key, at::Tensor>;

}  // namespace detail

namespace impl {

// One entry: what the iterators of a Dict point to.
template <typename Key, typename Value>
class DictEntryRef final {
 public:
  Key key() const { return entry_->key.template to<Key>(); }
  Value value() const { return entry_->value.template to<Value>(); }
  void setValue(Value value) const { entry_->value = IValue(std::move(value)); }

 private:
  template <typename K, typename V>
  friend class DictIterator;
  template <typename K, typename V>
  friend class c10::Dict;
  explicit DictEntryRef(detail::DictEntry* entry) : entry_(entry) {}
  detail::DictEntry* entry_;
};

// Valid until its entry is erased.
template <typename Key, typename Value>
class DictIterator final {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = DictEntryRef<Key, Value>;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using reference = const value_type&;

  DictIterator() : DictIterator(nullptr) {}
  reference operator*() const { return ref_; }
  pointer operator->() const { return &ref_; }
  DictIterator& operator++() {
    ref_.entry_ = ref_.entry_->next;
    return *this;
  }
  DictIterator operator++(int) {
    DictIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const DictIterator& other) const { return ref_.entry_ == other.ref_.entry_; }

 private:
  template <typename K, typename V>
  friend class c10::Dict;
  explicit DictIterator(detail::DictEntry* entry) : ref_(entry) {}
  value_type ref_;
};

}  // namespace impl

// Dict<IValue, IValue> holds entries of any types: those that it was made with.
template <typename Key, typename Value>
class Dict final {
  static constexpr bool kGeneric = std::is_same_v<Key, IValue> && std::is_same_v<Value, IValue>;
  static_assert(
      kGeneric || detail::is_dict_key<Key>,
      "keys of a Dict are int64_t, std::string, double, c10::complex<double>, bool or at::Tensor");

 public:
  using key_type = Key;
  using mapped_type = Value;
  using size_type = size_t;
  using iterator = impl::DictIterator<Key, Value>;

  Dict()
    requires(!kGeneric)
      : Dict(make_intrusive<detail::DictImpl>(getTypePtr<Key>(), getTypePtr<Value>())) {}
  Dict(TypePtr key_type, TypePtr value_type)
    requires kGeneric
      : Dict(make_intrusive<detail::DictImpl>(std::move(key_type), std::move(value_type))) {}
  // Shares the contents, whose types must be these.
  explicit Dict(intrusive_ptr<detail::DictImpl> impl) : impl_(std::move(impl)) {
    if constexpr (!kGeneric) {
      if (!(*impl_->keyType == *getTypePtr<Key>() && *impl_->valueType == *getTypePtr<Value>())) {
        detail::throwDictTypes(*impl_, *getTypePtr<Key>(), *getTypePtr<Value>());
      }
    }
  }

  // Dicts are passed as `const Dict&` and yet have reference semantics, hence const.
  iterator begin() const { return iterator(impl_->first()); }
  iterator end() const { return iterator(nullptr); }
  size_t size() const { return impl_->size(); }
  bool empty() const { return size() == 0; }
  void clear() const { impl_->clear(); }
  void reserve(size_t count) const { impl_->reserve(count); }
  // The entry of the key, and whether it is new. An existing entry keeps its value.
  std::pair<iterator, bool> insert(Key key, Value value) const {
    return insertEntry(std::move(key), std::move(value), /*assign=*/false);
  }
  // The same, but an existing entry gets the value.
  std::pair<iterator, bool> insert_or_assign(Key key, Value value) const {
    return insertEntry(std::move(key), std::move(value), /*assign=*/true);
  }
  void erase(iterator where) const { impl_->erase(where.ref_.entry_); }
  // How many entries were erased.
  size_t erase(const Key& key) const {
    detail::DictEntry* entry = impl_->find(IValue(key));
    if (entry == nullptr) return 0;
    impl_->erase(entry);
    return 1;
  }
  // Throws std::out_of_range if there is no such key.
  Value at(const Key& key) const {
    const detail::DictEntry* entry = impl_->find(IValue(key));
    if (entry == nullptr) throw std::out_of_range("Argument passed to at() was not in the map.");
    return entry->value.template to<Value>();
  }
  iterator find(const Key& key) const { return iterator(impl_->find(IValue(key))); }
  bool contains(const Key& key) const { return impl_->find(IValue(key)) != nullptr; }

  // A dict of its own, in the same order. What is behind a value, such as a tensor, is shared.
  Dict copy() const {
    Dict other(make_intrusive<detail::DictImpl>(impl_->keyType, impl_->valueType));
    for (const detail::DictEntry* e = impl_->first(); e != nullptr; e = e->next) {
      other.impl_->insert(e->key, e->value, /*assign=*/true);
    }
    return other;
  }
  // Whether both have equal values of the same keys, in any order.
  friend bool operator==(const Dict& a, const Dict& b) {
    if (a.is(b)) return true;
    if (a.size() != b.size()) return false;
    for (const detail::DictEntry* e = a.impl_->first(); e != nullptr; e = e->next) {
      const detail::DictEntry* other = b.impl_->find(e->key);
      if (other == nullptr || e->value != other->value) return false;
    }
    return true;
  }
  // Whether both share their contents.
  bool is(const Dict& other) const { return impl_ == other.impl_; }
  size_t use_count() const { return impl_.use_count(); }
  TypePtr keyType() const { return impl_->keyType; }
  TypePtr valueType() const { return impl_->valueType; }
  const intrusive_ptr<detail::DictImpl>& impl() const { return impl_; }

 private:
  std::pair<iterator, bool> insertEntry(Key key, Value value, bool assign) const {
    const auto [entry, inserted] =
        impl_->insert(IValue(std::move(key)), IValue(std::move(value)), assign);
    return {iterator(entry), inserted};
  }

  intrusive_ptr<detail::DictImpl> impl_;
};

namespace impl {
using GenericDict = Dict<IValue, IValue>;
using GenericList = List<IValue>;

// The same contents as another class.
template <typename Key, typename Value>
Dict<Key, Value> toTypedDict(const GenericDict& dict) {
  return Dict<Key, Value>(dict.impl());
}
template <typename Key, typename Value>
GenericDict toGenericDict(const Dict<Key, Value>& dict) {
  return GenericDict(dict.impl());
}
template <typename T>
List<T> toTypedList(const GenericList& list) {
  return List<T>(list.impl());
}
template <typename T>
GenericList toList(const List<T>& list) {
  return GenericList(list.impl());
}
}  // namespace impl

template <typename Key, typename Value>
struct TypePtrOf<Dict<Key, Value>> {
  static TypePtr get() { return Type::dict(getTypePtr<Key>(), getTypePtr<Value>()); }
};
template <typename Key, typename Value>
struct detail::IValueTo<Dict<Key, Value>> {
  static Dict<Key, Value> call(const IValue& v) { return Dict<Key, Value>(v.toDictImpl()); }
};

// Maps of the standard library are copied.
template <typename Key, typename Value>
struct TypePtrOf<std::unordered_map<Key, Value>> {
  static TypePtr get() { return Type::dict(getTypePtr<Key>(), getTypePtr<Value>()); }
};
template <typename Key, typename Value>
struct detail::IValueTo<std::unordered_map<Key, Value>> {
  static std::unordered_map<Key, Value> call(const IValue& v) {
    std::unordered_map<Key, Value> map;
    for (const auto& entry : v.toGenericDict()) {
      map.emplace(entry.key().template to<Key>(), entry.value().template to<Value>());
    }
    return map;
  }
};
template <typename K, typename V>
IValue::IValue(const std::unordered_map<K, V>& map) {
  const Dict<K, V> dict;
  for (const auto& [key, value] : map) dict.insert(key, value);
  value_ = dict.impl();
}

inline Dict<IValue, IValue> IValue::toGenericDict() const {
  return Dict<IValue, IValue>(toDictImpl());
}

}  // namespace c10
