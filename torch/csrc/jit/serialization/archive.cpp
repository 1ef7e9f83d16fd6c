// archive.h, by the specification of zip files: APPNOTE.TXT 6.3.10 of PKWARE.

#include <torch/csrc/jit/serialization/archive.h>

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>
#include <utility>

namespace torch::jit {
namespace {

constexpr uint64_t kAlignment = 64;
constexpr uint32_t kLocalHeader = 0x04034b50;
constexpr uint32_t kDirectoryEntry = 0x02014b50;
constexpr uint32_t kEnd = 0x06054b50;
constexpr uint32_t kEnd64 = 0x06064b50;
constexpr uint32_t kEnd64Locator = 0x07064b50;
constexpr uint64_t kLocalHeaderSize = 30;
constexpr uint64_t kDirectoryEntrySize = 46;
constexpr uint64_t kEndSize = 22;
constexpr uint64_t kEnd64Size = 56;
constexpr uint64_t kEnd64LocatorSize = 20;
constexpr uint16_t kSizesOf64Bits = 1;
// 45: fields of 64 bits. 0x0800: names are in UTF-8. 0x21: 1980-01-01, so that equal values give
// equal files.
constexpr uint16_t kVersion = 45;
constexpr uint16_t kFlags = 0x0800;
constexpr uint32_t kDate = 0x21u << 16;
constexpr std::string_view kFolder = "archive/";

// Numbers are little endian.
template <std::unsigned_integral T>
void append(std::string& to, std::type_identity_t<T> value) {
  for (size_t i = 0; i < sizeof(T); ++i) to.push_back(static_cast<char>(value >> (8 * i)));
}
template <std::unsigned_integral T>
T number(std::string_view from, size_t position) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<T>(static_cast<T>(static_cast<uint8_t>(from[position + i])) << (8 * i));
  }
  return value;
}

// CRC-32 of eight bytes at a time: "A Systematic Approach to Building High Performance, Software-
// based, CRC Generators", Kounavis and Berry, 2005.
using Tables = std::array<std::array<uint32_t, 256>, 8>;
constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xedb88320 : 0);
    tables[0][i] = value;
  }
  for (uint32_t i = 0; i < 256; ++i) {
    for (size_t k = 1; k < 8; ++k) {
      const uint32_t before = tables[k - 1][i];
      tables[k][i] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}
constexpr Tables kTables = make_tables();

uint32_t checksum_of(const void* data, uint64_t size) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  uint32_t sum = 0xffffffff;
  for (; size >= 8; size -= 8, bytes += 8) {
    uint32_t next = 0;
    for (size_t i = 0; i < 4; ++i) {
      next ^= kTables[7 - i][bytes[i] ^ ((sum >> (8 * i)) & 0xff)] ^ kTables[3 - i][bytes[4 + i]];
    }
    sum = next;
  }
  for (; size > 0; --size, ++bytes) sum = (sum >> 8) ^ kTables[0][(sum ^ *bytes) & 0xff];
  return ~sum;
}

[[noreturn]] void throw_damaged(const std::string& what) {
  TORCH_CHECK(false, "PytorchStreamReader failed reading zip archive: ", what);
}

// The field of an extra block with sizes of 64 bits: those that the header has no room for, in the
// order of the header.
std::optional<std::string_view> sizes_of_64_bits(std::string_view extra) {
  while (extra.size() >= 4) {
    const size_t size = number<uint16_t>(extra, 2);
    if (extra.size() < 4 + size) return std::nullopt;
    if (number<uint16_t>(extra, 0) == kSizesOf64Bits) return extra.substr(4, size);
    extra.remove_prefix(4 + size);
  }
  return std::nullopt;
}

}  // namespace

void ArchiveWriter::put(const void* data, size_t size) {
  if (size == 0) return;
  const size_t written = write_(data, size);
  TORCH_CHECK(written == size, "PytorchStreamWriter failed writing file: ", written, " of ", size,
              " bytes were written at ", position_);
  position_ += size;
}

void ArchiveWriter::add(std::string_view name, const void* data, size_t size) {
  const std::string path = std::string(kFolder).append(name);
  const uint64_t place = position_;
  const uint32_t checksum = checksum_of(data, size);
  const bool long_size = size >= limit_;
  const bool long_place = place >= limit_;

  // The same fields are in both headers.
  std::string fields;
  append<uint16_t>(fields, kVersion);
  append<uint16_t>(fields, kFlags);
  append<uint16_t>(fields, 0);  // not compressed
  append<uint32_t>(fields, kDate);
  append<uint32_t>(fields, checksum);
  const auto short_size = static_cast<uint32_t>(long_size ? 0xffffffff : size);
  append<uint32_t>(fields, short_size);
  append<uint32_t>(fields, short_size);
  append<uint16_t>(fields, static_cast<uint16_t>(path.size()));

  std::string extra;
  if (long_size) {
    append<uint16_t>(extra, kSizesOf64Bits);
    append<uint16_t>(extra, 16);
    append<uint64_t>(extra, size);
    append<uint64_t>(extra, size);
  }
  // PyTorch's block of padding.
  const uint64_t before = place + kLocalHeaderSize + path.size() + extra.size() + 4;
  const uint64_t padding = (kAlignment - before % kAlignment) % kAlignment;
  extra += "FB";
  append<uint16_t>(extra, static_cast<uint16_t>(padding));
  extra.append(padding, 'Z');

  std::string header;
  append<uint32_t>(header, kLocalHeader);
  header += fields;
  append<uint16_t>(header, static_cast<uint16_t>(extra.size()));
  header += path;
  header += extra;
  put(header.data(), header.size());
  put(data, size);

  std::string longs;
  if (long_size) {
    append<uint64_t>(longs, size);
    append<uint64_t>(longs, size);
  }
  if (long_place) append<uint64_t>(longs, place);
  append<uint32_t>(directory_, kDirectoryEntry);
  append<uint16_t>(directory_, kVersion);
  directory_ += fields;
  append<uint16_t>(directory_, static_cast<uint16_t>(longs.empty() ? 0 : longs.size() + 4));
  append<uint16_t>(directory_, 0);  // comment
  append<uint16_t>(directory_, 0);  // disk
  append<uint16_t>(directory_, 0);  // attributes
  append<uint32_t>(directory_, 0);
  append<uint32_t>(directory_, static_cast<uint32_t>(long_place ? 0xffffffff : place));
  directory_ += path;
  if (!longs.empty()) {
    append<uint16_t>(directory_, kSizesOf64Bits);
    append<uint16_t>(directory_, static_cast<uint16_t>(longs.size()));
    directory_ += longs;
  }
  ++entries_;
}

void ArchiveWriter::finish() {
  const uint64_t place = position_;
  const uint64_t size = directory_.size();
  const bool longs =
      entries_ >= std::min<uint64_t>(limit_, 0xffff) || size >= limit_ || place >= limit_;
  std::string end = std::move(directory_);
  if (longs) {
    append<uint32_t>(end, kEnd64);
    append<uint64_t>(end, kEnd64Size - 12);
    append<uint16_t>(end, kVersion);
    append<uint16_t>(end, kVersion);
    append<uint32_t>(end, 0);
    append<uint32_t>(end, 0);
    append<uint64_t>(end, entries_);
    append<uint64_t>(end, entries_);
    append<uint64_t>(end, size);
    append<uint64_t>(end, place);
    append<uint32_t>(end, kEnd64Locator);
    append<uint32_t>(end, 0);
    append<uint64_t>(end, place + size);
    append<uint32_t>(end, 1);
  }
  append<uint32_t>(end, kEnd);
  append<uint32_t>(end, 0);  // disks
  const auto count = static_cast<uint16_t>(longs ? 0xffff : entries_);
  append<uint16_t>(end, count);
  append<uint16_t>(end, count);
  append<uint32_t>(end, static_cast<uint32_t>(longs ? 0xffffffff : size));
  append<uint32_t>(end, static_cast<uint32_t>(longs ? 0xffffffff : place));
  append<uint16_t>(end, 0);  // comment
  put(end.data(), end.size());
}

void ArchiveReader::get(uint64_t position, void* data, uint64_t size) const {
  if (position > size_ || size > size_ - position) throw_damaged("an entry reaches beyond its end");
  const size_t read = read_(position, data, size);
  if (read != size) throw_damaged("file read failed");
}

std::string ArchiveReader::get(uint64_t position, uint64_t size) const {
  if (position > size_ || size > size_ - position) throw_damaged("an entry reaches beyond its end");
  std::string result(size, '\0');
  get(position, result.data(), size);
  return result;
}

ArchiveReader::ArchiveReader(ReadFunction read, uint64_t size)
    : read_(std::move(read)), size_(size) {
  // A comment of up to 64 KiB may be behind the end.
  const uint64_t tail_size = std::min<uint64_t>(size, kEndSize + 0xffff);
  const std::string tail = get(size - tail_size, tail_size);
  std::optional<size_t> found;
  for (size_t i = tail_size < kEndSize ? 0 : tail_size - kEndSize + 1; i-- > 0 && !found;) {
    if (number<uint32_t>(tail, i) == kEnd) found = i;
  }
  if (!found) {
    const bool old = size > 0 && get(0, 1)[0] == '\x80';
    throw_damaged(
        old ? "failed finding central directory. The file has the format of torch.save before PyTorch 1.6: load it in Python and save it again"
            : "failed finding central directory. The file is cut off, or torch.save did not write it");
  }
  uint64_t count = number<uint16_t>(tail, *found + 10);
  uint64_t directory_size = number<uint32_t>(tail, *found + 12);
  uint64_t place = number<uint32_t>(tail, *found + 16);
  const uint64_t end = size - tail_size + *found;
  if (end >= kEnd64LocatorSize) {
    const std::string locator = get(end - kEnd64LocatorSize, kEnd64LocatorSize);
    if (number<uint32_t>(locator, 0) == kEnd64Locator) {
      const std::string longs = get(number<uint64_t>(locator, 8), kEnd64Size);
      if (number<uint32_t>(longs, 0) != kEnd64)
        throw_damaged("invalid header or archive is corrupted");
      count = number<uint64_t>(longs, 32);
      directory_size = number<uint64_t>(longs, 40);
      place = number<uint64_t>(longs, 48);
    }
  }

  const std::string directory = get(place, directory_size);
  std::string_view rest = directory;
  for (; count > 0; --count) {
    if (rest.size() < kDirectoryEntrySize || number<uint32_t>(rest, 0) != kDirectoryEntry) {
      throw_damaged("invalid header or archive is corrupted");
    }
    Entry entry{};
    entry.method = number<uint16_t>(rest, 10);
    entry.checksum = number<uint32_t>(rest, 16);
    entry.size = number<uint32_t>(rest, 24);
    entry.header = number<uint32_t>(rest, 42);
    const bool long_packed = number<uint32_t>(rest, 20) == 0xffffffff;
    const size_t name_size = number<uint16_t>(rest, 28);
    const size_t extra_size = number<uint16_t>(rest, 30);
    const size_t comment_size = number<uint16_t>(rest, 32);
    rest.remove_prefix(kDirectoryEntrySize);
    if (rest.size() < name_size + extra_size + comment_size) {
      throw_damaged("invalid header or archive is corrupted");
    }
    std::string_view longs = sizes_of_64_bits(rest.substr(name_size, extra_size)).value_or("");
    const auto widen = [&](uint64_t& value) {
      if (value != 0xffffffff || longs.size() < 8) return;
      value = number<uint64_t>(longs, 0);
      longs.remove_prefix(8);
    };
    widen(entry.size);
    if (long_packed) longs.remove_prefix(std::min<size_t>(8, longs.size()));
    widen(entry.header);
    const std::string_view path = rest.substr(0, name_size);
    // Names without their folder.
    const size_t slash = path.find('/');
    entries_.emplace(path.substr(slash == std::string_view::npos ? 0 : slash + 1), entry);
    rest.remove_prefix(name_size + extra_size + comment_size);
  }
}

const ArchiveReader::Entry& ArchiveReader::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw_damaged("file not found: archive/" + name);
  return found->second;
}

uint64_t ArchiveReader::size_of(const std::string& name) const { return entry(name).size; }

void ArchiveReader::read(const std::string& name, void* data, uint64_t size) const {
  const Entry& found = entry(name);
  if (found.method != 0) {
    throw_damaged(name + " is compressed, which no version of torch.save does");
  }
  const std::string header = get(found.header, kLocalHeaderSize);
  if (number<uint32_t>(header, 0) != kLocalHeader) {
    throw_damaged("invalid header or archive is corrupted");
  }
  get(found.header + kLocalHeaderSize + number<uint16_t>(header, 26) + number<uint16_t>(header, 28),
      data, size);
  if (checksum_of(data, size) != found.checksum) {
    throw_damaged("CRC-32 check failed: " + name + " is damaged");
  }
}

std::string ArchiveReader::read(const std::string& name) const {
  const uint64_t size = size_of(name);
  if (size > size_) throw_damaged("an entry reaches beyond its end");
  std::string result(size, '\0');
  read(name, result.data(), size);
  return result;
}

}  // namespace torch::jit
