#pragma once

// A checksum that the compiler computes of a text: CRC-64 by Jones' polynomial, from 0.
//
//   static_assert(c10::util::crc64("123456789") == c10::util::crc64_t(0xe9c6d914c4b8d9ca));

#include <c10/util/IdWrapper.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace c10::util {

struct crc64_t final : IdWrapper<crc64_t, uint64_t> {
  constexpr crc64_t(uint64_t checksum) : IdWrapper(checksum) {}
  constexpr uint64_t checksum() const { return underlyingId(); }
};

constexpr crc64_t crc64(const char* text, size_t size) {
  uint64_t checksum = 0;
  for (size_t i = 0; i < size; ++i) {
    checksum ^= static_cast<unsigned char>(text[i]);
    // The polynomial with its lowest term first, as the bits of each byte are taken.
    for (int bit = 0; bit < 8; ++bit) {
      checksum = (checksum >> 1) ^ ((checksum & 1) != 0 ? 0x95ac9329ac4bc9b5 : 0);
    }
  }
  return crc64_t(checksum);
}
constexpr crc64_t crc64(std::string_view text) { return crc64(text.data(), text.size()); }

}  // namespace c10::util

C10_DEFINE_HASH_FOR_IDWRAPPER(c10::util::crc64_t)
