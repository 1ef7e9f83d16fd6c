#include <ATen/vulkan/ShaderCases.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace at::vulkan {
namespace {

// Instructions of the SPIR-V specification, section 3.49.
enum Op : uint16_t {
  kUndef = 1,
  kName = 5,
  kMemberName = 6,
  kEntryPoint = 15,
  kFirstType = 19,
  kLastType = 39,
  kFirstConstant = 41,
  kSpecConstant = 50,
  kLastConstant = 52,
  kFunction = 54,
  kFunctionEnd = 56,
  kFunctionCall = 57,
  kVariable = 59,
  kDecorate = 71,
  kPhi = 245,
  kLoopMerge = 246,
  kSelectionMerge = 247,
  kLabel = 248,
  kBranch = 249,
  kBranchConditional = 250,
  kSwitch = 251,
};
constexpr uint32_t kSpecId = 1;
constexpr size_t kHeaderWords = 5;

using Instruction = c10::ArrayRef<uint32_t>;
using Ids = std::unordered_set<uint32_t>;

uint16_t op_of(Instruction instruction) { return static_cast<uint16_t>(instruction[0] & 0xffff); }

std::vector<Instruction> instructions_of(c10::ArrayRef<uint32_t> code) {
  std::vector<Instruction> result;
  for (size_t at = kHeaderWords; at < code.size();) {
    const size_t words = code[at] >> 16;
    result.push_back(code.slice(at, words));
    at += words;
  }
  return result;
}

struct Block {
  uint32_t label = 0;
  std::vector<Instruction> body;
  // Where it may go on, and where a structure that begins here ends or continues.
  std::vector<uint32_t> next;
};

struct Function {
  // OpFunction and its parameters.
  std::vector<Instruction> head;
  std::vector<Block> blocks;
  uint32_t id() const { return head.front()[2]; }
};

class Module {
 public:
  Module(c10::ArrayRef<uint32_t> code, c10::ArrayRef<uint32_t> constants)
      : code_(code), constants_(constants) {
    for (const Instruction instruction : instructions_of(code)) {
      if (functions_.empty() && op_of(instruction) != kFunction) {
        read_global(instruction);
      } else {
        read_function(instruction);
      }
    }
  }

  std::vector<uint32_t> write() {
    if (!chooses_) return code_.vec();
    for (const uint32_t entry : entries_) reach_function(entry);
    std::vector<uint32_t> bodies;
    for (const Function& function : functions_) {
      if (reached_functions_.count(function.id()) != 0) write_function(function, bodies);
    }
    std::vector<uint32_t> result(code_.begin(), code_.begin() + kHeaderWords);
    for (const Instruction instruction : globals_) {
      const uint16_t op = op_of(instruction);
      if (op == kName || op == kMemberName) continue;
      if (op == kDecorate && global_ids_.count(instruction[1]) == 0 &&
          kept_ids_.count(instruction[1]) == 0) {
        continue;
      }
      append(result, instruction);
    }
    result.insert(result.end(), bodies.begin(), bodies.end());
    return result;
  }

 private:
  static void append(std::vector<uint32_t>& to, Instruction instruction) {
    to.insert(to.end(), instruction.begin(), instruction.end());
  }

  void read_global(Instruction instruction) {
    globals_.push_back(instruction);
    const uint16_t op = op_of(instruction);
    if (op == kEntryPoint) entries_.push_back(instruction[2]);
    if (op >= kFirstType && op <= kLastType) global_ids_.insert(instruction[1]);
    if ((op >= kFirstConstant && op <= kLastConstant) || op == kVariable || op == kUndef) {
      global_ids_.insert(instruction[2]);
    }
    if (op == kDecorate && instruction[2] == kSpecId && instruction[3] < constants_.size()) {
      chosen_[instruction[1]] = constants_[instruction[3]];
    }
    // A constant of 64 bits has a word more, and so have the cases of its switch.
    if (op == kSpecConstant && instruction.size() != 4) chosen_.erase(instruction[2]);
  }

  void read_function(Instruction instruction) {
    const uint16_t op = op_of(instruction);
    if (op == kFunction) functions_.emplace_back();
    Function& function = functions_.back();
    if (op == kLabel) {
      function.blocks.emplace_back();
      function.blocks.back().label = instruction[1];
    }
    if (op == kFunctionEnd) return;
    if (function.blocks.empty()) {
      function.head.push_back(instruction);
      return;
    }
    Block& block = function.blocks.back();
    block.body.push_back(instruction);
    switch (op) {
      case kBranch:
      case kSelectionMerge:
        block.next.push_back(instruction[1]);
        break;
      case kLoopMerge:
        block.next.insert(block.next.end(), {instruction[1], instruction[2]});
        break;
      case kBranchConditional:
        block.next.insert(block.next.end(), {instruction[2], instruction[3]});
        break;
      case kSwitch: {
        const std::optional<uint32_t> target = target_of(instruction);
        if (target.has_value()) {
          chooses_ = true;
          block.next.push_back(*target);
          break;
        }
        // Literals of 64 bits make some of these no label, and reach nothing.
        block.next.insert(block.next.end(), instruction.begin() + 2, instruction.end());
        break;
      }
      default:
        break;
    }
  }

  // Where a switch by a known constant goes.
  std::optional<uint32_t> target_of(Instruction instruction) const {
    const auto chosen = chosen_.find(instruction[1]);
    if (chosen == chosen_.end()) return std::nullopt;
    for (size_t i = 3; i + 1 < instruction.size(); i += 2) {
      if (instruction[i] == chosen->second) return instruction[i + 1];
    }
    return instruction[2];
  }

  void reach_function(uint32_t id) {
    if (!reached_functions_.insert(id).second) return;
    const auto found = std::find_if(functions_.begin(), functions_.end(),
                                    [id](const Function& f) { return f.id() == id; });
    std::unordered_map<uint32_t, const Block*> blocks;
    for (const Block& block : found->blocks) blocks[block.label] = &block;
    std::vector<uint32_t> waiting{found->blocks.front().label};
    while (!waiting.empty()) {
      const auto block = blocks.find(waiting.back());
      waiting.pop_back();
      if (block == blocks.end() || !reached_blocks_.insert(block->first).second) continue;
      waiting.insert(waiting.end(), block->second->next.begin(), block->second->next.end());
      for (const Instruction instruction : block->second->body) {
        if (op_of(instruction) == kFunctionCall) reach_function(instruction[3]);
      }
    }
  }

  void write_function(const Function& function, std::vector<uint32_t>& to) {
    const auto write = [&](Instruction instruction) {
      append(to, instruction);
      // A result, or an operand, which is defined as well.
      if (instruction.size() > 2) kept_ids_.insert(instruction[2]);
    };
    for (const Instruction instruction : function.head) write(instruction);
    for (const Block& block : function.blocks) {
      if (reached_blocks_.count(block.label) == 0) continue;
      for (const Instruction instruction : block.body) {
        const uint16_t op = op_of(instruction);
        const std::optional<uint32_t> target =
            op == kSwitch ? target_of(instruction) : std::nullopt;
        if (target.has_value()) {
          to.insert(to.end(), {3u << 16 | kSwitch, instruction[1], *target});
        } else if (op == kPhi) {
          write_phi(instruction, to);
        } else {
          write(instruction);
        }
      }
    }
    to.push_back(1u << 16 | kFunctionEnd);
  }

  // With the values that come from blocks that are left.
  void write_phi(Instruction instruction, std::vector<uint32_t>& to) {
    std::vector<uint32_t> left(instruction.begin(), instruction.begin() + 3);
    for (size_t i = 3; i + 1 < instruction.size(); i += 2) {
      if (reached_blocks_.count(instruction[i + 1]) == 0) continue;
      left.insert(left.end(), {instruction[i], instruction[i + 1]});
    }
    left[0] = static_cast<uint32_t>(left.size()) << 16 | kPhi;
    kept_ids_.insert(left[2]);
    to.insert(to.end(), left.begin(), left.end());
  }

  c10::ArrayRef<uint32_t> code_;
  c10::ArrayRef<uint32_t> constants_;
  std::vector<Instruction> globals_;
  std::vector<Function> functions_;
  std::vector<uint32_t> entries_;
  // Of specialisation constants, their values.
  std::unordered_map<uint32_t, uint32_t> chosen_;
  bool chooses_ = false;
  Ids global_ids_;
  Ids reached_functions_;
  Ids reached_blocks_;
  Ids kept_ids_;
};

}  // namespace

std::vector<uint32_t> chosen_cases(c10::ArrayRef<uint32_t> code,
                                   c10::ArrayRef<uint32_t> constants) {
  return Module(code, constants).write();
}

}  // namespace at::vulkan
