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

// The table of all operators, one for the process. Registration takes a lock; calls do not.
//
//   static auto op = c10::Dispatcher::singleton()
//       .findSchemaOrThrow("aten::add", "Tensor")
//       .typed<at::Tensor(const at::Tensor&, const at::Tensor&, const at::Scalar&)>();
//   at::Tensor sum = op.call(a, b, 1);
class TORCH_API Dispatcher final {
 public:
  // Made at the first call and never destroyed: libraries may use it while the process ends.
  static Dispatcher& singleton();
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  // The operator with this name; nullopt if no schema was registered.
  std::optional<OperatorHandle> findSchema(const OperatorName& name);
  // The same. Throws c10::Error: "Could not find schema for ns::name.overload".
  OperatorHandle findSchemaOrThrow(const char* name, const char* overload_name);
  // The operator with this name, even if only kernels were registered.
  std::optional<OperatorHandle> findOp(const OperatorName& name);
  // The names of all operators, even of those with kernels alone.
  std::vector<OperatorName> getAllOpNames() const;

  // Calls the kernel of the highest dispatch key of the arguments and the thread. Throws
  // c10::NotImplementedError if there is no such kernel.
  template <class Return, class... Args>
  static Return call(const TypedOperatorHandle<Return(Args...)>& op, Args... args);
  // Calls the kernel of the highest key in `current_keys`; the keys of the arguments do not count.
  template <class Return, class... Args>
  static Return redispatch(const TypedOperatorHandle<Return(Args...)>& op,
                           DispatchKeySet current_keys, Args... args);
  // The same with arguments on a stack: pops them and pushes the results.
  void callBoxed(const OperatorHandle& op, Stack* stack) const;
  void redispatchBoxed(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) const;

  // Registration. Users call torch/library.h instead. The result undoes the registration when it is
  // destroyed. `debug` is the place in the source, for messages. A registration that contradicts an
  // earlier one throws c10::Error, which names both places.
  RegistrationHandleRAII registerDef(FunctionSchema schema, std::string debug,
                                     std::vector<at::Tag> tags = {});
  RegistrationHandleRAII registerImpl(OperatorName op_name, std::optional<DispatchKey> dispatch_key,
                                      KernelFunction kernel,
                                      std::optional<impl::CppSignature> cpp_signature,
                                      std::unique_ptr<FunctionSchema> inferred_function_schema,
                                      std::string debug);
  // Names the Python module that gives an operator its Meta kernel: a call without one says so,
  // followed by `context`. The texts outlive the registration. A second name warns and counts.
  RegistrationHandleRAII registerPythonModule(const OperatorName& op_name, const char* pymodule,
                                              const char* context);
  // What registerPythonModule was told of the operator.
  std::optional<std::pair<const char*, const char*>> getPyStub(const OperatorName& op_name) const;
  // Reserves a namespace for one TORCH_LIBRARY block. Throws c10::Error for a second one.
  RegistrationHandleRAII registerLibrary(std::string ns, std::string debug);
  // The kernel of a dispatch key for all operators that have none of their own.
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

// A borrowed pointer to an operator. It is valid while the operator is registered.
class TORCH_API OperatorHandle {
 public:
  const OperatorName& operator_name() const { return def_->op.operator_name(); }
  bool hasSchema() const { return def_->op.hasSchema(); }
  // Borrowed. Throws c10::Error without a schema.
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
  // Whether a call with the key finds a kernel, its own or one of an alias key or a fallback.
  bool hasComputedKernelForDispatchKey(DispatchKey k) const {
    return def_->op.hasComputedKernelForDispatchKey(k);
  }
  std::string dumpComputedTable() const { return def_->op.dumpComputedTable(); }

  // The handle for calls with this C++ signature. Throws c10::Error if the kernels have another
  // one.
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

// A handle for calls with one C++ signature: see Dispatcher::call and redispatch.
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
