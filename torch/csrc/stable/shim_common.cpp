#include <ATen/Parallel.h>
#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/boxing/BoxedKernel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <ATen/core/stack.h>
#include <c10/core/Device.h>
#include <c10/core/DispatchKey.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/inductor/aoti_torch/c/shim.h>
#include <torch/csrc/inductor/aoti_torch/utils.h>
#include <torch/csrc/stable/c/shim.h>
#include <torch/library.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using torch::aot_inductor::convert_exception_to_error_code;
using torch::aot_inductor::device_of;
using torch::aot_inductor::layout_of;
using torch::aot_inductor::new_tensor_handle;
using torch::aot_inductor::scalar_type_of;
using torch::aot_inductor::tensor_of;

namespace torch::aot_inductor {

namespace {

struct LastError {
  std::string what;
  std::string what_without_backtrace;
};
thread_local LastError last_error;

}  // namespace

void set_last_error(std::exception_ptr error) {
  try {
    std::rethrow_exception(std::move(error));
  } catch (const c10::Error& e) {
    last_error = {e.what(), e.what_without_backtrace()};
  } catch (const std::exception& e) {
    last_error = {e.what(), e.what()};
  } catch (...) {
    last_error = {"an exception of unknown type", "an exception of unknown type"};
  }
}

}  // namespace torch::aot_inductor

namespace {

using StableList = std::vector<StableIValue>;
using StableKernelFunction = void(StableIValue*, uint64_t, uint64_t);

template <typename T>
T* object_of(void* handle) {
  TORCH_CHECK(handle != nullptr, "expected a handle, but got a null pointer");
  return static_cast<T*>(handle);
}

template <typename T>
StableIValue bits_of(T* handle) {
  return reinterpret_cast<StableIValue>(handle);
}
StableIValue bits_of_number(int64_t number) { return static_cast<StableIValue>(number); }

[[noreturn]] void throw_no_form(const c10::Type& type) {
  TORCH_CHECK(
      false, "The stable ABI has no form for values of type ", type,
      "; it takes Tensor, int, float, bool, str, Device, ScalarType, Layout, MemoryFormat, Generator, and lists and optionals of these");
}

// The bits of a value of a schema's type; what they refer to belongs to the receiver.
StableIValue from_ivalue(const c10::Type& type, const c10::IValue& value) {
  switch (type.kind()) {
    case c10::TypeKind::TensorType:
      return bits_of(new_tensor_handle(value.isNone() ? at::Tensor() : value.toTensor()));
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
    // Stored as ints, with the numbers of the interface.
    case c10::TypeKind::ScalarTypeType:
    case c10::TypeKind::LayoutType:
    case c10::TypeKind::MemoryFormatType:
      return bits_of_number(value.toInt());
    case c10::TypeKind::FloatType:
      return std::bit_cast<StableIValue>(value.to<double>());
    case c10::TypeKind::BoolType:
      return value.toBool();
    case c10::TypeKind::StringType:
      return bits_of(new std::string(value.toStringRef()));
    case c10::TypeKind::DeviceObjType: {
      const c10::Device device = value.toDevice();
      return bits_of_number(static_cast<int64_t>(device.type())) << 32 |
             static_cast<uint32_t>(static_cast<int32_t>(device.index()));
    }
    case c10::TypeKind::GeneratorType:
      return bits_of(new at::Generator(value.toGenerator()));
    case c10::TypeKind::OptionalType:
      if (value.isNone()) return 0;
      return bits_of(new StableIValue(from_ivalue(*type.getElementType(), value)));
    case c10::TypeKind::ListType: {
      auto list = std::make_unique<StableList>();
      for (const c10::IValue& element : value.toListRef()) {
        list->push_back(from_ivalue(*type.getElementType(), element));
      }
      return bits_of(list.release());
    }
    default:
      throw_no_form(type);
  }
}

// The value of bits, which are used up.
c10::IValue to_ivalue(const c10::Type& type, StableIValue bits) {
  switch (type.kind()) {
    case c10::TypeKind::TensorType: {
      const std::unique_ptr<at::Tensor> tensor(
          object_of<at::Tensor>(reinterpret_cast<void*>(bits)));
      return c10::IValue(at::TensorBase(*tensor));
    }
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      return static_cast<int64_t>(bits);
    // Extensions store these as numbers of 32 bits.
    case c10::TypeKind::ScalarTypeType:
      return scalar_type_of(static_cast<int32_t>(bits));
    case c10::TypeKind::LayoutType:
      return layout_of(static_cast<int32_t>(bits));
    case c10::TypeKind::MemoryFormatType: {
      const auto number = static_cast<int32_t>(bits);
      TORCH_CHECK(0 <= number && number < static_cast<int32_t>(c10::MemoryFormat::NumOptions),
                  "memory format ", number, " does not exist");
      return static_cast<c10::MemoryFormat>(number);
    }
    case c10::TypeKind::FloatType:
      return std::bit_cast<double>(bits);
    case c10::TypeKind::BoolType:
      return (bits & 0xff) != 0;
    case c10::TypeKind::StringType: {
      const std::unique_ptr<std::string> text(
          object_of<std::string>(reinterpret_cast<void*>(bits)));
      return std::move(*text);
    }
    case c10::TypeKind::DeviceObjType:
      return device_of(static_cast<int32_t>(bits >> 32), static_cast<int32_t>(bits));
    case c10::TypeKind::GeneratorType: {
      const std::unique_ptr<at::Generator> generator(
          object_of<at::Generator>(reinterpret_cast<void*>(bits)));
      return std::move(*generator);
    }
    case c10::TypeKind::OptionalType: {
      if (bits == 0) return c10::IValue();
      const std::unique_ptr<StableIValue> value(reinterpret_cast<StableIValue*>(bits));
      return to_ivalue(*type.getElementType(), *value);
    }
    case c10::TypeKind::ListType: {
      const std::unique_ptr<StableList> list(object_of<StableList>(reinterpret_cast<void*>(bits)));
      std::vector<c10::IValue> elements;
      elements.reserve(list->size());
      for (const StableIValue element : *list) {
        elements.push_back(to_ivalue(*type.getElementType(), element));
      }
      return c10::make_intrusive<c10::detail::ListImpl>(std::move(elements), type.getElementType());
    }
    default:
      throw_no_form(type);
  }
}

// A kernel of an extension.
class StableKernel final : public c10::OperatorKernel {
 public:
  explicit StableKernel(StableKernelFunction* function) : function_(function) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet, c10::Stack* stack) const {
    const auto& arguments = op.schema().arguments();
    const auto& returns = op.schema().returns();
    std::vector<StableIValue> values(std::max(arguments.size(), returns.size()));
    const size_t first = stack->size() - arguments.size();
    for (size_t i = 0; i < arguments.size(); ++i) {
      values[i] = from_ivalue(*arguments[i].type(), (*stack)[first + i]);
    }
    stack->resize(first);
    function_(values.data(), arguments.size(), returns.size());
    for (size_t i = 0; i < returns.size(); ++i) {
      stack->push_back(to_ivalue(*returns[i].type(), values[i]));
    }
  }

 private:
  StableKernelFunction* function_;
};

torch::Library& library_of(TorchLibraryHandle handle) { return *object_of<torch::Library>(handle); }

AOTITorchError new_library(torch::Library::Kind kind, const char* ns, const char* key,
                           const char* file, uint32_t line, TorchLibraryHandle* result) {
  return convert_exception_to_error_code([&] {
    *result = reinterpret_cast<TorchLibraryHandle>(new torch::Library(
        kind, ns, key ? std::make_optional(c10::parseDispatchKey(key)) : std::nullopt, file, line));
  });
}

}  // namespace

const char* torch_exception_get_what() { return torch::aot_inductor::last_error.what.c_str(); }
const char* torch_exception_get_what_without_backtrace() {
  return torch::aot_inductor::last_error.what_without_backtrace.c_str();
}

AOTITorchError aoti_torch_library_init_impl(const char* ns, const char* k, const char* file,
                                            uint32_t line, TorchLibraryHandle* ret_new_torch_lib) {
  return new_library(torch::Library::IMPL, ns, k, file, line, ret_new_torch_lib);
}
AOTITorchError aoti_torch_library_init_def(const char* ns, const char* file, uint32_t line,
                                           TorchLibraryHandle* ret_new_torch_lib) {
  return new_library(torch::Library::DEF, ns, nullptr, file, line, ret_new_torch_lib);
}
AOTITorchError aoti_torch_library_init_fragment(const char* ns, const char* file, uint32_t line,
                                                TorchLibraryHandle* ret_new_torch_lib) {
  return new_library(torch::Library::FRAGMENT, ns, nullptr, file, line, ret_new_torch_lib);
}

AOTITorchError aoti_torch_library_def(TorchLibraryHandle self, const char* schema) {
  return convert_exception_to_error_code([&] { library_of(self).def(schema); });
}
AOTITorchError torch_library_def_with_tags(TorchLibraryHandle self, const char* schema,
                                           const int32_t* tags, int32_t num_tags) {
  return convert_exception_to_error_code([&] {
    std::vector<at::Tag> list;
    for (int32_t i = 0; i < num_tags; ++i) list.push_back(static_cast<at::Tag>(tags[i]));
    library_of(self).def(schema, list);
  });
}
AOTITorchError torch_library_set_python_module(TorchLibraryHandle self, const char* pymodule,
                                               const char* context) {
  return convert_exception_to_error_code(
      [&] { library_of(self).set_python_module(pymodule, context); });
}

AOTITorchError torch_library_impl(TorchLibraryHandle self, const char* name,
                                  void (*fn)(StableIValue*, uint64_t, uint64_t), uint64_t) {
  return convert_exception_to_error_code([&] {
    library_of(self).impl(
        name, torch::CppFunction::makeFromBoxedFunctor(std::make_unique<StableKernel>(fn)));
  });
}
AOTITorchError aoti_torch_library_impl(TorchLibraryHandle self, const char* name,
                                       void (*fn)(StableIValue*, uint64_t, uint64_t)) {
  return torch_library_impl(self, name, fn, TORCH_ABI_VERSION);
}
AOTITorchError aoti_torch_delete_library_object(TorchLibraryHandle tlh) {
  return convert_exception_to_error_code([&] { delete reinterpret_cast<torch::Library*>(tlh); });
}

AOTITorchError torch_call_dispatcher(const char* opName, const char* overloadName,
                                     StableIValue* stack, uint64_t) {
  return convert_exception_to_error_code([&] {
    const c10::OperatorHandle op =
        c10::Dispatcher::singleton().findSchemaOrThrow(opName, overloadName);
    c10::Stack values;
    for (const c10::Argument& argument : op.schema().arguments()) {
      values.push_back(to_ivalue(*argument.type(), stack[values.size()]));
    }
    op.callBoxed(values);
    const auto& returns = op.schema().returns();
    for (size_t i = 0; i < returns.size(); ++i) {
      stack[i] = from_ivalue(*returns[i].type(), values[i]);
    }
  });
}
AOTITorchError aoti_torch_call_dispatcher(const char* opName, const char* overloadName,
                                          StableIValue* stack) {
  return torch_call_dispatcher(opName, overloadName, stack, TORCH_ABI_VERSION);
}

#define DEFINE_TAG(name) \
  int32_t torch_tag_##name() { return static_cast<int32_t>(at::Tag::name); }
DEFINE_TAG(core)
DEFINE_TAG(cudagraph_unsafe)
DEFINE_TAG(data_dependent_output)
DEFINE_TAG(dynamic_output_shape)
DEFINE_TAG(flexible_layout)
DEFINE_TAG(generated)
DEFINE_TAG(inplace_view)
DEFINE_TAG(maybe_aliasing_or_mutating)
DEFINE_TAG(needs_contiguous_strides)
DEFINE_TAG(needs_exact_strides)
DEFINE_TAG(needs_fixed_stride_order)
DEFINE_TAG(nondeterministic_bitwise)
DEFINE_TAG(nondeterministic_seeded)
DEFINE_TAG(out_variant)
DEFINE_TAG(pointwise)
DEFINE_TAG(pt2_compliant_tag)
DEFINE_TAG(reduction)
DEFINE_TAG(view_copy)
#undef DEFINE_TAG

AOTITorchError torch_new_stable_ivalue(StableIValue** ret_value) {
  return convert_exception_to_error_code([&] { *ret_value = new StableIValue(0); });
}
AOTITorchError torch_delete_stable_ivalue(StableIValue* value) {
  return convert_exception_to_error_code([&] { delete object_of<StableIValue>(value); });
}

AOTITorchError torch_new_list_reserve_size(size_t size, StableListHandle* ret) {
  return convert_exception_to_error_code([&] {
    auto list = std::make_unique<StableList>();
    list->reserve(size);
    *ret = reinterpret_cast<StableListHandle>(list.release());
  });
}
AOTITorchError torch_list_size(StableListHandle list_handle, size_t* size) {
  return convert_exception_to_error_code(
      [&] { *size = object_of<StableList>(list_handle)->size(); });
}
AOTITorchError torch_list_get_item(StableListHandle list_handle, size_t index,
                                   StableIValue* element) {
  return convert_exception_to_error_code(
      [&] { *element = object_of<StableList>(list_handle)->at(index); });
}
AOTITorchError torch_list_set_item(StableListHandle list_handle, size_t index,
                                   StableIValue element) {
  return convert_exception_to_error_code(
      [&] { object_of<StableList>(list_handle)->at(index) = element; });
}
AOTITorchError torch_list_push_back(StableListHandle list_handle, StableIValue element) {
  return convert_exception_to_error_code(
      [&] { object_of<StableList>(list_handle)->push_back(element); });
}
AOTITorchError torch_delete_list(StableListHandle list_handle) {
  return convert_exception_to_error_code([&] { delete object_of<StableList>(list_handle); });
}

AOTITorchError torch_new_string_handle(const char* data, size_t length, StringHandle* handle) {
  return convert_exception_to_error_code(
      [&] { *handle = reinterpret_cast<StringHandle>(new std::string(data, length)); });
}
AOTITorchError torch_string_length(StringHandle handle, size_t* length) {
  return convert_exception_to_error_code([&] { *length = object_of<std::string>(handle)->size(); });
}
AOTITorchError torch_string_c_str(StringHandle handle, const char** data) {
  return convert_exception_to_error_code([&] { *data = object_of<std::string>(handle)->c_str(); });
}
AOTITorchError torch_delete_string(StringHandle handle) {
  return convert_exception_to_error_code([&] { delete object_of<std::string>(handle); });
}

AOTITorchError torch_parse_device_string(const char* device_string, uint32_t* out_device_type,
                                         int32_t* out_device_index) {
  return convert_exception_to_error_code([&] {
    const c10::Device device{std::string(device_string)};
    *out_device_type = static_cast<uint32_t>(device.type());
    *out_device_index = device.index();
  });
}

AOTITorchError torch_parallel_for(int64_t begin, int64_t end, int64_t grain_size, ParallelFunc func,
                                  void* ctx) {
  return convert_exception_to_error_code([&] {
    at::parallel_for(begin, end, grain_size, [&](int64_t chunk_begin, int64_t chunk_end) {
      func(chunk_begin, chunk_end, ctx);
    });
  });
}
AOTITorchError torch_get_thread_idx(uint32_t* out_thread_idx) {
  return convert_exception_to_error_code(
      [&] { *out_thread_idx = static_cast<uint32_t>(at::get_thread_num()); });
}
AOTITorchError torch_get_num_threads(uint32_t* out_num_threads) {
  return convert_exception_to_error_code(
      [&] { *out_num_threads = static_cast<uint32_t>(at::get_num_threads()); });
}

AOTITorchError torch_get_mutable_data_ptr(AtenTensorHandle tensor, void** ret_data_ptr) {
  return convert_exception_to_error_code(
      [&] { *ret_data_ptr = tensor_of(tensor).unsafeGetTensorImpl()->mutable_data(); });
}
AOTITorchError torch_get_const_data_ptr(AtenTensorHandle tensor, const void** ret_data_ptr) {
  return convert_exception_to_error_code(
      [&] { *ret_data_ptr = tensor_of(tensor).unsafeGetTensorImpl()->data(); });
}
AOTITorchError torch_set_requires_grad(AtenTensorHandle tensor, bool requires_grad) {
  return convert_exception_to_error_code(
      [&] { tensor_of(tensor).set_requires_grad(requires_grad); });
}

AOTITorchError torch_stream_native_handle(StreamHandle stream, void** ret_native_handle) {
  return convert_exception_to_error_code([&] {
    const c10::Stream s = *object_of<c10::Stream>(stream);
    *ret_native_handle = c10::impl::VirtualGuardImpl(s.device_type()).getStreamNativeHandle(s);
  });
}

AOTITorchError torch_new_generator_handle(AtenGeneratorHandle self,
                                          AtenGeneratorHandle* ret_new_generator) {
  return convert_exception_to_error_code([&] {
    *ret_new_generator =
        reinterpret_cast<AtenGeneratorHandle>(new at::Generator(*object_of<at::Generator>(self)));
  });
}
AOTITorchError torch_delete_generator(AtenGeneratorHandle generator) {
  return convert_exception_to_error_code([&] { delete object_of<at::Generator>(generator); });
}
AOTITorchError torch_generator_get_device(AtenGeneratorHandle generator, int32_t* ret_device_type,
                                          int32_t* ret_device_index) {
  return convert_exception_to_error_code([&] {
    const c10::Device device = object_of<at::Generator>(generator)->device();
    *ret_device_type = static_cast<int32_t>(device.type());
    *ret_device_index = device.index();
  });
}
