#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

// The text of PTX as words, and its statements: `@!%p1 ld.global.v2.u32 {%r1, %r2}, [%rd1+8];`.
namespace emulator {

struct Token {
  enum class Kind { kEnd, kWord, kString, kPunctuation };
  Kind kind = Kind::kEnd;
  std::string_view text;
  int line = 0;
};

class Lexer {
 public:
  Lexer(std::string_view text, int line) : text_(text), line_(line) {}

  const Token& peek();
  Token next();
  bool accept(std::string_view text);  // takes the next token if it is this one
  void expect(std::string_view text);  // or throws
  std::string_view word();             // the next token, which must be a word
  std::uint64_t integer();             // with a sign, in any base
  void skip_statement();               // until after the next semicolon

  // Skips a body in braces after its first brace, and returns its text.
  std::string_view skip_body();

  int line() const { return line_; }
  [[noreturn]] void fail(const Token& token, std::string_view wanted) const;

 private:
  void skip_blank();
  Token scan();

  std::string_view text_;
  std::size_t position_ = 0;
  int line_;
  Token peeked_;
  bool has_peeked_ = false;
};

struct Operand {
  enum class Kind { kName, kInteger, kFloat, kAddress, kVector, kArguments };
  Kind kind = Kind::kName;
  std::string_view name;       // of a register or symbol; of an address, its base, if any
  std::int64_t offset = 0;     // of an address, or of a symbol
  std::uint64_t bits = 0;      // an integer, or a float64
  bool negated = false;        // !%p
  bool single = false;         // a float given by 32 bits, in `bits`
  std::vector<Operand> parts;  // of {a, b}, of (a, b), of [p, {a, b}], and the second of a|b
};

struct Statement {
  int line = 0;
  std::string_view guard;
  bool guard_negated = false;
  std::string_view opcode;              // up to the first point
  std::vector<std::string_view> words;  // what follows
  std::vector<Operand> operands;
};

// `0x1F`, `-7`, `0b101`, `017`, with an optional U.
bool parse_integer(std::string_view text, std::uint64_t* value);

// The statement whose first token was `first` (or a guard).
Statement parse_statement(Lexer& lexer, Token first);

}  // namespace emulator
