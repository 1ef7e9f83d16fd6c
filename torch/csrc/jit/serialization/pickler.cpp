// Writes pickle.h's files: pickle of protocol 2, by the opcodes of Python's pickletools.

#include <ATen/core/Dict.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Storage.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>
#include <torch/csrc/jit/serialization/pickle.h>
#include <torch/csrc/jit/serialization/storage_types.h>

#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace torch::jit {
namespace {

// Deeper values are a list that contains itself.
constexpr int kMaxDepth = 500;

class Pickler {
 public:
  std::string take(const at::IValue& value) {
    text_ = "\x80\x02";
    push(value, 0);
    text_ += '.';
    return std::move(text_);
  }
  // In the order of their keys.
  const std::vector<c10::Storage>& storages() const { return storages_; }

 private:
  void push(const at::IValue& value, int depth) {
    TORCH_CHECK(depth < kMaxDepth, "pickle_save: the value is nested more than ", kMaxDepth,
                " deep, or contains itself");
    if (value.isNone()) {
      text_ += 'N';
    } else if (value.isTensor()) {
      push_tensor(value.toTensor());
    } else if (value.isBool()) {
      push_bool(value.toBool());
    } else if (value.isInt()) {
      push_int(value.toInt());
    } else if (value.isDouble()) {
      push_double(value.toDouble());
    } else if (value.isComplexDouble()) {
      push_global("builtins", "complex");
      push_double(value.toComplexDouble().real());
      push_double(value.toComplexDouble().imag());
      text_ += "\x86R";
    } else if (value.isString()) {
      push_string(value.toStringView());
    } else if (value.isDevice()) {
      push_global("torch", "device");
      push_string(c10::str(value.toDevice()));
      text_ += "\x85R";
    } else if (value.isList()) {
      text_ += "](";
      for (const at::IValue& element : value.toListRef()) push(element, depth + 1);
      text_ += 'e';
    } else if (value.isTuple()) {
      text_ += '(';
      for (const at::IValue& element : value.toTupleRef().elements()) push(element, depth + 1);
      text_ += 't';
    } else if (value.isGenericDict()) {
      text_ += "}(";
      for (const auto* entry = value.toDictImpl()->first(); entry != nullptr; entry = entry->next) {
        push(entry->key, depth + 1);
        push(entry->value, depth + 1);
      }
      text_ += 'u';
    } else {
      TORCH_CHECK(
          false, "pickle_save: a value of type ", *value.type(),
          " has no form in a file; tensors, numbers, strings, devices, lists, tuples and dicts have one");
    }
  }

  template <typename T>
  void append(T value) {
    for (size_t i = 0; i < sizeof(T); ++i) {
      text_ += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
    }
  }
  void push_bool(bool value) { text_ += value ? '\x88' : '\x89'; }
  void push_int(int64_t value) {
    if (value >= 0 && value < 256) {
      text_ += 'K';
      append(static_cast<uint8_t>(value));
    } else if (value >= std::numeric_limits<int32_t>::min() &&
               value <= std::numeric_limits<int32_t>::max()) {
      text_ += 'J';
      append(static_cast<int32_t>(value));
    } else {
      text_ += "\x8a\x08";
      append(value);
    }
  }
  void push_double(double value) {
    text_ += 'G';
    const auto bits = std::bit_cast<uint64_t>(value);
    for (int shift = 56; shift >= 0; shift -= 8) text_ += static_cast<char>(bits >> shift);
  }
  void push_string(std::string_view value) {
    TORCH_CHECK(value.size() <= std::numeric_limits<uint32_t>::max(), "pickle_save: a string has ",
                value.size(), " bytes, and a file has room for 4 GiB");
    text_ += 'X';
    append(static_cast<uint32_t>(value.size()));
    text_ += value;
  }
  void push_global(std::string_view module, std::string_view name) {
    text_ += 'c';
    text_.append(module).append("\n").append(name).append("\n");
  }
  void push_ints(at::IntArrayRef values) {
    text_ += '(';
    for (const int64_t value : values) push_int(value);
    text_ += 't';
  }

  void push_tensor(const at::Tensor& given) {
    TORCH_CHECK(given.defined(), "pickle_save: an undefined tensor has no form in a file");
    TORCH_CHECK(given.layout() == at::kStrided && !given.is_meta(),
                "pickle_save: a tensor of layout ", given.layout(), " on ", given.device(),
                " has no memory that a file could hold; call to_dense() or to() first");
    const at::Tensor tensor = given.detach().resolve_conj().resolve_neg();
    const at::ScalarType dtype = tensor.scalar_type();
    const std::string_view name = storage_name(dtype);
    const c10::Storage& storage = tensor.storage();
    const auto [found, is_new] =
        keys_.try_emplace(storage.unsafeGetStorageImpl(), storages_.size(), dtype);
    if (is_new) storages_.push_back(storage);
    const auto [key, first_dtype] = found->second;
    TORCH_CHECK(
        first_dtype == dtype,
        "Cannot save multiple tensors or storages that view the same data as different types");

    push_global("torch._utils", name.empty() ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2");
    text_ += "((";
    push_string("storage");
    if (name.empty()) {
      push_global("torch.storage", "UntypedStorage");
    } else {
      push_global("torch", name);
    }
    push_string(std::to_string(key));
    push_string(c10::str(storage.device()));
    const size_t unit = name.empty() ? 1 : tensor.element_size();
    push_int(static_cast<int64_t>(storage.nbytes() / unit));
    text_ += "tQ";
    push_int(tensor.storage_offset());
    push_ints(tensor.sizes());
    push_ints(tensor.strides());
    push_bool(given.requires_grad());
    push_global("collections", "OrderedDict");
    text_ += ")R";
    if (name.empty()) push_global("torch", dtype_name(dtype));
    text_ += "tR";
  }

  std::string text_;
  std::unordered_map<const c10::StorageImpl*, std::pair<size_t, at::ScalarType>> keys_;
  std::vector<c10::Storage> storages_;
};

}  // namespace

void pickle_save(const at::IValue& value, const WriteFunction& write) {
  Pickler pickler;
  const std::string text = pickler.take(value);
  ArchiveWriter archive(write);
  const auto add = [&](std::string_view name, std::string_view data) {
    archive.add(name, data.data(), data.size());
  };
  add("data.pkl", text);
  add(".format_version", "1");
  add(".storage_alignment", "64");
  add("byteorder", std::endian::native == std::endian::little ? "little" : "big");
  for (size_t i = 0; i < pickler.storages().size(); ++i) {
    const c10::Storage storage = on_cpu(pickler.storages()[i]);
    archive.add("data/" + std::to_string(i), storage.data(), storage.nbytes());
  }
  add("version", "3\n");
  archive.finish();
}

std::vector<char> pickle_save(const at::IValue& value) {
  std::vector<char> result;
  pickle_save(value, [&](const void* data, size_t size) {
    const auto* bytes = static_cast<const char*>(data);
    result.insert(result.end(), bytes, bytes + size);
    return size;
  });
  return result;
}

}  // namespace torch::jit
