#pragma once

#include <ATen/core/function_schema.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/macros/Export.h>

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace c10::detail {

// The signature of a kernel as callers see it: without a leading DispatchKeySet.
template <typename Func>
struct WithoutKeys;
template <typename Return, typename... Args>
struct WithoutKeys<Return(Args...)> {
  using type = Return(Args...);
};
template <typename Return, typename... Args>
struct WithoutKeys<Return(DispatchKeySet, Args...)> {
  using type = Return(Args...);
};

using TypeGetter = TypePtr (*)();

// A schema without a name, whose arguments are _0, _1, ...
TORCH_API std::unique_ptr<FunctionSchema> makeInferredSchema(const TypeGetter* args, size_t n_args,
                                                             const TypeGetter* returns,
                                                             size_t n_returns);

template <typename Return>
struct ReturnTypes {
  static constexpr TypeGetter kTypes[] = {&getTypePtr<Return>};
  static constexpr size_t kCount = 1;
};
template <>
struct ReturnTypes<void> {
  static constexpr const TypeGetter* kTypes = nullptr;
  static constexpr size_t kCount = 0;
};
template <typename... Ts>
struct ReturnTypes<std::tuple<Ts...>> {
  static constexpr TypeGetter kTypes[] = {&getTypePtr<Ts>..., nullptr};
  static constexpr size_t kCount = sizeof...(Ts);
};

template <typename Func>
struct InferSchema;
template <typename Return, typename... Args>
struct InferSchema<Return(Args...)> {
  static std::unique_ptr<FunctionSchema> call() {
    static constexpr TypeGetter kArgs[] = {&getTypePtr<Args>..., nullptr};
    using Returns = ReturnTypes<std::remove_cv_t<std::remove_reference_t<Return>>>;
    return makeInferredSchema(kArgs, sizeof...(Args), Returns::kTypes, Returns::kCount);
  }
};

// The schema of a C++ function, as far as its type tells.
template <typename Func>
std::unique_ptr<FunctionSchema> inferSchema() {
  return InferSchema<typename WithoutKeys<Func>::type>::call();
}

}  // namespace c10::detail
