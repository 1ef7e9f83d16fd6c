#include "tools/cuda_emulator/products.h"

#include <bit>
#include <cstring>
#include <memory>
#include <string>

#include "tools/cuda_emulator/asynchronous.h"
#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/half.h"

// wgmma.*: sums are made in float64 and rounded once.
namespace emulator {
namespace {

constexpr unsigned kDepth = 16;
constexpr unsigned kRows = 16;  // of a warp
constexpr unsigned kWarps = 4;  // of a group
constexpr std::uint64_t kNoDescriptor = 0;

enum Flag : std::uint8_t { kRegisters = 1, kColumns = 2, kBrain = 4 };

// Marks are signalling NaNs of these bits; below are the product, the number and the lane.
constexpr std::uint32_t kMark = 0xffa00000;
constexpr std::uint32_t kMarkBits = 0xfff00000;
constexpr unsigned kMarkOfProduct = 128 * kLanes;  // numbers of a thread, at most

[[noreturn]] void refuse(const std::string& text) {
  throw Fault{Error::Kind::kAsynchronous, 0, text};
}

// PTX ISA, "Matrix Descriptor Format".
struct Descriptor {
  explicit Descriptor(std::uint64_t bits)
      : start(static_cast<std::uint32_t>(bits & 0x3fff) << 4),
        leading(static_cast<std::uint32_t>(bits >> 16 & 0x3fff) << 4),
        stride(static_cast<std::uint32_t>(bits >> 32 & 0x3fff) << 4) {
    constexpr std::uint64_t kExchanged128 = 1;
    if (bits >> 62 != kExchanged128) refuse("a matrix in shared memory not exchanged by 128 bytes");
    if (bits >> 49 & 7) refuse("a matrix in shared memory with a base offset");
  }

  // The address of eight elements along depth from (row, depth) on; rows have 128 bytes.
  std::uint32_t along_depth(unsigned row, unsigned depth) const {
    return exchanged(start + row / 8 * stride + row % 8 * 128 + depth * 2);
  }
  // The address of eight elements along the rows from (row, depth) on; 128 bytes hold 64 rows.
  std::uint32_t along_rows(unsigned row, unsigned depth) const {
    return exchanged(start + row / 64 * leading + row % 64 * 2 + depth % 8 * 128 +
                     depth / 8 * stride);
  }

  static std::uint32_t exchanged(std::uint32_t offset) { return offset ^ (offset >> 3 & 0x70); }

  std::uint32_t start;
  std::uint32_t leading;
  std::uint32_t stride;
};

unsigned numbers_of(const Instruction& instruction) { return instruction.count; }
unsigned columns_of(const Instruction& instruction) { return 2u * instruction.count; }
unsigned first_row(const Warp& warp) { return warp.index() % kWarps * kRows; }

template <class F>
void each_piece(const Warp& warp, const Products::Product& product, F&& f) {
  const Instruction& instruction = *product.instruction;
  if (!(instruction.flags & kRegisters)) {
    const Descriptor a(product.a);
    for (unsigned row = 0; row < kRows; ++row) {
      for (unsigned depth = 0; depth < kDepth; depth += 8)
        f(a.along_depth(first_row(warp) + row, depth));
    }
  }
  const Descriptor b(product.b);
  const unsigned columns = columns_of(instruction);
  if (instruction.flags & kColumns) {
    for (unsigned depth = 0; depth < kDepth; ++depth) {
      for (unsigned column = 0; column < columns; column += 8) f(b.along_rows(column, depth));
    }
  } else {
    for (unsigned column = 0; column < columns; ++column) {
      for (unsigned depth = 0; depth < kDepth; depth += 8) f(b.along_depth(column, depth));
    }
  }
}

float number(std::uint16_t bits, const Instruction& instruction) {
  return instruction.flags & kBrain ? bfloat_value(bits) : half_value(bits);
}

// The sixteen rows of a warp, where `results` are as the registers: of a number, all lanes.
void compute(Warp& warp, const Products::Product& product, std::vector<std::uint32_t>& results) {
  const Instruction& instruction = *product.instruction;
  const std::byte* shared = warp.block().shared;
  double left[kRows][kDepth];
  std::vector<double> right(std::size_t{kDepth} * columns_of(instruction));
  const unsigned columns = columns_of(instruction);
  const auto read = [&](std::uint32_t offset, auto&& put) {
    std::uint16_t values[8];
    std::memcpy(values, shared + offset, sizeof values);
    for (unsigned i = 0; i < 8; ++i) put(i, double{number(values[i], instruction)});
  };
  if (instruction.flags & kRegisters) {
    for (unsigned word = 0; word < 4; ++word) {
      const std::uint32_t* a =
          warp.values<std::uint32_t>(instruction.list[numbers_of(instruction) + word]);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        for (unsigned i = 0; i < 2; ++i) {
          left[lane / 4 + word % 2 * 8][lane % 4 * 2 + i + word / 2 * 8] =
              number(static_cast<std::uint16_t>(a[lane] >> (16 * i)), instruction);
        }
      }
    }
  } else {
    const Descriptor a(product.a);
    for (unsigned row = 0; row < kRows; ++row) {
      for (unsigned depth = 0; depth < kDepth; depth += 8) {
        read(a.along_depth(first_row(warp) + row, depth),
             [&](unsigned i, double value) { left[row][depth + i] = value; });
      }
    }
  }
  const Descriptor b(product.b);
  for (unsigned column = 0; column < columns; column += 8) {
    for (unsigned i = 0; i < 8 && !(instruction.flags & kColumns); ++i) {
      for (unsigned depth = 0; depth < kDepth; depth += 8) {
        read(b.along_depth(column + i, depth),
             [&](unsigned k, double value) { right[(depth + k) * columns + column + i] = value; });
      }
    }
    for (unsigned depth = 0; depth < kDepth && instruction.flags & kColumns; ++depth) {
      read(b.along_rows(column, depth),
           [&](unsigned i, double value) { right[depth * columns + column + i] = value; });
    }
  }
  std::vector<double> sums(columns);
  for (unsigned row = 0; row < kRows; ++row) {
    // Number 4 n + 2 h + e of lane 4 g + t is that of row g + 8 h, column 8 n + 2 t + e.
    const auto place = [&](unsigned column) {
      return (column / 8 * 4 + row / 8 * 2 + column % 2) * kLanes + row % 8 * 4 + column % 8 / 2;
    };
    for (unsigned column = 0; column < columns; ++column) {
      sums[column] =
          product.adds ? double{std::bit_cast<float>(product.before[place(column)])} : 0.0;
    }
    for (unsigned depth = 0; depth < kDepth; ++depth) {
      const double factor = left[row][depth];
      const double* others = right.data() + std::size_t{depth} * columns;
      for (unsigned column = 0; column < columns; ++column) sums[column] += factor * others[column];
    }
    for (unsigned column = 0; column < columns; ++column)
      results[place(column)] = std::bit_cast<std::uint32_t>(static_cast<float>(sums[column]));
  }
}

Products& products_of(Warp& warp) {
  if (!warp.products) warp.products = std::make_shared<Products>();
  return *warp.products;
}

}  // namespace

void Products::begin(Warp& warp, const Instruction& instruction) {
  if (!fenced_) refuse("a product with no wgmma.fence since the last group of products");
  if ((warp.index() / kWarps + 1) * kWarps * kLanes > warp.block().threads)
    refuse("a product of a group that has not four warps");
  Product product{};
  product.instruction = &instruction;
  const auto uniform = [&](std::uint32_t place) {
    const std::uint64_t* values = warp.values<std::uint64_t>(place);
    for (unsigned lane = 1; lane < kLanes; ++lane) {
      if (values[lane] != values[0]) refuse("lanes give different descriptors of a matrix");
    }
    return values[0];
  };
  product.a = instruction.flags & kRegisters ? kNoDescriptor : uniform(instruction.operands[0]);
  product.b = uniform(instruction.operands[1]);
  const std::uint32_t adds = warp.predicate(instruction.operands[2]);
  if (adds != 0 && adds != kAllLanes) refuse("lanes do not agree whether a product is added");
  product.adds = adds != 0;
  product.group = group_;
  product.mark = kMark | static_cast<std::uint32_t>(count_++ * kMarkOfProduct & ~kMarkBits);
  const Block& block = warp.block();
  each_piece(warp, product, [&](std::uint32_t offset) {
    if (std::uint64_t{offset} + 16 > block.shared_bytes) {
      throw Fault{Error::Kind::kAddress, 0,
                  "a product reads at offset " + std::to_string(offset) + " of " +
                      std::to_string(block.shared_bytes) + " bytes of shared memory"};
    }
    block.asynchronous->check_product(0, offset);
    product.pieces.push_back(offset);
  });
  const unsigned numbers = numbers_of(instruction);
  product.before.resize(std::size_t{numbers} * kLanes);
  for (unsigned i = 0; i < numbers; ++i) {
    std::uint32_t* d = warp.values<std::uint32_t>(instruction.list[i]);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      product.before[i * kLanes + lane] = d[lane];
      d[lane] = product.mark + i * kLanes + lane;
    }
  }
  pending_.push_back(std::move(product));
}

void Products::commit() {
  ++group_;
  fenced_ = false;
}

void Products::wait(Warp& warp, std::uint64_t pending) {
  // What a mark stands for; the bits of no number where that is not known yet.
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> done;
  const auto resolve = [&](std::uint32_t& word) {
    if ((word & kMarkBits) != kMark) return;
    for (const auto& [mark, results] : done) {
      if (word >= mark && word - mark < results.size()) {
        word = results[word - mark];
        return;
      }
    }
  };
  std::size_t finished = 0;
  for (Product& product : pending_) {
    for (std::uint32_t& word : product.before) resolve(word);
    if (product.group + pending >= group_) continue;
    std::vector<std::uint32_t> results(product.before.size());
    compute(warp, product, results);
    done.emplace_back(product.mark, std::move(results));
    ++finished;
  }
  if (finished == 0) return;
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(finished));
  for (std::uint32_t& word : warp.register_words()) resolve(word);
}

bool Products::reads(std::uint32_t offset, std::uint32_t bytes) const {
  for (const Product& product : pending_) {
    for (const std::uint32_t piece : product.pieces) {
      if (piece + 16 > offset && piece < offset + bytes) return true;
    }
  }
  return false;
}

void Products::finish(const Warp& warp) const {
  if (!pending_.empty()) {
    throw Error(Error::Kind::kAsynchronous, "a warp has ended before its product was computed" +
                                                warp.place(pending_.front().instruction, 0));
  }
}

namespace {

void begin_product(Warp& warp, const Instruction& instruction, std::uint32_t) {
  products_of(warp).begin(warp, instruction);
}

// wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
//     {d}, a, b, adds, 1, 1, transposed a, transposed b;   or   {d}, {a}, b, adds, 1, 1, transposed
//     b;
void decode_product(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Type> types = types_of(statement);
  const std::vector<Operand>& operands = statement.operands;
  const bool brain = types.size() == 3 && types[1] == Type::kBF16;
  if (types.size() != 3 || types[0] != Type::kF32 || types[1] != types[2] ||
      (!brain && types[1] != Type::kF16)) {
    throw Unknown{"types that are not implemented"};
  }
  std::uint64_t columns = 0;
  for (const std::string_view word : statement.words) {
    constexpr std::string_view kShape = "m64n";
    if (word.starts_with(kShape) && word.ends_with("k16"))
      parse_integer(word.substr(kShape.size(), word.size() - kShape.size() - 3), &columns);
  }
  const bool registers = operands.size() > 1 && operands[1].kind == Operand::Kind::kVector;
  if (columns == 0 || columns % 8 || columns > 256 || operands.size() != (registers ? 7u : 8u) ||
      operands[0].parts.size() != columns / 2 || (registers && operands[1].parts.size() != 4)) {
    throw Unknown{"a shape that is not implemented"};
  }
  const auto flag = [&](std::size_t i) {
    if (operands[i].kind != Operand::Kind::kInteger) throw Unknown{"it has another form"};
    return operands[i].bits;
  };
  if (flag(4) != 1 || flag(5) != 1 || (!registers && flag(6) != 0))
    throw Unknown{"a sign or an A that is not implemented"};
  std::vector<std::uint32_t> list;
  for (const Operand& part : operands[0].parts)
    list.push_back(decoder.destination(part, Type::kF32));
  if (registers) {
    for (const Operand& part : operands[1].parts) list.push_back(decoder.source(part, Type::kB32));
  } else {
    instruction.operands[0] = decoder.source(operands[1], Type::kB64);
  }
  instruction.operands[1] = decoder.source(operands[2], Type::kB64);
  instruction.operands[2] = decoder.predicate(operands[3]);
  instruction.list = decoder.list(list);
  instruction.count = static_cast<std::uint8_t>(columns / 2);
  instruction.flags =
      static_cast<std::uint8_t>((registers ? kRegisters : 0) |
                                (flag(operands.size() - 1) ? kColumns : 0) | (brain ? kBrain : 0));
  instruction.execute = &begin_product;
}

void decode_group(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  decoder.function().asynchronous = true;
  instruction.flow = Flow::kWarpSync;
  if (has_word(statement, "mma_async")) {
    decode_product(decoder, statement, instruction);
  } else if (has_word(statement, "fence")) {
    instruction.execute = [](Warp& warp, const Instruction&, std::uint32_t) {
      products_of(warp).fence();
    };
  } else if (has_word(statement, "commit_group")) {
    instruction.execute = [](Warp& warp, const Instruction&, std::uint32_t) {
      products_of(warp).commit();
    };
  } else if (has_word(statement, "wait_group")) {
    instruction.immediate = static_cast<std::int64_t>(statement.operands.at(0).bits);
    instruction.execute = [](Warp& warp, const Instruction& wait, std::uint32_t) {
      products_of(warp).wait(warp, static_cast<std::uint64_t>(wait.immediate));
    };
  } else {
    throw Unknown{"it is not implemented"};
  }
}

}  // namespace

void add_product_instructions(DecodeTable& table) { table["wgmma"] = decode_group; }

}  // namespace emulator
