#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "tools/cuda_emulator/ptx.h"

// Device code as nvcc puts it into a program: containers with images for several architectures,
// registered before main() begins.
namespace emulator {

// The code of one source. Its PTX is read when one of its kernels is first wanted.
struct FatBinary {
  const void* data = nullptr;
  std::unique_ptr<Module> module;
  bool read = false;
};

// A kernel as the host knows it.
struct HostKernel {
  FatBinary* binary = nullptr;
  std::string name;
  const Kernel* kernel = nullptr;
  // Registers per thread of the machine code beside the PTX; 0 if there is none.
  int registers = 0;
  // What cudaFuncSetAttribute allowed.
  std::size_t dynamic_shared_limit = 0;
};

FatBinary* add_binary(const void* wrapper);
void add_kernel(FatBinary* binary, const void* host_function, const char* name);
// nullptr for an address that is no kernel.
HostKernel* kernel_of(const void* host_function);
// False where the binary has no PTX that the emulated GPU could run. Throws Error.
bool load(HostKernel* kernel);

}  // namespace emulator
