#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "tools/cuda_emulator/ptx.h"

// Short PTX as tests need it.
namespace emulator {

inline std::string module_of(const std::string& text) {
  return ".version 8.0\n.target sm_80\n.address_size 64\n" + text;
}

// Runs `kernel`, the only one of a module, with pointers for parameters.
inline void run_kernel(const std::string& text, std::vector<void*> pointers,
                       std::array<unsigned, 3> block = {32, 1, 1},
                       std::array<unsigned, 3> grid = {1, 1, 1}, std::size_t shared = 0) {
  const Module module(module_of(text));
  std::vector<void*> arguments;
  for (void*& pointer : pointers) arguments.push_back(&pointer);
  Launch launch;
  launch.block = block;
  launch.grid = grid;
  launch.dynamic_shared_bytes = shared;
  launch.arguments = arguments.data();
  run(module.kernels().at(0), launch);
}

// The body of a kernel with pointers as parameters: in %rd0, %rd1, ... The thread's number is in
// %r0 and %rd9. Registers %r, %rd, %rs, %f, %fd and %p are there.
inline std::string kernel_of(int pointers, const std::string& body,
                             const std::string& before = "") {
  std::string text = before + ".visible .entry kernel(";
  for (int i = 0; i < pointers; ++i)
    text += (i ? ", " : "") + std::string(".param .u64 pointer") + std::to_string(i);
  text +=
      ")\n{\n.reg .pred %p<10>; .reg .b16 %rs<20>; .reg .b32 %r<60>; .reg .b64 %rd<30>; .reg .f32 "
      "%f<30>; .reg .f64 "
      "%fd<10>;\n";
  for (int i = 0; i < pointers; ++i) {
    text += "ld.param.u64 %rd" + std::to_string(i) + ", [pointer" + std::to_string(i) + "];\n";
  }
  return text + "mov.u32 %r0, %tid.x; cvt.u64.u32 %rd9, %r0;\n" + body + "\n}\n";
}

template <class T>
const char* bits_of_type() {
  return sizeof(T) == 8 ? "b64" : sizeof(T) == 4 ? "b32" : "b16";
}

template <class T>
std::string load_text(const std::string& destination, const std::string& base) {
  return "mad.lo.u64 %rd20, %rd9, " + std::to_string(sizeof(T)) + ", " + base + "; ld.global." +
         (sizeof(T) == 1 ? "u8 " : std::string(bits_of_type<T>()) + " ") + destination +
         ", [%rd20];\n";
}

// What instructions make of a, b and c into d, thread by thread.
template <class D, class A, class B = A, class C = A>
std::vector<D> evaluate(const std::string& instructions, std::vector<A> a, std::vector<B> b = {},
                        std::vector<C> c = {}) {
  const std::size_t count = a.size();
  b.resize(count);
  c.resize(count);
  std::vector<D> d(count);
  std::string body =
      ".reg .b" + std::to_string(std::max<std::size_t>(16, 8 * sizeof(D))) + " %d;\n";
  body += std::string(".reg .") + bits_of_type<A>() + " %a; .reg ." + bits_of_type<B>() +
          " %b; .reg ." + bits_of_type<C>() + " %c;\n";
  body += load_text<A>("%a", "%rd1") + load_text<B>("%b", "%rd2") + load_text<C>("%c", "%rd3");
  body += instructions + "\nmad.lo.u64 %rd20, %rd9, " + std::to_string(sizeof(D)) +
          ", %rd0; st.global.b" + std::to_string(8 * sizeof(D)) + " [%rd20], %d;";
  run_kernel(kernel_of(4, body), {d.data(), a.data(), b.data(), c.data()},
             {static_cast<unsigned>(count), 1, 1});
  return d;
}

// Numbers of every size, and the ends of the range.
template <class T>
std::vector<T> some_integers(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned shift = static_cast<unsigned>(random() % (8 * sizeof(T)));
    values.push_back(static_cast<T>(static_cast<std::make_unsigned_t<T>>(random()) >> shift));
  }
  values[0] = std::numeric_limits<T>::max();
  values[1] = std::numeric_limits<T>::min();
  values[2] = 0;
  values[3] = static_cast<T>(-1);
  return values;
}

}  // namespace emulator
