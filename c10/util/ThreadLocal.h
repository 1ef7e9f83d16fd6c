#pragma once

// A variable of each thread, with one interface on every platform.
//
//   C10_DEFINE_TLS_static(std::vector<int>, stack);   // at namespace scope or in a function
//   stack->push_back(1);

#include <c10/macros/Macros.h>

namespace c10 {

/// A `thread_local` variable by the function that returns its address.
template <typename Type>
class ThreadLocal {
 public:
  using Accessor = Type* (*)();

  explicit ThreadLocal(Accessor accessor) : accessor_(accessor) {}
  C10_DISABLE_COPY_AND_ASSIGN(ThreadLocal);

  Type& get() { return *accessor_(); }
  Type& operator*() { return get(); }
  Type* operator->() { return &get(); }

 private:
  Accessor accessor_;
};

}  // namespace c10

// The value is made when a thread first asks for it, and lives as long as the thread.
#define C10_DEFINE_TLS_static(Type, Name)     \
  static ::c10::ThreadLocal<Type> Name([]() { \
    static thread_local Type value;           \
    return &value;                            \
  })
#define C10_DECLARE_TLS_class_static(Class, Type, Name) static ::c10::ThreadLocal<Type> Name
#define C10_DEFINE_TLS_class_static(Class, Type, Name) \
  ::c10::ThreadLocal<Type> Class::Name([]() {          \
    static thread_local Type value;                    \
    return &value;                                     \
  })
