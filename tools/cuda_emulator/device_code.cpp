#include "tools/cuda_emulator/device_code.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/cuda_emulator/runtime.h"

namespace emulator {
namespace {

// The layouts are those of fatbinary.h and fatbinary_section.h, as far as they are described, and
// as fatbinary of CUDA 12 and 13 writes them.
struct Wrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* data;
  const void* file;
};
struct Header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;
};
struct Image {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;
  std::uint32_t compressed_bytes;
  std::uint32_t unused;
  std::uint16_t minor;
  std::uint16_t major;
  std::uint32_t arch;
  std::uint64_t name;
  std::uint64_t flags;
};
constexpr std::uint32_t kHeaderMagic = 0xba55ed50;
constexpr std::uint16_t kPtx = 1;
constexpr std::uint16_t kElf = 2;
// Code for one architecture alone: sm_90a.
constexpr std::uint64_t kSpecific = 1 << 20;

struct Images {
  std::string_view ptx;
  std::string_view elf;
};

// How well an image fits the GPU: its own architecture, above all what only that has, then the next
// lower one; 0 is not at all.
std::uint32_t fitness(const Image& image) {
  const auto arch = static_cast<std::uint32_t>(10 * gpu().major + gpu().minor);
  const bool specific = image.flags & kSpecific;
  if (image.arch > arch || (specific && image.arch != arch)) return 0;
  return 2 * image.arch + specific;
}

Images images_of(const void* data) {
  const auto* header = static_cast<const Header*>(data);
  if (header->magic != kHeaderMagic)
    throw Error(Error::Kind::kSyntax, "this is no fat binary of CUDA");
  const char* at = static_cast<const char*>(data) + header->header_bytes;
  const char* const end = at + header->bytes;
  Images found;
  std::uint32_t best_ptx = 0;
  std::uint32_t best_elf = 0;
  while (at < end) {
    Image image{};
    std::memcpy(&image, at, sizeof image);
    std::string_view content(at + image.header_bytes, image.bytes);
    const std::uint32_t fits = fitness(image);
    std::uint32_t& best = image.kind == kPtx ? best_ptx : best_elf;
    if (fits > best && (image.kind == kPtx || image.kind == kElf)) {
      best = fits;
      if (image.compressed_bytes != 0) {
        throw Error(Error::Kind::kSyntax,
                    "the PTX of this program is compressed. Build with --config=cuda-emulator");
      }
      if (image.kind == kPtx) content = content.substr(0, content.find('\0'));
      (image.kind == kPtx ? found.ptx : found.elf) = content;
    }
    at += image.header_bytes + image.bytes;
  }
  return found;
}

// Registers of each kernel of an image of machine code, by name: the attribute EIATTR_REGCOUNT of
// its section .nv.info.
std::unordered_map<std::string_view, int> registers_of(std::string_view elf) {
  constexpr std::uint8_t kRegisterCount = 0x2f;
  constexpr std::uint8_t kWithSize = 4;
  std::unordered_map<std::string_view, int> found;
  if (elf.size() < sizeof(Elf64_Ehdr)) return found;
  Elf64_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), elf.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
  const auto name = [&](const Elf64_Shdr& section) {
    return std::string_view(elf.data() + sections.at(header.e_shstrndx).sh_offset +
                            section.sh_name);
  };
  const Elf64_Shdr* info = nullptr;
  const Elf64_Shdr* symbols = nullptr;
  for (const Elf64_Shdr& section : sections) {
    if (name(section) == ".nv.info") info = &section;
    if (section.sh_type == SHT_SYMTAB) symbols = &section;
  }
  if (info == nullptr || symbols == nullptr) return found;
  const char* at = elf.data() + info->sh_offset;
  const char* const end = at + info->sh_size;
  while (at + 4 <= end) {
    std::uint16_t bytes = 0;
    std::memcpy(&bytes, at + 2, sizeof bytes);
    const auto format = static_cast<std::uint8_t>(at[0]);
    if (format == kWithSize && static_cast<std::uint8_t>(at[1]) == kRegisterCount) {
      std::uint32_t words[2];  // the symbol, the count
      std::memcpy(words, at + 4, sizeof words);
      Elf64_Sym symbol;
      std::memcpy(&symbol, elf.data() + symbols->sh_offset + words[0] * sizeof symbol,
                  sizeof symbol);
      const char* names = elf.data() + sections.at(symbols->sh_link).sh_offset;
      found.emplace(names + symbol.st_name, static_cast<int>(words[1]));
    }
    at += 4 + (format == kWithSize ? bytes : 0);
  }
  return found;
}

std::unordered_map<const void*, HostKernel>& kernels() {
  static auto* const all = new std::unordered_map<const void*, HostKernel>;
  return *all;
}

void read(FatBinary* binary) {
  if (binary->read) return;
  binary->read = true;
  const Images images = images_of(binary->data);
  if (images.ptx.empty()) return;
  binary->module = std::make_unique<Module>(images.ptx);
  const auto registers = registers_of(images.elf);
  for (auto& [function, kernel] : kernels()) {
    if (kernel.binary != binary) continue;
    kernel.kernel = binary->module->kernel(kernel.name);
    const auto found = registers.find(kernel.name);
    kernel.registers = found == registers.end() ? 0 : found->second;
  }
}

}  // namespace

FatBinary* add_binary(const void* wrapper) {
  auto* binary = new FatBinary;  // as long as the program
  binary->data = static_cast<const Wrapper*>(wrapper)->data;
  return binary;
}

void add_kernel(FatBinary* binary, const void* host_function, const char* name) {
  HostKernel& kernel = kernels()[host_function];
  kernel.binary = binary;
  kernel.name = name;
  kernel.dynamic_shared_limit = 48 * 1024;
}

HostKernel* kernel_of(const void* host_function) {
  const auto found = kernels().find(host_function);
  return found == kernels().end() ? nullptr : &found->second;
}

bool load(HostKernel* kernel) {
  read(kernel->binary);
  return kernel->kernel != nullptr;
}

}  // namespace emulator
