#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/half.h"
#include "tools/cuda_emulator/race_check.h"

// ldmatrix, mma and wmma. Products are summed in float64 and rounded once; a GPU rounds more often.
namespace emulator {
namespace {

enum class Format : std::uint8_t { kHalf, kBrain, kTF32 };

float element(std::uint32_t bits, Format format) {
  switch (format) {
    case Format::kHalf:
      return half_value(static_cast<std::uint16_t>(bits));
    case Format::kBrain:
      return bfloat_value(static_cast<std::uint16_t>(bits));
    case Format::kTF32:
      return std::bit_cast<float>(bits & 0xffffe000u);
  }
  return 0;
}

std::uint32_t word(Warp& warp, std::uint32_t offset, unsigned lane) {
  return warp.values<std::uint32_t>(offset)[lane];
}

// d = a b + c, of 16 rows, 8 columns and k: PTX's fragments. Four lanes hold a row of a and c, and
// a column of b; a lane's registers hold rows 8 apart, then columns beyond the first half.
void multiply(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const auto format = static_cast<Format>(instruction.mode);
  const unsigned depth = instruction.count;
  const unsigned per_word = format == Format::kTF32 ? 1 : 2;
  const unsigned half_depth = 4 * per_word;
  const unsigned a_words = depth == half_depth ? 2 : 4;
  const unsigned b_words = a_words / 2;
  const std::uint32_t* d = instruction.list;
  const std::uint32_t* a = d + (instruction.flags ? 2 : 4);
  const std::uint32_t* b = a + a_words;
  const std::uint32_t* c = b + b_words;
  float left[16][16] = {};
  float right[16][8] = {};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned group = lane / 4;
    for (unsigned i = 0; i < a_words * per_word; ++i) {
      const unsigned index = i / per_word;
      const unsigned column = lane % 4 * per_word + i % per_word + index / 2 * half_depth;
      left[group + index % 2 * 8][column] =
          element(word(warp, a[index], lane) >> (16 * (i % per_word)), format);
    }
    for (unsigned i = 0; i < b_words * per_word; ++i) {
      const unsigned index = i / per_word;
      const unsigned row = lane % 4 * per_word + i % per_word + index * half_depth;
      right[row][group] = element(word(warp, b[index], lane) >> (16 * (i % per_word)), format);
    }
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    std::array<float, 4> results;
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned row = lane / 4 + i / 2 * 8;
      const unsigned column = lane % 4 * 2 + i % 2;
      double sum =
          instruction.flags
              ? half_value(static_cast<std::uint16_t>(word(warp, c[i / 2], lane) >> (16 * (i % 2))))
              : warp.values<float>(c[i])[lane];
      for (unsigned k = 0; k < depth; ++k) sum += double{left[row][k]} * right[k][column];
      results[i] = static_cast<float>(sum);
    }
    for (unsigned i = 0; i < 4; ++i) {
      if (!instruction.flags) {
        warp.values<float>(d[i])[lane] = results[i];
      } else if (i % 2 == 0) {
        warp.values<std::uint32_t>(d[i / 2])[lane] =
            half_bits(results[i]) | static_cast<std::uint32_t>(half_bits(results[i + 1])) << 16;
      }
    }
  }
}

// mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {d}, {a}, {b}, {c}
void decode_multiply(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Type> types = types_of(statement);
  const std::vector<Operand>& operands = statement.operands;
  if (types.size() != 4 || operands.size() != 4 || !has_word(statement, "row") ||
      !has_word(statement, "col")) {
    throw Unknown{"it has another form"};
  }
  const bool half_result = types[0] == Type::kF16;
  if (types[0] != types[3] || (types[0] != Type::kF32 && !half_result) || types[1] != types[2]) {
    throw Unknown{"types that are not implemented"};
  }
  const bool narrow = types[1] == Type::kTF32;
  if (!narrow && types[1] != Type::kF16 && types[1] != Type::kBF16)
    throw Unknown{"types that are not implemented"};
  const auto depth = [&]() -> unsigned {
    if (has_word(statement, "m16n8k16") && !narrow) return 16;
    if (has_word(statement, "m16n8k8")) return 8;
    if (has_word(statement, "m16n8k4") && narrow) return 4;
    throw Unknown{"a shape that is not implemented"};
  }();
  const unsigned words = depth == (narrow ? 4u : 8u) ? 2 : 4;
  const std::array<std::size_t, 4> counts = {half_result ? 2u : 4u, words, words / 2,
                                             half_result ? 2u : 4u};
  std::vector<std::uint32_t> registers;
  for (std::size_t i = 0; i < 4; ++i) {
    if (operands[i].parts.size() != counts[i]) throw Unknown{"a fragment of another size"};
    for (const Operand& part : operands[i].parts) {
      registers.push_back(
          i == 0 ? decoder.destination(part, Type::kB32)
                 : decoder.source(part, i == 3 && !half_result ? Type::kF32 : Type::kB32));
    }
  }
  instruction.list = decoder.list(registers);
  instruction.count = static_cast<std::uint8_t>(depth);
  instruction.flags = half_result;
  instruction.mode = static_cast<std::uint8_t>(narrow                   ? Format::kTF32
                                               : types[1] == Type::kF16 ? Format::kHalf
                                                                        : Format::kBrain);
  instruction.flow = Flow::kWarpSync;
  instruction.execute = &multiply;
}

// Matrices of 8 x 8 halves: lane 8 m + r gives the address of row r of matrix m.
void load_matrices(Warp& warp, const Instruction& instruction, std::uint32_t) {
  std::uint64_t addresses[kLanes];
  const unsigned count = instruction.count;
  const std::uint32_t givers = count == 4 ? kAllLanes : (1u << (8 * count)) - 1;
  resolve(warp, instruction, givers, 16, false, addresses);
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    std::uint16_t values[8][8];
    for (unsigned row = 0; row < 8; ++row) {
      std::memcpy(values[row], reinterpret_cast<const void*>(addresses[8 * matrix + row]), 16);
    }
    std::uint32_t* d = warp.values<std::uint32_t>(instruction.list[matrix]);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned row = lane / 4;
      const unsigned column = lane % 4 * 2;
      const bool transposed = instruction.flags;
      const std::uint32_t low = transposed ? values[column][row] : values[row][column];
      const std::uint32_t high = transposed ? values[column + 1][row] : values[row][column + 1];
      d[lane] = low | high << 16;
    }
  }
}

void decode_load_matrices(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Operand>& operands = statement.operands;
  if (operands.size() != 2 || !has_word(statement, "m8n8") || !has_word(statement, "b16")) {
    throw Unknown{"it has another form"};
  }
  const unsigned count = has_word(statement, "x4") ? 4 : has_word(statement, "x2") ? 2 : 1;
  if (operands[0].parts.size() != count) throw Unknown{"a vector of another length"};
  std::vector<std::uint32_t> registers;
  for (const Operand& part : operands[0].parts)
    registers.push_back(decoder.destination(part, Type::kB32));
  instruction.list = decoder.list(registers);
  instruction.space = space_of(statement);
  decoder.address(operands[1], instruction, 1);
  instruction.count = static_cast<std::uint8_t>(count);
  instruction.flags = has_word(statement, "trans");
  instruction.flow = Flow::kWarpSync;
  instruction.execute = &load_matrices;
}

// Which lane holds which element of wmma's fragments is nobody's business: here lane l has elements
// 8 l to 8 l + 7 of the 16 x 16, row after row, two to a register in half precision.
constexpr unsigned kTile = 16;
constexpr unsigned kEach = kTile * kTile / kLanes;

enum WmmaFlag : std::uint8_t { kColumnMajor = 1, kFloats = 2 };

void load_fragment(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const bool columns = instruction.flags & kColumnMajor;
  const unsigned size = instruction.flags & kFloats ? 4 : 2;
  // All lanes give one address and one distance between rows.
  std::uint64_t base[kLanes];
  resolve(warp, instruction, lanes, size, false, base);
  const std::uint32_t* stride = warp.values<std::uint32_t>(instruction.operands[2]);
  for (unsigned i = 0; i < kEach; ++i) {
    std::uint64_t addresses[kLanes];
    each_lane(lanes, [&](unsigned lane) {
      const unsigned row = (kEach * lane + i) / kTile;
      const unsigned column = (kEach * lane + i) % kTile;
      addresses[lane] = base[lane] + std::uint64_t{size} * (columns ? column * stride[lane] + row
                                                                    : row * stride[lane] + column);
    });
    check_addresses(warp, lanes, size, false, addresses);
    each_lane(lanes, [&](unsigned lane) {
      std::uint32_t value = 0;
      std::memcpy(&value, reinterpret_cast<const void*>(addresses[lane]), size);
      if (size == 4) {
        warp.values<std::uint32_t>(instruction.list[i])[lane] = value;
      } else {
        std::uint32_t& pair = warp.values<std::uint32_t>(instruction.list[i / 2])[lane];
        pair = i % 2 ? (pair & 0xffff) | value << 16 : value;
      }
    });
  }
}

void store_fragment(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const bool columns = instruction.flags & kColumnMajor;
  std::uint64_t base[kLanes];
  resolve(warp, instruction, lanes, sizeof(float), true, base);
  const std::uint32_t* stride = warp.values<std::uint32_t>(instruction.operands[2]);
  for (unsigned i = 0; i < kEach; ++i) {
    const std::uint32_t* a = warp.values<std::uint32_t>(instruction.list[i]);
    std::uint64_t addresses[kLanes];
    each_lane(lanes, [&](unsigned lane) {
      const unsigned row = (kEach * lane + i) / kTile;
      const unsigned column = (kEach * lane + i) % kTile;
      addresses[lane] = base[lane] + sizeof(float) * (columns ? column * stride[lane] + row
                                                              : row * stride[lane] + column);
    });
    check_addresses(warp, lanes, sizeof(float), true, addresses);
    each_lane(lanes, [&](unsigned lane) {
      check_race(warp, lane, addresses[lane], a[lane]);
      std::memcpy(reinterpret_cast<void*>(addresses[lane]), &a[lane], sizeof(float));
    });
  }
}

void multiply_fragments(Warp& warp, const Instruction& instruction, std::uint32_t) {
  const auto format = static_cast<Format>(instruction.mode);
  const std::uint32_t* d = instruction.list;
  const std::uint32_t* a = d + kEach;
  const std::uint32_t* b = a + kEach / 2;
  const std::uint32_t* c = b + kEach / 2;
  float left[kTile][kTile];
  float right[kTile][kTile];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (unsigned i = 0; i < kEach; ++i) {
      const unsigned row = (kEach * lane + i) / kTile;
      const unsigned column = (kEach * lane + i) % kTile;
      left[row][column] = element(word(warp, a[i / 2], lane) >> (16 * (i % 2)), format);
      right[row][column] = element(word(warp, b[i / 2], lane) >> (16 * (i % 2)), format);
    }
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    for (unsigned i = 0; i < kEach; ++i) {
      const unsigned row = (kEach * lane + i) / kTile;
      const unsigned column = (kEach * lane + i) % kTile;
      double sum = warp.values<float>(c[i])[lane];
      for (unsigned k = 0; k < kTile; ++k) sum += double{left[row][k]} * right[k][column];
      warp.values<float>(d[i])[lane] = static_cast<float>(sum);
    }
  }
}

// The first `used` of a fragment's registers: half precision has some to spare.
void add_fragment(Decoder& decoder, const Operand& operand, std::size_t used, Type type,
                  bool written, std::vector<std::uint32_t>* registers) {
  if (operand.parts.size() < used) throw Unknown{"a fragment of another size"};
  for (std::size_t i = 0; i < used; ++i) {
    registers->push_back(written ? decoder.destination(operand.parts[i], type)
                                 : decoder.source(operand.parts[i], type));
  }
}

void decode_fragments(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Type> types = types_of(statement);
  const std::vector<Operand>& operands = statement.operands;
  if (!has_word(statement, "m16n16k16")) throw Unknown{"a shape that is not implemented"};
  std::vector<std::uint32_t> registers;
  instruction.flow = Flow::kWarpSync;
  const std::string_view operation = statement.words.at(0);
  if (operation == "mma") {
    // .f32.f32 is half precision; its inputs are not named.
    const bool brain = types.size() == 4 && types[1] == Type::kBF16;
    const bool half = types.size() == 2 || (types.size() == 4 && types[1] == Type::kF16);
    if (operands.size() != 4 || types.front() != Type::kF32 || types.back() != Type::kF32 ||
        (!brain && !half)) {
      throw Unknown{"types that are not implemented"};
    }
    add_fragment(decoder, operands[0], kEach, Type::kF32, true, &registers);
    add_fragment(decoder, operands[1], kEach / 2, Type::kB32, false, &registers);
    add_fragment(decoder, operands[2], kEach / 2, Type::kB32, false, &registers);
    add_fragment(decoder, operands[3], kEach, Type::kF32, false, &registers);
    instruction.mode = static_cast<std::uint8_t>(brain ? Format::kBrain : Format::kHalf);
    instruction.execute = &multiply_fragments;
  } else {
    const bool loads = operation == "load";
    const std::string_view which = statement.words.at(1);
    const bool floats = types.at(0) == Type::kF32;
    if (operands.size() != 3 || (!loads && !floats) || ((which == "a" || which == "b") == floats)) {
      throw Unknown{"it has another form"};
    }
    add_fragment(decoder, operands[loads ? 0 : 1], floats ? kEach : kEach / 2,
                 floats ? Type::kF32 : Type::kB32, loads, &registers);
    instruction.space = space_of(statement);
    decoder.address(operands[loads ? 1 : 0], instruction, 1);
    instruction.operands[2] = decoder.source(operands[2], Type::kU32);
    instruction.flags = static_cast<std::uint8_t>((has_word(statement, "col") ? kColumnMajor : 0) |
                                                  (floats ? kFloats : 0));
    instruction.execute = loads ? &load_fragment : &store_fragment;
  }
  instruction.list = decoder.list(registers);
}

}  // namespace

void add_matrix_instructions(DecodeTable& table) {
  table["mma"] = decode_multiply;
  table["ldmatrix"] = decode_load_matrices;
  table["wmma"] = decode_fragments;
}

}  // namespace emulator
