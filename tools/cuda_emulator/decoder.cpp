#include "tools/cuda_emulator/decoder.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "tools/cuda_emulator/ptx.h"

namespace emulator {
namespace {

const DecodeTable& decode_table() {
  static const DecodeTable table = [] {
    DecodeTable result;
    add_integer_instructions(result);
    add_carry_instructions(result);
    add_bit_instructions(result);
    add_float_instructions(result);
    add_approximation_instructions(result);
    add_comparison_instructions(result);
    add_conversion_instructions(result);
    add_move_instructions(result);
    add_memory_instructions(result);
    add_asynchronous_copy_instructions(result);
    add_asynchronous_barrier_instructions(result);
    add_atomic_instructions(result);
    add_warp_instructions(result);
    add_matrix_instructions(result);
    add_product_instructions(result);
    add_control_instructions(result);
    return result;
  }();
  return table;
}

}  // namespace

Decoder::Decoder(Program& program, Function& function)
    : program_(program), function_(function), lexer_(function.body, function.line) {
  scopes_.emplace_back();
  function_.register_end = program.register_begin;
  function_.local_end = program.local_begin;
  for (const std::vector<FormalParameter>* formals : {&function_.parameters, &function_.results}) {
    for (const FormalParameter& formal : *formals) {
      Symbol symbol;
      symbol.space = function_.entry ? Space::kParameter : Space::kLocal;
      symbol.address = static_cast<std::int64_t>(formal.offset);
      symbol.bytes = formal.bytes;
      scopes_[0].symbols[formal.name] = symbol;
      if (!function_.entry)
        function_.local_end = std::max(function_.local_end, formal.offset + formal.bytes);
    }
  }
}

std::uint32_t Decoder::allocate(int bytes, std::uint32_t count) {
  // 64 bytes for alignment; a predicate has one bit for each lane.
  const std::size_t each = bytes == 0 ? 4 : static_cast<std::size_t>(bytes) * 32;
  const std::size_t offset = (function_.register_end + 63) / 64 * 64;
  function_.register_end = offset + each * count;
  return static_cast<std::uint32_t>(offset);
}

void Decoder::declare_registers() {
  const Type type = parse_type(lexer_.word().substr(1));
  if (type == Type::kNone) lexer_.fail(lexer_.peek(), "the type of registers");
  const int bytes = register_bytes(type);
  do {
    const std::string_view name = lexer_.word();
    if (lexer_.accept("<")) {
      const auto count = static_cast<std::uint32_t>(lexer_.integer());
      lexer_.expect(">");
      scopes_.back().ranges[name] = {{allocate(bytes, count), bytes}, count};
    } else {
      scopes_.back().registers[name] = {allocate(bytes, 1), bytes};
    }
  } while (lexer_.accept(","));
  lexer_.expect(";");
}

// .local, .shared or .param in a body.
void Decoder::declare_variable(std::string_view space) {
  std::size_t alignment = 0;
  if (lexer_.accept(".align")) alignment = lexer_.integer();
  const Type type = parse_type(lexer_.word().substr(1));
  const std::string_view name = lexer_.word();
  std::size_t bytes = bytes_of(type);
  if (!alignment) alignment = bytes;
  while (lexer_.accept("[")) {
    bytes *= lexer_.integer();
    lexer_.expect("]");
  }
  lexer_.expect(";");
  Symbol symbol;
  symbol.bytes = bytes;
  std::size_t& end = space == ".shared" ? shared_ : function_.local_end;
  symbol.space = space == ".shared" ? Space::kShared : Space::kLocal;
  alignment = std::max<std::size_t>(alignment, 1);
  end = (end + alignment - 1) / alignment * alignment;
  symbol.address = static_cast<std::int64_t>(end);
  end += bytes;
  scopes_.back().symbols[name] = symbol;
}

void Decoder::directive(std::string_view name) {
  if (name == ".reg") {
    declare_registers();
  } else if (name == ".local" || name == ".shared" || name == ".param") {
    declare_variable(name);
  } else if (name == ".pragma") {
    lexer_.skip_statement();
  } else if (name == ".loc") {
    // Until the end of the line; what follows a semicolon-less directive is a statement of its own.
    const int line = lexer_.line();
    while (lexer_.peek().kind != Token::Kind::kEnd && lexer_.peek().line == line) lexer_.next();
  } else {
    Token token;
    token.line = lexer_.line();
    token.text = name;
    lexer_.fail(token, "a directive that is known");
  }
}

void Decoder::branch(const Operand& label) {
  branches_.emplace_back(function_.code.size(), label.name);
}

void Decoder::branch_table(const Operand& label, Instruction& instruction) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->tables.find(label.name);
    if (found == scope->tables.end()) continue;
    std::vector<const Instruction*>& targets = function_.tables.emplace_back(found->second.size());
    tables_.push_back({&targets, found->second});
    instruction.immediate = reinterpret_cast<std::int64_t>(targets.data());
    instruction.operands[1] = static_cast<std::uint32_t>(targets.size());
    return;
  }
  throw Unknown{"a table of branches that was not declared"};
}

void Decoder::instruction(const Token& first) {
  const Statement statement = parse_statement(lexer_, first);
  Instruction instruction;
  instruction.line = statement.line;
  const auto leave_unknown = [&](const std::string& reason) {
    instruction.flow = Flow::kUnknown;
    instruction.execute = nullptr;
    function_.unknown.push_back("line " + std::to_string(statement.line) + ": " +
                                std::string(program_.line_text(statement.line)) + " (" + reason +
                                ")");
  };
  try {
    if (!statement.guard.empty()) {
      Operand guard;
      guard.name = statement.guard;
      instruction.guard = predicate(guard);
      instruction.guard_negated = statement.guard_negated;
    }
    const auto found = decode_table().find(statement.opcode);
    if (found == decode_table().end()) throw Unknown{"it is not implemented"};
    found->second(*this, statement, instruction);
  } catch (const Unknown& unknown) {
    leave_unknown(unknown.reason);
  } catch (const std::out_of_range&) {
    leave_unknown("it has too few operands");
  }
  emit(instruction);
}

void Decoder::resolve_labels() {
  const auto find = [&](std::string_view label) -> const Instruction* {
    const auto found = labels_.find(label);
    if (found == labels_.end()) {
      throw Error(Error::Kind::kSyntax, "PTX: the label " + std::string(label) + " of " +
                                            function_.name + " does not exist");
    }
    return function_.code.data() + found->second;
  };
  for (const auto& [index, label] : branches_) function_.code[index].target = find(label);
  for (const Table& table : tables_) {
    for (std::size_t i = 0; i < table.labels.size(); ++i)
      (*table.targets)[i] = find(table.labels[i]);
  }
}

void Decoder::run() {
  if (!function_.entry) function_.return_address = allocate(8, 1);
  std::size_t depth = 0;
  while (lexer_.peek().kind != Token::Kind::kEnd) {
    const Token token = lexer_.next();
    if (token.text == "{") {
      scopes_.emplace_back();
      ++depth;
    } else if (token.text == "}") {
      if (depth == 0) lexer_.fail(token, "an instruction");
      // Names end here, registers do not: nothing else may use their place.
      scopes_.pop_back();
      --depth;
    } else if (token.text == ";") {
      continue;
    } else if (token.kind == Token::Kind::kWord && token.text[0] == '.') {
      directive(token.text);
    } else if (token.kind == Token::Kind::kWord && lexer_.accept(":")) {
      if (lexer_.accept(".branchtargets")) {
        std::vector<std::string_view>& labels = scopes_.back().tables[token.text];
        do labels.push_back(lexer_.word());
        while (lexer_.accept(","));
        lexer_.expect(";");
      } else {
        labels_[token.text] = function_.code.size();
      }
    } else {
      instruction(token);
    }
  }
  // The end of the body is a return.
  Statement end;
  end.opcode = "ret";
  end.line = lexer_.line();
  Instruction last;
  last.line = end.line;
  decode_table().at("ret")(*this, end, last);
  emit(last);
  resolve_labels();
  const std::size_t dynamic = (shared_ + 15) / 16 * 16;
  for (ConstantRegister& constant : function_.constants) {
    if (constant.bytes >= 0) continue;
    constant.bytes = -constant.bytes;
    constant.value += dynamic;
  }
  if (function_.entry) {
    Kernel& kernel = program_.kernels[program_.kernel_of.at(function_.name)];
    kernel.shared_bytes = shared_;
    kernel.local_bytes = function_.local_end;
  }
  function_.decoded = true;
}

}  // namespace emulator
