#pragma once

// A variable of each thread, with one interface on every platform.
//
//   static c10::ThreadLocal<std::vector<int>> stack;   // at namespace scope or static
//   stack->push_back(1);

#include <c10/macros/Macros.h>

#include <memory>
#include <unordered_map>

namespace c10 {

/// The value is made when a thread first asks for it, and lives as long as the thread.
template <typename Type>
class ThreadLocal {
 public:
  ThreadLocal() = default;
  ThreadLocal(const ThreadLocal&) = delete;
  ThreadLocal& operator=(const ThreadLocal&) = delete;

  Type& get() {
    thread_local std::unordered_map<const ThreadLocal*, std::unique_ptr<Type>> values;
    std::unique_ptr<Type>& value = values[this];
    if (!value) value = std::make_unique<Type>();
    return *value;
  }
  Type& operator*() { return get(); }
  Type* operator->() { return &get(); }
};

}  // namespace c10

#define C10_DEFINE_TLS_static(Type, Name) static ::c10::ThreadLocal<Type> Name
#define C10_DECLARE_TLS_class_static(Class, Type, Name) static ::c10::ThreadLocal<Type> Name
#define C10_DEFINE_TLS_class_static(Class, Type, Name) ::c10::ThreadLocal<Type> Class::Name
