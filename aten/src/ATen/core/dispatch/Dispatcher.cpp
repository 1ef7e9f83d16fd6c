#include <ATen/core/dispatch/Dispatcher.h>

#include <ATen/core/dispatch/RegistrationHandleRAII.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace c10 {

struct Dispatcher::State {
  std::mutex mutex;
  // A list: handles point at its elements.
  std::list<impl::OperatorDef> operators;
  std::unordered_map<OperatorName, std::list<impl::OperatorDef>::iterator> by_name;
  std::unordered_map<std::string, std::string> libraries;
  std::unordered_map<OperatorName, std::pair<const char*, const char*>> python_modules;
  std::array<impl::AnnotatedKernel, num_runtime_entries> fallbacks;
};

Dispatcher::Dispatcher() : state_(std::make_unique<State>()) {}

Dispatcher::~Dispatcher() = default;

Dispatcher& Dispatcher::singleton() {
  // Never destroyed: a library that is unloaded at the program's end undoes its registrations.
  static Dispatcher& dispatcher = *new Dispatcher();
  return dispatcher;
}

std::optional<OperatorHandle> Dispatcher::findOp(const OperatorName& name) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const auto found = state_->by_name.find(name);
  if (found == state_->by_name.end()) return std::nullopt;
  return OperatorHandle(&*found->second);
}

std::optional<OperatorHandle> Dispatcher::findSchema(const OperatorName& name) {
  auto op = findOp(name);
  if (op.has_value() && !op->hasSchema()) return std::nullopt;
  return op;
}

OperatorHandle Dispatcher::findSchemaOrThrow(const char* name, const char* overload_name) {
  const OperatorName op_name(name, overload_name);
  const auto op = findSchema(op_name);
  if (!op.has_value()) {
    TORCH_CHECK(!findOp(op_name).has_value(), "Could not find schema for ", name, ".",
                overload_name,
                " but we found an implementation; did you forget to def() the operator?");
    TORCH_CHECK(false, "Could not find schema for ", name, ".", overload_name);
  }
  return *op;
}

std::vector<OperatorName> Dispatcher::getAllOpNames() const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  std::vector<OperatorName> names;
  names.reserve(state_->by_name.size());
  for (const auto& [name, def] : state_->by_name) names.push_back(name);
  return names;
}

const impl::AnnotatedKernel& Dispatcher::backendFallback(DispatchKey k) const {
  return state_->fallbacks[static_cast<size_t>(k)];
}

impl::OperatorDef* Dispatcher::findOrRegisterName(const OperatorName& op_name) {
  const auto found = state_->by_name.find(op_name);
  if (found != state_->by_name.end()) return &*found->second;
  const auto def = state_->operators.emplace(state_->operators.end(), OperatorName(op_name));
  for (size_t k = 0; k < num_runtime_entries; ++k) {
    def->op.updateFallback(*this, static_cast<DispatchKey>(k));
  }
  state_->by_name.emplace(op_name, def);
  return &*def;
}

void Dispatcher::cleanup(impl::OperatorDef* op) {
  if (op->def_and_impl_count != 0) return;
  const auto found = state_->by_name.find(op->op.operator_name());
  const auto def = found->second;
  state_->by_name.erase(found);
  state_->operators.erase(def);
}

RegistrationHandleRAII Dispatcher::registerDef(FunctionSchema schema, std::string debug,
                                               std::vector<at::Tag> tags) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  impl::OperatorDef* op = findOrRegisterName(schema.operator_name());
  TORCH_CHECK(op->def_count == 0, "Tried to register an operator (", toString(schema),
              ") with the same name and overload name multiple times. "
              "Each overload's schema should only be registered with a single call to def(). "
              "Duplicate registration: ",
              debug, ". Original registration: ", op->op.debug());
  try {
    op->op.registerSchema(std::move(schema), std::move(debug), std::move(tags));
  } catch (...) {
    cleanup(op);
    throw;
  }
  ++op->def_count;
  ++op->def_and_impl_count;
  return RegistrationHandleRAII([this, op] {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    deregisterDef(op);
  });
}

bool OperatorHandle::hasTag(at::Tag tag) const {
  return std::find(getTags().begin(), getTags().end(), tag) != getTags().end();
}

void Dispatcher::deregisterDef(impl::OperatorDef* op) {
  op->op.deregisterSchema();
  --op->def_count;
  --op->def_and_impl_count;
  cleanup(op);
}

RegistrationHandleRAII Dispatcher::registerImpl(
    OperatorName op_name, std::optional<DispatchKey> dispatch_key, KernelFunction kernel,
    std::optional<impl::CppSignature> cpp_signature,
    std::unique_ptr<FunctionSchema> inferred_function_schema, std::string debug) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  impl::OperatorDef* op = findOrRegisterName(op_name);
  const void* token = nullptr;
  try {
    token = op->op.registerKernel(*this, dispatch_key, std::move(kernel), cpp_signature,
                                  std::move(inferred_function_schema), std::move(debug));
  } catch (...) {
    cleanup(op);
    throw;
  }
  ++op->def_and_impl_count;
  return RegistrationHandleRAII([this, op, dispatch_key, token] {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    deregisterImpl(op, dispatch_key, token);
  });
}

void Dispatcher::deregisterImpl(impl::OperatorDef* op, std::optional<DispatchKey> dispatch_key,
                                const void* token) {
  op->op.deregisterKernel(*this, dispatch_key, token);
  --op->def_and_impl_count;
  cleanup(op);
}

RegistrationHandleRAII Dispatcher::registerPythonModule(const OperatorName& op_name,
                                                        const char* pymodule, const char* context) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const auto found = state_->python_modules.find(op_name);
  if (found != state_->python_modules.end()) {
    TORCH_WARN("Tried to register an python registration stub (pystub) for ", toString(op_name),
               " that specifies the Python module ", pymodule,
               " but there already was a pystub that specifies the Python module ",
               found->second.first, ". We will override the existing pystub.");
  }
  state_->python_modules.insert_or_assign(op_name, std::make_pair(pymodule, context));
  return RegistrationHandleRAII([this, op_name] {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->python_modules.erase(op_name);
  });
}

std::optional<std::pair<const char*, const char*>> Dispatcher::getPyStub(
    const OperatorName& op_name) const {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const auto found = state_->python_modules.find(op_name);
  if (found == state_->python_modules.end()) return std::nullopt;
  return found->second;
}

RegistrationHandleRAII Dispatcher::registerLibrary(std::string ns, std::string debug) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  const auto found = state_->libraries.find(ns);
  TORCH_CHECK(
      found == state_->libraries.end(),
      "Only a single TORCH_LIBRARY can be used to register the namespace ", ns,
      "; please put all of your definitions in a single TORCH_LIBRARY block.  If you were trying to specify implementations, consider using TORCH_LIBRARY_IMPL (which can be duplicated).  If you really intended to define operators for a single namespace in a distributed way, you can use TORCH_LIBRARY_FRAGMENT to explicitly indicate this.  "
      "Previous registration of TORCH_LIBRARY was ",
      found == state_->libraries.end() ? std::string() : found->second,
      "; latest registration was ", debug);
  state_->libraries.emplace(ns, std::move(debug));
  return RegistrationHandleRAII([this, ns] {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->libraries.erase(ns);
  });
}

RegistrationHandleRAII Dispatcher::registerFallback(DispatchKey dispatch_key, KernelFunction kernel,
                                                    std::string debug) {
  const std::lock_guard<std::mutex> lock(state_->mutex);
  TORCH_CHECK(!isAliasDispatchKey(dispatch_key) && dispatch_key != DispatchKey::Undefined,
              "Tried to register a backend fallback for ", toString(dispatch_key),
              ", which is no run-time key. Register it for each key that it stands for.");
  impl::AnnotatedKernel& fallback = state_->fallbacks[static_cast<size_t>(dispatch_key)];
  TORCH_CHECK(!fallback.kernel.isValid(),
              "Tried to register multiple backend fallbacks for the same dispatch key ",
              toString(dispatch_key), "; previous registration ", fallback.debug,
              ", new registration ", debug);
  fallback = {std::move(kernel), nullptr, std::move(debug)};
  for (impl::OperatorDef& def : state_->operators) def.op.updateFallback(*this, dispatch_key);
  return RegistrationHandleRAII([this, dispatch_key] {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->fallbacks[static_cast<size_t>(dispatch_key)] = {};
    for (impl::OperatorDef& def : state_->operators) def.op.updateFallback(*this, dispatch_key);
  });
}

void Dispatcher::callBoxed(const OperatorHandle& op, Stack* stack) const {
  const impl::OperatorEntry& entry = op.def_->op;
  const DispatchKeySet ks = entry.dispatchKeyExtractor().getDispatchKeySetBoxed(stack);
  entry.lookup(ks).callBoxed(op, ks, stack);
}

void Dispatcher::redispatchBoxed(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) const {
  op.def_->op.lookup(ks).callBoxed(op, ks, stack);
}

}  // namespace c10
