#pragma once

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/CppSignature.h>
#include <ATen/core/dispatch/OperatorEntry.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/operator_name.h>
#include <ATen/core/stack.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/macros/Export.h>
#include <c10/util/Exception.h>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace c10 {

class OperatorHandle;
class RegistrationHandleRAII;
template <class FuncType>
class TypedOperatorHandle;

namespace impl {
// An operator and how many registrations keep it: definitions, and definitions or kernels.
struct OperatorDef final {
  explicit OperatorDef(OperatorName&& name) : op(std::move(name)) {}
  OperatorEntry op;
  size_t def_count = 0;
  size_t def_and_impl_count = 0;
};
}  // namespace impl

// The table of all operators. Registration locks; calls do not.
class TORCH_API Dispatcher final {
 public:
  static Dispatcher& singleton();
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  // The operator of this name, if it has a schema.
  std::optional<OperatorHandle> findSchema(const OperatorName& name);
  // The same; throws "Could not find schema for ns::name.overload".
  OperatorHandle findSchemaOrThrow(const char* name, const char* overload_name);
  // The operator of this name even when it has kernels only.
  std::optional<OperatorHandle> findOp(const OperatorName& name);
  std::vector<OperatorName> getAllOpNames() const;

  // Calls an operator. The handle's signature is the operator's: TypedOperatorHandle checked it.
  template <class Return, class... Args>
  static Return call(const TypedOperatorHandle<Return(Args...)>& op, Args... args);
  // Calls the kernel of the highest key in `current_keys`, whatever the arguments' keys are.
  template <class Return, class... Args>
  static Return redispatch(const TypedOperatorHandle<Return(Args...)>& op,
                           DispatchKeySet current_keys, Args... args);
  void callBoxed(const OperatorHandle& op, Stack* stack) const;
  void redispatchBoxed(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) const;

  // Registration; torch/library.h is the public face. Each throws on a second registration that
  // contradicts the first, with both places in the message.
  RegistrationHandleRAII registerDef(FunctionSchema schema, std::string debug,
                                     std::vector<at::Tag> tags = {});
  RegistrationHandleRAII registerImpl(OperatorName op_name, std::optional<DispatchKey> dispatch_key,
                                      KernelFunction kernel,
                                      std::optional<impl::CppSignature> cpp_signature,
                                      std::unique_ptr<FunctionSchema> inferred_function_schema,
                                      std::string debug);
  // A namespace's TORCH_LIBRARY; there is at most one.
  RegistrationHandleRAII registerLibrary(std::string ns, std::string debug);
  // The kernel for all operators without one of their own at a run-time key.
  RegistrationHandleRAII registerFallback(DispatchKey dispatch_key, KernelFunction kernel,
                                          std::string debug);

  // The fallback for `k`; its kernel is invalid when there is none.
  const impl::AnnotatedKernel& backendFallback(DispatchKey k) const;

 private:
  struct State;
  Dispatcher();
  impl::OperatorDef* findOrRegisterName(const OperatorName& op_name);
  void deregisterDef(impl::OperatorDef* op);
  void deregisterImpl(impl::OperatorDef* op, std::optional<DispatchKey> dispatch_key,
                      const void* token);
  void cleanup(impl::OperatorDef* op);

  std::unique_ptr<State> state_;
};

// A handle on an operator; cheap to copy, valid while the operator is registered.
class TORCH_API OperatorHandle {
 public:
  const OperatorName& operator_name() const { return def_->op.operator_name(); }
  bool hasSchema() const { return def_->op.hasSchema(); }
  const FunctionSchema& schema() const { return def_->op.schema(); }
  const std::string& debug() const { return def_->op.debug(); }
  // The facts that its definition states.
  const std::vector<at::Tag>& getTags() const { return def_->op.tags(); }
  bool hasTag(at::Tag tag) const;
  std::string dumpState() const { return def_->op.dumpState(); }
  bool hasKernelForDispatchKey(DispatchKey k) const { return def_->op.hasKernelForDispatchKey(k); }
  bool hasKernelForAnyDispatchKey(DispatchKeySet ks) const {
    return def_->op.hasKernelForAnyDispatchKey(ks);
  }
  bool hasComputedKernelForDispatchKey(DispatchKey k) const {
    return def_->op.hasComputedKernelForDispatchKey(k);
  }
  std::string dumpComputedTable() const { return def_->op.dumpComputedTable(); }

  // The handle for calls with this signature; throws when the kernels have another.
  template <class FuncType>
  TypedOperatorHandle<FuncType> typed() const {
    def_->op.assertSignatureIsCorrect(impl::CppSignature::make<FuncType>());
    return TypedOperatorHandle<FuncType>(def_);
  }

  void callBoxed(Stack* stack) const { Dispatcher::singleton().callBoxed(*this, stack); }
  void callBoxed(Stack& stack) const { callBoxed(&stack); }
  void redispatchBoxed(DispatchKeySet ks, Stack* stack) const {
    Dispatcher::singleton().redispatchBoxed(*this, ks, stack);
  }

  bool operator==(const OperatorHandle& rhs) const { return def_ == rhs.def_; }

 protected:
  explicit OperatorHandle(impl::OperatorDef* def) : def_(def) {}
  friend class Dispatcher;
  impl::OperatorDef* def_;
};

template <class Return, class... Args>
class TypedOperatorHandle<Return(Args...)> final : public OperatorHandle {
 public:
  C10_ALWAYS_INLINE Return call(Args... args) const {
    return Dispatcher::call<Return, Args...>(*this, std::forward<Args>(args)...);
  }
  C10_ALWAYS_INLINE Return redispatch(DispatchKeySet current_keys, Args... args) const {
    return Dispatcher::redispatch<Return, Args...>(*this, current_keys,
                                                   std::forward<Args>(args)...);
  }

 private:
  explicit TypedOperatorHandle(impl::OperatorDef* def) : OperatorHandle(def) {}
  friend class OperatorHandle;
};

template <class Return, class... Args>
C10_ALWAYS_INLINE Return Dispatcher::call(const TypedOperatorHandle<Return(Args...)>& op,
                                          Args... args) {
  const impl::OperatorEntry& entry = op.def_->op;
  const DispatchKeySet ks =
      entry.dispatchKeyExtractor().template getDispatchKeySetUnboxed<std::decay_t<Args>...>(
          args...);
  return entry.lookup(ks).template call<Return, Args...>(op, ks, std::forward<Args>(args)...);
}

template <class Return, class... Args>
C10_ALWAYS_INLINE Return Dispatcher::redispatch(const TypedOperatorHandle<Return(Args...)>& op,
                                                DispatchKeySet current_keys, Args... args) {
  return op.def_->op.lookup(current_keys)
      .template call<Return, Args...>(op, current_keys, std::forward<Args>(args)...);
}

}  // namespace c10
