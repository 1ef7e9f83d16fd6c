#include "tools/cuda_emulator/warp.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace emulator {
namespace {

std::uint64_t special_value(const Warp& warp, const SpecialRegister& special, unsigned lane) {
  const Block& block = warp.block();
  const std::array<unsigned, 3>& size = block.launch.block;
  const unsigned thread = warp.index() * kLanes + lane;
  const std::uint32_t bit = 1u << lane;
  switch (special.special) {
    case Special::kTidX:
      return thread % size[0];
    case Special::kTidY:
      return thread / size[0] % size[1];
    case Special::kTidZ:
      return thread / size[0] / size[1];
    case Special::kNtidX:
      return size[0];
    case Special::kNtidY:
      return size[1];
    case Special::kNtidZ:
      return size[2];
    case Special::kCtaidX:
      return block.index[0];
    case Special::kCtaidY:
      return block.index[1];
    case Special::kCtaidZ:
      return block.index[2];
    case Special::kNctaidX:
      return block.launch.grid[0];
    case Special::kNctaidY:
      return block.launch.grid[1];
    case Special::kNctaidZ:
      return block.launch.grid[2];
    case Special::kLane:
      return lane;
    case Special::kWarp:
      return warp.index();
    case Special::kWarps:
      return (block.threads + kLanes - 1) / kLanes;
    case Special::kLanesEqual:
      return bit;
    case Special::kLanesLess:
      return bit - 1;
    case Special::kLanesLessEqual:
      return bit | (bit - 1);
    case Special::kLanesGreater:
      return ~(bit | (bit - 1));
    case Special::kLanesGreaterEqual:
      return ~(bit - 1);
    case Special::kZero:
      return 0;
    case Special::kDynamicShared:
      return block.launch.dynamic_shared_bytes;
    case Special::kTotalShared:
      return block.shared_bytes;
    case Special::kParameterAddress:
      return reinterpret_cast<std::uint64_t>(block.parameters) + special.argument;
    case Special::kLocalAddress:
      return reinterpret_cast<std::uint64_t>(warp.local(lane)) + special.argument;
  }
  return 0;
}

void broadcast(Warp& warp, std::uint32_t offset, int bytes, unsigned lane, std::uint64_t value) {
  switch (bytes) {
    case 2:
      warp.values<std::uint16_t>(offset)[lane] = static_cast<std::uint16_t>(value);
      break;
    case 4:
      warp.values<std::uint32_t>(offset)[lane] = static_cast<std::uint32_t>(value);
      break;
    default:
      warp.values<std::uint64_t>(offset)[lane] = value;
      break;
  }
}

bool differs_by_block(Special special) {
  return special == Special::kCtaidX || special == Special::kCtaidY || special == Special::kCtaidZ;
}

void write_specials(Warp& warp, const Function& function, bool of_block) {
  for (const SpecialRegister& special : function.specials) {
    if (differs_by_block(special.special) != of_block) continue;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      broadcast(warp, special.offset, special.bytes, lane, special_value(warp, special, lane));
    }
  }
}

void write_constants(Warp& warp, const Function& function) {
  for (const ConstantRegister& constant : function.constants) {
    if (constant.bytes == 0) {
      warp.predicate(constant.offset) = constant.value ? kAllLanes : 0;
      continue;
    }
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      broadcast(warp, constant.offset, constant.bytes, lane, constant.value);
    }
  }
}

// The kernel, and what it may call.
template <class F>
void for_each_function(const Warp& warp, F&& f) {
  const Kernel& kernel = warp.block().kernel;
  f(*kernel.function);
  if (!kernel.function->calls) return;
  for (const Function& callee : kernel.program->functions) {
    if (!callee.entry && callee.decoded) f(callee);
  }
}

}  // namespace

void Warp::prepare(Block& block, unsigned index, unsigned count) {
  const Function& function = *block.kernel.function;
  block_ = &block;
  index_ = index;
  existing_ = count >= kLanes ? kAllLanes : (1u << count) - 1;
  local_bytes_ = (function.local_end + 15) / 16 * 16;
  register_storage_ = std::make_unique_for_overwrite<std::byte[]>(function.register_end + 64);
  local_ = std::make_unique_for_overwrite<std::byte[]>(local_bytes_ * kLanes + 16);
  const auto address = reinterpret_cast<std::uintptr_t>(register_storage_.get());
  registers_ = register_storage_.get() + (64 - address % 64) % 64;
  // What a kernel reads before it writes it is the same in every run.
  std::memset(registers_, 0, function.register_end);
  for_each_function(*this, [&](const Function& used) {
    write_constants(*this, used);
    write_specials(*this, used, false);
  });
}

void Warp::start() {
  const Function& function = *block_->kernel.function;
  alive_ = existing_;
  groups_.clear();
  copies.clear();
  copy_group.fill(0);
  carry = 0;
  epoch = 0;
  products = nullptr;
  stalled = nullptr;
  steps_ = 0;
  state = State::kReady;
  barrier = nullptr;
  std::memset(local_.get(), 0xff, local_bytes_ * kLanes);
  for_each_function(*this, [&](const Function& used) { write_specials(*this, used, true); });
  park(function.code.data(), alive_, false);
}

std::span<std::uint32_t> Warp::register_words() const {
  return {values<std::uint32_t>(0), block_->kernel.function->register_end / sizeof(std::uint32_t)};
}

std::string Warp::place(const Instruction* instruction, unsigned lane) const {
  const std::array<unsigned, 3>& size = block_->launch.block;
  const unsigned thread = index_ * kLanes + lane;
  const auto triple = [](unsigned x, unsigned y, unsigned z) {
    return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
  };
  const std::array<unsigned, 3>& at = block_->index;
  return "\n  kernel: " + block_->kernel.name + "\n  block: " + triple(at[0], at[1], at[2]) +
         ", thread: " +
         triple(thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]) +
         "\n  PTX, line " + std::to_string(instruction->line) + ": " +
         std::string(block_->kernel.program->line_text(instruction->line));
}

void Warp::park(const Instruction* next, std::uint32_t lanes, bool waiting) {
  if (!lanes) return;
  for (Group& group : groups_) {
    if (group.next == next) {
      group.lanes |= lanes;
      group.waiting &= waiting;
      return;
    }
  }
  groups_.push_back({next, lanes, waiting});
}

// Takes the group that stands at the smallest address and does not wait. False when there is none.
bool Warp::choose() {
  const Group* best = nullptr;
  for (const Group& group : groups_) {
    if (!group.waiting && (!best || group.next < best->next)) best = &group;
  }
  if (!best) return false;
  next_ = best->next;
  lanes_ = best->lanes;
  groups_.erase(groups_.begin() + (best - groups_.data()));
  go(next_);
  return true;
}

// The group that runs goes on at an instruction, until where the next group stands.
void Warp::go(const Instruction* next) {
  next_ = next;
  limit_ = nullptr;
  for (const Group& group : groups_) {
    if (group.next >= next_ && (!limit_ || group.next < limit_)) limit_ = group.next;
  }
}

// A jump over the place of another group lets that one go first.
void Warp::jump(const Instruction& instruction, std::uint32_t taken) {
  const bool first = std::none_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    return !group.waiting && group.next < instruction.target;
  });
  if (taken == lanes_ && first) {
    go(instruction.target);
    return;
  }
  park(&instruction + 1, lanes_ & ~taken, false);
  park(instruction.target, taken, false);
  lanes_ = 0;
}

void Warp::jump_by_table(const Instruction& instruction, std::uint32_t lanes) {
  const std::uint32_t* index = values<std::uint32_t>(instruction.operands[0]);
  const auto* table = reinterpret_cast<const Instruction* const*>(instruction.immediate);
  park(&instruction + 1, lanes_ & ~lanes, false);
  each_lane(lanes, [&](unsigned lane) {
    if (index[lane] >= instruction.operands[1]) {
      throw Fault{Error::Kind::kAddress, lane, "an index outside of a table of branches"};
    }
    park(table[index[lane]], 1u << lane, false);
  });
  lanes_ = 0;
}

void Warp::call(const Instruction& instruction, std::uint32_t taken) {
  std::uint64_t* address = values<std::uint64_t>(instruction.callee->return_address);
  each_lane(taken, [&](unsigned lane) {
    address[lane] = reinterpret_cast<std::uint64_t>(&instruction + 1);
  });
  park(&instruction + 1, lanes_ & ~taken, false);
  park(instruction.callee->code.data(), taken, false);
  lanes_ = 0;
}

void Warp::go_back(const Instruction& instruction, std::uint32_t taken) {
  const std::uint64_t* address = values<std::uint64_t>(instruction.operands[0]);
  park(&instruction + 1, lanes_ & ~taken, false);
  each_lane(taken, [&](unsigned lane) {
    park(reinterpret_cast<const Instruction*>(address[lane]), 1u << lane, false);
  });
  lanes_ = 0;
}

void Warp::end(std::uint32_t lanes) {
  alive_ &= ~lanes;
  lanes_ &= ~lanes;
  // Others may have waited for these.
  for (Group& group : groups_) group.waiting = false;
}

std::uint32_t Warp::members(const Instruction& instruction, unsigned lane) const {
  if (!instruction.members) return existing_;
  return values<std::uint32_t>(instruction.members)[lane] & existing_;
}

// Executes for the lanes whose partners have come; the others wait.
void Warp::synchronize(const Instruction& instruction, std::uint32_t lanes) {
  std::uint32_t done = 0;
  for (std::uint32_t rest = lanes; rest;) {
    const unsigned first = static_cast<unsigned>(__builtin_ctz(rest));
    const std::uint32_t wanted = members(instruction, first);
    std::uint32_t same = 0;
    each_lane(rest, [&](unsigned lane) {
      same |= members(instruction, lane) == wanted ? 1u << lane : 0;
    });
    rest &= ~same;
    if (same & ~wanted) {
      throw Fault{Error::Kind::kDeadlock, static_cast<unsigned>(__builtin_ctz(same & ~wanted)),
                  "a lane executes an instruction of the warp whose mask does not name it"};
    }
    if (wanted & ~alive_) {
      throw Fault{Error::Kind::kDeadlock, first,
                  "lane " + std::to_string(__builtin_ctz(wanted & ~alive_)) +
                      " is named by the mask of an instruction of the warp, but has ended"};
    }
    if (wanted & ~same) continue;
    if (instruction.execute) instruction.execute(*this, instruction, same);
    done |= same;
  }
  const std::uint32_t waiting = lanes & ~done;
  if (!waiting) {
    ++next_;
    return;
  }
  park(&instruction, waiting, true);
  park(&instruction + 1, lanes_ & ~waiting, false);
  lanes_ = 0;
}

// True when the whole warp stands at the barrier.
bool Warp::at_barrier(const Instruction& instruction, std::uint32_t lanes) {
  if (lanes != alive_) {
    park(&instruction, lanes, true);
    park(&instruction + 1, lanes_ & ~lanes, false);
    lanes_ = 0;
    return false;
  }
  barrier = &instruction;
  barrier_lanes = lanes;
  park(&instruction + 1, lanes, false);
  lanes_ = 0;
  state = State::kBarrier;
  return true;
}

void Warp::report_deadlock() const {
  std::string text = "threads of one warp wait for each other at different places:";
  for (const Group& group : groups_) {
    text += place(group.next, static_cast<unsigned>(__builtin_ctz(group.lanes)));
  }
  throw Error(Error::Kind::kDeadlock, text);
}

Warp::State Warp::run() {
  state = State::kReady;
  stalled = nullptr;
  const std::uint64_t most = options().instructions;
  const Instruction* instruction = nullptr;
  try {
    while (alive_) {
      if (!choose()) report_deadlock();
      while (lanes_) {
        instruction = next_;
        if (limit_ && instruction >= limit_) {
          park(next_, lanes_, false);
          break;
        }
        std::uint32_t lanes = lanes_;
        if (instruction->guard) {
          const std::uint32_t guard = predicate(instruction->guard);
          lanes &= instruction->guard_negated ? ~guard : guard;
        }
        if (!lanes) {
          ++next_;
          continue;
        }
        switch (instruction->flow) {
          case Flow::kNext:
            instruction->execute(*this, *instruction, lanes);
            ++next_;
            break;
          case Flow::kBranch:
            if (most && ++steps_ > most) {
              throw Fault{Error::Kind::kDeadlock, static_cast<unsigned>(__builtin_ctz(lanes)),
                          "an endless loop"};
            }
            jump(*instruction, lanes);
            break;
          case Flow::kTable:
            jump_by_table(*instruction, lanes);
            break;
          case Flow::kCall:
            call(*instruction, lanes);
            break;
          case Flow::kReturn:
            go_back(*instruction, lanes);
            break;
          case Flow::kExit:
            ++next_;
            end(lanes);
            break;
          case Flow::kWarpSync:
            synchronize(*instruction, lanes);
            break;
          case Flow::kBarrier:
            if (at_barrier(*instruction, lanes)) return state;
            break;
          case Flow::kYield:
            instruction->execute(*this, *instruction, lanes);
            park(instruction + 1, lanes_, false);
            lanes_ = 0;
            return state;
          case Flow::kUnknown:
            throw Fault{Error::Kind::kSyntax, static_cast<unsigned>(__builtin_ctz(lanes)),
                        "an instruction that the emulator does not know"};
        }
      }
    }
  } catch (const Fault& fault) {
    throw Error(fault.kind, fault.text + place(instruction, fault.lane));
  }
  state = State::kFinished;
  return state;
}

}  // namespace emulator
