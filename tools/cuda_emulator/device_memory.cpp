#include "tools/cuda_emulator/device_memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <new>

namespace emulator {
namespace {

// The size of the address range, not of memory: freed addresses are not used again.
constexpr std::size_t kAddresses = std::size_t{1} << 40;
// The alignment of cudaMalloc, and as many unused bytes after each allocation.
constexpr std::size_t kAlignment = 256;

std::size_t round_up(std::size_t size, std::size_t unit) { return (size + unit - 1) / unit * unit; }

struct Region {
  char* data = nullptr;
  std::size_t next = 0;
  int accesses = 0;
};

Region& region() {
  static Region* const all = [] {
    void* data =
        mmap(nullptr, kAddresses, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) throw std::bad_alloc();
    return new Region{static_cast<char*>(data)};
  }();
  return *all;
}

void protect(int protection) {
  constexpr std::size_t kPages = std::size_t{1} << 16;
  if (mprotect(region().data, round_up(region().next, kPages), protection) != 0)
    throw std::bad_alloc();
}

struct Piece {
  std::size_t bytes;
  bool pinned;
  int device;
};

using Pieces = std::map<std::uintptr_t, Piece>;

// By the first address.
Pieces& pieces() {
  static Pieces* const all = new Pieces;
  return *all;
}

// By the GPU.
std::map<int, std::size_t>& used() {
  static auto* const all = new std::map<int, std::size_t>;
  return *all;
}

std::uintptr_t address_of(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

// The piece that holds an address, or the end.
Pieces::iterator piece_of(std::uintptr_t address) {
  auto after = pieces().upper_bound(address);
  if (after == pieces().begin()) return pieces().end();
  const auto it = std::prev(after);
  return address - it->first < it->second.bytes ? it : pieces().end();
}

}  // namespace

std::size_t device_capacity() {
  static const std::size_t bytes = [] {
    const char* text = std::getenv("EMULATED_CUDA_MEMORY");
    return (text == nullptr ? std::size_t{2048} : std::strtoull(text, nullptr, 10)) * kMiB;
  }();
  return bytes;
}

std::size_t device_used(int device) { return used()[device]; }

DeviceAccess::DeviceAccess() {
  if (region().accesses++ == 0) protect(PROT_READ | PROT_WRITE);
}
DeviceAccess::~DeviceAccess() {
  if (--region().accesses == 0) protect(PROT_NONE);
}

void* device_allocate(std::size_t bytes, int device) {
  Region& all = region();
  if (bytes > device_capacity() - device_used(device)) return nullptr;
  const std::size_t room = round_up(bytes, kAlignment) + kAlignment;
  if (room > kAddresses - all.next) return nullptr;
  char* data = all.data + all.next;
  all.next += room;
  const DeviceAccess access;
  std::memset(data, 0xff, bytes);
  used()[device] += bytes;
  pieces().emplace(address_of(data), Piece{bytes, false, device});
  return data;
}

bool device_free(void* data) {
  const auto it = pieces().find(address_of(data));
  if (it == pieces().end() || it->second.pinned) return false;
  const std::size_t bytes = it->second.bytes;
  used()[it->second.device] -= bytes;
  // Whole pages go back to the system.
  constexpr std::uintptr_t kPage = 4096;
  const std::uintptr_t first = round_up(address_of(data), kPage);
  const std::uintptr_t last = (address_of(data) + bytes) / kPage * kPage;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
  pieces().erase(it);
  return true;
}

void* host_allocate(std::size_t bytes) {
  void* data = std::aligned_alloc(4096, round_up(bytes, 4096));
  if (data == nullptr) return nullptr;
  std::memset(data, 0xff, bytes);
  pieces().emplace(address_of(data), Piece{bytes, true, 0});
  return data;
}

bool host_free(void* data) {
  const auto it = pieces().find(address_of(data));
  if (it == pieces().end() || !it->second.pinned) return false;
  pieces().erase(it);
  std::free(data);
  return true;
}

Place place_of(const void* data) {
  const auto it = piece_of(address_of(data));
  if (it != pieces().end()) return it->second.pinned ? Place::kPinned : Place::kDevice;
  // An address of the GPU that is not allocated.
  return address_of(data) - address_of(region().data) < kAddresses ? Place::kDevice
                                                                   : Place::kPageable;
}

int device_of(const void* data) {
  const auto it = piece_of(address_of(data));
  return it == pieces().end() ? 0 : it->second.device;
}

bool is_allocated(const void* data, std::size_t bytes) {
  if (place_of(data) == Place::kPageable) return true;
  const auto it = piece_of(address_of(data));
  return it != pieces().end() && bytes <= it->first + it->second.bytes - address_of(data);
}

bool find_extent(std::uintptr_t address, int device, Extent* found) {
  const auto it = piece_of(address);
  if (it == pieces().end() || (!it->second.pinned && it->second.device != device)) return false;
  *found = {it->first, it->first + it->second.bytes};
  return true;
}

}  // namespace emulator
