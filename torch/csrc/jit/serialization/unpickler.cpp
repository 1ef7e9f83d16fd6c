// Reads pickle.h's files: the opcodes of pickle's protocol 2, which Python's pickletools describes.

#include <ATen/core/Dict.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/DeviceType.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <torch/csrc/jit/serialization/storage_types.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

namespace torch::jit {
namespace {

using at::IValue;

// A class or function: "torch._utils._rebuild_tensor_v2".
struct Global {
  std::string name;
};
// Bytes of the file, and the type of their elements; none if a dtype follows.
struct Bytes {
  c10::Storage storage;
  std::optional<c10::ScalarType> type;
};
using Item = std::variant<IValue, Global, Bytes>;

// The type that a list has after an element; lists start with Any and no elements.
void note_type(c10::TypePtr& type, bool is_first, const IValue& value) {
  const c10::TypePtr found = value.type();
  if (is_first) {
    type = found;
  } else if (!(*type == *found)) {
    type = c10::AnyType::get();
  }
}

IValue new_list() {
  return c10::make_intrusive<c10::detail::ListImpl>(std::vector<IValue>(), c10::AnyType::get());
}
IValue new_dict() {
  return c10::make_intrusive<c10::detail::DictImpl>(c10::AnyType::get(), c10::AnyType::get());
}
void insert(const IValue& dict, IValue key, IValue value) {
  c10::detail::DictImpl& impl = *dict.toDictImpl();
  note_type(impl.keyType, impl.size() == 0, key);
  note_type(impl.valueType, impl.size() == 0, value);
  impl.insert(std::move(key), std::move(value), /*assign=*/true);
}

bool is_available(c10::Device device) {
  return c10::impl::hasDeviceGuardImpl(device.type()) &&
         std::max<int>(device.index(), 0) <
             c10::impl::getDeviceGuardImpl(device.type())->deviceCount();
}

class Unpickler {
 public:
  Unpickler(const ArchiveReader& archive, std::optional<c10::Device> device)
      : archive_(archive), device_(device), text_(archive.read("data.pkl")) {}

  IValue value();

 private:
  [[noreturn]] void fail(const std::string& what) const {
    TORCH_CHECK(false, "pickle_load: data.pkl is damaged: ", what, " at ", position_);
  }

  // The text.
  std::string_view bytes(size_t size) {
    if (size > text_.size() - position_) fail("it ends too early");
    position_ += size;
    return std::string_view(text_).substr(position_ - size, size);
  }
  uint64_t number(size_t size) {
    const std::string_view from = bytes(size);
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<uint8_t>(from[i]);
    return value;
  }
  std::string_view line() {
    const size_t end = text_.find('\n', position_);
    if (end == std::string::npos) fail("it ends too early");
    const std::string_view result = bytes(end - position_);
    ++position_;
    return result;
  }
  int64_t long_integer() {
    const size_t size = number(1);
    const std::string_view from = bytes(size);
    TORCH_CHECK(size <= 8, "pickle_load: an integer has ", size,
                " bytes in the file, and 8 in C++");
    uint64_t value = size > 0 && (from[size - 1] & 0x80) != 0 ? ~uint64_t{0} : 0;
    for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<uint8_t>(from[i]);
    return static_cast<int64_t>(value);
  }

  // The stack.
  void push(Item item) { stack_.push_back(std::move(item)); }
  Item pop() {
    if (stack_.empty() || (!marks_.empty() && stack_.size() == marks_.back())) {
      fail("an operation has too few values");
    }
    Item item = std::move(stack_.back());
    stack_.pop_back();
    return item;
  }
  template <typename T>
  T pop() {
    Item item = pop();
    if (const auto* global = std::get_if<Global>(&item); global && !std::is_same_v<T, Global>) {
      item = value_of(*global);
    }
    T* found = std::get_if<T>(&item);
    if (found == nullptr) fail("an operation has a value of another kind");
    return std::move(*found);
  }
  // What is left on top stays there.
  const IValue& top() {
    if (stack_.empty()) fail("an operation has too few values");
    const auto* found = std::get_if<IValue>(&stack_.back());
    if (found == nullptr) fail("an operation has a value of another kind");
    return *found;
  }
  // Values from the last mark on; a storage among them is one of `storages`.
  std::vector<IValue> pop_to_mark() {
    if (marks_.empty()) fail("there is no mark");
    std::vector<IValue> result(stack_.size() - marks_.back());
    for (size_t i = result.size(); i-- > 0;) result[i] = pop_value();
    marks_.pop_back();
    return result;
  }
  // Storages and classes go into tuples of arguments, behind capsules.
  IValue pop_value() {
    Item item = pop();
    if (auto* found = std::get_if<IValue>(&item)) return std::move(*found);
    if (const auto* global = std::get_if<Global>(&item)) {
      if (const auto type = dtype_of(*global)) return static_cast<int64_t>(*type);
    }
    auto kept = c10::make_intrusive<Kept>();
    kept->item = std::move(item);
    kept_.push_back(kept);
    return IValue::make_capsule(std::move(kept));
  }
  struct Kept : c10::CustomClassHolder {
    Item item;
    bool used = false;
  };
  // Null for a value that stands for itself.
  template <typename T>
  static const T* kept(const IValue& value) {
    if (!value.isCapsule()) return nullptr;
    auto* found = static_cast<Kept*>(value.toCapsule().get());
    found->used = true;
    return std::get_if<T>(&found->item);
  }
  // A class or a storage is no element of a list or dict.
  void check_element(const IValue& value) const {
    if (!value.isCapsule()) return;
    if (const auto* global = kept<Global>(value)) refuse(*global);
    fail("a storage belongs to no tensor");
  }
  void append(IValue value) {
    check_element(value);
    c10::detail::ListImpl& list = *top().toListImpl();
    note_type(list.elementType, list.list.empty(), value);
    list.list.push_back(std::move(value));
  }

  static std::optional<c10::ScalarType> dtype_of(const Global& global) {
    const std::string_view name = global.name;
    return name.starts_with("torch.") ? type_of_dtype(name.substr(6)) : std::nullopt;
  }
  IValue value_of(const Global& global) const {
    if (const auto type = dtype_of(global)) return static_cast<int64_t>(*type);
    refuse(global);
  }
  [[noreturn]] static void refuse(const Global& global) {
    TORCH_CHECK(
        false, "pickle_load: the file needs ", global.name,
        ", which C++ does not have; it reads tensors, numbers, strings, devices, lists, tuples and dicts. Load the file in Python, and save a dict of its tensors");
  }

  bool step();
  void store(uint64_t key);
  void load(uint64_t key);
  Bytes storage(const IValue& id);
  Item call(const Global& function, const std::vector<IValue>& arguments);
  IValue tensor(const std::vector<IValue>& arguments, size_t fixed,
                std::optional<c10::ScalarType> type);

  const ArchiveReader& archive_;
  std::optional<c10::Device> device_;
  std::string text_;
  size_t position_ = 0;
  std::vector<Item> stack_;
  // Heights of the stack.
  std::vector<size_t> marks_;
  std::unordered_map<uint64_t, Item> memo_;
  std::vector<c10::intrusive_ptr<Kept>> kept_;
  // The dicts that stand for objects of PyTorch's C++.
  std::vector<const c10::detail::DictImpl*> objects_;
  std::unordered_map<std::string, c10::Storage> storages_;
};

IValue Unpickler::value() {
  while (step()) {
  }
  IValue result = pop<IValue>();
  // What was in no call's arguments is in the result.
  for (const auto& one : kept_) {
    if (one->used) continue;
    if (const auto* global = std::get_if<Global>(&one->item)) refuse(*global);
    fail("a storage belongs to no tensor");
  }
  return result;
}

void Unpickler::store(uint64_t key) {
  if (stack_.empty()) fail("an operation has too few values");
  memo_.insert_or_assign(key, stack_.back());
}
void Unpickler::load(uint64_t key) {
  const auto found = memo_.find(key);
  if (found == memo_.end()) fail("it names a value that is not there");
  push(found->second);
}

// One operation; false after the last.
bool Unpickler::step() {
  const char code = bytes(1)[0];
  switch (code) {
    case '\x80':  // PROTO
      if (const uint64_t protocol = number(1); protocol > 2) {
        TORCH_CHECK(false, "pickle_load: the file has protocol ", protocol,
                    " of pickle; save it with pickle_protocol=2, which is torch.save's own");
      }
      return true;
    case '.':
      return false;
    case '(':
      marks_.push_back(stack_.size());
      return true;
    case 'N':
      push(IValue());
      return true;
    case '\x88':
      push(IValue(true));
      return true;
    case '\x89':
      push(IValue(false));
      return true;
    case 'J':
      push(IValue(static_cast<int64_t>(static_cast<int32_t>(number(4)))));
      return true;
    case 'K':
      push(IValue(static_cast<int64_t>(number(1))));
      return true;
    case 'M':
      push(IValue(static_cast<int64_t>(number(2))));
      return true;
    case '\x8a':
      push(IValue(long_integer()));
      return true;
    case 'G': {
      uint64_t bits = 0;
      for (const char byte : bytes(8)) bits = bits << 8 | static_cast<uint8_t>(byte);
      push(IValue(std::bit_cast<double>(bits)));
      return true;
    }
    case 'X':
      push(IValue(std::string(bytes(number(4)))));
      return true;
    case ']':
      push(new_list());
      return true;
    case '}':
      push(new_dict());
      return true;
    case ')':
      push(IValue(c10::ivalue::Tuple::create(std::vector<IValue>())));
      return true;
    case 't':
      push(IValue(c10::ivalue::Tuple::create(pop_to_mark())));
      return true;
    case '\x85':
    case '\x86':
    case '\x87': {
      std::vector<IValue> elements(static_cast<uint8_t>(code) - 0x84);
      for (size_t i = elements.size(); i-- > 0;) elements[i] = pop_value();
      push(IValue(c10::ivalue::Tuple::create(std::move(elements))));
      return true;
    }
    case 'a': {
      append(pop<IValue>());
      return true;
    }
    case 'e': {
      std::vector<IValue> elements = pop_to_mark();
      for (IValue& element : elements) append(std::move(element));
      return true;
    }
    case 's': {
      IValue element = pop<IValue>();
      IValue key = pop<IValue>();
      insert(top(), std::move(key), std::move(element));
      return true;
    }
    case 'u': {
      std::vector<IValue> elements = pop_to_mark();
      if (elements.size() % 2 != 0) fail("a key has no value");
      for (size_t i = 0; i < elements.size(); i += 2) {
        check_element(elements[i + 1]);
        insert(top(), std::move(elements[i]), std::move(elements[i + 1]));
      }
      return true;
    }
    case 'c': {
      std::string name(line());
      name.append(".").append(line());
      push(Global{std::move(name)});
      return true;
    }
    case 'q':
      store(number(1));
      return true;
    case 'r':
      store(number(4));
      return true;
    case 'h':
      load(number(1));
      return true;
    case 'j':
      load(number(4));
      return true;
    case 'Q':
      push(storage(pop<IValue>()));
      return true;
    case 'R': {
      const IValue arguments = pop<IValue>();
      const Global function = pop<Global>();
      push(call(function, arguments.toTupleRef().elements()));
      return true;
    }
    case '\x81': {  // NEWOBJ: an object of PyTorch's C++
      pop();
      const Global type = pop<Global>();
      if (!type.name.starts_with("__torch__.")) refuse(type);
      IValue object = new_dict();
      objects_.push_back(object.toDictImpl().get());
      push(std::move(object));
      return true;
    }
    case 'b': {  // BUILD: its attributes
      const IValue state = pop<IValue>();
      // An OrderedDict has attributes too, such as the metadata of a state_dict.
      if (!top().isGenericDict() || !std::ranges::count(objects_, top().toDictImpl().get())) {
        return true;
      }
      for (const auto* entry = state.toDictImpl()->first(); entry != nullptr; entry = entry->next) {
        insert(top(), entry->key, entry->value);
      }
      return true;
    }
    default:
      fail("operation " + std::to_string(static_cast<uint8_t>(code)) + " is unknown");
  }
}

// ("storage", class, key, location, number of elements)
Bytes Unpickler::storage(const IValue& id) {
  const auto& parts = id.toTupleRef().elements();
  if (parts.size() != 5 || !parts[0].isString() || parts[0].toStringRef() != "storage") {
    fail("a reference is no storage's");
  }
  const auto* global = kept<Global>(parts[1]);
  if (global == nullptr) fail("a storage has no class");
  Bytes result;
  if (global->name != "torch.storage.UntypedStorage" && global->name != "torch.UntypedStorage") {
    const size_t dot = global->name.rfind('.');
    result.type = type_of_storage(std::string_view(global->name).substr(dot + 1));
    if (!result.type) refuse(*global);
  }
  const std::string& key = parts[2].toStringRef();
  if (const auto found = storages_.find(key); found != storages_.end()) {
    result.storage = found->second;
    return result;
  }
  const std::string entry = "data/" + key;
  const uint64_t size = archive_.size_of(entry);
  const auto count = static_cast<uint64_t>(parts[4].toInt());
  const uint64_t unit = result.type ? c10::elementSize(*result.type) : 1;
  if (count > size / unit)
    fail("storage " + key + " has " + std::to_string(size) + " bytes, and " +
         std::to_string(count) + " elements");
  const c10::Device device = device_.value_or(c10::Device(parts[3].toStringRef()));
  TORCH_CHECK(is_available(device), "pickle_load: the file has a tensor on ", device,
              ", which is not available here; load it onto another device: ",
              "torch::load(value, path, torch::kCPU)");
  c10::Storage memory(c10::Storage::use_byte_size_t(), size, c10::GetCPUAllocator(), true);
  archive_.read(entry, memory.mutable_data(), size);
  result.storage = on_device(memory, device);
  storages_.emplace(key, result.storage);
  return result;
}

// (storage, offset, sizes, strides, requires_grad, hooks, [dtype,] [metadata])
IValue Unpickler::tensor(const std::vector<IValue>& arguments, size_t fixed,
                         std::optional<c10::ScalarType> type) {
  if (arguments.size() < fixed) fail("a tensor has too few arguments");
  const auto* bytes = kept<Bytes>(arguments[0]);
  if (bytes == nullptr) fail("a tensor has no storage");
  if (!type) type = bytes->type;
  if (!type) fail("a tensor has no element type");
  static_cast<void>(dtype_name(*type));  // throws for a number that is no type's
  const auto ints = [](const IValue& tuple) {
    std::vector<int64_t> result;
    for (const IValue& element : tuple.toTupleRef().elements()) result.push_back(element.toInt());
    return result;
  };
  at::Tensor result = tensor_over(bytes->storage, *type, arguments[1].toInt(), ints(arguments[2]),
                                  ints(arguments[3]));
  if (arguments.size() > fixed && !arguments[fixed].isNone()) {
    const auto& metadata = arguments[fixed].toDictImpl();
    for (const auto* entry = metadata->first(); entry != nullptr; entry = entry->next) {
      const std::string& name = entry->key.toStringRef();
      TORCH_CHECK(name == "conj" || name == "neg", "pickle_load: a tensor has the property ", name,
                  ", which C++ does not read");
      if (name == "conj") result.unsafeGetTensorImpl()->_set_conj(entry->value.toBool());
      if (name == "neg") result.unsafeGetTensorImpl()->_set_neg(entry->value.toBool());
    }
  }
  if (arguments[4].toBool()) result.set_requires_grad(true);
  return result;
}

Item Unpickler::call(const Global& function, const std::vector<IValue>& arguments) {
  const std::string_view name = function.name;
  const auto argument = [&](size_t i) -> const IValue& {
    if (i >= arguments.size()) fail(function.name + " has too few arguments");
    return arguments[i];
  };
  if (name == "torch._utils._rebuild_tensor_v2") return tensor(arguments, 6, std::nullopt);
  if (name == "torch._utils._rebuild_tensor_v3") {
    return tensor(arguments, 7, static_cast<c10::ScalarType>(argument(6).toInt()));
  }
  if (name == "torch._utils._rebuild_parameter") {
    at::Tensor parameter = argument(0).toTensor();
    parameter.set_requires_grad(argument(1).toBool());
    return IValue(parameter);
  }
  if (name == "collections.OrderedDict") {
    if (!arguments.empty()) refuse(function);
    return new_dict();
  }
  if (name == "torch.device") {
    std::string text = argument(0).toStringRef();
    if (arguments.size() > 1) text += ":" + std::to_string(arguments[1].toInt());
    return IValue(c10::Device(text));
  }
  if (name == "torch.Size") {
    if (argument(0).isTuple()) return argument(0);
    return IValue(c10::ivalue::Tuple::create(argument(0).toListRef()));
  }
  if (name == "builtins.complex" || name == "__builtin__.complex") {
    return IValue(c10::complex<double>(argument(0).toDouble(), argument(1).toDouble()));
  }
  // What PyTorch's C++ writes around a list or a dict, to say its type.
  if (name.starts_with("torch.jit._pickle.build_") && name.ends_with("list")) return argument(0);
  if (name == "torch.jit._pickle.restore_type_tag") return argument(0);
  refuse(function);
}

}  // namespace

at::IValue pickle_load(const ReadFunction& read, uint64_t size, std::optional<c10::Device> device) {
  const ArchiveReader archive(read, size);
  const std::string order = archive.has("byteorder") ? archive.read("byteorder") : "little";
  TORCH_CHECK(order == (std::endian::native == std::endian::little ? "little" : "big"),
              "pickle_load: the file has numbers in ", order,
              " endian order, and this machine has the other one");
  return Unpickler(archive, device).value();
}

at::IValue pickle_load(const std::vector<char>& data) {
  return pickle_load(
      [&](uint64_t position, void* to, size_t size) {
        std::memcpy(to, data.data() + position, size);
        return size;
      },
      data.size());
}

}  // namespace torch::jit
