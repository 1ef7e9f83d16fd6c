#include <ATen/OutsideWrites.h>

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <ATen/ops/equal.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/GradMode.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <c10/util/Exception.h>
#include <c10/util/typeid.h>
#include <torch/library.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace at {
namespace {

// Operators come by here only while this key is in the thread's keys: above autograd, below the
// profiler.
constexpr c10::DispatchKey kKey = c10::DispatchKey::Tracer;

constexpr const char* kAdvice = "Please try to use out-of-place operators instead of ";

using Memory = const c10::StorageImpl*;

Memory memory_of(const Tensor& tensor) {
  if (!tensor.defined() || !tensor.has_storage()) return nullptr;
  return tensor.storage().unsafeGetStorageImpl();
}

// All bytes of a tensor's storage, as a tensor without a history.
Tensor bytes_of(const Tensor& tensor) {
  Tensor bytes(c10::make_intrusive<c10::TensorImpl, c10::UndefinedTensorImpl>(
      c10::TensorImpl::VIEW, c10::Storage(tensor.storage()), tensor.key_set(),
      caffe2::TypeMeta::Make<uint8_t>()));
  const auto count = static_cast<int64_t>(tensor.storage().nbytes());
  bytes.unsafeGetTensorImpl()->set_sizes_and_strides({count}, {1});
  bytes._set_conj(false);
  bytes._set_neg(false);
  return bytes;
}

}  // namespace

struct OutsideWrites::Calls {
  // Memory that an entry changed, with what was in it before the first entry and after it.
  struct Written {
    std::string op;
    Tensor bytes;
    Tensor before;
    Tensor after;
  };

  Calls* outer = nullptr;
  int64_t size = 0;   // Of the batch.
  int64_t entry = 0;  // Its number; the first is 1.
  // The function's own memory: of results, and of arguments, in which it may write so many
  // elements.
  std::unordered_map<Memory, int64_t> own;
  std::vector<Written> written;

  bool is_own(const Tensor& tensor, Memory memory) const {
    const auto found = own.find(memory);
    return found != own.end() && tensor.numel() <= found->second;
  }

  void restore() {
    for (const Written& one : written) one.bytes.copy_(one.before);
  }

  void before_write(const Tensor& tensor, const c10::OperatorHandle& op) {
    const Memory memory = memory_of(tensor);
    if (memory == nullptr || is_own(tensor, memory)) return;
    const std::string& name = op.schema().name();
    TORCH_CHECK(
        !op.hasTag(Tag::inplace_view), "vmap: ", name,
        "(self) is not possible because `self` is not being vmapped over: vmap calls the function once for each entry. ",
        kAdvice, name);
    TORCH_CHECK(
        size <= 1 || !c10::GradMode::is_enabled() || !tensor.requires_grad(), "vmap: ", name,
        "(self, *extra_args) is not possible because `self` requires grad and is not being vmapped over: its gradient would be that of one entry. ",
        kAdvice, name);
    if (tensor.is_meta()) return;
    for (const Written& one : written) {
      if (memory_of(one.bytes) == memory) return;
    }
    const Tensor bytes = bytes_of(tensor);
    Written one{name, bytes, bytes.clone(), {}};
    // The entries before this one did not write here.
    if (entry > 1) one.after = one.before;
    written.push_back(std::move(one));
  }
};

namespace {

thread_local OutsideWrites::Calls* innermost = nullptr;

template <typename Visit>
void each_tensor(const c10::IValue& value, const Visit& visit) {
  if (value.isTensor()) {
    visit(value.toTensor());
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListImpl()->list) each_tensor(element, visit);
  }
}

void before_write(const c10::IValue& argument, const c10::OperatorHandle& op) {
  each_tensor(argument, [&](const Tensor& tensor) {
    for (auto* calls = innermost; calls != nullptr; calls = calls->outer) {
      calls->before_write(tensor, op);
    }
  });
}

// Running statistics change although the schema says no such thing.
bool is_write(const c10::Argument& argument, bool normalizes) {
  return argument.is_write() || (normalizes && argument.name().starts_with("running_"));
}

void follow(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  // An operator's own operators write to what it made, and to its arguments.
  const c10::impl::ExcludeDispatchKeyGuard guard(kKey);
  const c10::DispatchKeySet below =
      keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey);
  if (innermost == nullptr) {
    op.redispatchBoxed(below, stack);
    return;
  }
  const auto& parameters = op.schema().arguments();
  const c10::IValue* const arguments = stack->data() + (stack->size() - parameters.size());
  const std::string_view name = op.schema().name();
  const bool normalizes = name.ends_with("batch_norm") || name.ends_with("instance_norm");
  std::vector<Memory> given;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (is_write(parameters[i], normalizes)) before_write(arguments[i], op);
    each_tensor(arguments[i], [&](const Tensor& tensor) { given.push_back(memory_of(tensor)); });
  }
  op.redispatchBoxed(below, stack);
  const size_t results = std::min(op.schema().returns().size(), stack->size());
  for (size_t i = stack->size() - results; i < stack->size(); ++i) {
    each_tensor((*stack)[i], [&](const Tensor& tensor) {
      // A view of an argument is whose the argument is.
      if (std::find(given.begin(), given.end(), memory_of(tensor)) == given.end()) {
        adopt_results(tensor);
      }
    });
  }
}

}  // namespace

void adopt_results(c10::ArrayRef<Tensor> tensors) {
  for (const Tensor& tensor : tensors) {
    const Memory memory = memory_of(tensor);
    if (memory == nullptr) continue;
    for (auto* calls = innermost; calls != nullptr; calls = calls->outer) {
      calls->own[memory] = std::numeric_limits<int64_t>::max();
    }
  }
}

OutsideWrites::OutsideWrites(int64_t size) : calls_(std::make_unique<Calls>()) {
  calls_->size = size;
  calls_->outer = innermost;
  innermost = calls_.get();
  c10::impl::tls_set_dispatch_key_included(kKey, true);
}

OutsideWrites::~OutsideWrites() {
  innermost = calls_->outer;
  if (innermost == nullptr) c10::impl::tls_set_dispatch_key_included(kKey, false);
}

void OutsideWrites::begin(c10::ArrayRef<Tensor> tensors) {
  const c10::impl::ExcludeDispatchKeyGuard guard(kKey);
  if (calls_->entry > 0) calls_->restore();
  ++calls_->entry;
  calls_->own.clear();
  for (const Tensor& tensor : tensors) {
    if (const Memory memory = memory_of(tensor)) calls_->own[memory] += tensor.numel();
  }
}

void OutsideWrites::end() {
  const c10::impl::ExcludeDispatchKeyGuard guard(kKey);
  for (Calls::Written& one : calls_->written) {
    if (!one.after.defined()) one.after = one.bytes.clone();
    if (at::equal(one.bytes, one.after)) continue;
    calls_->restore();
    TORCH_CHECK(
        false, "vmap: ", one.op,
        "(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that has more elements than `self`. "
        "This happened due to `other` being vmapped over but `self` not being vmapped over. ",
        kAdvice, one.op);
  }
}

}  // namespace at

TORCH_LIBRARY_IMPL(_, Tracer, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&at::follow>());
}
