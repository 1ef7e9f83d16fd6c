#include <c10/core/TensorOptions.h>
#include <c10/util/Exception.h>

#include <ostream>

namespace c10 {

DispatchKey computeDispatchKey(std::optional<ScalarType> /*dtype*/, std::optional<Layout> layout,
                               std::optional<Device> device) {
  const Layout layout_value = layout_or_default(layout);
  TORCH_CHECK_NOT_IMPLEMENTED(layout_value == Layout::Strided, "Unsupported layout: ", layout_value,
                              ". Tensors are strided here: leave layout unset or pass Strided");
  return toBackendDispatchKey(device_or_default(device).type());
}

std::ostream& operator<<(std::ostream& stream, const TensorOptions& options) {
  const auto mark = [](bool set) { return set ? "" : " (default)"; };
  const auto boolean = [](bool value) { return value ? "true" : "false"; };
  stream << "TensorOptions(dtype=" << options.dtype() << mark(options.has_dtype())
         << ", device=" << options.device() << mark(options.has_device())
         << ", layout=" << options.layout() << mark(options.has_layout())
         << ", requires_grad=" << boolean(options.requires_grad())
         << mark(options.has_requires_grad())
         << ", pinned_memory=" << boolean(options.pinned_memory())
         << mark(options.has_pinned_memory()) << ", memory_format=";
  if (options.has_memory_format()) {
    stream << *options.memory_format_opt();
  } else {
    stream << "(nullopt)";
  }
  return stream << ")";
}

}  // namespace c10
