#include <array>
#include <bit>
#include <cstdint>

#include "tools/cuda_emulator/elementwise.h"

// shfl, vote, match, redux, elect, activemask, bar.warp.sync. The scheduler has seen to it that the
// lanes of the mask are together.
namespace emulator {
namespace {

enum class Shuffle : std::uint8_t { kUp, kDown, kButterfly, kIndex };

template <Shuffle shuffle>
void exchange(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  std::uint32_t* d = warp.values<std::uint32_t>(instruction.operands[0]);
  const std::uint32_t* a = warp.values<std::uint32_t>(instruction.operands[2]);
  const std::uint32_t* b = warp.values<std::uint32_t>(instruction.operands[3]);
  const std::uint32_t* c = warp.values<std::uint32_t>(instruction.operands[4]);
  std::array<std::uint32_t, kLanes> result{};
  std::uint32_t valid = 0;
  each_lane(lanes, [&](unsigned lane) {
    const std::uint32_t clamp = c[lane] & 31;
    const std::uint32_t segment = c[lane] >> 8 & 31;
    const std::uint32_t amount = b[lane] & 31;
    const std::uint32_t last = (lane & segment) | (clamp & ~segment);
    const std::uint32_t first = lane & segment;
    std::int32_t from = 0;
    bool inside = false;
    switch (shuffle) {
      case Shuffle::kUp:
        from = static_cast<std::int32_t>(lane) - static_cast<std::int32_t>(amount);
        inside = from >= static_cast<std::int32_t>(last);
        break;
      case Shuffle::kDown:
        from = static_cast<std::int32_t>(lane + amount);
        inside = from <= static_cast<std::int32_t>(last);
        break;
      case Shuffle::kButterfly:
        from = static_cast<std::int32_t>(lane ^ amount);
        inside = from <= static_cast<std::int32_t>(last);
        break;
      case Shuffle::kIndex:
        from = static_cast<std::int32_t>(first | (amount & ~segment));
        inside = from <= static_cast<std::int32_t>(last);
        break;
    }
    if (!inside) from = static_cast<std::int32_t>(lane);
    // What a lane that does not take part holds is not defined.
    result[lane] = lanes >> from & 1 ? a[from] : 0xdeadbeefu;
    if (inside) valid |= 1u << lane;
  });
  each_lane(lanes, [&](unsigned lane) { d[lane] = result[lane]; });
  if (instruction.operands[1]) {
    std::uint32_t& p = warp.predicate(instruction.operands[1]);
    p = (p & ~lanes) | valid;
  }
}

// shfl.sync.up.b32 d|p, a, b, c, members
void decode_shuffle(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Operand>& operands = statement.operands;
  if (!has_word(statement, "sync") || operands.size() != 5) throw Unknown{"it has another form"};
  instruction.operands[0] = decoder.destination(operands[0], Type::kB32);
  if (!operands[0].parts.empty()) instruction.operands[1] = decoder.predicate(operands[0].parts[0]);
  for (int i = 1; i < 4; ++i) instruction.operands[i + 1] = decoder.source(operands[i], Type::kB32);
  instruction.members = decoder.source(operands[4], Type::kB32);
  instruction.flow = Flow::kWarpSync;
  instruction.execute = has_word(statement, "up")     ? &exchange<Shuffle::kUp>
                        : has_word(statement, "down") ? &exchange<Shuffle::kDown>
                        : has_word(statement, "bfly") ? &exchange<Shuffle::kButterfly>
                                                      : &exchange<Shuffle::kIndex>;
}

enum class Vote : std::uint8_t { kBallot, kAll, kAny, kUniform };

template <Vote vote>
void count_votes(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  const std::uint32_t votes =
      (warp.predicate(instruction.operands[1]) ^ (instruction.flags ? kAllLanes : 0)) & lanes;
  if (vote == Vote::kBallot) {
    std::uint32_t* d = warp.values<std::uint32_t>(instruction.operands[0]);
    each_lane(lanes, [&](unsigned lane) { d[lane] = votes; });
    return;
  }
  const bool result = vote == Vote::kAll   ? votes == lanes
                      : vote == Vote::kAny ? votes != 0
                                           : votes == 0 || votes == lanes;
  std::uint32_t& d = warp.predicate(instruction.operands[0]);
  d = (d & ~lanes) | (result ? lanes : 0);
}

// vote.sync.ballot.b32 d, p, members
void decode_vote(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Operand>& operands = statement.operands;
  if (!has_word(statement, "sync") || operands.size() != 3) throw Unknown{"it has another form"};
  const bool ballot = has_word(statement, "ballot");
  instruction.operands[0] =
      ballot ? decoder.destination(operands[0], Type::kB32) : decoder.predicate(operands[0]);
  instruction.operands[1] = decoder.predicate(operands[1]);
  instruction.flags = operands[1].negated;
  instruction.members = decoder.source(operands[2], Type::kB32);
  instruction.flow = Flow::kWarpSync;
  instruction.execute = ballot                       ? &count_votes<Vote::kBallot>
                        : has_word(statement, "all") ? &count_votes<Vote::kAll>
                        : has_word(statement, "any") ? &count_votes<Vote::kAny>
                                                     : &count_votes<Vote::kUniform>;
}

template <class T>
void match(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  std::uint32_t* d = warp.values<std::uint32_t>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[2]);
  std::array<std::uint32_t, kLanes> result{};
  bool all = true;
  each_lane(lanes, [&](unsigned lane) {
    each_lane(lanes,
              [&](unsigned other) { result[lane] |= a[lane] == a[other] ? 1u << other : 0; });
    all &= result[lane] == lanes;
  });
  const bool every = instruction.flags;
  each_lane(lanes, [&](unsigned lane) { d[lane] = every ? (all ? lanes : 0) : result[lane]; });
  if (every && instruction.operands[1]) {
    std::uint32_t& p = warp.predicate(instruction.operands[1]);
    p = (p & ~lanes) | (all ? lanes : 0);
  }
}

void decode_match(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Operand>& operands = statement.operands;
  if (operands.size() != 3) throw Unknown{"it has another form"};
  const Type type = type_of(statement);
  instruction.operands[0] = decoder.destination(operands[0], Type::kB32);
  if (!operands[0].parts.empty()) instruction.operands[1] = decoder.predicate(operands[0].parts[0]);
  instruction.operands[2] = decoder.source(operands[1], type);
  instruction.members = decoder.source(operands[2], Type::kB32);
  instruction.flags = has_word(statement, "all");
  instruction.flow = Flow::kWarpSync;
  instruction.execute = bytes_of(type) == 8 ? &match<std::uint64_t> : &match<std::uint32_t>;
}

enum class Reduction : std::uint8_t { kAdd, kMinimum, kMaximum, kAnd, kOr, kXor };

template <Reduction reduction, class T>
void reduce(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  T* d = warp.values<T>(instruction.operands[0]);
  const T* a = warp.values<T>(instruction.operands[1]);
  T result = a[__builtin_ctz(lanes)];
  each_lane(lanes & (lanes - 1), [&](unsigned lane) {
    switch (reduction) {
      case Reduction::kAdd:
        result = static_cast<T>(std::uint32_t(result) + std::uint32_t(a[lane]));
        break;
      case Reduction::kMinimum:
        result = std::min(result, a[lane]);
        break;
      case Reduction::kMaximum:
        result = std::max(result, a[lane]);
        break;
      case Reduction::kAnd:
        result &= a[lane];
        break;
      case Reduction::kOr:
        result |= a[lane];
        break;
      case Reduction::kXor:
        result ^= a[lane];
        break;
    }
  });
  each_lane(lanes, [&](unsigned lane) { d[lane] = result; });
}

template <Reduction reduction>
Execute choose_reduction(Type type) {
  return is_signed(type) ? &reduce<reduction, std::int32_t> : &reduce<reduction, std::uint32_t>;
}

void decode_reduction(Decoder& decoder, const Statement& statement, Instruction& instruction) {
  const std::vector<Operand>& operands = statement.operands;
  const Type type = type_of(statement);
  if (operands.size() != 3 || type == Type::kF32) throw Unknown{"it has another form"};
  instruction.operands[0] = decoder.destination(operands[0], type);
  instruction.operands[1] = decoder.source(operands[1], type);
  instruction.members = decoder.source(operands[2], Type::kB32);
  instruction.flow = Flow::kWarpSync;
  instruction.execute = has_word(statement, "add")   ? choose_reduction<Reduction::kAdd>(type)
                        : has_word(statement, "min") ? choose_reduction<Reduction::kMinimum>(type)
                        : has_word(statement, "max") ? choose_reduction<Reduction::kMaximum>(type)
                        : has_word(statement, "and") ? choose_reduction<Reduction::kAnd>(type)
                        : has_word(statement, "or")  ? choose_reduction<Reduction::kOr>(type)
                                                     : choose_reduction<Reduction::kXor>(type);
}

void active_lanes(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  std::uint32_t* d = warp.values<std::uint32_t>(instruction.operands[0]);
  each_lane(lanes, [&](unsigned lane) { d[lane] = lanes; });
}

void elect(Warp& warp, const Instruction& instruction, std::uint32_t lanes) {
  std::uint32_t* d = warp.values<std::uint32_t>(instruction.operands[0]);
  const auto leader = static_cast<unsigned>(__builtin_ctz(lanes));
  each_lane(lanes, [&](unsigned lane) { d[lane] = leader; });
  std::uint32_t& p = warp.predicate(instruction.operands[1]);
  p = (p & ~lanes) | 1u << leader;
}

}  // namespace

void add_warp_instructions(DecodeTable& table) {
  table["shfl"] = decode_shuffle;
  table["vote"] = decode_vote;
  table["match"] = decode_match;
  table["redux"] = decode_reduction;
  table["activemask"] = [](Decoder& decoder, const Statement& statement, Instruction& instruction) {
    instruction.operands[0] = decoder.destination(statement.operands.at(0), Type::kB32);
    instruction.execute = &active_lanes;
  };
  table["elect"] = [](Decoder& decoder, const Statement& statement, Instruction& instruction) {
    const Operand& result = statement.operands.at(0);
    if (result.parts.empty()) throw Unknown{"it has another form"};
    instruction.operands[0] = decoder.destination(result, Type::kB32);
    instruction.operands[1] = decoder.predicate(result.parts[0]);
    instruction.members = decoder.source(statement.operands.at(1), Type::kB32);
    instruction.flow = Flow::kWarpSync;
    instruction.execute = &elect;
  };
}

}  // namespace emulator
