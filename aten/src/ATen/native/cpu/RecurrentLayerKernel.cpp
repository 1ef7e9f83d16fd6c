// Recurrent layers over all their time steps. The weight of the recurrent product is packed once,
// so that each step reads it in order; a block of hidden units has the vectors of all its gates
// side by side, and its cells are computed as soon as their products are there.
//
// Hochreiter and Schmidhuber, "Long Short-Term Memory" (1997); Cho et al., "Learning Phrase
// Representations using RNN Encoder-Decoder" (2014), with the reset gate behind the product;
// Elman, "Finding Structure in Time" (1990).

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/RNN.h>

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/cpu/vec/vec.h>
#include <ATen/native/GemmLoops.h>
#include <ATen/native/cpu/Formulas.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

using vec::Vectorized;

// Rows of a product whose sums, four vectors each, stay in registers: AVX-512 has 32, AVX2 16.
template <typename T>
constexpr int64_t kRows = Vectorized<T>::size() * sizeof(T) == 64 ? 6 : 3;

// The packed weight. The allocator keeps memory mapped, and no vector of it crosses a line of the
// cache, which would take twice as long to load.
template <typename T>
class Panels {
 public:
  explicit Panels(int64_t size)
      : memory_(c10::GetDefaultCPUAllocator()->allocate(static_cast<size_t>(size) * sizeof(T))),
        data_(static_cast<T*>(memory_.mutable_get())) {}
  T* data() const { return data_; }

 private:
  c10::DataPtr memory_;
  T* data_;
};

// sums[r][v] = rows[r] times the columns of a panel, which has V vectors for each of k elements.
template <typename T, int V, int R>
void multiply_rows(const T* panel, const T* const* rows, int64_t k, T* sums) {
  using Vec = Vectorized<T>;
  std::array<Vec, static_cast<size_t>(V * R)> kept;
  kept.fill(Vec(T(0)));
  for (int64_t l = 0; l < k; ++l) {
    std::array<Vec, static_cast<size_t>(V)> weights;
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) weights[v] = Vec::loadu(panel + v * Vec::size());
    panel += V * Vec::size();
#pragma GCC unroll 6
    for (int r = 0; r < R; ++r) {
      const Vec factor(rows[r][l]);
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) {
        kept[r * V + v] = vec::fmadd(factor, weights[v], kept[r * V + v]);
      }
    }
  }
#pragma GCC unroll 24
  for (int i = 0; i < V * R; ++i) kept[i].store(sums + i * Vec::size());
}

// The same for `count` rows, at most kRows.
template <typename T, int V>
void multiply(const T* panel, const T* const* rows, int64_t count, int64_t k, T* sums) {
  using multiply_fn = void (*)(const T*, const T* const*, int64_t, T*);
  if constexpr (kRows<T> == 3) {
    constexpr multiply_fn kMultiply[] = {&multiply_rows<T, V, 1>, &multiply_rows<T, V, 2>,
                                         &multiply_rows<T, V, 3>};
    kMultiply[count - 1](panel, rows, k, sums);
  } else {
    constexpr multiply_fn kMultiply[] = {&multiply_rows<T, V, 1>, &multiply_rows<T, V, 2>,
                                         &multiply_rows<T, V, 3>, &multiply_rows<T, V, 4>,
                                         &multiply_rows<T, V, 5>, &multiply_rows<T, V, 6>};
    kMultiply[count - 1](panel, rows, k, sums);
  }
}

// Calls body(first, count) for rows [begin, end) in even groups of at most kRows.
template <typename T, typename F>
void for_each_group(int64_t begin, int64_t end, const F& body) {
  if (begin >= end) return;
  const int64_t groups = at::divup(end - begin, kRows<T>);
  const int64_t each = at::divup(end - begin, groups);
  for (int64_t row = begin; row < end; row += each) body(row, std::min(each, end - row));
}

// The places of a layer's steps, and what both ways have in common.
template <typename T>
class Steps {
 public:
  explicit Steps(const RecurrentLayer& layer)
      : layer_(layer), size_(layer.size), sizes_(layer.batch_sizes), batch_(sizes_[0]) {
    int64_t rows = 0;
    for (const int64_t size : sizes_) {
      first_.push_back(rows);
      rows += size;
    }
  }

  int64_t count() const { return static_cast<int64_t>(sizes_.size()); }
  // The step that is the n-th to run.
  int64_t at(int64_t n) const { return layer_.reverse ? count() - 1 - n : n; }
  int64_t rows(int64_t t) const { return sizes_[t]; }
  // Where a sequence's part of a step is.
  int64_t place(int64_t t, int64_t row) const { return first_[t] + row; }
  // Where the step that runs before step t is, or -1 before the first one of a sequence.
  int64_t before(int64_t t, int64_t row) const {
    if (layer_.reverse) return t + 1 < count() && row < sizes_[t + 1] ? place(t + 1, row) : -1;
    return t > 0 ? place(t - 1, row) : -1;
  }

  // Runs the steps: rows(n, row, last) for rows of the n-th step, then products(n, row, last,
  // block, last_block), which needs both of all rows of the step before. Threads take sequences and
  // run all their steps, or, with few sequences, take blocks of each step. `work` counts the
  // multiply-adds of a row.
  template <typename F, typename P>
  void run(int64_t blocks, int64_t work, const F& rows, const P& products) const {
    const int64_t threads = at::get_num_threads();
    if (batch_ < 4 * threads && batch_ * work >= 4 * cpublas::kSerialWork) {
      for (int64_t n = 0; n < count(); ++n) {
        at::parallel_for(0, batch_, cpublas::grain_of(32 * size_),
                         [&](int64_t begin, int64_t end) { rows(n, begin, end); });
        at::parallel_for(0, blocks, 1, [&](int64_t begin, int64_t end) {
          products(n, int64_t(0), batch_, begin, end);
        });
      }
      return;
    }
    at::parallel_for(0, batch_, cpublas::grain_of(work * count()), [&](int64_t begin, int64_t end) {
      for (int64_t n = 0; n < count(); ++n) {
        rows(n, begin, end);
        products(n, begin, end, int64_t(0), blocks);
      }
    });
  }

 protected:
  using Vec = Vectorized<T>;

  const RecurrentLayer& layer_;
  int64_t size_;
  c10::IntArrayRef sizes_;
  int64_t batch_;
  std::vector<int64_t> first_;
};

// G gates, the vectors of kBlock units of each side by side.
template <typename T, int G>
class Forward : public Steps<T> {
 public:
  Forward(const RecurrentLayer& layer, const RecurrentForward& to)
      : Steps<T>(layer),
        to_(to),
        gates_(static_cast<const T*>(to.gates)),
        output_(static_cast<T*>(to.output)),
        cell_(static_cast<T*>(to.cell)),
        workspace_(static_cast<T*>(to.workspace)),
        blocks_(at::divup(this->size_, kBlock * Vec::size())),
        packed_(blocks_ * this->size_ * kPanel) {}

  void operator()() {
    const int64_t n = this->size_;
    pack();
    const auto* hx = static_cast<const T*>(this->layer_.hx);
    if (cell_ != nullptr) {
      std::copy_n(static_cast<const T*>(this->layer_.cx), this->batch_ * n, cell_);
    }
    this->run(
        blocks_, n * G * n, [](int64_t /*n*/, int64_t /*row*/, int64_t /*last*/) {},
        [&](int64_t k, int64_t row, int64_t last_row, int64_t block, int64_t last_block) {
          const int64_t t = this->at(k);
          for (; block < last_block; ++block) {
            for_each_group<T>(
                row, std::min(last_row, this->rows(t)),
                [&](int64_t first, int64_t count) { step(t, first, count, block, hx); });
          }
        });
    auto* hidden = static_cast<T*>(to_.hidden);
    for (int64_t row = 0; row < this->batch_; ++row) {
      int64_t last = this->layer_.reverse ? 0 : this->count() - 1;
      while (this->rows(last) <= row) --last;
      std::copy_n(output_ + this->place(last, row) * n, n, hidden + row * n);
    }
  }

 private:
  using Vec = typename Steps<T>::Vec;
  static constexpr int64_t kBlock = G == 1 ? 4 : 1;
  static constexpr int kVectors = static_cast<int>(G * kBlock);
  static constexpr int64_t kPanel = kVectors * Vec::size();

  void pack() {
    const int64_t n = this->size_;
    const auto* weight = static_cast<const T*>(this->layer_.weight);
    at::parallel_for(0, blocks_, cpublas::grain_of(n * kPanel), [&](int64_t begin, int64_t end) {
      for (int64_t block = begin; block < end; ++block) {
        T* panel = packed_.data() + block * n * kPanel;
        constexpr int64_t kTogether = 16;  // elements of a row that are read together
        for (int64_t l = 0; l < n; l += kTogether) {
          const int64_t count = std::min(kTogether, n - l);
          for (int64_t lane = 0; lane < kPanel; ++lane) {
            const int64_t unit = block * kBlock * Vec::size() + lane % (kBlock * Vec::size());
            if (unit >= n) {
              for (int64_t i = 0; i < count; ++i) panel[(l + i) * kPanel + lane] = T(0);
              continue;
            }
            const T* from = weight + (lane / (kBlock * Vec::size()) * n + unit) * n + l;
            T* into = panel + l * kPanel + lane;
            for (int64_t i = 0; i < count; ++i) into[i * kPanel] = from[i];
          }
        }
      }
    });
  }

  void step(int64_t t, int64_t first, int64_t count, int64_t block, const T* hx) {
    const int64_t n = this->size_;
    std::array<const T*, static_cast<size_t>(kRows<T>)> hidden;
    for (int64_t r = 0; r < count; ++r) {
      const int64_t before = this->before(t, first + r);
      hidden[r] = before < 0 ? hx + (first + r) * n : output_ + before * n;
    }
    alignas(64) std::array<T, static_cast<size_t>(kRows<T> * kPanel)> sums;
    multiply<T, kVectors>(packed_.data() + block * n * kPanel, hidden.data(), count, n,
                          sums.data());
    for (int64_t r = 0; r < count; ++r) {
      for (int64_t v = 0; v < kBlock; ++v) {
        const int64_t unit = (block * kBlock + v) * Vec::size();
        const int64_t left = std::min<int64_t>(Vec::size(), n - unit);
        if (left <= 0) break;
        cells(this->place(t, first + r), first + r, unit, static_cast<int>(left), hidden[r] + unit,
              sums.data() + (r * kVectors + v) * Vec::size());
      }
    }
  }

  // The cells of one vector of units, behind their products.
  void cells(int64_t place, int64_t row, int64_t unit, int left, const T* hidden, const T* sums) {
    const int64_t n = this->size_;
    const auto load = [left](const T* p) { return Vec::loadu(p, left); };
    const auto product = [sums](int64_t gate) { return Vec::loadu(sums + gate * Vec::size()); };
    const T* from = gates_ + place * G * n + unit;
    T* out = output_ + place * n + unit;
    if constexpr (G == 4) {
      T* state = cell_ + row * n + unit;
      const Vec into = sigmoid_of(load(from) + product(0));
      const Vec forget = sigmoid_of(load(from + n) + product(1));
      const Vec fresh = tanh_of(load(from + 2 * n) + product(2));
      const Vec show = sigmoid_of(load(from + 3 * n) + product(3));
      const Vec next = forget * load(state) + into * fresh;
      next.store(state, left);
      Vec(show * tanh_of(next)).store(out, left);
      if (workspace_ == nullptr) return;
      T* kept = workspace_ + place * kLstmKept * n + unit;
      into.store(kept, left);
      forget.store(kept + n, left);
      fresh.store(kept + 2 * n, left);
      show.store(kept + 3 * n, left);
      next.store(kept + 4 * n, left);
    } else if constexpr (G == 3) {
      const auto* bias = static_cast<const T*>(to_.bias);
      const auto recurrent = [&](int64_t gate) {
        return bias == nullptr ? product(gate) : product(gate) + load(bias + gate * n + unit);
      };
      const Vec reset = sigmoid_of(load(from) + recurrent(0));
      const Vec update = sigmoid_of(load(from + n) + recurrent(1));
      const Vec inner = recurrent(2);
      const Vec fresh = tanh_of(load(from + 2 * n) + reset * inner);
      Vec(fresh + update * (load(hidden) - fresh)).store(out, left);
      if (workspace_ == nullptr) return;
      T* kept = workspace_ + place * kGruKept * n + unit;
      reset.store(kept, left);
      update.store(kept + n, left);
      fresh.store(kept + 2 * n, left);
      inner.store(kept + 3 * n, left);
    } else {
      const Vec sum = load(from) + product(0);
      const Vec next = this->layer_.mode == RecurrentMode::Relu ? vec::clamp_min(sum, Vec(T(0)))
                                                                : Vec(tanh_of(sum));
      next.store(out, left);
    }
  }

  const RecurrentForward& to_;
  const T* gates_;
  T* output_;
  T* cell_;
  T* workspace_;
  int64_t blocks_;
  Panels<T> packed_;
};

template <typename T, int G>
class Backward : public Steps<T> {
 public:
  Backward(const RecurrentLayer& layer, const RecurrentBackward& to)
      : Steps<T>(layer),
        to_(to),
        output_(static_cast<const T*>(to.output)),
        workspace_(static_cast<const T*>(to.workspace)),
        grad_output_(static_cast<const T*>(to.grad_output)),
        grad_hidden_(static_cast<T*>(to.grad_hidden)),
        grad_cell_(static_cast<T*>(to.grad_cell)),
        grad_gates_(static_cast<T*>(to.grad_gates)),
        grad_recurrent_(static_cast<T*>(to.grad_recurrent)),
        blocks_(at::divup(this->size_, kPanel)),
        packed_(blocks_ * G * this->size_ * kPanel) {}

  void operator()() {
    const int64_t n = this->size_;
    pack();
    this->run(
        blocks_, n * G * n,
        [&](int64_t k, int64_t row, int64_t last) {
          const int64_t t = this->at(this->count() - 1 - k);
          for (; row < std::min(last, this->rows(t)); ++row) gates(t, row);
        },
        [&](int64_t k, int64_t row, int64_t last_row, int64_t block, int64_t last_block) {
          const int64_t t = this->at(this->count() - 1 - k);
          for (; block < last_block; ++block) {
            for_each_group<T>(
                row, std::min(last_row, this->rows(t)),
                [&](int64_t first, int64_t count) { product(t, first, count, block); });
          }
        });
  }

 private:
  using Vec = typename Steps<T>::Vec;
  static constexpr int kVectors = 4;
  static constexpr int64_t kPanel = kVectors * Vec::size();

  // The weight's columns in panels.
  void pack() {
    const int64_t n = this->size_;
    const auto* weight = static_cast<const T*>(this->layer_.weight);
    at::parallel_for(0, blocks_, cpublas::grain_of(G * n * kPanel),
                     [&](int64_t begin, int64_t end) {
                       for (int64_t block = begin; block < end; ++block) {
                         T* panel = packed_.data() + block * G * n * kPanel;
                         const int64_t columns = std::min(kPanel, n - block * kPanel);
                         for (int64_t l = 0; l < G * n; ++l) {
                           T* into = panel + l * kPanel;
                           std::fill(std::copy_n(weight + l * n + block * kPanel, columns, into),
                                     into + kPanel, T(0));
                         }
                       }
                     });
  }

  // The gradients of a sequence's gates at a step, and of its state before the step as far as that
  // does not go through the recurrent product.
  void gates(int64_t t, int64_t row) {
    const int64_t n = this->size_;
    const int64_t place = this->place(t, row);
    const int64_t before = this->before(t, row);
    const T* hidden =
        before < 0 ? static_cast<const T*>(this->layer_.hx) + row * n : output_ + before * n;
    std::copy_n(hidden, n, static_cast<T*>(to_.before) + place * n);
    const T* cell = nullptr;
    if constexpr (G == 4) {
      cell = before < 0 ? static_cast<const T*>(this->layer_.cx) + row * n
                        : workspace_ + before * kLstmKept * n + 4 * n;
    }
    for (int64_t unit = 0; unit < n; unit += Vec::size()) {
      const int left = static_cast<int>(std::min<int64_t>(Vec::size(), n - unit));
      cells(place, row, unit, left, hidden + unit, cell == nullptr ? nullptr : cell + unit);
    }
  }

  void cells(int64_t place, int64_t row, int64_t unit, int left, const T* hidden, const T* cell) {
    const int64_t n = this->size_;
    const Vec one(T(1));
    const auto load = [left](const T* p) { return Vec::loadu(p, left); };
    T* state = grad_hidden_ + row * n + unit;
    Vec dh = load(state);
    if (grad_output_ != nullptr) dh = dh + load(grad_output_ + place * n + unit);
    T* to = grad_gates_ + place * G * n + unit;
    if constexpr (G == 4) {
      const T* kept = workspace_ + place * kLstmKept * n + unit;
      const Vec into = load(kept);
      const Vec forget = load(kept + n);
      const Vec fresh = load(kept + 2 * n);
      const Vec show = load(kept + 3 * n);
      const Vec shown = tanh_of(load(kept + 4 * n));
      T* grad_cell = grad_cell_ + row * n + unit;
      const Vec dc = load(grad_cell) + dh * show * (one - shown * shown);
      Vec(dc * fresh * into * (one - into)).store(to, left);
      Vec(dc * load(cell) * forget * (one - forget)).store(to + n, left);
      Vec(dc * into * (one - fresh * fresh)).store(to + 2 * n, left);
      Vec(dh * shown * show * (one - show)).store(to + 3 * n, left);
      Vec(dc * forget).store(grad_cell, left);
      Vec(T(0)).store(state, left);
    } else if constexpr (G == 3) {
      const T* kept = workspace_ + place * kGruKept * n + unit;
      const Vec reset = load(kept);
      const Vec update = load(kept + n);
      const Vec fresh = load(kept + 2 * n);
      const Vec inner = load(kept + 3 * n);
      const Vec d_fresh = dh * (one - update) * (one - fresh * fresh);
      const Vec d_reset = d_fresh * inner * reset * (one - reset);
      const Vec d_update = dh * (load(hidden) - fresh) * update * (one - update);
      T* recurrent = grad_recurrent_ + place * G * n + unit;
      for (T* p : {to, recurrent}) {
        d_reset.store(p, left);
        d_update.store(p + n, left);
      }
      d_fresh.store(to + 2 * n, left);
      Vec(d_fresh * reset).store(recurrent + 2 * n, left);
      Vec(dh * update).store(state, left);
    } else {
      const Vec out = load(output_ + place * n + unit);
      const Vec slope =
          this->layer_.mode == RecurrentMode::Relu ? out.gt(Vec(T(0))) : Vec(one - out * out);
      Vec(dh * slope).store(to, left);
      Vec(T(0)).store(state, left);
    }
  }

  // Adds to the gradients of states what comes through the recurrent product.
  void product(int64_t t, int64_t first, int64_t count, int64_t block) {
    const int64_t n = this->size_;
    const T* from = G == 3 ? grad_recurrent_ : grad_gates_;
    std::array<const T*, static_cast<size_t>(kRows<T>)> rows;
    for (int64_t r = 0; r < count; ++r) rows[r] = from + this->place(t, first + r) * G * n;
    alignas(64) std::array<T, static_cast<size_t>(kRows<T> * kPanel)> sums;
    multiply<T, kVectors>(packed_.data() + block * G * n * kPanel, rows.data(), count, G * n,
                          sums.data());
    const int64_t columns = std::min(kPanel, n - block * kPanel);
    for (int64_t r = 0; r < count; ++r) {
      T* state = grad_hidden_ + (first + r) * n + block * kPanel;
      for (int64_t i = 0; i < columns; ++i) state[i] += sums[r * kPanel + i];
    }
  }

  const RecurrentBackward& to_;
  const T* output_;
  const T* workspace_;
  const T* grad_output_;
  T* grad_hidden_;
  T* grad_cell_;
  T* grad_gates_;
  T* grad_recurrent_;
  int64_t blocks_;
  Panels<T> packed_;
};

// Calls layer(number of gates, as a type).
template <typename F>
void with_gates(RecurrentMode mode, const F& layer) {
  switch (mode) {
    case RecurrentMode::Lstm:
      return layer(std::integral_constant<int, 4>());
    case RecurrentMode::Gru:
      return layer(std::integral_constant<int, 3>());
    case RecurrentMode::Relu:
    case RecurrentMode::Tanh:
      return layer(std::integral_constant<int, 1>());
  }
}

void recurrent_forward_kernel(const RecurrentLayer& layer, const RecurrentForward& to,
                              c10::ScalarType dtype) {
  AT_DISPATCH_FLOATING_TYPES(dtype, "mkldnn_rnn_layer", [&] {
    with_gates(layer.mode, [&](auto gates) { Forward<scalar_t, gates()>(layer, to)(); });
  });
}

void recurrent_backward_kernel(const RecurrentLayer& layer, const RecurrentBackward& to,
                               c10::ScalarType dtype) {
  AT_DISPATCH_FLOATING_TYPES(dtype, "mkldnn_rnn_layer_backward", [&] {
    with_gates(layer.mode, [&](auto gates) { Backward<scalar_t, gates()>(layer, to)(); });
  });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(recurrent_forward_stub, &CPU_CAPABILITY::recurrent_forward_kernel)
REGISTER_DISPATCH(recurrent_backward_stub, &CPU_CAPABILITY::recurrent_backward_kernel)

}  // namespace at::native
