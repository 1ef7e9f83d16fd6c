#pragma once

// Elementwise loops over a TensorIterator.
//
//   cpu_kernel(iter, [](float a, float b) { return a + b; });
//   cpu_kernel_vec(iter, [](float a, float b) { return a + b; },
//                  [](Vectorized<float> a, Vectorized<float> b) { return a + b; });
//
// The lambda's types must be the operands' types. It may return nothing, when it is called for its
// effect and the iterator has no outputs.

#include <ATen/Dispatch.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/detail/FunctionTraits.h>
#include <ATen/native/ElementLoops.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace loops {

template <typename T>
using element_t = std::decay_t<T>;

template <typename T>
inline T load(const char* p) {
  // A bool is any non-zero byte.
  if constexpr (std::is_same_v<T, bool>) {
    return *reinterpret_cast<const unsigned char*>(p) != 0;
  } else {
    return *reinterpret_cast<const T*>(p);
  }
}

template <typename traits, size_t... I>
inline typename traits::ArgsTuple dereference(char* const* data, const int64_t* strides, int64_t i,
                                              std::index_sequence<I...>) {
  return typename traits::ArgsTuple(
      load<element_t<typename traits::template arg<I>::type>>(data[I] + i * strides[I])...);
}

// The lower halves of `n` words, the last of which may end with the tensor.
template <typename Element, typename Word>
inline void lower_halves(char* out, const char* in, int64_t n) {
  constexpr auto kElement = static_cast<int64_t>(sizeof(Element));
  constexpr auto kWord = static_cast<int64_t>(sizeof(Word));
  for (int64_t k = 0; k + 1 < n; ++k) {
    Word word;
    std::memcpy(&word, in + k * kWord, kWord);
    const auto element = static_cast<Element>(word);
    std::memcpy(out + k * kElement, &element, kElement);
  }
  std::memcpy(out + (n - 1) * kElement, in + (n - 1) * kWord, kElement);
}

// As native::for_each_element, but inputs of which every second element is read come dense: copies
// of blocks of them.
template <typename Loop>
void for_each_element(TensorIteratorBase& iter, const Loop& loop,
                      int64_t grain_size = at::internal::GRAIN_SIZE) {
  constexpr int64_t kCopied = 1024;  // elements
  constexpr int kCopies = 3;         // inputs
  constexpr int kOperands = 8;
  int64_t sizes[kOperands] = {};  // of elements that are copied, else 0
  int copies = 0;
  bool usable = iter.ndim() > 0 && iter.ntensors() <= kOperands && iter.shape()[0] >= 16 &&
                std::endian::native == std::endian::little;
  for (int arg = 0; usable && arg < iter.ntensors(); ++arg) {
    const int64_t size = iter.element_size(arg);
    if (arg < iter.noutputs()) {
      usable = iter.strides(arg)[0] == size;
    } else if (iter.strides(arg)[0] == 2 * size && size <= 4) {
      sizes[arg] = size;
      ++copies;
    }
  }
  if (!usable || copies == 0 || copies > kCopies) {
    native::for_each_element(iter, loop, grain_size);
    return;
  }
  const int operands = iter.ntensors();
  iter.for_each(
      [&, operands](char** data, const int64_t* strides, int64_t n) {
        alignas(64) char buffers[kCopies][kCopied * 4];
        char* pointers[kOperands];
        int64_t steps[kOperands];
        for (int arg = 0; arg < operands; ++arg) {
          // Where dimensions change places other strides may come.
          if (sizes[arg] != 0 && (strides[arg] != 2 * sizes[arg] || n < 16)) {
            loop(data, strides, n);
            return;
          }
          steps[arg] = sizes[arg] != 0 ? sizes[arg] : strides[arg];
        }
        for (int64_t first = 0; first < n; first += kCopied) {
          const int64_t count = std::min(kCopied, n - first);
          int used = 0;
          for (int arg = 0; arg < operands; ++arg) {
            char* const in = data[arg] + first * strides[arg];
            pointers[arg] = sizes[arg] != 0 ? buffers[used++] : in;
            if (sizes[arg] == 1) lower_halves<uint8_t, uint16_t>(pointers[arg], in, count);
            if (sizes[arg] == 2) lower_halves<uint16_t, uint32_t>(pointers[arg], in, count);
            if (sizes[arg] == 4) lower_halves<uint32_t, uint64_t>(pointers[arg], in, count);
          }
          loop(pointers, steps, count);
        }
      },
      grain_size);
}

template <typename F, size_t... I>
inline void store_results(char* const* data, const int64_t* strides, int64_t begin, int64_t end,
                          F& op, std::index_sequence<I...> arguments) {
  using traits = function_traits<F>;
  // Copies that no store of a byte can change, so that the compiler may make vectors: it keeps
  // arrays in registers if they are set element by element.
  char* const out = data[0];
  const int64_t out_step = strides[0];
  char* const in[] = {data[I + 1]...};
  const int64_t steps[] = {strides[I + 1]...};
  for (int64_t i = begin; i < end; ++i) {
    *reinterpret_cast<typename traits::result_type*>(out + i * out_step) =
        std::apply(op, dereference<traits>(in, steps, i, arguments));
  }
}

// out[i] = op(in[i]...) for i in [begin, end).
template <typename F>
inline void basic_loop(char* const* data, const int64_t* strides, int64_t begin, int64_t end,
                       F& op) {
  using traits = function_traits<F>;
  constexpr auto kArgs = std::make_index_sequence<traits::arity>();
  if constexpr (std::is_void_v<typename traits::result_type>) {
    for (int64_t i = begin; i < end; ++i) {
      std::apply(op, dereference<traits>(data, strides, i, kArgs));
    }
  } else if constexpr (traits::arity == 0) {
    for (int64_t i = begin; i < end; ++i) {
      *reinterpret_cast<typename traits::result_type*>(data[0] + i * strides[0]) = op();
    }
  } else {
    store_results(data, strides, begin, end, op, kArgs);
  }
}

template <typename traits, size_t... I>
constexpr std::array<int64_t, traits::arity + 1> element_sizes(std::index_sequence<I...>) {
  return {static_cast<int64_t>(sizeof(typename traits::result_type)),
          static_cast<int64_t>(sizeof(element_t<typename traits::template arg<I>::type>))...};
}

// Whether all operands are dense, except that operand `scalar` (when not 0) stays in place.
template <typename traits>
inline bool is_contiguous(const int64_t* strides, size_t scalar = 0) {
  constexpr auto kSizes = element_sizes<traits>(std::make_index_sequence<traits::arity>());
  for (size_t i = 0; i < kSizes.size(); ++i) {
    if (strides[i] != (scalar != 0 && i == scalar ? 0 : kSizes[i])) return false;
  }
  return true;
}

// Inputs that all stay in place give one result. Returns whether it was that: `out` is dense then.
template <typename F>
inline bool constant_loop(char* const* data, const int64_t* strides, int64_t n, F& op) {
  using traits = function_traits<F>;
  using result_t = typename traits::result_type;
  if constexpr (std::is_void_v<result_t> || traits::arity == 0) {
    return false;
  } else {
    if (n < 2 || strides[0] != static_cast<int64_t>(sizeof(result_t))) return false;
    for (size_t i = 1; i <= traits::arity; ++i) {
      if (strides[i] != 0) return false;
    }
    auto* const out = reinterpret_cast<result_t*>(data[0]);
    basic_loop(data, strides, 0, 1, op);
    const result_t result = *out;
    std::fill(out + 1, out + n, result);
    return true;
  }
}

// Answers about one element each, by way of blocks where the elements are far apart: the compiler's
// vectors of those take longer than single elements do.
template <typename F>
inline void answer_loop(char* const* data, const int64_t* strides, int64_t n, F& op) {
  using element = element_t<typename function_traits<F>::template arg<0>::type>;
  constexpr int64_t kBlock = 256;
  constexpr int64_t kSteps[] = {1, sizeof(element)};
  element block[kBlock];
  for (int64_t first = 0; first < n; first += kBlock) {
    const int64_t count = std::min(kBlock, n - first);
    const char* const in = data[1] + first * strides[1];
    for (int64_t k = 0; k < count; ++k) block[k] = load<element>(in + k * strides[1]);
    char* const operands[] = {data[0] + first * strides[0], reinterpret_cast<char*>(block)};
    if (strides[0] == 1) {
      basic_loop(operands, kSteps, 0, count, op);
    } else {
      const int64_t steps[] = {strides[0], kSteps[1]};
      basic_loop(operands, steps, 0, count, op);
    }
  }
}

// basic_loop with the strides known to the compiler where operands are dense.
template <typename F>
inline void strided_loop(char** data, const int64_t* strides, int64_t n, F& op) {
  using traits = function_traits<F>;
  if constexpr (!std::is_void_v<typename traits::result_type>) {
    constexpr auto kSizes = element_sizes<traits>(std::make_index_sequence<traits::arity>());
    if (is_contiguous<traits>(strides)) {
      basic_loop(data, kSizes.data(), 0, n, op);
      return;
    }
    if (constant_loop(data, strides, n, op)) return;
    if constexpr (traits::arity == 1 && std::is_same_v<typename traits::result_type, bool>) {
      answer_loop(data, strides, n, op);
      return;
    }
    if constexpr (traits::arity == 2) {
      using first_t = element_t<typename traits::template arg<0>::type>;
      using second_t = element_t<typename traits::template arg<1>::type>;
      using result_t = typename traits::result_type;
      const bool first_stays = is_contiguous<traits>(strides, 1);
      if (first_stays || is_contiguous<traits>(strides, 2)) {
        if constexpr (std::is_arithmetic_v<first_t> && std::is_arithmetic_v<second_t>) {
          // A copy of what stays in place, because a store might change what is read again.
          if (first_stays) {
            constexpr int64_t kSteps[] = {kSizes[0], kSizes[2]};
            char* const operands[] = {data[0], data[2]};
            auto bound = [&op, a = load<first_t>(data[1])](second_t b) -> result_t {
              return op(a, b);
            };
            basic_loop(operands, kSteps, 0, n, bound);
          } else {
            auto bound = [&op, b = load<second_t>(data[2])](first_t a) -> result_t {
              return op(a, b);
            };
            basic_loop(data, kSizes.data(), 0, n, bound);
          }
        } else {
          constexpr int64_t kFirst[] = {kSizes[0], 0, kSizes[2]};
          constexpr int64_t kSecond[] = {kSizes[0], kSizes[1], 0};
          if (first_stays) {
            basic_loop(data, kFirst, 0, n, op);
          } else {
            basic_loop(data, kSecond, 0, n, op);
          }
        }
        return;
      }
    }
  }
  basic_loop(data, strides, 0, n, op);
}

template <typename Vec, typename T, size_t... I, typename VF>
inline Vec call_vectorized(char* const* data, size_t scalar, const Vec& fixed, int64_t offset,
                           VF& vop, std::index_sequence<I...>) {
  return vop((scalar == I + 1 ? fixed : Vec::loadu(data[I] + offset))...);
}

// The whole vectors of contiguous operands of one type; returns how many elements they have. If
// `scalar` is not 0, that operand is a single element.
template <typename T, typename VF>
inline int64_t whole_vectors(char* const* data, int64_t n, size_t scalar, VF& vop) {
  using traits = function_traits<VF>;
  using Vec = std::decay_t<typename traits::result_type>;
  constexpr auto kArgs = std::make_index_sequence<traits::arity>();
  constexpr int64_t kStep = Vec::size();
  constexpr auto kElement = static_cast<int64_t>(sizeof(T));
  const Vec fixed = scalar == 0 ? Vec(T(0)) : Vec(*reinterpret_cast<const T*>(data[scalar]));
  const auto result = [&](int64_t i) {
    return call_vectorized<Vec, T>(data + 1, scalar, fixed, i * kElement, vop, kArgs);
  };
  int64_t i = 0;
  for (; i + 2 * kStep <= n; i += 2 * kStep) {
    const Vec first = result(i);
    const Vec second = result(i + kStep);
    first.store(data[0] + i * kElement);
    second.store(data[0] + (i + kStep) * kElement);
  }
  if (i + kStep <= n) {
    result(i).store(data[0] + i * kElement);
    i += kStep;
  }
  return i;
}

// whole_vectors, and the last elements by `op`.
template <typename F, typename VF>
inline void vectorized_loop(char** data, int64_t n, size_t scalar, F& op, VF& vop) {
  using traits = function_traits<VF>;
  using T = typename function_traits<F>::result_type;
  constexpr auto kElement = static_cast<int64_t>(sizeof(T));
  const int64_t i = whole_vectors<T>(data, n, scalar, vop);
  if (i < n) {
    int64_t strides[traits::arity + 1];
    for (size_t arg = 0; arg <= traits::arity; ++arg) {
      strides[arg] = scalar != 0 && arg == scalar ? 0 : kElement;
    }
    basic_loop(data, strides, i, n, op);
  }
}

template <typename Result, size_t... I>
inline void store_outputs(const Result& result, char** data, const int64_t* strides, int64_t i,
                          std::index_sequence<I...>) {
  ((*reinterpret_cast<std::tuple_element_t<I, Result>*>(data[I] + i * strides[I]) =
        std::get<I>(result)),
   ...);
}

}  // namespace loops

template <typename F>
void cpu_kernel(TensorIteratorBase& iter, F&& op, int64_t grain_size = at::internal::GRAIN_SIZE) {
  using traits = function_traits<F>;
  TORCH_INTERNAL_ASSERT(iter.ninputs() == static_cast<int>(traits::arity));
  loops::for_each_element(
      iter,
      [&](char** data, const int64_t* strides, int64_t n) {
        auto body = op;
        loops::strided_loop(data, strides, n, body);
      },
      grain_size);
  iter.cast_outputs();
}

// As cpu_kernel; `vop` computes the same on vectors and is used where operands are dense.
template <bool check_dynamic_cast = true, typename F, typename VF>
void cpu_kernel_vec(TensorIteratorBase& iter, F&& op, VF&& vop,
                    int64_t grain_size = at::internal::GRAIN_SIZE) {
  using traits = function_traits<F>;
  TORCH_INTERNAL_ASSERT(iter.ninputs() == static_cast<int>(traits::arity));
  loops::for_each_element(
      iter,
      [&](char** data, const int64_t* strides, int64_t n) {
        auto body = op;
        auto vector_body = vop;
        if (loops::is_contiguous<traits>(strides)) {
          loops::vectorized_loop(data, n, 0, body, vector_body);
          return;
        }
        if (loops::constant_loop(data, strides, n, body)) return;
        for (size_t scalar = 1; scalar <= traits::arity; ++scalar) {
          if (loops::is_contiguous<traits>(strides, scalar)) {
            loops::vectorized_loop(data, n, scalar, body, vector_body);
            return;
          }
        }
        loops::basic_loop(data, strides, 0, n, body);
      },
      grain_size);
  iter.cast_outputs();
}

// `op` returns a tuple with a value for each output.
template <typename F>
void cpu_kernel_multiple_outputs(TensorIteratorBase& iter, F&& op,
                                 int64_t grain_size = at::internal::GRAIN_SIZE) {
  using traits = function_traits<F>;
  using result_t = typename traits::result_type;
  constexpr size_t kOutputs = std::tuple_size_v<result_t>;
  TORCH_INTERNAL_ASSERT(iter.ninputs() == static_cast<int>(traits::arity));
  TORCH_INTERNAL_ASSERT(iter.noutputs() == static_cast<int>(kOutputs));
  loops::for_each_element(
      iter,
      [&](char** data, const int64_t* strides, int64_t n) {
        auto body = op;
        for (int64_t i = 0; i < n; ++i) {
          loops::store_outputs(
              result_t(std::apply(
                  body, loops::dereference<traits>(data + kOutputs, strides + kOutputs, i,
                                                   std::make_index_sequence<traits::arity>()))),
              data, strides, i, std::make_index_sequence<kOutputs>());
        }
      },
      grain_size);
  iter.cast_outputs();
}

// On the calling thread, elements in memory order: for bodies that draw random numbers.
template <typename F>
void cpu_serial_kernel(TensorIteratorBase& iter, F&& op, const TensorIteratorBase::Range& range) {
  using traits = function_traits<F>;
  TORCH_INTERNAL_ASSERT(iter.ninputs() == static_cast<int>(traits::arity));
  // `op` is called through a reference: it may have state.
  iter.serial_for_each([&](char** data, const int64_t* strides,
                           int64_t n) { loops::basic_loop(data, strides, 0, n, op); },
                       range);
  iter.cast_outputs();
}
template <typename F>
void cpu_serial_kernel(TensorIteratorBase& iter, F&& op) {
  cpu_serial_kernel(iter, op, {0, iter.numel()});
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
