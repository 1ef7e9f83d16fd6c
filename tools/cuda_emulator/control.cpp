#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "tools/cuda_emulator/barrier.h"
#include "tools/cuda_emulator/elementwise.h"
#include "tools/cuda_emulator/race_check.h"

// Branches, calls, the ends of threads, and barriers.
namespace emulator {
namespace {

void decode_branch(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  instruction.flow = Flow::kBranch;
  decoder.branch(statement.operands.at(0));
}

// brx.idx index, table;
void decode_table_branch(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  instruction.flow = Flow::kTable;
  instruction.operands[0] = decoder.source(statement.operands.at(0), Type::kU32);
  decoder.branch_table(statement.operands.at(1), instruction);
}

void decode_return(Decoder& decoder, const Statement&, Instruction& instruction) {
  instruction.flow = decoder.function().entry ? Flow::kExit : Flow::kReturn;
  instruction.operands[0] = decoder.function().return_address;
}

void trap(Warp&, const Instruction&, std::uint32_t lanes) {
  throw Fault{Error::Kind::kTrap, static_cast<unsigned>(__builtin_ctz(lanes)),
              "the kernel stopped itself by trap"};
}

// What a barrier has is kept by its instruction: number, threads, result and value of bar.red.
void decode_barrier(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Operand>& operands = statement.operands;
  if (has_word(statement, "warp")) {
    instruction.members = decoder.source(operands.at(0), Type::kB32);
    instruction.flow = Flow::kWarpSync;
    instruction.execute = [](Warp& warp, const Instruction&, std::uint32_t) { ++warp.epoch; };
    return;
  }
  instruction.flow = Flow::kBarrier;
  const bool reduces = has_word(statement, "red");
  if (!reduces && !has_word(statement, "sync")) throw Unknown{"a barrier that is not implemented"};
  std::size_t next = 0;
  BarrierReduction reduction = BarrierReduction::kNone;
  if (reduces) {
    reduction = has_word(statement, "popc")  ? BarrierReduction::kCount
                : has_word(statement, "and") ? BarrierReduction::kAnd
                                             : BarrierReduction::kOr;
    const Operand& result = operands.at(next++);
    instruction.operands[2] = reduction == BarrierReduction::kCount
                                  ? decoder.destination(result, Type::kU32)
                                  : decoder.predicate(result);
  }
  instruction.operands[0] = decoder.source(operands.at(next++), Type::kU32);
  const std::size_t rest = operands.size() - next;
  if (rest > (reduces ? 1u : 0u))
    instruction.operands[1] = decoder.source(operands[next++], Type::kU32);
  if (reduces) {
    instruction.operands[3] = decoder.predicate(operands.at(next));
    instruction.flags = operands[next].negated;
  }
  instruction.mode = static_cast<std::uint8_t>(reduction);
}

// A string in memory of the device, which is the host's.
std::string text_at(std::uint64_t address) {
  return address ? reinterpret_cast<const char*>(address) : "";
}

template <class T>
T argument(Warp& warp, const Instruction& instruction, unsigned index, unsigned lane) {
  T value;
  std::memcpy(&value, warp.local(lane) + instruction.list[index], sizeof value);
  return value;
}

// __assertfail(message, file, line, function, size of a character)
void fail_assertion(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
  const auto text = [&](unsigned index) {
    return text_at(argument<std::uint64_t>(warp, instruction, index, lane));
  };
  throw Fault{Error::Kind::kAssert, lane,
              text(1) + ":" + std::to_string(argument<std::uint32_t>(warp, instruction, 2, lane)) +
                  ": " + text(3) + ": Assertion `" + text(0) + "` failed"};
}

// One conversion of a format: its text for the next value, of 4 or 8 bytes.
std::string formatted(std::string conversion, const std::byte** values, std::uint64_t* offset) {
  const char kind = conversion.back();
  const bool wide = conversion.find('l') != std::string::npos ||
                    std::string_view("aAeEfFgGps").find(kind) != std::string_view::npos;
  const std::uint64_t bytes = wide ? 8 : 4;
  *offset = (*offset + bytes - 1) / bytes * bytes;
  std::uint64_t bits = 0;
  std::memcpy(&bits, *values + *offset, bytes);
  *offset += bytes;
  char text[512];
  if (kind == 's') {
    std::snprintf(text, sizeof text, conversion.c_str(), text_at(bits).c_str());
  } else if (std::string_view("aAeEfFgG").find(kind) != std::string_view::npos) {
    std::snprintf(text, sizeof text, conversion.c_str(), std::bit_cast<double>(bits));
  } else if (wide) {
    std::snprintf(text, sizeof text, conversion.c_str(), bits);
  } else {
    std::snprintf(text, sizeof text, conversion.c_str(), static_cast<std::uint32_t>(bits));
  }
  return text;
}

// vprintf(format, values) of each lane in turn
void print_values(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  each_lane(lanes, [&](unsigned lane) {
    const std::string format = text_at(argument<std::uint64_t>(warp, instruction, 0, lane));
    const auto* values =
        reinterpret_cast<const std::byte*>(argument<std::uint64_t>(warp, instruction, 1, lane));
    std::uint64_t offset = 0;
    std::string text;
    for (std::size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '%') {
        text += format[i];
      } else if (i + 1 < format.size() && format[i + 1] == '%') {
        text += format[i++];
      } else {
        const std::size_t end = format.find_first_of("diouxXcsaAeEfFgGp", i + 1);
        if (end == std::string::npos) break;
        text += formatted(format.substr(i, end - i + 1), &values, &offset);
        i = end;
      }
    }
    print(text);
  });
}

void copy_arguments(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  each_lane(lanes, [&](unsigned lane) {
    std::byte* local = warp.local(lane);
    for (unsigned i = 0; i < instruction.count; ++i) {
      const std::uint32_t* copy = instruction.list + 3 * i;
      std::memcpy(local + copy[0], local + copy[1], copy[2]);
    }
  });
}

}  // namespace

Barrier barrier_of(const Warp& warp) {
  const Instruction& instruction = *warp.barrier;
  const auto lane = static_cast<unsigned>(__builtin_ctz(warp.barrier_lanes));
  Barrier barrier{};
  barrier.number = warp.values<std::uint32_t>(instruction.operands[0])[lane] % kBarriers;
  if (instruction.operands[1])
    barrier.threads = warp.values<std::uint32_t>(instruction.operands[1])[lane];
  return barrier;
}

void reduce_at_barrier(const std::vector<Warp*>& warps) {
  std::uint32_t count = 0;
  std::uint32_t threads = 0;
  for (const Warp* warp : warps) {
    const Instruction& instruction = *warp->barrier;
    if (static_cast<BarrierReduction>(instruction.mode) == BarrierReduction::kNone) continue;
    const std::uint32_t value =
        warp->predicate(instruction.operands[3]) ^ (instruction.flags ? kAllLanes : 0);
    count += static_cast<std::uint32_t>(__builtin_popcount(value & warp->barrier_lanes));
    threads += static_cast<std::uint32_t>(__builtin_popcount(warp->barrier_lanes));
  }
  for (const Warp* warp : warps) {
    const Instruction& instruction = *warp->barrier;
    const auto reduction = static_cast<BarrierReduction>(instruction.mode);
    if (reduction == BarrierReduction::kNone) continue;
    if (reduction == BarrierReduction::kCount) {
      std::uint32_t* d = warp->values<std::uint32_t>(instruction.operands[2]);
      each_lane(warp->barrier_lanes, [&](unsigned lane) { d[lane] = count; });
      continue;
    }
    const bool result = reduction == BarrierReduction::kAnd ? count == threads : count != 0;
    std::uint32_t& d = warp->predicate(instruction.operands[2]);
    d = (d & ~warp->barrier_lanes) | (result ? warp->barrier_lanes : 0);
  }
}

// call (result), function, (arguments): values lie in local memory. They are copied to where the
// function looks for them, and its result back.
void Decoder::call(const Statement& statement, Instruction& instruction) {
  const std::vector<Operand>& operands = statement.operands;
  std::size_t next = 0;
  std::vector<Operand> results;
  std::vector<Operand> arguments;
  if (!operands.empty() && operands[0].kind == Operand::Kind::kArguments)
    results = operands[next++].parts;
  if (next >= operands.size()) throw Unknown{"it has no function"};
  const std::string_view name = operands[next++].name;
  if (next < operands.size()) arguments = operands[next++].parts;

  const auto offset = [&](const Operand& operand) {
    const Symbol& found = symbol(operand.name);
    if (found.space != Space::kLocal) throw Unknown{"an argument that is not a parameter"};
    return static_cast<std::uint32_t>(found.address);
  };
  const auto found = program_.function_of.find(name);
  if (name == "__assertfail" || name == "vprintf") {
    std::vector<std::uint32_t> offsets;
    for (const Operand& operand : arguments) offsets.push_back(offset(operand));
    if (offsets.size() != (name == "vprintf" ? 2u : 5u))
      throw Unknown{"it has another number of arguments"};
    instruction.list = list(std::move(offsets));
    instruction.execute = name == "vprintf" ? &print_values : &fail_assertion;
    return;
  }
  if (found == program_.function_of.end() || found->second->external) {
    throw Unknown{"the function " + std::string(name) + " has no body here"};
  }
  const Function& callee = *found->second;
  if (callee.parameters.size() != arguments.size() || callee.results.size() != results.size()) {
    throw Unknown{"it has another number of arguments"};
  }
  const auto copies = [&](const std::vector<Operand>& actual,
                          const std::vector<FormalParameter>& formal, bool in) {
    std::vector<std::uint32_t> words;
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const std::uint32_t here = offset(actual[i]);
      const auto there = static_cast<std::uint32_t>(formal[i].offset);
      words.push_back(in ? there : here);
      words.push_back(in ? here : there);
      words.push_back(static_cast<std::uint32_t>(formal[i].bytes));
    }
    Instruction copy = instruction;
    copy.count = static_cast<std::uint8_t>(actual.size());
    copy.list = list(std::move(words));
    copy.execute = &copy_arguments;
    return copy;
  };
  emit(copies(arguments, callee.parameters, true));
  Instruction jump = instruction;
  jump.flow = Flow::kCall;
  jump.callee = &callee;
  emit(jump);
  instruction = copies(results, callee.results, false);
  function_.calls = true;
}

void add_control_instructions(DecodeTable& table) {
  table["bra"] = decode_branch;
  table["brx"] = decode_table_branch;
  table["call"] = [](Decoder& decoder, const Statement& statement, Instruction& instruction) {
    decoder.call(statement, instruction);
  };
  table["ret"] = decode_return;
  table["exit"] = [](Decoder&, const Statement&, Instruction& instruction) {
    instruction.flow = Flow::kExit;
  };
  const Decode stop = [](Decoder&, const Statement&, Instruction& instruction) {
    instruction.execute = &trap;
  };
  table["trap"] = stop;
  table["brkpt"] = stop;
  table["bar"] = decode_barrier;
  table["barrier"] = decode_barrier;
}

}  // namespace emulator
