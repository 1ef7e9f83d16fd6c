#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Runs kernels on the host: nvcc's PTX is decoded once and interpreted, one block of threads after
// the other. What is modelled, and what is not, stands in README.md beside this file.
namespace emulator {

struct Program;  // the decoded instructions of a module
struct Function;

// PTX that is not understood, and what went wrong in a kernel: the text names the kernel, the
// block, the thread, the line of the PTX and its instruction.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    kSyntax,      // PTX that cannot be parsed, or an instruction that is not known
    kLaunch,      // a launch with sizes that no GPU would take
    kAssert,      // a failed device assertion; the text is its message
    kTrap,        // the instruction trap
    kAddress,     // an access outside of what is allocated
    kMisaligned,  // an access that is not aligned to its size
    kDeadlock,    // a barrier that not all threads reach
    kRace,  // shared memory used by two threads with no barrier between, where this is asked for
    kUninitialized,  // shared memory read before it was written, where this is asked for
    kAsynchronous    // what asynchronous copies, products and their barriers do not allow
  };

  Error(Kind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

struct Parameter {
  std::size_t offset;
  std::size_t bytes;
};

// A function that a launch can start. It belongs to its module.
class Kernel {
 public:
  std::string name;  // as the PTX spells it: mangled
  std::vector<Parameter> parameters;
  std::size_t parameter_bytes = 0;
  std::size_t shared_bytes = 0;  // static
  std::size_t local_bytes = 0;   // of one thread
  std::size_t constant_bytes = 0;
  int registers = 0;       // a plausible number: PTX does not tell it
  int max_threads = 1024;  // of a block, by .maxntid
  const Program* program = nullptr;
  const Function* function = nullptr;
};

// A variable of a module: `__device__` or `__constant__`.
struct Variable {
  std::string name;
  void* address;
  std::size_t bytes;
  bool constant;
};

class Module {
 public:
  // Throws Error::kSyntax with the line of the first thing that cannot be parsed. An instruction
  // that is not known is an error only when it is executed.
  explicit Module(std::string_view ptx);
  ~Module();
  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;

  // Both return nullptr for a name that the module does not have.
  const Kernel* kernel(std::string_view name) const;
  const Variable* variable(std::string_view name) const;

  const std::vector<Kernel>& kernels() const;
  const std::vector<Variable>& variables() const;

  // Each instruction that the interpreter does not know, once, with the line of its first use.
  std::vector<std::string> unknown_instructions() const;

 private:
  std::unique_ptr<Program> program_;
};

struct Launch {
  std::array<unsigned, 3> grid{1, 1, 1};
  std::array<unsigned, 3> block{1, 1, 1};
  std::size_t dynamic_shared_bytes = 0;
  void** arguments = nullptr;  // one pointer to the value of each parameter
};

// Runs the whole grid and returns when it has finished. Throws Error.
void run(const Kernel& kernel, const Launch& launch);

// Memory that kernels may use, as the runtime knows it. Its bytes are addressed as they are on the
// host.
struct Allocation {
  std::uintptr_t begin;
  std::uintptr_t end;  // one past the last byte
  bool writable;
};

// Tells which allocation holds an address: true, and `*found` is written, or false. Called from any
// thread that runs blocks, for addresses that are neither shared, local, nor of a module. What it
// says must stay true until the kernel ends. nullptr, as at the beginning, lets every access pass.
using FindAllocation = bool (*)(std::uintptr_t address, Allocation* found);
void set_find_allocation(FindAllocation find);

// Where vprintf, the printf of kernels, goes; nullptr is stdout.
using Print = void (*)(std::string_view text);
void set_print(Print print);

// Checks beyond those of addresses; each costs time. At the beginning as the environment's
// EMULATOR_THREADS, and EMULATOR_RACECHECK=1, say.
struct Options {
  int threads = 1;         // of the host, that run blocks
  bool racecheck = false;  // races and uninitialised reads of shared memory
  std::uint64_t instructions =
      0;  // of one warp, after which it is taken for an endless loop; 0 is no limit
};
Options& options();

}  // namespace emulator
