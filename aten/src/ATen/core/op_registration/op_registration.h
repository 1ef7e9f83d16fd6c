#pragma once

// torch::RegisterOperators, by which extensions registered operators before TORCH_LIBRARY.

#include <ATen/core/boxing/BoxedKernel.h>
#include <c10/core/DispatchKey.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace c10 {

/// Registers operators while it lives:
///
///   static auto registry = torch::RegisterOperators()
///       .op("myops::twice", &twice)
///       .op("myops::scale(Tensor x, float factor) -> Tensor",
///           torch::RegisterOperators::options().kernel<decltype(scale), &scale>(
///               c10::DispatchKey::CPU));
///
/// Schemas come from the functions' types unless the name has one. RuntimeError if a name has no
/// namespace.
class RegisterOperators final {
 public:
  /// The kernels of one operator, and its schema.
  class Options final {
   public:
    Options&& schema(std::string schema) && {
      schema_ = std::move(schema);
      return std::move(*this);
    }
    /// A kernel for one dispatch key: a function, a lambda, or a class with operator(), which is
    /// made from the arguments.
    template <typename Func>
      requires(!std::is_base_of_v<OperatorKernel, std::decay_t<Func>>)
    Options&& kernel(DispatchKey key, Func&& f) && {
      return add(key, torch::CppFunction(std::forward<Func>(f)));
    }
    template <typename FuncType, FuncType* f>
    Options&& kernel(DispatchKey key) && {
      return add(key, torch::CppFunction(f));
    }
    template <typename Functor, typename... Args>
      requires std::is_base_of_v<OperatorKernel, Functor>
    Options&& kernel(DispatchKey key, Args&&... args) && {
      return add(key, ofFunctor<Functor>(std::forward<Args>(args)...));
    }
    /// A boxed kernel: a function that takes the arguments from a stack.
    template <KernelFunction::BoxedKernelFunction* f>
    Options&& kernel(DispatchKey key) && {
      return add(key, torch::CppFunction::makeFromBoxedFunction<f>());
    }
    template <KernelFunction::BoxedKernelFunction_withDispatchKeys* f>
    Options&& kernel(DispatchKey key) && {
      return add(key, torch::CppFunction::makeFromBoxedFunction<f>());
    }
    template <KernelFunction::BoxedKernelFunction* f>
    Options&& catchAllKernel() && {
      return add(std::nullopt, torch::CppFunction::makeFromBoxedFunction<f>());
    }
    /// A kernel for every key.
    template <typename Func>
      requires(!std::is_base_of_v<OperatorKernel, std::decay_t<Func>>)
    Options&& catchAllKernel(Func&& f) && {
      return add(std::nullopt, torch::CppFunction(std::forward<Func>(f)));
    }
    template <typename FuncType, FuncType* f>
    Options&& catchAllKernel() && {
      return add(std::nullopt, torch::CppFunction(f));
    }
    template <typename Functor, typename... Args>
      requires std::is_base_of_v<OperatorKernel, Functor>
    Options&& catchAllKernel(Args&&... args) && {
      return add(std::nullopt, ofFunctor<Functor>(std::forward<Args>(args)...));
    }

   private:
    friend class RegisterOperators;
    template <typename Functor, typename... Args>
    static torch::CppFunction ofFunctor(Args&&... args) {
      auto functor = std::make_shared<Functor>(std::forward<Args>(args)...);
      return ofCall(std::move(functor), &Functor::operator());
    }
    template <typename Functor, typename Return, typename... Params>
    static torch::CppFunction ofCall(std::shared_ptr<Functor> functor,
                                     Return (Functor::* /*call*/)(Params...)) {
      return torch::CppFunction([functor = std::move(functor)](Params... params) -> Return {
        return (*functor)(std::forward<Params>(params)...);
      });
    }
    template <typename Functor, typename Return, typename... Params>
    static torch::CppFunction ofCall(std::shared_ptr<Functor> functor,
                                     Return (Functor::* /*call*/)(Params...) const) {
      return torch::CppFunction([functor = std::move(functor)](Params... params) -> Return {
        return (*functor)(std::forward<Params>(params)...);
      });
    }
    Options&& add(std::optional<DispatchKey> key, torch::CppFunction f) {
      kernels_.emplace_back(key, std::move(f));
      return std::move(*this);
    }
    std::string schema_;
    std::vector<std::pair<std::optional<DispatchKey>, torch::CppFunction>> kernels_;
  };

  static Options options() { return {}; }

  RegisterOperators() = default;
  RegisterOperators(RegisterOperators&&) noexcept = default;
  RegisterOperators& operator=(RegisterOperators&&) noexcept = default;
  /// With a first operator: the arguments of `op`.
  template <typename... Args>
    requires(sizeof...(Args) > 0)
  explicit RegisterOperators(const std::string& schema_or_name, Args&&... args) {
    op(schema_or_name, std::forward<Args>(args)...);
  }
  /// An operator whose kernels are in `options`.
  RegisterOperators&& op(Options&& options) && {
    const std::string schema = std::move(options.schema_);
    TORCH_CHECK(
        !schema.empty(),
        "In operator registration: Tried to register an operator without specifying a schema or operator name.");
    add(schema, std::move(options));
    return std::move(*this);
  }
  RegisterOperators&& op(const std::string& schema_or_name,
                         Options&& options = RegisterOperators::options()) && {
    add(schema_or_name, std::move(options));
    return std::move(*this);
  }
  /// An operator with one kernel for every key.
  template <typename Func>
    requires(!std::is_same_v<std::decay_t<Func>, Options>)
  RegisterOperators&& op(const std::string& schema_or_name, Func&& function) && {
    add(schema_or_name, RegisterOperators::options().catchAllKernel(std::forward<Func>(function)));
    return std::move(*this);
  }
  template <typename... Args>
  RegisterOperators& op(Args&&... args) & {
    std::move(*this).op(std::forward<Args>(args)...);
    return *this;
  }

 private:
  void add(const std::string& schema_or_name, Options&& options) {
    const size_t end = schema_or_name.find("::");
    TORCH_CHECK(end != std::string::npos, "RegisterOperators: wanted namespace::name, got ",
                schema_or_name);
    const std::string local = schema_or_name.substr(end + 2);
    torch::Library& library = libraries_.emplace_back(
        torch::Library::FRAGMENT, schema_or_name.substr(0, end), std::nullopt, __FILE__, __LINE__);
    const size_t name_end = local.find('(');
    bool defined = name_end != std::string::npos;
    if (defined) library.def(local);
    for (auto& [key, f] : options.kernels_) {
      torch::CppFunction kernel =
          key ? torch::dispatch(*key, std::move(f)) : torch::CppFunction(std::move(f));
      if (defined) {
        library.impl(local.substr(0, name_end), std::move(kernel));
      } else {
        library.def(local.c_str(), std::move(kernel));
      }
      defined = true;
    }
  }

  std::vector<torch::Library> libraries_;
};

}  // namespace c10

namespace torch {
using c10::RegisterOperators;
}  // namespace torch
