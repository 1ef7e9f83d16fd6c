#include <ATen/core/dispatch/OperatorEntry.h>

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/Exception.h>

#include <list>
#include <unordered_map>
#include <utility>

namespace c10::impl {

// The kernels of each key, the one in effect first.
struct OperatorEntry::Registrations {
  std::unordered_map<DispatchKey, std::list<AnnotatedKernel>> kernels;
};

namespace {

const AnnotatedKernel& missingKernel() {
  static const AnnotatedKernel missing{KernelFunction(), nullptr, ""};
  return missing;
}

const AnnotatedKernel& ambiguousAutogradOtherKernel() {
  static const AnnotatedKernel ambiguous{KernelFunction::makeAmbiguousAutogradOther(), nullptr,
                                         "ambiguous_autogradother"};
  return ambiguous;
}

template <typename F>
void forEachRuntimeKey(F f) {
  for (size_t i = 0; i < num_runtime_entries; ++i) f(static_cast<DispatchKey>(i));
}

}  // namespace

OperatorEntry::OperatorEntry(OperatorName&& operator_name)
    : dispatchKeyExtractor_(DispatchKeyExtractor::makeUninitialized()),
      name_(std::move(operator_name)),
      registrations_(std::make_unique<Registrations>()) {}

OperatorEntry::~OperatorEntry() = default;

const FunctionSchema& OperatorEntry::schema() const {
  TORCH_INTERNAL_ASSERT(hasSchema(), "Tried to access the schema for ", toString(name_),
                        " which doesn't have a schema registered yet");
  return *schema_;
}

void OperatorEntry::checkSchema(const FunctionSchema& inferred,
                                const std::string& kernel_debug) const {
  const auto difference = findSchemaDifferences(inferred, *schema_);
  TORCH_CHECK(
      !difference.has_value(),
      "Inferred operator schema for a C++ kernel function doesn't match the expected function schema.\n"
      "  operator: ",
      toString(name_), "\n  expected schema: ", toString(*schema_), "\n    ", debug_,
      "\n  inferred schema: ", toString(inferred), "\n    ", kernel_debug,
      "\n  reason: ", difference.value_or(""));
}

void OperatorEntry::registerSchema(FunctionSchema&& schema, std::string&& debug,
                                   std::vector<at::Tag>&& tags) {
  TORCH_INTERNAL_ASSERT(!hasSchema());
  schema_ = std::make_unique<FunctionSchema>(std::move(schema));
  debug_ = std::move(debug);
  tags_ = std::move(tags);
  try {
    for (const auto& [key, kernels] : registrations_->kernels) {
      for (const AnnotatedKernel& kernel : kernels) {
        if (kernel.inferred_function_schema) {
          checkSchema(*kernel.inferred_function_schema, kernel.debug);
        }
      }
    }
  } catch (...) {
    schema_ = nullptr;
    throw;
  }
  dispatchKeyExtractor_.registerSchema(*schema_);
}

void OperatorEntry::deregisterSchema() {
  schema_ = nullptr;
  debug_.clear();
  dispatchKeyExtractor_.deregisterSchema();
}

const void* OperatorEntry::registerKernel(const Dispatcher& dispatcher,
                                          std::optional<DispatchKey> dispatch_key,
                                          KernelFunction kernel,
                                          std::optional<CppSignature> cpp_signature,
                                          std::unique_ptr<FunctionSchema> inferred_function_schema,
                                          std::string debug) {
  if (cpp_signature.has_value() && cpp_signature_.has_value()) {
    TORCH_CHECK(*cpp_signature == *cpp_signature_,
                "\nMismatch in kernel C++ signatures\n  operator: ", toString(name_),
                "\n  kernel 1: ", cpp_signature_->name(), "\n    ", cpp_signature_debug_,
                "\n  kernel 2: ", cpp_signature->name(), "\n    ", debug, "\n");
  }
  if (hasSchema() && inferred_function_schema) checkSchema(*inferred_function_schema, debug);
  // From here on nothing is refused: a kernel that was leaves no trace.
  if (cpp_signature.has_value() && !cpp_signature_.has_value()) {
    cpp_signature_ = cpp_signature;
    cpp_signature_debug_ = debug;
  }

  const DispatchKey key = dispatch_key.value_or(DispatchKey::CompositeImplicitAutograd);
  auto& kernels = registrations_->kernels[key];
  if (!kernels.empty()) {
    TORCH_WARN(
        "Warning only once for all operators,  other operators may also be overridden.\n"
        "  Overriding a previously registered kernel for the same operator and the same dispatch key\n"
        "  operator: ",
        toString(name_), "\n  dispatch key: ", toString(key),
        "\n  previous kernel: ", kernels.front().debug, "\n       new kernel: ", debug);
  }
  kernels.push_front({std::move(kernel), std::move(inferred_function_schema), std::move(debug)});
  const void* token = &kernels.front();
  updateDispatchTable(dispatcher, key);
  return token;
}

void OperatorEntry::deregisterKernel(const Dispatcher& dispatcher,
                                     std::optional<DispatchKey> dispatch_key, const void* token) {
  const DispatchKey key = dispatch_key.value_or(DispatchKey::CompositeImplicitAutograd);
  auto found = registrations_->kernels.find(key);
  TORCH_INTERNAL_ASSERT(found != registrations_->kernels.end());
  found->second.remove_if([&](const AnnotatedKernel& kernel) { return &kernel == token; });
  if (found->second.empty()) registrations_->kernels.erase(found);
  if (registrations_->kernels.empty()) cpp_signature_.reset();
  updateDispatchTable(dispatcher, key);
}

void OperatorEntry::updateFallback(const Dispatcher& dispatcher, DispatchKey dispatch_key) {
  updateDispatchTableEntry(dispatcher, dispatch_key);
}

const AnnotatedKernel* OperatorEntry::kernelForDispatchKey(DispatchKey k) const {
  const auto found = registrations_->kernels.find(k);
  return found == registrations_->kernels.end() ? nullptr : &found->second.front();
}

bool OperatorEntry::hasKernelForDispatchKey(DispatchKey k) const {
  return kernelForDispatchKey(k) != nullptr;
}

bool OperatorEntry::hasKernelForAnyDispatchKey(DispatchKeySet ks) const {
  for (const auto& [key, kernels] : registrations_->kernels) {
    if (!isAliasDispatchKey(key) && ks.has(key)) return true;
  }
  return false;
}

// The kernel for a run-time key, in this order: its own; CompositeExplicitAutograd for backends;
// CompositeImplicitAutograd, unless a backend has a kernel that the autograd key must not bypass;
// Autograd for autograd keys; the fallback of the key.
OperatorEntry::Computed OperatorEntry::computeDispatchTableEntry(const Dispatcher& dispatcher,
                                                                 DispatchKey k) const {
  if (const auto* kernel = kernelForDispatchKey(k)) return {kernel, "kernel"};

  // Operators without tensor arguments are called at Undefined: composite kernels work there too.
  const auto reaches = [k](DispatchKey alias) {
    return k == DispatchKey::Undefined || isIncludedInAlias(k, alias);
  };
  if (reaches(DispatchKey::CompositeExplicitAutogradNonFunctional)) {
    if (const auto* kernel =
            kernelForDispatchKey(DispatchKey::CompositeExplicitAutogradNonFunctional)) {
      return {kernel, "default backend kernel"};
    }
  }
  const auto* explicit_kernel = kernelForDispatchKey(DispatchKey::CompositeExplicitAutograd);
  if (explicit_kernel != nullptr && reaches(DispatchKey::CompositeExplicitAutograd)) {
    return {explicit_kernel, "default backend kernel"};
  }

  const bool has_backend_kernel =
      isAutogradDispatchKey(k) &&
      (hasKernelForAnyDispatchKey(getBackendKeySetFromAutograd(k)) || explicit_kernel != nullptr);
  if (reaches(DispatchKey::CompositeImplicitAutograd)) {
    if (const auto* kernel = kernelForDispatchKey(DispatchKey::CompositeImplicitAutograd)) {
      if (k == DispatchKey::AutogradOther && hasKernelForAnyDispatchKey(autogradother_backends)) {
        return {&ambiguousAutogradOtherKernel(), "ambiguous autogradother"};
      }
      if (!has_backend_kernel) return {kernel, "math kernel"};
    }
  }

  if (isIncludedInAlias(k, DispatchKey::Autograd)) {
    if (const auto* kernel = kernelForDispatchKey(DispatchKey::Autograd)) {
      return {kernel, "autograd kernel"};
    }
  }
  if (k != DispatchKey::Undefined) {
    const AnnotatedKernel& fallback = dispatcher.backendFallback(k);
    if (fallback.kernel.isValid()) return {&fallback, "backend fallback"};
  }
  return {&missingKernel(), "missing"};
}

void OperatorEntry::updateDispatchTableEntry(const Dispatcher& dispatcher, DispatchKey k) {
  const KernelFunction& kernel = computeDispatchTableEntry(dispatcher, k).kernel->kernel;
  dispatchTable_[static_cast<size_t>(k)] = kernel;
  if (k != DispatchKey::Undefined) {
    dispatchKeyExtractor_.setOperatorHasFallthroughForKey(k, kernel.isFallthrough());
  }
}

// The entries that a kernel of `k` decides. A backend's kernel decides its autograd key's too:
// there a CompositeImplicitAutograd kernel must not bypass it.
void OperatorEntry::updateDispatchTable(const Dispatcher& dispatcher, DispatchKey k) {
  DispatchKeySet keys = getRuntimeDispatchKeySet(k);
  if (k == DispatchKey::CompositeExplicitAutograd) keys |= autograd_dispatch_keyset;
  if (isBackendDispatchKey(k)) keys = keys.add(getAutogradKeyFromBackend(k));
  for (const DispatchKey key : keys) updateDispatchTableEntry(dispatcher, key);
  if (isAliasDispatchKey(k)) updateDispatchTableEntry(dispatcher, DispatchKey::Undefined);
}

void OperatorEntry::assertSignatureIsCorrect(const CppSignature& call_signature) const {
  if (!cpp_signature_.has_value()) return;
  TORCH_CHECK(
      call_signature == *cpp_signature_,
      "\nTried to access or call an operator with a wrong signature.\n  operator: ",
      hasSchema() ? toString(*schema_) : toString(name_), "\n    ", debug_,
      "\n  correct signature:  ", cpp_signature_->name(), "\n    ", cpp_signature_debug_,
      "\n  accessed/called as: ", call_signature.name(),
      "\nThis likely happened in a call to OperatorHandle::typed<Return (Args...)>(). "
      "Please make sure that the function signature matches the signature in the operator registration call.");
}

std::string OperatorEntry::listAllDispatchKeys() const {
  std::string out = "[";
  forEachRuntimeKey([&](DispatchKey k) {
    if (!dispatchTable_[static_cast<size_t>(k)].isValid()) return;
    if (out.size() > 1) out += ", ";
    out += toString(k);
  });
  return out + "]";
}

std::string OperatorEntry::dumpComputedTable() const {
  const Dispatcher& dispatcher = Dispatcher::singleton();
  std::string out;
  forEachRuntimeKey([&](DispatchKey k) {
    const Computed computed = computeDispatchTableEntry(dispatcher, k);
    if (!computed.kernel->kernel.isValid()) return;
    out += std::string(toString(k)) + ": " +
           (computed.kernel->kernel.isFallthrough() ? "fallthrough " : "") +
           computed.kernel->debug + " [" + computed.how + "]\n";
  });
  return out;
}

std::string OperatorEntry::dumpState() const {
  std::string out = "name: " + toString(name_) + "\n";
  out += hasSchema() ? "schema: " + toString(*schema_) + "\ndebug: " + debug_ + "\n"
                     : std::string("schema: (none)\n");
  const auto print = [&](DispatchKey k) {
    const auto found = registrations_->kernels.find(k);
    if (found == registrations_->kernels.end()) return;
    for (const AnnotatedKernel& kernel : found->second) {
      out += std::string(toString(k)) + (&kernel == &found->second.front() ? "" : " (inactive)") +
             ": " + kernel.debug + " [ " + kernel.kernel.dumpState() + " ]\n";
    }
  };
  forEachRuntimeKey(print);
  for (auto k = static_cast<size_t>(DispatchKey::StartOfAliasKeys);
       k <= static_cast<size_t>(DispatchKey::EndOfAliasKeys); ++k) {
    print(static_cast<DispatchKey>(k));
  }
  return out;
}

void OperatorEntry::reportError(DispatchKey k) const {
  TORCH_CHECK_NOT_IMPLEMENTED(
      k != DispatchKey::Undefined,
      "There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no fallback function is registered for schema ",
      toString(name_),
      ".  This usually means that this function requires a non-empty list of Tensors, or that you (the operator writer) forgot to register a fallback function.  Available functions are ",
      listAllDispatchKeys(), ".\n\n", dumpComputedTable());
  const auto python_module =
      k == DispatchKey::Meta ? Dispatcher::singleton().getPyStub(name_) : std::nullopt;
  TORCH_CHECK_NOT_IMPLEMENTED(
      !python_module.has_value(), toString(name_),
      ": We could not find the fake impl for this operator. The operator specified that you may need to import the '",
      python_module->first, "' Python module to load the fake impl. ", python_module->second);
  TORCH_CHECK_NOT_IMPLEMENTED(
      false, "Could not run '", toString(name_), "' with arguments from the '", toString(k),
      "' backend. "
      "This could be because the operator doesn't exist for this backend, or was omitted during the selective/custom build process (if using custom build). "
      "'",
      toString(name_), "' is only available for these backends: ", listAllDispatchKeys(), ".\n\n",
      dumpComputedTable());
}

}  // namespace c10::impl
