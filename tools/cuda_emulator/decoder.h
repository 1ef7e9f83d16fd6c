#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tools/cuda_emulator/lexer.h"
#include "tools/cuda_emulator/program.h"
#include "tools/cuda_emulator/types.h"

namespace emulator {

class Decoder;

// Fills an instruction, or throws Unknown.
using Decode = void (*)(Decoder& decoder, const Statement& statement, Instruction& instruction);
using DecodeTable = std::unordered_map<std::string_view, Decode>;

struct Unknown {
  std::string reason;
};

void add_integer_instructions(DecodeTable& table);
void add_carry_instructions(DecodeTable& table);
void add_bit_instructions(DecodeTable& table);
void add_float_instructions(DecodeTable& table);
void add_approximation_instructions(DecodeTable& table);
void add_comparison_instructions(DecodeTable& table);
void add_conversion_instructions(DecodeTable& table);
void add_move_instructions(DecodeTable& table);
void add_memory_instructions(DecodeTable& table);
void add_asynchronous_copy_instructions(DecodeTable& table);
void add_asynchronous_barrier_instructions(DecodeTable& table);
void add_atomic_instructions(DecodeTable& table);
void add_warp_instructions(DecodeTable& table);
void add_matrix_instructions(DecodeTable& table);
void add_product_instructions(DecodeTable& table);
void add_control_instructions(DecodeTable& table);
// cp.async.bulk.
void decode_bulk_copy(Decoder& decoder, const Statement& statement, Instruction& instruction);

bool has_word(const Statement& statement, std::string_view word);
// Where ld, st and atom go; generic without a word for it.
Space space_of(const Statement& statement);
// The types among the words of an opcode, in order.
std::vector<Type> types_of(const Statement& statement);
// The one type of an instruction that has one.
Type type_of(const Statement& statement);

// The bytes of one lane in a register; 0 for a predicate.
inline int register_bytes(Type type) {
  return type == Type::kPredicate ? 0 : std::max(2, bytes_of(type));
}

// Decodes the body of one function.
class Decoder {
 public:
  Decoder(Program& program, Function& function);
  void run();

  // Registers of operands. A source of `bytes` may be a register of that width, a constant, a
  // special register or the address of a symbol; a destination may be `_`.
  std::uint32_t source(const Operand& operand, Type type);
  std::uint32_t destination(const Operand& operand, Type type);
  // A register of any width, for instructions that extend or cut it.
  std::uint32_t any_register(const Operand& operand, int* bytes);
  bool is_register(const Operand& operand) const;
  std::uint32_t predicate(const Operand& operand);
  std::uint32_t constant(int bytes, std::uint64_t value);
  std::uint32_t special(Special special, int bytes, std::int64_t argument = 0);
  std::uint32_t scratch(int bytes);

  // Fills `operands[position]`, `immediate`, `wide_address` and `space`.
  void address(const Operand& operand, Instruction& instruction, int position);
  const std::uint32_t* list(std::vector<std::uint32_t> registers);

  void branch(const Operand& label);  // sets the target of this instruction, once it is known
  void branch_table(const Operand& label, Instruction& instruction);
  void call(const Statement& statement, Instruction& instruction);
  void emit(const Instruction& instruction) { function_.code.push_back(instruction); }

  Program& program() { return program_; }
  Function& function() { return function_; }
  const Symbol& symbol(std::string_view name);

 private:
  struct Register {
    std::uint32_t offset;
    int bytes;  // of a lane; 0 is a predicate
  };
  struct Range {  // .reg .b32 %r<10>
    Register first;
    std::uint32_t count;
  };
  struct Scope {
    std::unordered_map<std::string_view, Register> registers;
    std::unordered_map<std::string_view, Range> ranges;
    std::unordered_map<std::string_view, Symbol> symbols;
    std::unordered_map<std::string_view, std::vector<std::string_view>> tables;
  };

  const Register* find_register(std::string_view name, Register* storage) const;
  bool special_register(std::string_view name, Special* special, int* bytes) const;
  std::uint32_t allocate(int bytes, std::uint32_t count);
  void declare_registers();
  void declare_variable(std::string_view space);
  void directive(std::string_view name);
  void instruction(const Token& first);
  void resolve_labels();

  Program& program_;
  Function& function_;
  Lexer lexer_;
  std::vector<Scope> scopes_;
  std::unordered_map<std::string_view, std::size_t> labels_;
  std::vector<std::pair<std::size_t, std::string_view>> branches_;
  struct Table {
    std::vector<const Instruction*>* targets;
    std::vector<std::string_view> labels;
  };
  std::vector<Table> tables_;
  std::map<std::pair<int, std::uint64_t>, std::uint32_t> constants_;
  std::map<std::tuple<Special, int, std::int64_t>, std::uint32_t> specials_;
  std::size_t shared_ = 0;
  bool uses_dynamic_shared_ = false;
  int line_ = 0;
};

}  // namespace emulator
