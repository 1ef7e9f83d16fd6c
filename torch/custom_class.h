#pragma once

// Classes of C++ that operators take and return, and that Python makes.
//
//   struct Counter : torch::CustomClassHolder {
//     explicit Counter(int64_t start) : value(start) {}
//     int64_t next() { return value++; }
//     int64_t value;
//   };
//
//   TORCH_LIBRARY(myops, m) {
//     m.class_<Counter>("Counter")
//         .def(torch::init<int64_t>())
//         .def("next", &Counter::next)
//         .def_readonly("value", &Counter::value)
//         .def_pickle([](const c10::intrusive_ptr<Counter>& self) { return self->value; },
//                     [](int64_t value) { return c10::make_intrusive<Counter>(value); });
//     m.def("take(__torch__.torch.classes.myops.Counter counter, Tensor x) -> Tensor", &take);
//   }
//
//   counter = torch.classes.myops.Counter(3)
//   torch.ops.myops.take(counter, x)

#include <ATen/core/boxing/impl/make_boxed_from_unboxed_functor.h>
#include <ATen/core/custom_class.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/op_registration/infer_schema.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/library.h>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace torch {

/// The name of an argument, and its default: `torch::arg("scale") = 2.0`.
struct arg {
  static arg none() { return arg(); }
  explicit arg(std::string name) : name_(std::move(name)), value_(std::nullopt) {}
  arg& operator=(const c10::IValue& value) {
    value_ = value;
    return *this;
  }
  std::string name_;
  std::optional<c10::IValue> value_;

 private:
  arg() : name_(), value_(c10::IValue()) {}
};

namespace detail {

template <class... Types>
struct types {};

template <class Func>
struct InitLambda {
  Func f;
};

// The signature of a function, a lambda or a method, whose object comes first.
template <class CurClass, class Func>
struct MethodSignature
    : MethodSignature<CurClass, typename c10::KernelFunction::FuncTypeOf<Func>::type*> {};
template <class CurClass, class R, class... Args>
struct MethodSignature<CurClass, R (*)(Args...)> {
  using type = R(Args...);
};
template <class CurClass, class Owner, class R, class... Args>
struct MethodSignature<CurClass, R (Owner::*)(Args...)> {
  using type = R(const c10::intrusive_ptr<CurClass>&, Args...);
};
template <class CurClass, class Owner, class R, class... Args>
struct MethodSignature<CurClass, R (Owner::*)(Args...) const> {
  using type = R(const c10::intrusive_ptr<CurClass>&, Args...);
};

// Calls `f` with boxed arguments.
template <class Func>
struct BoxedMethod;
template <class R, class... Args>
struct BoxedMethod<R(Args...)> {
  template <class F, size_t... I>
  static c10::IValue call(F& f, [[maybe_unused]] c10::ArrayRef<c10::IValue> arguments,
                          std::index_sequence<I...>) {
    std::tuple<c10::impl::ArgHolder<Args>...> holders{c10::impl::ArgHolder<Args>(arguments[I])...};
    if constexpr (std::is_void_v<R>) {
      f(std::get<I>(holders).get()...);
      return c10::IValue();
    } else {
      return c10::IValue(static_cast<std::decay_t<R>>(f(std::get<I>(holders).get()...)));
    }
  }
  static c10::FunctionSchema schema() {
    static constexpr c10::detail::TypeGetter kArgs[] = {&c10::getTypePtr<Args>..., nullptr};
    if constexpr (std::is_void_v<R>) {
      return *c10::detail::makeInferredSchema(kArgs, sizeof...(Args), nullptr, 0);
    } else {
      static constexpr c10::detail::TypeGetter kReturn[] = {&c10::getTypePtr<R>};
      return *c10::detail::makeInferredSchema(kArgs, sizeof...(Args), kReturn, 1);
    }
  }
  static constexpr size_t kArguments = sizeof...(Args);
};

// `schema` with the name of a method and its arguments' names and defaults. The first `first`
// arguments keep theirs.
TORCH_API c10::FunctionSchema namedMethodSchema(const c10::FunctionSchema& schema,
                                                const std::string& name, size_t first,
                                                std::initializer_list<arg> arguments);
// Throws c10::Error unless the methods __getstate__ and __setstate__ fit together.
TORCH_API void checkPickleMethods(const c10::CustomClass& custom_class);

template <class Func, class F>
c10::CustomClassMethod makeMethod(const std::string& name, F f, std::string doc, bool is_static,
                                  std::initializer_list<arg> arguments) {
  return c10::CustomClassMethod{
      namedMethodSchema(BoxedMethod<Func>::schema(), name, is_static ? 0 : 1, arguments),
      [f = std::move(f)](c10::ArrayRef<c10::IValue> values) mutable {
        return BoxedMethod<Func>::call(f, values,
                                       std::make_index_sequence<BoxedMethod<Func>::kArguments>());
      },
      std::move(doc), is_static};
}

}  // namespace detail

/// For class_::def: the constructor with these parameters.
template <class... Types>
constexpr detail::types<void, Types...> init() {
  return {};
}
/// For class_::def: a lambda that returns a c10::intrusive_ptr of a new object.
template <class Func>
detail::InitLambda<std::decay_t<Func>> init(Func&& f) {
  return {std::forward<Func>(f)};
}

/// The registration of one class; the calls chain.
template <class CurClass>
class class_ {
  static_assert(std::is_base_of_v<CustomClassHolder, CurClass>,
                "torch::class_<T> requires T to inherit from CustomClassHolder");
  using Pointer = c10::intrusive_ptr<CurClass>;

 public:
  /// Throws c10::Error for a name that is taken or is no identifier.
  explicit class_(const std::string& ns, const std::string& name, std::string doc = "")
      : class_ptr_(&c10::registerCustomClass(ns, name, typeid(CurClass), std::move(doc))) {}

  /// The constructor that Python calls. Parameters are what operators take.
  template <typename... Types>
  class_& def(detail::types<void, Types...>, std::string doc = "",
              std::initializer_list<arg> default_args = {}) {
    return addInit<Pointer(Types...)>(
        [](Types... args) { return c10::make_intrusive<CurClass>(std::forward<Types>(args)...); },
        std::move(doc), default_args);
  }
  template <typename Func>
  class_& def(detail::InitLambda<Func> init, std::string doc = "",
              std::initializer_list<arg> default_args = {}) {
    return addInit<typename c10::KernelFunction::FuncTypeOf<Func>::type>(
        std::move(init.f), std::move(doc), default_args);
  }

  /// A method: `&Class::method`, or a function whose first parameter is
  /// `const c10::intrusive_ptr<Class>&`. Default arguments are given for all or none.
  template <typename Func>
  class_& def(std::string name, Func f, std::string doc = "",
              std::initializer_list<arg> default_args = {}) {
    class_ptr_->addMethod(name, makeMethod(name, std::move(f), std::move(doc), default_args));
    return *this;
  }

  /// A function that Python calls on the class.
  template <typename Func>
  class_& def_static(std::string name, Func f, std::string doc = "") {
    return addStatic<typename detail::MethodSignature<CurClass, Func>::type>(name, std::move(f),
                                                                             std::move(doc), {});
  }

  /// An attribute that methods read and write.
  template <typename Get>
  class_& def_property(const std::string& name, Get get, std::string doc = "") {
    class_ptr_->addProperty(name, {makeMethod(name, std::move(get), std::move(doc)), std::nullopt});
    return *this;
  }
  template <typename Get, typename Set>
    requires(!std::is_convertible_v<Set, std::string>)
  class_& def_property(const std::string& name, Get get, Set set, std::string doc = "") {
    class_ptr_->addProperty(
        name, {makeMethod(name, std::move(get), std::move(doc)), makeMethod(name, std::move(set))});
    return *this;
  }
  /// A member, as an attribute.
  template <typename T>
  class_& def_readonly(const std::string& name, T CurClass::* field) {
    return def_property(name, [field](const Pointer& self) { return (*self).*field; });
  }
  template <typename T>
  class_& def_readwrite(const std::string& name, T CurClass::* field) {
    return def_property(
        name, [field](const Pointer& self) { return (*self).*field; },
        [field](const Pointer& self, T value) { (*self).*field = std::move(value); });
  }

  /// How an object is saved: `get_state(const c10::intrusive_ptr<Class>&)` gives a value that
  /// operators could take, and `set_state(value)` a new object. Throws c10::Error if they do not
  /// fit.
  template <typename GetStateFn, typename SetStateFn>
  class_& def_pickle(GetStateFn&& get_state, SetStateFn&& set_state) {
    def("__getstate__", std::decay_t<GetStateFn>(std::forward<GetStateFn>(get_state)));
    def_static("__setstate__", std::decay_t<SetStateFn>(std::forward<SetStateFn>(set_state)));
    detail::checkPickleMethods(*class_ptr_);
    return *this;
  }

 private:
  template <typename Signature, typename F>
  class_& addStatic(const std::string& name, F f, std::string doc,
                    std::initializer_list<arg> default_args) {
    class_ptr_->addMethod(name, detail::makeMethod<Signature>(name, std::move(f), std::move(doc),
                                                              /*is_static=*/true, default_args));
    return *this;
  }
  template <typename Signature, typename F>
  class_& addInit(F f, std::string doc, std::initializer_list<arg> default_args) {
    return addStatic<Signature>("__init__", std::move(f), std::move(doc), default_args);
  }
  template <typename Func>
  static c10::CustomClassMethod makeMethod(const std::string& name, Func f, std::string doc = "",
                                           std::initializer_list<arg> default_args = {}) {
    using Signature = typename detail::MethodSignature<CurClass, Func>::type;
    if constexpr (std::is_member_function_pointer_v<Func>) {
      return detail::makeMethod<Signature>(
          name,
          [f](const Pointer& self, auto&&... args) -> decltype(auto) {
            return ((*self).*f)(std::forward<decltype(args)>(args)...);
          },
          std::move(doc), /*is_static=*/false, default_args);
    } else {
      return detail::makeMethod<Signature>(name, std::move(f), std::move(doc), /*is_static=*/false,
                                           default_args);
    }
  }

  c10::CustomClass* class_ptr_;
};

/// A new object of a registered class, as a value.
template <class CurClass, class... Args>
c10::IValue make_custom_class(Args&&... args) {
  return c10::IValue(c10::make_intrusive<CurClass>(std::forward<Args>(args)...));
}

template <class CurClass>
class_<CurClass> Library::class_(const std::string& className) {
  return torch::class_<CurClass>(classNamespace(className), className);
}

namespace jit {
using ::torch::class_;
}  // namespace jit

}  // namespace torch
