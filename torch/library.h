#pragma once

// Registering operators and kernels.
//
//   TORCH_LIBRARY(myops, m) {
//     m.def("scale(Tensor self, float factor) -> Tensor");   // a schema; kernels come by impl
//     m.def("twice", &twice);                                // the schema from the C++ type
//   }
//   TORCH_LIBRARY_IMPL(myops, CPU, m) { m.impl("scale", TORCH_FN(scale_cpu)); }
//
// TORCH_LIBRARY may appear once for a namespace, TORCH_LIBRARY_FRAGMENT any number of times.
// TORCH_LIBRARY_IMPL(_, Key, m) { m.fallback(...); } serves every operator without a kernel.

// An extension asks whether torch has the tag, and Library::impl_abstract_pystub.
#define HAS_PT2_COMPLIANT_TAG
#define HAS_IMPL_ABSTRACT_PYSTUB

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/dispatch/RegistrationHandleRAII.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/op_registration/infer_schema.h>
#include <c10/core/Device.h>
#include <c10/core/DeviceType.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/Layout.h>
#include <c10/core/TensorOptions.h>
#include <c10/macros/Export.h>
#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace at {
enum class Tag;  // ATen/core/enum_tag.h, from tags.yaml.
}

namespace torch {

template <class CurClass>
class class_;

// A kernel on its way to the dispatcher: a function pointer, TORCH_FN(function), a lambda, or one
// of the `make` functions' results.
class TORCH_API CppFunction final {
 public:
  template <typename Func>
    requires std::is_function_v<Func>
  explicit CppFunction(Func* f)
      : func_(c10::KernelFunction::makeFromUnboxedRuntimeFunction(f)),
        cpp_signature_(signature<Func>()),
        schema_(c10::detail::inferSchema<Func>()) {}

  template <typename FuncPtr>
    requires c10::is_compile_time_function_pointer<FuncPtr>::value
  explicit CppFunction(FuncPtr f)
      : func_(c10::KernelFunction::makeFromUnboxedFunction(f)),
        cpp_signature_(signature<typename FuncPtr::FuncType>()),
        schema_(c10::detail::inferSchema<typename FuncPtr::FuncType>()) {}

  template <typename Lambda>
    requires requires { &std::decay_t<Lambda>::operator(); }
  explicit CppFunction(Lambda&& f)
      : func_(c10::KernelFunction::makeFromUnboxedLambda(std::forward<Lambda>(f))),
        cpp_signature_(signature<LambdaType<Lambda>>()),
        schema_(c10::detail::inferSchema<LambdaType<Lambda>>()) {}

  CppFunction(CppFunction&&) noexcept;
  CppFunction& operator=(CppFunction&&) noexcept = default;
  ~CppFunction();

  // A kernel that is passed over: the next key's kernel runs.
  static CppFunction makeFallthrough() {
    return CppFunction(c10::KernelFunction::makeFallthrough());
  }
  // A kernel that takes a stack; the form of every fallback.
  template <auto* func>
  static CppFunction makeFromBoxedFunction() {
    return CppFunction(c10::KernelFunction::makeFromBoxedFunction<func>());
  }
  template <class Functor>
  static CppFunction makeFromBoxedFunctor(std::unique_ptr<Functor> functor) {
    return CppFunction(c10::KernelFunction::makeFromBoxedFunctor(std::move(functor)));
  }

  CppFunction&& debug(std::string d) && {
    debug_ = std::move(d);
    return std::move(*this);
  }

 private:
  template <typename Lambda>
  using LambdaType = typename c10::KernelFunction::FuncTypeOf<std::decay_t<Lambda>>::type;
  template <typename Func>
  static c10::impl::CppSignature signature() {
    return c10::impl::CppSignature::make<typename c10::detail::WithoutKeys<Func>::type>();
  }
  explicit CppFunction(c10::KernelFunction f) : func_(std::move(f)) {}

  friend class Library;
  friend CppFunction dispatch(c10::DispatchKey, CppFunction&&);
  std::optional<c10::DispatchKey> dispatch_key_;
  c10::KernelFunction func_;
  std::optional<c10::impl::CppSignature> cpp_signature_;
  std::unique_ptr<c10::FunctionSchema> schema_;
  std::string debug_;
};

// The kernel `raw_f`, for `key` whatever the block's key is.
TORCH_API CppFunction dispatch(c10::DispatchKey key, CppFunction&& raw_f);
template <typename Func>
CppFunction dispatch(c10::DispatchKey key, Func&& raw_f) {
  return dispatch(key, CppFunction(std::forward<Func>(raw_f)));
}

// The same for the key of a device.
template <typename Func>
CppFunction dispatch(c10::DeviceType type, Func&& raw_f) {
  const c10::DispatchKey key =
      c10::computeDispatchKey(std::nullopt, c10::Layout::Strided, c10::Device(type));
  return dispatch(key, CppFunction(std::forward<Func>(raw_f)));
}

// A group of registrations, undone together when it is destroyed. The macros below make one.
class TORCH_API Library final {
 public:
  enum Kind {
    DEF,       // TORCH_LIBRARY, once for a namespace
    IMPL,      // TORCH_LIBRARY_IMPL
    FRAGMENT,  // TORCH_LIBRARY_FRAGMENT
  };

  Library(Kind kind, std::string ns, std::optional<c10::DispatchKey> k, const char* file,
          uint32_t line);
  ~Library();
  Library(Library&&) noexcept;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  // Declares an operator: "name.overload(Tensor self) -> Tensor". Tags state facts about it.
  Library& def(const char* schema, const std::vector<at::Tag>& tags = {}) &;
  Library& def(const std::string& schema, const std::vector<at::Tag>& tags = {}) & {
    return def(schema.c_str(), tags);
  }
  Library& def(c10::FunctionSchema&& schema, const std::vector<at::Tag>& tags = {}) &;
  // Declares an operator and gives its CompositeImplicitAutograd kernel. Without an argument list
  // in `name_or_schema`, the schema comes from the type of `f`.
  template <typename Func>
    requires(!std::is_convertible_v<Func, std::vector<at::Tag>>)
  Library& def(const char* name_or_schema, Func&& f) & {
    return defWithKernel(name_or_schema, toFunction(std::forward<Func>(f)));
  }

  // Gives a kernel for the block's key, or the one torch::dispatch named.
  template <typename Name, typename Func>
  Library& impl(Name name, Func&& f) & {
    return implKernel(name, toFunction(std::forward<Func>(f)));
  }

  // The kernel for `key`, or for a device's key, whatever the block's key is.
  template <typename Name, typename Dispatch, typename Func>
  Library& impl(Name name, Dispatch&& key, Func&& raw_f) & {
    return impl(name, dispatch(std::forward<Dispatch>(key), std::forward<Func>(raw_f)));
  }

  // The kernel of every operator of every namespace that has none for the block's key.
  template <typename Func>
  Library& fallback(Func&& f) & {
    return fallbackKernel(toFunction(std::forward<Func>(f)));
  }

  // Names the Python module that registers Meta kernels for the operators that this block defines
  // from here on. A call that finds none tells the user to import it, followed by `context`. The
  // texts are literals, or outlive the library.
  Library& set_python_module(const char* pymodule, const char* context = "") {
    python_module_ = {pymodule, context};
    return *this;
  }
  // The older name of set_python_module.
  Library& impl_abstract_pystub(const char* pymodule, const char* context = "") {
    return set_python_module(pymodule, context);
  }

  // Registers a class, which outlives the block: torch/custom_class.h.
  template <class CurClass>
  torch::class_<CurClass> class_(const std::string& className);

  // Undoes the registrations now.
  void reset();

 private:
  // The namespace for a class; throws in an IMPL block.
  const std::string& classNamespace(const std::string& name) const;
  template <typename Func>
  static CppFunction toFunction(Func&& f) {
    if constexpr (std::is_same_v<std::decay_t<Func>, CppFunction>) {
      return std::move(f);
    } else {
      return CppFunction(std::forward<Func>(f));
    }
  }
  Library& defWithKernel(const char* name_or_schema, CppFunction&& f);
  Library& implKernel(const char* name, CppFunction&& f);
  Library& implKernel(const std::string& name, CppFunction&& f) {
    return implKernel(name.c_str(), std::move(f));
  }
  Library& fallbackKernel(CppFunction&& f);
  c10::OperatorName qualifiedName(const char* name) const;
  std::string place() const;

  Kind kind_;
  std::optional<std::string> ns_;
  std::optional<c10::DispatchKey> dispatch_key_;
  const char* file_;
  uint32_t line_;
  std::optional<std::pair<const char*, const char*>> python_module_;
  std::vector<c10::RegistrationHandleRAII> registrations_;
};

namespace detail {
// Runs a block's registrations at load time.
class TorchLibraryInit final {
 public:
  using InitFn = void(Library&);
  TorchLibraryInit(Library::Kind kind, InitFn* fn, const char* ns,
                   std::optional<c10::DispatchKey> k, const char* file, uint32_t line)
      : lib_(kind, ns, k, file, line) {
    fn(lib_);
  }

 private:
  Library lib_;
};
}  // namespace detail

}  // namespace torch

// A distinct name for each use in a file.
#define TORCH_LIBRARY_CONCAT_IMPL(a, b) a##b
#define TORCH_LIBRARY_CONCAT(a, b) TORCH_LIBRARY_CONCAT_IMPL(a, b)

// Selective builds, which this version lacks, leave out names by these.
#define TORCH_SELECTIVE_NAME(n) n
#define TORCH_SELECTIVE_SCHEMA(n) n
#define TORCH_SELECTIVE_CLASS(n) n

#define TORCH_LIBRARY(ns, m)                                                                 \
  static void TORCH_LIBRARY_init_##ns(torch::Library&);                                      \
  static const torch::detail::TorchLibraryInit TORCH_LIBRARY_static_init_##ns(               \
      torch::Library::DEF, &TORCH_LIBRARY_init_##ns, #ns, std::nullopt, __FILE__, __LINE__); \
  void TORCH_LIBRARY_init_##ns(torch::Library& m)

#define TORCH_LIBRARY_FRAGMENT(ns, m) TORCH_LIBRARY_FRAGMENT_IMPL(ns, m, __COUNTER__)
#define TORCH_LIBRARY_FRAGMENT_IMPL(ns, m, uid)                                                  \
  static void TORCH_LIBRARY_CONCAT(TORCH_LIBRARY_FRAGMENT_init_##ns##_, uid)(torch::Library&);   \
  static const torch::detail::TorchLibraryInit TORCH_LIBRARY_CONCAT(                             \
      TORCH_LIBRARY_FRAGMENT_static_init_##ns##_, uid)(                                          \
      torch::Library::FRAGMENT, &TORCH_LIBRARY_CONCAT(TORCH_LIBRARY_FRAGMENT_init_##ns##_, uid), \
      #ns, std::nullopt, __FILE__, __LINE__);                                                    \
  void TORCH_LIBRARY_CONCAT(TORCH_LIBRARY_FRAGMENT_init_##ns##_, uid)(torch::Library & m)

#define TORCH_LIBRARY_IMPL(ns, k, m) TORCH_LIBRARY_IMPL_IMPL(ns, k, m, __COUNTER__)
#define TORCH_LIBRARY_IMPL_IMPL(ns, k, m, uid)                                                   \
  static void TORCH_LIBRARY_CONCAT(TORCH_LIBRARY_IMPL_init_##ns##_##k##_, uid)(torch::Library&); \
  static const torch::detail::TorchLibraryInit TORCH_LIBRARY_CONCAT(                             \
      TORCH_LIBRARY_IMPL_static_init_##ns##_##k##_, uid)(                                        \
      torch::Library::IMPL, &TORCH_LIBRARY_CONCAT(TORCH_LIBRARY_IMPL_init_##ns##_##k##_, uid),   \
      #ns, c10::DispatchKey::k, __FILE__, __LINE__);                                             \
  void TORCH_LIBRARY_CONCAT(TORCH_LIBRARY_IMPL_init_##ns##_##k##_, uid)(torch::Library & m)

// A library made inside a function, for tests and plug-ins; the caller keeps it alive.
#define MAKE_TORCH_LIBRARY(ns) \
  torch::Library(torch::Library::DEF, #ns, std::nullopt, __FILE__, __LINE__)
#define MAKE_TORCH_LIBRARY_FRAGMENT(ns) \
  torch::Library(torch::Library::FRAGMENT, #ns, std::nullopt, __FILE__, __LINE__)
#define MAKE_TORCH_LIBRARY_IMPL(ns, k) \
  torch::Library(torch::Library::IMPL, #ns, c10::DispatchKey::k, __FILE__, __LINE__)

#include <torch/custom_class.h>
