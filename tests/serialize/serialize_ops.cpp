// torch::save and torch::load as operators, for a test in Python.

#include <torch/csrc/jit/serialization/archive.h>
#include <torch/library.h>
#include <torch/serialize.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

using torch::Tensor;

void save_tensor(const Tensor& value, std::string path) { torch::save(value, path); }
void save_list(std::vector<Tensor> values, std::string path) { torch::save(values, path); }
Tensor load_tensor(std::string path, std::optional<c10::Device> device) {
  Tensor value;
  torch::load(value, path, device);
  return value;
}
std::vector<Tensor> load_list(std::string path) {
  std::vector<Tensor> values;
  torch::load(values, path);
  return values;
}

// Reads any value, and writes it to another file.
std::string copy(std::string from, std::string to) {
  c10::IValue value;
  torch::load(value, from);
  torch::save(value, to);
  return value.type()->str();
}

// The values that only C++ makes.
void save_types(std::string path) {
  c10::Dict<std::string, std::vector<int64_t>> sizes;
  sizes.insert("b", {1, -2});
  sizes.insert("a", {int64_t{1} << 40});
  torch::save(c10::IValue(std::make_tuple(sizes, c10::complex<double>(1, 2), c10::kCPU,
                                          std::optional<double>(), std::vector<bool>{true})),
              path);
}

// The other places to write to and to read from.
std::vector<Tensor> through_memory(const Tensor& value) {
  std::stringstream stream;
  stream << "before";
  torch::save(value, stream);
  stream.seekg(6);
  Tensor of_stream;
  torch::load(of_stream, stream);

  const std::vector<char> bytes = torch::pickle_save(value);
  Tensor of_memory;
  torch::load(of_memory, bytes.data(), bytes.size());

  std::string text;
  torch::save(value, [&](const void* data, size_t size) {
    text.append(static_cast<const char*>(data), size);
    return size;
  });
  Tensor of_function;
  torch::load(
      of_function,
      [&](uint64_t position, void* to, size_t size) {
        std::memcpy(to, text.data() + position, size);
        return size;
      },
      [&] { return text.size(); });
  return {of_stream, of_memory, torch::pickle_load(bytes).toTensor(), of_function};
}

void save_to_full_disk(const Tensor& value) {
  torch::save(value, [left = size_t{100}](const void*, size_t size) mutable {
    const size_t taken = std::min(left, size);
    left -= taken;
    return taken;
  });
}

void save_cycle() {
  c10::List<c10::IValue> list(c10::AnyType::get());
  list.push_back(list);
  torch::pickle_save(list);
}

// An archive whose sizes and places are long ones from `limit` on.
void write_archive(std::string path, int64_t limit, std::vector<std::string> texts) {
  std::ofstream file(path, std::ios::binary);
  torch::jit::ArchiveWriter archive(
      [&](const void* data, size_t size) {
        file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
        return size;
      },
      static_cast<uint64_t>(limit));
  for (size_t i = 0; i < texts.size(); ++i) {
    archive.add(std::to_string(i), texts[i].data(), texts[i].size());
  }
  archive.finish();
}
std::vector<std::string> read_archive(std::string path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const torch::jit::ArchiveReader archive(
      [&](uint64_t position, void* to, size_t size) {
        std::memcpy(to, bytes.data() + position, size);
        return size;
      },
      bytes.size());
  std::vector<std::string> texts;
  for (size_t i = 0; archive.has(std::to_string(i)); ++i) {
    texts.push_back(archive.read(std::to_string(i)));
  }
  return texts;
}

}  // namespace

TORCH_LIBRARY(serialize_test, m) {
  m.def("save_tensor", &save_tensor);
  m.def("save_list", &save_list);
  m.def("load_tensor", &load_tensor);
  m.def("load_list", &load_list);
  m.def("copy", &copy);
  m.def("save_types", &save_types);
  m.def("through_memory", &through_memory);
  m.def("save_to_full_disk", &save_to_full_disk);
  m.def("save_cycle", &save_cycle);
  m.def("write_archive", &write_archive);
  m.def("read_archive", &read_archive);
}
