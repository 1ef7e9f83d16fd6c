#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tools/cuda_emulator/ptx.h"

// A module after decoding.
namespace emulator {

class Warp;
struct Instruction;

// Executes one instruction for the lanes of a mask.
using Execute = void (*)(Warp& warp, const Instruction& instruction, std::uint32_t lanes);

enum class Flow : std::uint8_t {
  kNext,      // the lanes go on to the next instruction
  kBranch,    // to `target`
  kTable,     // brx.idx: to one of `targets`, by operand 0
  kCall,      // to the first instruction of `callee`
  kReturn,    // of a function, to where it was called
  kExit,      // the lanes have ended
  kWarpSync,  // waits for the lanes in the mask of operand `members`, then executes
  kBarrier,   // waits for threads of the block, then executes
  kYield,     // executes, then other warps go on
  kUnknown    // throws
};

enum class Space : std::uint8_t { kGeneric, kGlobal, kConstant, kShared, kLocal, kParameter };

// Operands are offsets in bytes into the registers of a warp. A register is an array of one value
// for each lane; constants, special registers and addresses of symbols are registers that are
// written once.
struct Instruction {
  Execute execute = nullptr;
  std::uint32_t operands[6] = {};
  std::int64_t immediate = 0;  // offset of an address, and otherwise what the instruction needs
  const std::uint32_t* list = nullptr;  // operands of vectors and matrices, in order
  const Instruction* target = nullptr;
  const Function* callee = nullptr;
  std::uint32_t guard = 0;    // the register of a predicate; 0 is none
  std::uint32_t members = 0;  // of kWarpSync: the register of the mask; 0 is all lanes
  int line = 0;
  Flow flow = Flow::kNext;
  bool guard_negated = false;
  bool wide_address = false;  // the base of an address has 64 bits
  Space space = Space::kGeneric;
  std::uint8_t count = 1;  // elements of a vector
  std::uint8_t mode = 0;
  std::uint8_t flags = 0;
};

// What a special register holds; `argument` is an offset for the addresses.
enum class Special : std::uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kLane,
  kWarp,
  kWarps,
  kLanesEqual,
  kLanesLess,
  kLanesLessEqual,
  kLanesGreater,
  kLanesGreaterEqual,
  kZero,
  kDynamicShared,
  kTotalShared,
  kParameterAddress,
  kLocalAddress
};

struct SpecialRegister {
  Special special;
  std::uint32_t offset;
  int bytes;
  std::int64_t argument;
};

struct ConstantRegister {
  std::uint32_t offset;
  int bytes;  // of a lane; 0 is a predicate
  std::uint64_t value;
};

struct Symbol {
  Space space = Space::kGlobal;
  std::int64_t address = 0;  // of the host; of shared, local and parameters an offset
  std::size_t bytes = 0;
};

struct FormalParameter {
  std::string_view name;
  std::size_t bytes;
  std::size_t offset;  // of a kernel in the block of parameters, of a function in local memory
};

struct Function {
  std::string name;
  bool entry = false;
  bool external = false;
  bool decoded = false;
  std::string_view body;
  int line = 0;
  std::vector<FormalParameter> parameters;
  std::vector<FormalParameter> results;

  std::vector<Instruction> code;
  std::deque<std::vector<std::uint32_t>> lists;
  std::deque<std::vector<const Instruction*>> tables;
  std::vector<SpecialRegister> specials;
  std::vector<ConstantRegister> constants;
  std::size_t register_end = 0;      // offsets of its registers end here
  std::size_t local_end = 0;         // and its local memory
  std::uint32_t return_address = 0;  // the register of a function for it
  bool calls = false;
  bool asynchronous = false;  // has copies of boxes, products of warpgroups or their barriers
  std::vector<std::string> unknown;
};

struct Program {
  std::string text;
  std::deque<Function> functions;
  std::unordered_map<std::string_view, Function*> function_of;
  std::unordered_map<std::string_view, Symbol> symbols;
  std::vector<Kernel> kernels;
  std::unordered_map<std::string_view, std::size_t> kernel_of;
  std::vector<Variable> variables;
  std::deque<std::unique_ptr<std::byte[]>> storage;
  std::vector<Allocation> allocations;  // of the variables
  // Functions that are called have registers and local memory of their own; kernels begin after
  // them.
  std::size_t register_begin = 64;
  std::size_t local_begin = 0;
  std::mutex mutex;

  // Decodes a function at its first use.
  void decode(Function& function);
  std::string_view line_text(int line) const;
};

}  // namespace emulator
