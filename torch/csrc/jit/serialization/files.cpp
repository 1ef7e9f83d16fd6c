#include <torch/csrc/jit/serialization/files.h>

#include <ATen/core/Dict.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <istream>
#include <memory>
#include <ostream>

namespace torch::serialize {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

File open(const std::string& path, const char* mode) {
  File file(std::fopen(path.c_str(), mode));
  TORCH_CHECK(file, "open file failed because of errno ", errno,
              " on fopen: ", std::strerror(errno), ", file path: ", path);
  return file;
}

// An object of PyTorch's C++ has its tensors under the names "0", "1" ...
std::optional<at::Tensor> numbered(const at::IValue& value, size_t number) {
  if (!value.isGenericDict()) return std::nullopt;
  const auto* found = value.toDictImpl()->find(std::to_string(number));
  if (found == nullptr || !found->value.isTensor()) return std::nullopt;
  return found->value.toTensor();
}

[[noreturn]] void throw_other_value(const char* wanted, const at::IValue& value) {
  TORCH_CHECK(false, "torch::load: expected ", wanted, " in the file, but it has a value of type ",
              *value.type(), "; load it into a c10::IValue");
}

}  // namespace

void save_to(const at::IValue& value, const std::string& path) {
  const File file = open(path, "wb");
  save_to(value,
          [&](const void* data, size_t size) { return std::fwrite(data, 1, size, file.get()); });
  TORCH_CHECK(std::fflush(file.get()) == 0,
              "PytorchStreamWriter failed writing file: ", std::strerror(errno),
              ", file path: ", path);
}

void save_to(const at::IValue& value, std::ostream& stream) {
  save_to(value, [&](const void* data, size_t size) {
    stream.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    return stream ? size : 0;
  });
}

void save_to(const at::IValue& value,
             const std::function<size_t(const void* data, size_t size)>& write) {
  jit::pickle_save(value, write);
}

at::IValue load_from(const std::string& path, std::optional<c10::Device> device) {
  const File file = open(path, "rb");
  TORCH_CHECK(fseeko(file.get(), 0, SEEK_END) == 0, "cannot find the end of the file ", path);
  const auto size = static_cast<uint64_t>(ftello(file.get()));
  const auto read = [&](uint64_t position, void* data, size_t count) -> size_t {
    if (fseeko(file.get(), static_cast<off_t>(position), SEEK_SET) != 0) return 0;
    return std::fread(data, 1, count, file.get());
  };
  return jit::pickle_load(read, size, device);
}

at::IValue load_from(std::istream& stream, std::optional<c10::Device> device) {
  const std::istream::pos_type start = stream.tellg();
  stream.seekg(0, std::ios::end);
  const std::istream::pos_type end = stream.tellg();
  TORCH_CHECK(stream && start != std::istream::pos_type(-1),
              "torch::load: the stream cannot seek; read it into memory first");
  const auto read = [&](uint64_t position, void* data, size_t count) -> size_t {
    stream.clear();
    stream.seekg(start + static_cast<std::streamoff>(position));
    stream.read(static_cast<char*>(data), static_cast<std::streamsize>(count));
    return static_cast<size_t>(stream.gcount());
  };
  return jit::pickle_load(read, static_cast<uint64_t>(end - start), device);
}

at::IValue load_from(const char* data, size_t size, std::optional<c10::Device> device) {
  const auto read = [&](uint64_t position, void* to, size_t count) {
    std::memcpy(to, data + position, count);
    return count;
  };
  return jit::pickle_load(read, size, device);
}

at::IValue load_from(const std::function<size_t(uint64_t position, void* data, size_t size)>& read,
                     const std::function<size_t()>& size, std::optional<c10::Device> device) {
  return jit::pickle_load(read, size(), device);
}

at::Tensor tensor_in(const at::IValue& value) {
  if (value.isTensor()) return value.toTensor();
  if (std::optional<at::Tensor> tensor = numbered(value, 0)) return *std::move(tensor);
  throw_other_value("a tensor", value);
}

std::vector<at::Tensor> tensors_in(const at::IValue& value) {
  if (value.isList() && (value.isTensorList() || value.toListRef().empty())) {
    return value.toTensorVector();
  }
  std::vector<at::Tensor> result;
  while (std::optional<at::Tensor> tensor = numbered(value, result.size())) {
    result.push_back(*std::move(tensor));
  }
  if (result.empty()) throw_other_value("a list of tensors", value);
  return result;
}

}  // namespace torch::serialize
