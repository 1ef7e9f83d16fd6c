#pragma once

#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/CppSignature.h>
#include <ATen/core/dispatch/DispatchKeyExtractor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/operator_name.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/macros/Export.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace at {
enum class Tag;  // ATen/core/enum_tag.h, from tags.yaml.
}

namespace c10 {

class Dispatcher;

namespace impl {

// A registered kernel and where it comes from.
struct TORCH_API AnnotatedKernel final {
  KernelFunction kernel;
  std::unique_ptr<FunctionSchema> inferred_function_schema;
  std::string debug;
};

// All that is known of one operator. Calls read `dispatchTable_` alone, without a lock; it is
// brought up to date at every registration, which holds the dispatcher's lock.
class TORCH_API OperatorEntry final {
 public:
  explicit OperatorEntry(OperatorName&& operator_name);
  ~OperatorEntry();
  OperatorEntry(const OperatorEntry&) = delete;
  OperatorEntry& operator=(const OperatorEntry&) = delete;

  const OperatorName& operator_name() const { return name_; }
  bool hasSchema() const { return schema_ != nullptr; }
  const FunctionSchema& schema() const;
  const std::string& debug() const { return debug_; }

  const std::vector<at::Tag>& tags() const { return tags_; }

  void registerSchema(FunctionSchema&& schema, std::string&& debug, std::vector<at::Tag>&& tags);
  void deregisterSchema();

  // Adds a kernel for a run-time or alias key, nullopt standing for CompositeImplicitAutograd.
  // Returns a token for deregisterKernel_. A later kernel for the same key wins, with a warning.
  const void* registerKernel(const Dispatcher& dispatcher, std::optional<DispatchKey> dispatch_key,
                             KernelFunction kernel, std::optional<CppSignature> cpp_signature,
                             std::unique_ptr<FunctionSchema> inferred_function_schema,
                             std::string debug);
  void deregisterKernel(const Dispatcher& dispatcher, std::optional<DispatchKey> dispatch_key,
                        const void* token);
  // The fallback kernels changed for `dispatch_key`.
  void updateFallback(const Dispatcher& dispatcher, DispatchKey dispatch_key);

  const DispatchKeyExtractor& dispatchKeyExtractor() const { return dispatchKeyExtractor_; }

  const KernelFunction& lookup(DispatchKeySet ks) const {
    const KernelFunction& kernel = dispatchTable_[static_cast<size_t>(ks.highestPriorityTypeId())];
    if (C10_UNLIKELY(!kernel.isValid())) reportError(ks.highestPriorityTypeId());
    return kernel;
  }

  bool hasKernelForDispatchKey(DispatchKey k) const;
  bool hasKernelForAnyDispatchKey(DispatchKeySet ks) const;
  bool hasComputedKernelForDispatchKey(DispatchKey k) const {
    return dispatchTable_[static_cast<size_t>(k)].isValid();
  }
  // Throws when the operator's kernels have another C++ signature.
  void assertSignatureIsCorrect(const CppSignature& call_signature) const;

  // One line for each key that has a kernel, and where the kernel was registered.
  std::string listAllDispatchKeys() const;
  std::string dumpComputedTable() const;
  // How the table's entry for each key came about.
  std::string dumpState() const;

 private:
  struct Registrations;

  [[noreturn]] void reportError(DispatchKey k) const;
  const AnnotatedKernel* kernelForDispatchKey(DispatchKey k) const;
  struct Computed {
    const AnnotatedKernel* kernel;
    const char* how;
  };
  Computed computeDispatchTableEntry(const Dispatcher& dispatcher, DispatchKey k) const;
  void updateDispatchTableEntry(const Dispatcher& dispatcher, DispatchKey k);
  void updateDispatchTable(const Dispatcher& dispatcher, DispatchKey k);
  void checkSchema(const FunctionSchema& inferred, const std::string& kernel_debug) const;

  std::array<KernelFunction, num_runtime_entries> dispatchTable_;
  DispatchKeyExtractor dispatchKeyExtractor_;
  OperatorName name_;
  std::unique_ptr<FunctionSchema> schema_;
  std::string debug_;
  std::vector<at::Tag> tags_;
  std::optional<CppSignature> cpp_signature_;
  std::string cpp_signature_debug_;
  std::unique_ptr<Registrations> registrations_;
};

}  // namespace impl
}  // namespace c10
