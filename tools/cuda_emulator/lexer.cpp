#include "tools/cuda_emulator/lexer.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <string>

#include "tools/cuda_emulator/ptx.h"

namespace emulator {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '%' || c == '.';
}

bool starts_number(std::string_view text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

// 0f3F800000, 0d3FF0000000000000, or a decimal with a point.
bool parse_float(std::string_view text, Operand* operand) {
  if (text.size() > 2 && text[0] == '0' &&
      (text[1] == 'f' || text[1] == 'F' || text[1] == 'd' || text[1] == 'D')) {
    operand->single = text[1] == 'f' || text[1] == 'F';
    operand->bits = std::strtoull(std::string(text.substr(2)).c_str(), nullptr, 16);
    return true;
  }
  if (text.find('.') == std::string_view::npos) return false;
  operand->bits = std::bit_cast<std::uint64_t>(std::strtod(std::string(text).c_str(), nullptr));
  return true;
}

Operand parse_operand(Lexer& lexer);

Operand parse_address(Lexer& lexer) {
  Operand operand;
  operand.kind = Operand::Kind::kAddress;
  if (lexer.peek().kind == Token::Kind::kWord && !starts_number(lexer.peek().text)) {
    operand.name = lexer.word();
    if (lexer.accept("+")) {
      operand.offset = static_cast<std::int64_t>(lexer.integer());
    } else if (lexer.peek().text == "-") {
      operand.offset = static_cast<std::int64_t>(lexer.integer());
    }
  } else {
    operand.offset = static_cast<std::int64_t>(lexer.integer());
  }
  // The place in a tensor: [map, {x, y}].
  if (lexer.accept(",")) operand.parts = parse_operand(lexer).parts;
  lexer.expect("]");
  return operand;
}

std::vector<Operand> parse_list(Lexer& lexer, std::string_view end) {
  std::vector<Operand> list;
  while (!lexer.accept(end)) {
    list.push_back(parse_operand(lexer));
    if (!lexer.accept(",") && lexer.peek().text != end) lexer.fail(lexer.peek(), end);
  }
  return list;
}

Operand parse_operand(Lexer& lexer) {
  Operand operand;
  if (lexer.accept("[")) return parse_address(lexer);
  if (lexer.accept("{")) {
    operand.kind = Operand::Kind::kVector;
    operand.parts = parse_list(lexer, "}");
    return operand;
  }
  if (lexer.accept("(")) {
    operand.kind = Operand::Kind::kArguments;
    operand.parts = parse_list(lexer, ")");
    return operand;
  }
  operand.negated = lexer.accept("!");
  const Token token = lexer.next();
  if (token.text == "-" && starts_number(lexer.peek().text)) {
    operand = parse_operand(lexer);
    operand.bits = operand.kind == Operand::Kind::kInteger ? -operand.bits
                   : operand.single                        ? operand.bits ^ 0x80000000u
                                                           : operand.bits ^ (1ull << 63);
    return operand;
  }
  if (token.kind != Token::Kind::kWord) lexer.fail(token, "an operand");
  if (starts_number(token.text)) {
    if (parse_float(token.text, &operand)) {
      operand.kind = Operand::Kind::kFloat;
    } else if (parse_integer(token.text, &operand.bits)) {
      operand.kind = Operand::Kind::kInteger;
    } else {
      lexer.fail(token, "a number");
    }
    return operand;
  }
  operand.name = token.text;
  if (lexer.accept("|")) {
    operand.parts.push_back(parse_operand(lexer));
  } else if (lexer.accept("+")) {
    operand.offset = static_cast<std::int64_t>(lexer.integer());
  }
  return operand;
}

}  // namespace

bool parse_integer(std::string_view text, std::uint64_t* value) {
  bool negative = false;
  if (!text.empty() && text[0] == '-') {
    negative = true;
    text.remove_prefix(1);
  }
  if (!text.empty() && text.back() == 'U') text.remove_suffix(1);
  std::uint64_t base = 10;
  if (text.size() > 1 && text[0] == '0') {
    base = text[1] == 'x' || text[1] == 'X' ? 16 : text[1] == 'b' || text[1] == 'B' ? 2 : 8;
    text.remove_prefix(base == 8 ? 1 : 2);
  }
  if (text.empty()) return false;
  std::uint64_t result = 0;
  for (const char c : text) {
    const unsigned digit = c >= '0' && c <= '9'   ? c - '0'
                           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                  : 99;
    if (digit >= base) return false;
    result = result * base + digit;
  }
  *value = negative ? -result : result;
  return true;
}

void Lexer::fail(const Token& token, std::string_view wanted) const {
  throw Error(Error::Kind::kSyntax,
              "PTX, line " + std::to_string(token.line) + ": wanted " + std::string(wanted) +
                  ", found " +
                  (token.kind == Token::Kind::kEnd ? "the end of the text"
                                                   : "'" + std::string(token.text) + "'"));
}

void Lexer::skip_blank() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
      ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++position_;
    } else if (text_.substr(position_, 2) == "//") {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (text_.substr(position_, 2) == "/*") {
      const std::size_t end = text_.find("*/", position_);
      const std::size_t stop = end == std::string_view::npos ? text_.size() : end + 2;
      for (; position_ < stop; ++position_) line_ += text_[position_] == '\n';
    } else {
      return;
    }
  }
}

Token Lexer::scan() {
  skip_blank();
  Token token;
  token.line = line_;
  if (position_ >= text_.size()) return token;
  const std::size_t begin = position_;
  if (text_[position_] == '"') {
    token.kind = Token::Kind::kString;
    const std::size_t end = text_.find('"', position_ + 1);
    if (end == std::string_view::npos) fail(token, "the end of a string");
    position_ = end + 1;
    token.text = text_.substr(begin + 1, end - begin - 1);
    return token;
  }
  if (is_word(text_[position_])) {
    token.kind = Token::Kind::kWord;
    // `shared::cta` is one word.
    while (position_ < text_.size() &&
           (is_word(text_[position_]) || text_.substr(position_, 2) == "::")) {
      position_ += text_[position_] == ':' ? 2 : 1;
    }
  } else {
    token.kind = Token::Kind::kPunctuation;
    ++position_;
  }
  token.text = text_.substr(begin, position_ - begin);
  return token;
}

const Token& Lexer::peek() {
  if (!has_peeked_) {
    peeked_ = scan();
    has_peeked_ = true;
  }
  return peeked_;
}

Token Lexer::next() {
  if (has_peeked_) {
    has_peeked_ = false;
    return peeked_;
  }
  return scan();
}

bool Lexer::accept(std::string_view text) {
  if (peek().text != text || peek().kind == Token::Kind::kEnd) return false;
  has_peeked_ = false;
  return true;
}

void Lexer::expect(std::string_view text) {
  if (!accept(text)) fail(peek(), "'" + std::string(text) + "'");
}

std::string_view Lexer::word() {
  const Token token = next();
  if (token.kind != Token::Kind::kWord) fail(token, "a name");
  return token.text;
}

std::uint64_t Lexer::integer() {
  const bool negative = accept("-");
  const Token token = next();
  std::uint64_t value = 0;
  if (token.kind != Token::Kind::kWord || !parse_integer(token.text, &value))
    fail(token, "an integer");
  return negative ? -value : value;
}

void Lexer::skip_statement() {
  while (peek().kind != Token::Kind::kEnd && !accept(";")) next();
}

std::string_view Lexer::skip_body() {
  const std::size_t begin = position_;
  for (int depth = 1; position_ < text_.size(); ++position_) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
    } else if (c == '/' && position_ + 1 < text_.size() && text_[position_ + 1] == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size()) - 1;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return text_.substr(begin, position_++ - begin);
    }
  }
  Token token;
  token.line = line_;
  fail(token, "'}'");
}

Statement parse_statement(Lexer& lexer, Token first) {
  Statement statement;
  statement.line = first.line;
  if (first.text == "@") {
    statement.guard_negated = lexer.accept("!");
    statement.guard = lexer.word();
    first = lexer.next();
  }
  if (first.kind != Token::Kind::kWord) lexer.fail(first, "an instruction");
  std::string_view rest = first.text;
  for (bool opcode = true; !rest.empty(); opcode = false) {
    const std::size_t point = rest.find('.');
    const std::string_view part = rest.substr(0, point);
    if (opcode) {
      statement.opcode = part;
    } else {
      statement.words.push_back(part);
    }
    rest = point == std::string_view::npos ? std::string_view() : rest.substr(point + 1);
  }
  while (!lexer.accept(";")) {
    statement.operands.push_back(parse_operand(lexer));
    if (!lexer.accept(",") && lexer.peek().text != ";") lexer.fail(lexer.peek(), "',' or ';'");
  }
  return statement;
}

}  // namespace emulator
