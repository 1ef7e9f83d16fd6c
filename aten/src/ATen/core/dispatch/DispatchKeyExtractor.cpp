#include <ATen/core/dispatch/DispatchKeyExtractor.h>

#include <c10/core/TensorOptions.h>

namespace c10 {

DispatchKeySet impl::deviceKeySet(const std::optional<Device>& device) {
  return DispatchKeySet(computeDispatchKey(std::nullopt, std::nullopt, device));
}

namespace {

bool isTensorLike(const Type& type) {
  switch (type.kind()) {
    case TypeKind::TensorType:
    case TypeKind::GeneratorType:
      return true;
    case TypeKind::ListType:
    case TypeKind::OptionalType:
      return isTensorLike(*type.getElementType());
    default:
      return false;
  }
}

void addKeys(const IValue& value, DispatchKeySet& ks) {
  if (value.isTensor()) {
    ks = ks | value.toTensorBase().key_set();
  } else if (value.isGenerator()) {
    if (value.toGenerator().defined()) ks = ks | value.toGenerator().key_set();
  } else if (value.isList()) {
    for (const IValue& element : value.toListRef()) addKeys(element, ks);
  }
}

}  // namespace

void DispatchKeyExtractor::registerSchema(const FunctionSchema& schema) {
  const auto& args = schema.arguments();
  bool has_tensor = false;
  dispatch_args_.clear();
  factory_device_arg_ = -1;
  for (size_t i = 0; i < args.size(); ++i) {
    const auto from_top = static_cast<uint32_t>(args.size() - i);
    if (isTensorLike(*args[i].type())) {
      dispatch_args_.push_back(from_top);
      has_tensor |= args[i].type()->str().find("Tensor") != std::string::npos;
    } else if (args[i].type()->str() == "Device?") {
      factory_device_arg_ = static_cast<int32_t>(from_top);
    }
  }
  if (has_tensor) factory_device_arg_ = -1;
}

void DispatchKeyExtractor::deregisterSchema() {
  dispatch_args_.clear();
  factory_device_arg_ = -1;
}

DispatchKeySet DispatchKeyExtractor::getDispatchKeySetBoxed(const Stack* stack) const {
  DispatchKeySet ks;
  if (factory_device_arg_ >= 0) {
    ks = impl::deviceKeySet((stack->end() - factory_device_arg_)->to<std::optional<Device>>());
  } else {
    for (uint32_t from_top : dispatch_args_) addKeys(*(stack->end() - from_top), ks);
  }
  return impl::computeDispatchKeySet(ks, nonFallthroughKeys_);
}

}  // namespace c10
