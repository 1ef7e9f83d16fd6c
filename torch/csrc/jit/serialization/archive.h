#pragma once

// The files of torch.save: zip archives whose entries are not compressed and start at multiples of
// 64 bytes. All entries are below one folder, whose name says nothing.

#include <c10/macros/Export.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace torch::jit {

// Takes bytes, and returns how many it took: fewer is an error.
using WriteFunction = std::function<size_t(const void* data, size_t size)>;
// Gives `size` bytes from `position` on, and returns how many it gave: fewer is an error.
using ReadFunction = std::function<size_t(uint64_t position, void* data, size_t size)>;

class TORCH_API ArchiveWriter {
 public:
  // Sizes and places from `limit` on take the fields of 64 bits, which a test asks for early.
  explicit ArchiveWriter(WriteFunction write, uint64_t limit = 0xffffffff)
      : write_(std::move(write)), limit_(limit) {}
  // Adds an entry. Throws c10::Error if it cannot be written.
  void add(std::string_view name, const void* data, size_t size);
  // Writes the list of entries; nothing comes after it.
  void finish();

 private:
  void put(const void* data, size_t size);

  WriteFunction write_;
  uint64_t limit_;
  uint64_t position_ = 0;
  std::string directory_;
  uint64_t entries_ = 0;
};

class TORCH_API ArchiveReader {
 public:
  // Reads the list of entries. Throws c10::Error if there is none.
  ArchiveReader(ReadFunction read, uint64_t size);
  bool has(const std::string& name) const { return entries_.contains(name); }
  // Throws c10::Error if there is no such entry.
  uint64_t size_of(const std::string& name) const;
  // The bytes of an entry, which has `size` of them. Throws c10::Error if they cannot be read, or
  // if their checksum is another one.
  void read(const std::string& name, void* data, uint64_t size) const;
  std::string read(const std::string& name) const;

 private:
  struct Entry {
    uint64_t header;
    uint64_t size;
    uint32_t checksum;
    uint16_t method;
  };
  const Entry& entry(const std::string& name) const;
  void get(uint64_t position, void* data, uint64_t size) const;
  std::string get(uint64_t position, uint64_t size) const;

  ReadFunction read_;
  uint64_t size_;
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace torch::jit
