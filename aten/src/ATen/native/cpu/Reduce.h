#pragma once

// Reductions over a TensorIterator made by TensorIterator::reduce_op or make_reduction.

#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/detail/FunctionTraits.h>
#include <ATen/native/cpu/Loops.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {

namespace reduction {

template <typename T>
inline void set_result(int index, T value, const TensorIteratorBase& iter, int num_outputs) {
  if (index < num_outputs) *static_cast<T*>(iter.data_ptr(index)) = value;
}
template <typename T>
inline void set_results(T value, const TensorIteratorBase& iter, int num_outputs) {
  set_result(0, value, iter, num_outputs);
}
template <typename... Ts>
inline void set_results(const std::tuple<Ts...>& values, const TensorIteratorBase& iter,
                        int num_outputs) {
  int index = 0;
  std::apply([&](auto... v) { (set_result(index++, v, iter, num_outputs), ...); }, values);
}

}  // namespace reduction

// A reduction given by an object with
//   acc_t reduce(acc_t acc, data_t element, int64_t index)   index: along the reduced elements
//   acc_t combine(acc_t a, acc_t b)
//   result  project(acc_t acc)                               a value, or a tuple for more outputs
// starting from `init`. One output element is computed by several threads when there is only one.
template <typename ops_t, typename init_t>
void binary_kernel_reduce(TensorIteratorBase& iter, ops_t ops, init_t init) {
  using reduce_traits = function_traits<decltype(&ops_t::reduce)>;
  using acc_t = std::decay_t<typename reduce_traits::result_type>;
  using data_t = std::decay_t<typename reduce_traits::template arg<1>::type>;
  const int num_outputs = iter.noutputs();

  iter.foreach_reduced_elt([&](TensorIteratorBase& sub_iter) {
    const auto reduce_range = [&](int64_t begin, int64_t end) {
      acc_t acc = init;
      int64_t index = begin;
      sub_iter.serial_for_each(
          [&](char** data, const int64_t* strides, int64_t n) {
            const char* in = data[num_outputs];
            const int64_t stride = strides[num_outputs];
            for (int64_t i = 0; i < n; ++i) {
              acc = ops.reduce(acc, loops::load<data_t>(in + i * stride), index++);
            }
          },
          {begin, end});
      return acc;
    };
    const int64_t numel = sub_iter.numel();
    const bool parallel =
        numel >= at::internal::GRAIN_SIZE && at::get_num_threads() > 1 && !at::in_parallel_region();
    acc_t total = init;
    if (!parallel) {
      if (numel > 0) total = reduce_range(0, numel);
    } else {
      // Parts depend on the size alone, so that results do not vary with the number of threads.
      const int64_t parts = at::divup(numel, at::internal::GRAIN_SIZE);
      std::vector<acc_t> partial(static_cast<size_t>(parts), acc_t(init));
      at::parallel_for(0, parts, 1, [&](int64_t first, int64_t last) {
        for (int64_t part = first; part < last; ++part) {
          const int64_t begin = part * at::internal::GRAIN_SIZE;
          partial[static_cast<size_t>(part)] =
              reduce_range(begin, std::min(begin + at::internal::GRAIN_SIZE, numel));
        }
      });
      for (const acc_t& value : partial) total = ops.combine(total, value);
    }
    reduction::set_results(ops.project(total), sub_iter, num_outputs);
  });
  iter.cast_outputs();
}

// A reduction whose result has the elements' type: `op` on elements, `vop` on vectors, both
// associative and commutative, with neutral element `ident`. The caller has filled the output with
// `ident` (`iter.output().fill_(ident)`): results accumulate in it.
template <typename func_t, typename vec_func_t>
void binary_kernel_reduce_vec(TensorIteratorBase& iter, func_t op, vec_func_t vop,
                              double ident = 0) {
  using T = typename function_traits<func_t>::result_type;
  using Vec = vec::Vectorized<T>;
  constexpr auto kElement = static_cast<int64_t>(sizeof(T));
  TORCH_INTERNAL_ASSERT(iter.ntensors() == 2);
  iter.parallel_reduce([&](char** data, const int64_t* strides, int64_t size0, int64_t size1) {
    for (int64_t j = 0; j < size1; ++j) {
      char* out = data[0] + j * strides[2];
      const char* in = data[1] + j * strides[3];
      if (strides[0] == 0) {
        T acc = *reinterpret_cast<T*>(out);
        int64_t i = 0;
        if (strides[1] == kElement && size0 >= 4 * Vec::size()) {
          Vec accs[4] = {Vec(static_cast<T>(ident)), Vec(static_cast<T>(ident)),
                         Vec(static_cast<T>(ident)), Vec(static_cast<T>(ident))};
          for (; i + 4 * Vec::size() <= size0; i += 4 * Vec::size()) {
            for (int k = 0; k < 4; ++k) {
              accs[k] = vop(accs[k], Vec::loadu(in + (i + k * Vec::size()) * kElement));
            }
          }
          const Vec all = vop(vop(accs[0], accs[1]), vop(accs[2], accs[3]));
          T values[Vec::size()];
          all.store(values);
          for (const T& value : values) acc = op(acc, value);
        }
        for (; i < size0; ++i) acc = op(acc, loops::load<T>(in + i * strides[1]));
        *reinterpret_cast<T*>(out) = acc;
      } else {
        for (int64_t i = 0; i < size0; ++i) {
          T* p = reinterpret_cast<T*>(out + i * strides[0]);
          *p = op(*p, loops::load<T>(in + i * strides[1]));
        }
      }
    }
  });
  iter.cast_outputs();
}

}  // namespace CPU_CAPABILITY
}  // namespace at::native
