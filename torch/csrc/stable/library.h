#pragma once

// Operators and kernels of an extension that need not be compiled again for another version:
//
//   torch::stable::Tensor scaled(const torch::stable::Tensor& x, double factor);
//
//   STABLE_TORCH_LIBRARY(my_ops, m) { m.def("scaled(Tensor x, float factor) -> Tensor"); }
//   STABLE_TORCH_LIBRARY_IMPL(my_ops, CPU, m) { m.impl("scaled", TORCH_BOX(&scaled)); }
//
// A schema's Tensor is a torch::stable::Tensor, an int an int64_t, a float a double, a str a
// std::string or std::string_view, a list a std::vector or a HeaderOnlyArrayRef, `T?` a
// std::optional, and several results a std::tuple. There is no form for Scalar.

#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/csrc/stable/macros.h>
#include <torch/csrc/stable/stableivalue_conversions.h>
#include <torch/csrc/stable/version.h>
#include <torch/headeronly/core/enum_tag.h>
#include <torch/headeronly/macros/Macros.h>
#include <torch/headeronly/util/Exception.h>
#include <torch/headeronly/util/HeaderOnlyArrayRef.h>
#include <torch/headeronly/util/Metaprogramming.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

HIDDEN_NAMESPACE_BEGIN(torch, stable, detail)

#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_12_0
inline int32_t tag_number(at::Tag tag) {
  switch (tag) {
#define CASE(name)    \
  case at::Tag::name: \
    return torch_tag_##name();
    CASE(core)
    CASE(cudagraph_unsafe)
    CASE(data_dependent_output)
    CASE(dynamic_output_shape)
    CASE(flexible_layout)
    CASE(generated)
    CASE(inplace_view)
    CASE(maybe_aliasing_or_mutating)
    CASE(needs_contiguous_strides)
    CASE(needs_exact_strides)
    CASE(needs_fixed_stride_order)
    CASE(nondeterministic_bitwise)
    CASE(nondeterministic_seeded)
    CASE(out_variant)
    CASE(pointwise)
    CASE(pt2_compliant_tag)
    CASE(reduction)
    CASE(view_copy)
#undef CASE
    default:
      STD_TORCH_CHECK(false, "the stable ABI has no number for tag ", static_cast<int>(tag));
  }
  return -1;
}
#endif

/// A group of registrations, undone together when it is destroyed; the macros below make one.
class StableLibrary final {
 public:
  enum class Kind { DEF, IMPL, FRAGMENT };
  using Kernel = void(StableIValue* stack, uint64_t num_args, uint64_t num_outputs);

  StableLibrary(Kind kind, const char* ns, const char* key, const char* file, uint32_t line) {
    switch (kind) {
      case Kind::IMPL:
        STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_library_init_impl(ns, key, file, line, &library_));
        break;
      case Kind::DEF:
        STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_library_init_def(ns, file, line, &library_));
        break;
      case Kind::FRAGMENT:
        STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_library_init_fragment(ns, file, line, &library_));
        break;
    }
  }
  ~StableLibrary() { aoti_torch_delete_library_object(library_); }
  StableLibrary(const StableLibrary&) = delete;
  StableLibrary& operator=(const StableLibrary&) = delete;

  /// Declares an operator: "name.overload(Tensor self) -> Tensor". Tags state facts about it.
  StableLibrary& def(const char* schema) {
    STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_library_def(library_, schema));
    return *this;
  }
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_12_0
  StableLibrary& def(const char* schema, const std::vector<at::Tag>& tags) {
    std::vector<int32_t> numbers;
    for (const at::Tag tag : tags) numbers.push_back(tag_number(tag));
    STABLE_TORCH_ERROR_CODE_CHECK(torch_library_def_with_tags(
        library_, schema, numbers.data(), static_cast<int32_t>(numbers.size())));
    return *this;
  }
#endif
#if TORCH_FEATURE_VERSION >= TORCH_VERSION_2_13_0
  /// Names the Python module that registers Meta kernels for the operators that are defined from
  /// here on; a call that finds none tells the user to import it, followed by `context`.
  StableLibrary& set_python_module(const char* pymodule, const char* context = "") {
    STABLE_TORCH_ERROR_CODE_CHECK(torch_library_set_python_module(library_, pymodule, context));
    return *this;
  }
#endif
  /// Gives a kernel, TORCH_BOX(&function), for the block's key.
  StableLibrary& impl(const char* name, Kernel* kernel) {
    STABLE_TORCH_ERROR_CODE_CHECK(
        torch_library_impl(library_, name, kernel, TORCH_FEATURE_VERSION));
    return *this;
  }

 private:
  TorchLibraryHandle library_ = nullptr;
};

// Runs a block's registrations at load time.
class StableTorchLibraryInit final {
 public:
  StableTorchLibraryInit(StableLibrary::Kind kind, void (*block)(StableLibrary&), const char* ns,
                         const char* key, const char* file, uint32_t line)
      : library_(kind, ns, key, file, line) {
    block(library_);
  }

 private:
  StableLibrary library_;
};

// What holds a parameter during the call: a borrowing type becomes the owner of its contents.
template <typename T>
struct Owner {
  using type = T;
};
template <typename T>
struct Owner<HeaderOnlyArrayRef<T>> {
  using type = std::vector<T>;
};
template <>
struct Owner<std::string_view> {
  using type = std::string;
};
template <typename T>
struct Owner<std::optional<T>> {
  using type = std::optional<typename Owner<T>::type>;
};
template <typename T>
using owner_t = typename Owner<std::remove_cvref_t<T>>::type;

// A function with arguments and results on a stack.
template <auto* function, typename Function = std::remove_pointer_t<decltype(function)>>
struct Boxed;

template <auto* function, typename Return, typename... Params>
struct Boxed<function, Return(Params...)> {
  template <typename T>
  struct Results {
    static constexpr size_t count = 1;
    static void put(StableIValue* stack, const T& result) { stack[0] = from(result); }
  };
  template <typename... Ts>
  struct Results<std::tuple<Ts...>> {
    static constexpr size_t count = sizeof...(Ts);
    static void put(StableIValue* stack, const std::tuple<Ts...>& results) {
      std::apply([&](const auto&... result) { ((*stack++ = from(result)), ...); }, results);
    }
  };
  static constexpr size_t num_results = [] {
    if constexpr (std::is_void_v<Return>) {
      return size_t{0};
    } else {
      return Results<std::remove_cvref_t<Return>>::count;
    }
  }();

  template <size_t... I>
  static std::tuple<owner_t<Params>...> arguments([[maybe_unused]] const StableIValue* stack,
                                                  std::index_sequence<I...>) {
    return std::tuple<owner_t<Params>...>{to<owner_t<Params>>(stack[I])...};
  }

  static void call(StableIValue* stack, uint64_t num_args, uint64_t num_outputs) {
    STD_TORCH_CHECK(num_args == sizeof...(Params), "Registered schema has ", num_args,
                    " args, but the kernel to box has ", sizeof...(Params));
    STD_TORCH_CHECK(num_outputs == num_results, "Registered schema has ", num_outputs,
                    " outputs, but the kernel to box has ", num_results);
    std::tuple<owner_t<Params>...> args = arguments(stack, std::index_sequence_for<Params...>());
    if constexpr (std::is_void_v<Return>) {
      std::apply(function, args);
    } else {
      Results<std::remove_cvref_t<Return>>::put(stack, std::apply(function, args));
    }
  }
};

template <auto* function, typename Return, typename... Params>
struct Boxed<function, Return(Params...) noexcept> : Boxed<function, Return(Params...)> {};

HIDDEN_NAMESPACE_END(torch, stable, detail)

/// A kernel from a function of C++, `TORCH_BOX(&function)`.
#define TORCH_BOX(func)                                                           \
  ::torch::stable::detail::Boxed<static_cast<std::decay_t<decltype(func)>>(func), \
                                 std::remove_pointer_t<std::decay_t<decltype(func)>>>::call

#define C10_STABLE_LIBRARY_BLOCK(kind, ns, key, m, function, object)                     \
  static void function(::torch::stable::detail::StableLibrary&);                         \
  static const ::torch::stable::detail::StableTorchLibraryInit object(                   \
      ::torch::stable::detail::StableLibrary::Kind::kind, &function, #ns, key, __FILE__, \
      __LINE__);                                                                         \
  void function([[maybe_unused]] ::torch::stable::detail::StableLibrary& m)
#define C10_STABLE_LIBRARY_BLOCK_N(kind, ns, key, m, name, uid)                  \
  C10_STABLE_LIBRARY_BLOCK(kind, ns, key, m, C10_CONCATENATE(name##_init_, uid), \
                           C10_CONCATENATE(name##_static_init_, uid))

/// TORCH_LIBRARY, TORCH_LIBRARY_FRAGMENT and TORCH_LIBRARY_IMPL by the C interface.
#define STABLE_TORCH_LIBRARY(ns, m)                                             \
  C10_STABLE_LIBRARY_BLOCK(DEF, ns, nullptr, m, STABLE_TORCH_LIBRARY_init_##ns, \
                           STABLE_TORCH_LIBRARY_static_init_##ns)
#define STABLE_TORCH_LIBRARY_FRAGMENT(ns, m) \
  C10_STABLE_LIBRARY_BLOCK_N(FRAGMENT, ns, nullptr, m, STABLE_TORCH_LIBRARY_FRAGMENT_##ns, C10_UID)
#define STABLE_TORCH_LIBRARY_IMPL(ns, k, m) \
  C10_STABLE_LIBRARY_BLOCK_N(IMPL, ns, #k, m, STABLE_TORCH_LIBRARY_IMPL_##ns##_##k, C10_UID)
