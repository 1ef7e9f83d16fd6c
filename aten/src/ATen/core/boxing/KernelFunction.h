#pragma once

#include <ATen/core/boxing/BoxedKernel.h>
#include <ATen/core/boxing/impl/boxing.h>
#include <ATen/core/boxing/impl/make_boxed_from_unboxed_functor.h>
#include <ATen/core/boxing/impl/symint.h>
#include <ATen/core/stack.h>
#include <c10/core/CompileTimeFunctionPointer.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/macros/Export.h>
#include <c10/util/intrusive_ptr.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace c10 {

// A kernel of an operator. It can be called unboxed, with C++ arguments, and boxed, with a stack of
// IValues. A kernel made from a C++ function has both forms; one made from a boxed function has the
// boxed form alone, and `call` boxes the arguments for it.
//
//   int64_t twice(int64_t x) { return 2 * x; }
//   const auto kernel = c10::KernelFunction::makeFromUnboxedFunction(TORCH_FN(twice));
//   const auto six = kernel.call<int64_t, int64_t>(op, ks, 3);
//   c10::Stack stack = {3};
//   kernel.callBoxed(op, ks, &stack);  // the stack is {6}
//
// A default-constructed KernelFunction is no kernel: ask isValid() first. Copies share the functor
// or lambda, if there is one, by a reference count. Calls may come from several threads at once.
class TORCH_API KernelFunction final {
 public:
  using BoxedKernelFunction = void(const OperatorHandle&, Stack*);
  using BoxedKernelFunction_withDispatchKeys = void(const OperatorHandle&, DispatchKeySet, Stack*);
  using InternalBoxedKernelFunction = void(const KernelFunction&, const OperatorHandle&,
                                           DispatchKeySet, Stack*);

  KernelFunction() = default;

  // False for a default-constructed KernelFunction alone.
  bool isValid() const { return boxed_kernel_func_ != nullptr; }
  // Whether `call` reaches the kernel without a stack.
  bool isValidUnboxed() const { return unboxed_kernel_func_ != nullptr; }
  // Whether the dispatcher passes over the key that this is registered for.
  bool isFallthrough() const { return boxed_kernel_func_ == &fallthrough_kernel; }
  bool isAmbiguousAutogradOther() const {
    return boxed_kernel_func_ == &ambiguous_autogradother_kernel;
  }

  // Replaces the arguments on top of the stack by the results. Throws what the kernel throws, and
  // c10::Error if an argument has not the type of the kernel's parameter; the stack is in an
  // unspecified state then.
  void callBoxed(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) const {
    boxed_kernel_func_(*this, op, ks, stack);
  }

  // Calls the unboxed form, if there is one. `Return(Args...)` must then be the signature that the
  // kernel was made from, references included: nothing checks it here. OperatorHandle::typed does.
  // SymInt and int64_t may stand for each other.
  template <class Return, class... Args>
  Return call(const OperatorHandle& op, DispatchKeySet ks, Args... args) const {
    if (C10_LIKELY(unboxed_kernel_func_ != nullptr)) {
      if constexpr (impl::has_symint_v<Return, Args...>) {
        return impl::fromPassed<Return>(
            callUnboxed<impl::passed_as_t<Return>, impl::passed_as_t<Args>...>(
                ks, impl::toPassed<Args>(std::forward<Args>(args))...));
      } else {
        return callUnboxed<Return, Args...>(ks, std::forward<Args>(args)...);
      }
    }
    return impl::callBoxed<Return, Args...>(
        [&](Stack* stack) { boxed_kernel_func_(*this, op, ks, stack); }, args...);
  }

  // A kernel that is never called: the dispatcher passes over its key.
  static KernelFunction makeFallthrough() { return KernelFunction(&fallthrough_kernel); }
  // A kernel that throws: the operator has a kernel of a backend that AutogradOther serves, and a
  // CompositeImplicitAutograd kernel, so that either could be meant.
  static KernelFunction makeAmbiguousAutogradOther() {
    return KernelFunction(&ambiguous_autogradother_kernel);
  }

  // From a function `void(const OperatorHandle&, Stack*)` or
  // `void(const OperatorHandle&, DispatchKeySet, Stack*)`.
  template <auto* func>
  static KernelFunction makeFromBoxedFunction() {
    if constexpr (std::is_same_v<decltype(func), BoxedKernelFunction*>) {
      return KernelFunction([](const KernelFunction&, const OperatorHandle& op, DispatchKeySet,
                               Stack* stack) { func(op, stack); });
    } else {
      static_assert(
          std::is_same_v<decltype(func), BoxedKernelFunction_withDispatchKeys*>,
          "a boxed kernel is a void(const OperatorHandle&, Stack*) or a void(const OperatorHandle&, DispatchKeySet, Stack*)");
      return KernelFunction([](const KernelFunction&, const OperatorHandle& op, DispatchKeySet ks,
                               Stack* stack) { func(op, ks, stack); });
    }
  }

  // From an object with `void operator()(const OperatorHandle&, DispatchKeySet, Stack*)`. Owns
  // the object.
  template <class Functor>
  static KernelFunction makeFromBoxedFunctor(std::unique_ptr<Functor> functor) {
    static_assert(std::is_base_of_v<OperatorKernel, Functor>,
                  "a kernel functor inherits from c10::OperatorKernel");
    KernelFunction kernel(
        [](const KernelFunction& self, const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
          (*static_cast<Functor*>(self.functor_.get()))(op, ks, stack);
        });
    kernel.functor_ = intrusive_ptr<OperatorKernel>::unsafe_steal_from_new(functor.release());
    return kernel;
  }

  // From TORCH_FN(f): the address is a constant, and the call of `f` can be inlined. `f` may take
  // the DispatchKeySet of the call as its first argument, which is no argument of the operator.
  template <class FuncPtr>
  static KernelFunction makeFromUnboxedFunction(FuncPtr) {
    static_assert(is_compile_time_function_pointer<FuncPtr>::value, "expected TORCH_FN(function)");
    return fromFunction(FuncPtr::func_ptr(), [](auto signature) {
      return StaticUnboxed<FuncPtr::func_ptr(), decltype(signature)>::address();
    });
  }

  // From a function pointer that is known at run time only. Costs one more indirect call.
  template <class FuncType>
  static KernelFunction makeFromUnboxedRuntimeFunction(FuncType* func) {
    return makeFromUnboxedLambda(func);
  }

  // From an object with a call operator that is neither a template nor overloaded. Moves or copies
  // the object in.
  template <class Lambda>
  static KernelFunction makeFromUnboxedLambda(Lambda&& lambda) {
    using Functor = LambdaKernel<std::decay_t<Lambda>>;
    KernelFunction kernel = fromFunction(
        static_cast<typename Functor::FuncType*>(nullptr),
        [](auto signature) { return FunctorUnboxed<Functor, decltype(signature)>::address(); });
    kernel.functor_ = make_intrusive<Functor>(std::forward<Lambda>(lambda));
    return kernel;
  }

  // The forms that there are, for messages: "boxed unboxed ".
  std::string dumpState() const;

 private:
  template <class... Ts>
  struct Signature {};

  explicit KernelFunction(InternalBoxedKernelFunction* boxed) : boxed_kernel_func_(boxed) {}
  KernelFunction(InternalBoxedKernelFunction* boxed, void* unboxed)
      : unboxed_kernel_func_(unboxed), boxed_kernel_func_(boxed) {}

  template <class Return, class... Args>
  Return callUnboxed(DispatchKeySet ks, Args... args) const {
    using Unboxed = Return(OperatorKernel*, DispatchKeySet, Args...);
    return (*reinterpret_cast<Unboxed*>(unboxed_kernel_func_))(functor_.get(), ks,
                                                               std::forward<Args>(args)...);
  }

  template <class Return, class... Args>
  static void boxedForSignature(const KernelFunction& self, const OperatorHandle&,
                                DispatchKeySet ks, Stack* stack) {
    impl::BoxedAdapter<Return, Args...>::call(
        [&](Args... args) -> Return {
          return self.callUnboxed<Return, Args...>(ks, std::forward<Args>(args)...);
        },
        stack, std::index_sequence_for<Args...>());
  }

  // Both forms of a function. A leading DispatchKeySet does not come from the stack.
  template <class Return, class... Args, class Address>
  static KernelFunction fromFunction(Return (*)(DispatchKeySet, Args...), Address address) {
    return KernelFunction(&boxedForSignature<impl::passed_as_t<Return>, impl::passed_as_t<Args>...>,
                          address(Signature<Return, DispatchKeySet, Args...>()));
  }
  template <class Return, class... Args, class Address>
  static KernelFunction fromFunction(Return (*)(Args...), Address address) {
    return KernelFunction(&boxedForSignature<impl::passed_as_t<Return>, impl::passed_as_t<Args>...>,
                          address(Signature<Return, Args...>()));
  }

  template <auto* func, class Sig>
  struct StaticUnboxed;
  template <auto* func, class Return, class... Args>
  struct StaticUnboxed<func, Signature<Return, DispatchKeySet, Args...>> {
    static impl::passed_as_t<Return> call(OperatorKernel*, DispatchKeySet ks,
                                          impl::passed_as_t<Args>... args) {
      if constexpr (impl::has_symint_v<Return, Args...>) {
        return impl::callWithSymInts<Return, Args...>(
            [ks](Args... kernel_args) -> Return {
              return (*func)(ks, std::forward<Args>(kernel_args)...);
            },
            std::forward<impl::passed_as_t<Args>>(args)...);
      } else {
        return (*func)(ks, std::forward<Args>(args)...);
      }
    }
    static void* address() { return reinterpret_cast<void*>(&call); }
  };
  template <auto* func, class Return, class... Args>
  struct StaticUnboxed<func, Signature<Return, Args...>> {
    static impl::passed_as_t<Return> call(OperatorKernel*, DispatchKeySet,
                                          impl::passed_as_t<Args>... args) {
      if constexpr (impl::has_symint_v<Return, Args...>) {
        return impl::callWithSymInts<Return, Args...>(
            *func, std::forward<impl::passed_as_t<Args>>(args)...);
      } else {
        return (*func)(std::forward<Args>(args)...);
      }
    }
    static void* address() { return reinterpret_cast<void*>(&call); }
  };

  template <class Functor, class Sig>
  struct FunctorUnboxed;
  template <class Functor, class Return, class... Args>
  struct FunctorUnboxed<Functor, Signature<Return, DispatchKeySet, Args...>> {
    static impl::passed_as_t<Return> call(OperatorKernel* functor, DispatchKeySet ks,
                                          impl::passed_as_t<Args>... args) {
      if constexpr (impl::has_symint_v<Return, Args...>) {
        return impl::callWithSymInts<Return, Args...>(
            [&](Args... kernel_args) -> Return {
              return static_cast<Functor*>(functor)->lambda(ks, std::forward<Args>(kernel_args)...);
            },
            std::forward<impl::passed_as_t<Args>>(args)...);
      } else {
        return static_cast<Functor*>(functor)->lambda(ks, std::forward<Args>(args)...);
      }
    }
    static void* address() { return reinterpret_cast<void*>(&call); }
  };
  template <class Functor, class Return, class... Args>
  struct FunctorUnboxed<Functor, Signature<Return, Args...>> {
    static impl::passed_as_t<Return> call(OperatorKernel* functor, DispatchKeySet,
                                          impl::passed_as_t<Args>... args) {
      if constexpr (impl::has_symint_v<Return, Args...>) {
        return impl::callWithSymInts<Return, Args...>(
            static_cast<Functor*>(functor)->lambda, std::forward<impl::passed_as_t<Args>>(args)...);
      } else {
        return static_cast<Functor*>(functor)->lambda(std::forward<Args>(args)...);
      }
    }
    static void* address() { return reinterpret_cast<void*>(&call); }
  };

 public:
  // The function type of a lambda or a function pointer.
  template <class T>
  struct FuncTypeOf : FuncTypeOf<decltype(&T::operator())> {};
  template <class R, class... A>
  struct FuncTypeOf<R (*)(A...)> {
    using type = R(A...);
  };
  template <class T, class R, class... A>
  struct FuncTypeOf<R (T::*)(A...)> {
    using type = R(A...);
  };
  template <class T, class R, class... A>
  struct FuncTypeOf<R (T::*)(A...) const> {
    using type = R(A...);
  };

 private:
  template <class Lambda>
  struct LambdaKernel final : OperatorKernel {
    using FuncType = typename FuncTypeOf<Lambda>::type;
    explicit LambdaKernel(Lambda lambda) : lambda(std::move(lambda)) {}
    Lambda lambda;
  };

  void* unboxed_kernel_func_ = nullptr;
  intrusive_ptr<OperatorKernel> functor_;
  InternalBoxedKernelFunction* boxed_kernel_func_ = nullptr;
};

}  // namespace c10
