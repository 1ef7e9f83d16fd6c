#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "tools/cuda_emulator/decoder.h"
#include "tools/cuda_emulator/lexer.h"
#include "tools/cuda_emulator/program.h"
#include "tools/cuda_emulator/ptx.h"

// What stands outside of functions, and the interface to a module.
namespace emulator {
namespace {

class ModuleParser {
 public:
  explicit ModuleParser(Program& program) : program_(program), lexer_(program.text, 1) {}

  void run() {
    while (lexer_.peek().kind != Token::Kind::kEnd) {
      const Token token = lexer_.next();
      if (token.text == ".version" || token.text == ".target" || token.text == ".address_size" ||
          token.text == ".file") {
        skip_line(token.line);
      } else if (token.text == ".visible" || token.text == ".weak" || token.text == ".common") {
        continue;
      } else if (token.text == ".extern") {
        external_ = true;
      } else if (token.text == ".entry" || token.text == ".func") {
        function(token.text == ".entry");
      } else if (token.text == ".global" || token.text == ".const" || token.text == ".shared") {
        variable(token.text);
      } else if (token.text == ".section") {
        while (lexer_.peek().kind != Token::Kind::kEnd && !lexer_.accept("{")) lexer_.next();
        lexer_.skip_body();
      } else if (token.text == ".alias" || token.text == ".pragma") {
        lexer_.skip_statement();
      } else {
        lexer_.fail(token, "a directive that is known");
      }
    }
  }

 private:
  void skip_line(int line) {
    while (lexer_.peek().kind != Token::Kind::kEnd && lexer_.peek().line == line) lexer_.next();
  }

  // .param .align 8 .b8 name[16], from after .param
  FormalParameter formal(std::size_t* end) {
    std::size_t alignment = 0;
    Type type = Type::kNone;
    while (lexer_.peek().text.starts_with(".")) {
      const std::string_view word = lexer_.word();
      if (word == ".align") {
        alignment = std::max<std::size_t>(alignment, lexer_.integer());
      } else if (word == ".ptr") {
        // About what it points to.
        while (lexer_.peek().text.starts_with(".")) {
          if (lexer_.word() == ".align") lexer_.integer();
        }
      } else if (parse_type(word.substr(1)) != Type::kNone) {
        type = parse_type(word.substr(1));
      }
    }
    FormalParameter parameter{};
    parameter.name = lexer_.word();
    parameter.bytes = bytes_of(type);
    if (!parameter.bytes) lexer_.fail(lexer_.peek(), "a parameter with a type");
    if (!alignment) alignment = parameter.bytes;
    while (lexer_.accept("[")) {
      parameter.bytes *= lexer_.integer();
      lexer_.expect("]");
    }
    *end = (*end + alignment - 1) / alignment * alignment;
    parameter.offset = *end;
    *end += parameter.bytes;
    return parameter;
  }

  std::vector<FormalParameter> formals(std::size_t* end) {
    std::vector<FormalParameter> list;
    while (!lexer_.accept(")")) {
      lexer_.expect(".param");
      list.push_back(formal(end));
      lexer_.accept(",");
    }
    return list;
  }

  void function(bool entry) {
    Function parsed;
    parsed.entry = entry;
    parsed.external = external_;
    external_ = false;
    std::size_t end = entry ? 0 : program_.local_begin;
    if (!entry && lexer_.accept("(")) parsed.results = formals(&end);
    const std::string_view name = lexer_.word();
    parsed.name = name;
    if (lexer_.accept("(")) parsed.parameters = formals(&end);
    int most = 1024;
    while (lexer_.peek().text.starts_with(".")) {
      const Token directive = lexer_.next();
      if (directive.text == ".maxntid" || directive.text == ".reqntid") {
        most = static_cast<int>(lexer_.integer());
        while (lexer_.accept(",")) most *= static_cast<int>(lexer_.integer());
      } else if (directive.text == ".noreturn" || directive.text == ".explicitcluster") {
        continue;
      } else if (directive.text == ".pragma") {
        lexer_.skip_statement();
      } else {
        do lexer_.integer();
        while (lexer_.accept(","));
      }
    }
    const bool defined = !lexer_.accept(";");
    const auto known = program_.function_of.find(name);
    // A declaration is the same function as its definition.
    Function& function =
        known != program_.function_of.end() ? *known->second : program_.functions.emplace_back();
    const bool first = known == program_.function_of.end();
    if (first || (!parsed.external && defined)) function = std::move(parsed);
    if (first) program_.function_of[name] = &function;
    if (!entry) program_.local_begin = std::max(program_.local_begin, end);
    if (!defined) {
      if (first) function.external = true;
      return;
    }
    lexer_.expect("{");
    function.external = false;
    function.line = lexer_.line();
    function.body = lexer_.skip_body();
    if (entry) add_kernel(function, name, end, most);
  }

  void add_kernel(Function& function, std::string_view name, std::size_t parameter_bytes,
                  int most) {
    Kernel kernel;
    kernel.name = function.name;
    for (const FormalParameter& parameter : function.parameters) {
      kernel.parameters.push_back({parameter.offset, parameter.bytes});
    }
    kernel.parameter_bytes = parameter_bytes;
    kernel.registers = 32;
    kernel.max_threads = most;
    kernel.program = &program_;
    kernel.function = &function;
    program_.kernel_of[name] = program_.kernels.size();
    program_.kernels.push_back(std::move(kernel));
  }

  // One value of an initialiser, of a type.
  std::uint64_t initial_value(Type type) {
    const bool negative = lexer_.accept("-");
    const Token token = lexer_.next();
    const std::string_view text = token.text;
    if (text == "generic") {
      lexer_.expect("(");
      const std::uint64_t value = initial_value(type);
      lexer_.expect(")");
      return lexer_.accept("+") ? value + lexer_.integer() : value;
    }
    const auto symbol = program_.symbols.find(text);
    if (symbol != program_.symbols.end()) {
      std::uint64_t address = static_cast<std::uint64_t>(symbol->second.address);
      if (lexer_.accept("+")) address += lexer_.integer();
      return address;
    }
    std::uint64_t bits = 0;
    if (text.starts_with("0f") || text.starts_with("0d") || text.starts_with("0F") ||
        text.starts_with("0D")) {
      bits = std::strtoull(std::string(text.substr(2)).c_str(), nullptr, 16);
    } else if (!parse_integer(text, &bits)) {
      lexer_.fail(token, "a value");
    }
    return negative ? -bits : bits;
  }

  void variable(std::string_view space) {
    std::size_t alignment = 0;
    Type type = Type::kNone;
    while (lexer_.peek().text.starts_with(".")) {
      const std::string_view word = lexer_.word();
      if (word == ".align") {
        alignment = lexer_.integer();
      } else if (parse_type(word.substr(1)) != Type::kNone) {
        type = parse_type(word.substr(1));
      }
    }
    const std::string_view name = lexer_.word();
    const std::size_t each = bytes_of(type);
    std::size_t bytes = each;
    if (!alignment) alignment = std::max<std::size_t>(each, 1);
    while (lexer_.accept("[")) {
      bytes *= lexer_.peek().text == "]" ? 0 : lexer_.integer();
      lexer_.expect("]");
    }
    external_ = false;
    Symbol symbol;
    symbol.bytes = bytes;
    if (space == ".shared") {
      // Its place depends on the kernel; until then the alignment.
      symbol.space = Space::kShared;
      symbol.address = static_cast<std::int64_t>(alignment);
      program_.symbols[name] = symbol;
      lexer_.expect(";");
      return;
    }
    constexpr std::size_t kAlignment = 256;
    alignment = std::max(alignment, kAlignment);
    auto& storage = program_.storage.emplace_back(std::make_unique<std::byte[]>(bytes + alignment));
    const auto address =
        (reinterpret_cast<std::uintptr_t>(storage.get()) + alignment - 1) / alignment * alignment;
    auto* memory = reinterpret_cast<std::byte*>(address);
    symbol.space = space == ".const" ? Space::kConstant : Space::kGlobal;
    symbol.address = static_cast<std::int64_t>(address);
    if (lexer_.accept("=")) {
      const bool list = lexer_.accept("{");
      for (std::size_t offset = 0; offset + each <= bytes; offset += each) {
        const std::uint64_t value = initial_value(type);
        std::memcpy(memory + offset, &value, each);
        if (!lexer_.accept(",")) break;
      }
      if (list) lexer_.expect("}");
    }
    lexer_.expect(";");
    program_.symbols[name] = symbol;
    program_.variables.push_back({std::string(name), memory, bytes, space == ".const"});
    program_.allocations.push_back({address, address + bytes, space != ".const"});
  }

  Program& program_;
  Lexer lexer_;
  bool external_ = false;
};

}  // namespace

void Program::decode(Function& function) {
  const std::lock_guard lock(mutex);
  if (!function.decoded) Decoder(*this, function).run();
}

std::string_view Program::line_text(int line) const {
  std::string_view rest = text;
  for (int i = 1; i < line; ++i) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return "";
    rest.remove_prefix(end + 1);
  }
  rest = rest.substr(0, rest.find('\n'));
  const std::size_t first = rest.find_first_not_of(" \t");
  return first == std::string_view::npos ? rest : rest.substr(first);
}

Module::Module(std::string_view ptx) : program_(std::make_unique<Program>()) {
  // A fat binary ends PTX with zeros.
  program_->text = std::string(ptx.substr(0, ptx.find('\0')));
  ModuleParser(*program_).run();
  // Functions that are called come first: kernels lie behind their registers.
  for (Function& function : program_->functions) {
    if (function.entry || function.external) continue;
    program_->decode(function);
    program_->register_begin = function.register_end;
    program_->local_begin = std::max(program_->local_begin, function.local_end);
  }
}

Module::~Module() = default;
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;

const Kernel* Module::kernel(std::string_view name) const {
  const auto found = program_->kernel_of.find(name);
  if (found == program_->kernel_of.end()) return nullptr;
  program_->decode(*program_->function_of.at(name));
  return &program_->kernels[found->second];
}

const Variable* Module::variable(std::string_view name) const {
  for (const Variable& variable : program_->variables) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

const std::vector<Kernel>& Module::kernels() const {
  for (Function& function : program_->functions) {
    if (function.entry) program_->decode(function);
  }
  return program_->kernels;
}

const std::vector<Variable>& Module::variables() const { return program_->variables; }

std::vector<std::string> Module::unknown_instructions() const {
  kernels();
  std::vector<std::string> all;
  for (const Function& function : program_->functions) {
    all.insert(all.end(), function.unknown.begin(), function.unknown.end());
  }
  return all;
}

}  // namespace emulator
