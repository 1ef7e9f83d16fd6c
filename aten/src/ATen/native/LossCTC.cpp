// Connectionist temporal classification: A. Graves and others, "Connectionist Temporal
// Classification" (ICML 2006); equations by their numbers there.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_ctc_loss.h>
#include <ATen/ops/_ctc_loss_backward_native.h>
#include <ATen/ops/_ctc_loss_native.h>
#include <ATen/ops/ctc_loss.h>
#include <ATen/ops/ctc_loss_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <vector>

namespace at::native {
namespace {

// The logarithm of a sum of exponentials.
template <typename T>
T log_add(T a, T b) {
  const T most = std::max(a, b);
  if (most == -std::numeric_limits<T>::infinity()) return most;
  return most + std::log1p(std::exp(std::min(a, b) - most));
}

// Where the symbols of each item are, and how many.
struct Targets {
  Tensor symbols;  // int64, contiguous
  std::vector<int64_t> first;
  int64_t longest = 0;
};

Targets checked_targets(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                        IntArrayRef target_lengths, int64_t blank) {
  const int64_t batch = log_probs.size(1);
  const int64_t classes = log_probs.size(2);
  TORCH_CHECK(0 <= blank && blank < classes, "blank must be in label range");
  TORCH_CHECK(targets.scalar_type() == kLong || targets.scalar_type() == kInt,
              "ctc_loss(): Expected targets to be int32 or int64, but got ", targets.scalar_type());
  TORCH_CHECK(static_cast<int64_t>(input_lengths.size()) == batch,
              "input_lengths must be of size batch_size");
  TORCH_CHECK(static_cast<int64_t>(target_lengths.size()) == batch,
              "target_lengths must be of size batch_size");
  Targets found;
  found.symbols = targets.to(kLong).contiguous();
  int64_t total = 0;
  for (int64_t b = 0; b < batch; ++b) {
    const int64_t length = target_lengths[static_cast<size_t>(b)];
    TORCH_CHECK(length >= 0, "Expected target_lengths to have value at least 0, but got value ",
                length, " (while checking arguments for ctc_loss)");
    TORCH_CHECK(input_lengths[static_cast<size_t>(b)] >= 0 &&
                    input_lengths[static_cast<size_t>(b)] <= log_probs.size(0),
                "Expected input_lengths to have value at most ", log_probs.size(0),
                ", but got value ", input_lengths[static_cast<size_t>(b)],
                " (while checking arguments for ctc_loss)");
    found.first.push_back(targets.dim() == 1 ? total : b * targets.size(1));
    total += length;
    found.longest = std::max(found.longest, length);
  }
  if (targets.dim() == 1) {
    TORCH_CHECK(targets.size(0) == total, "Expected target_lengths to have ", targets.size(0),
                " symbols together, but got ", total);
  } else {
    TORCH_CHECK(targets.dim() == 2 && targets.size(0) == batch && targets.size(1) >= found.longest,
                "Expected tensor to have size at least ", found.longest,
                " at dimension 1, but got size ", targets.sizes(), " for argument #2 'targets'");
  }
  return found;
}

// The symbols with a blank before, between and after.
struct Extended {
  const int64_t* symbols;
  int64_t length;  // with blanks
  int64_t blank;

  int64_t operator[](int64_t s) const { return s % 2 == 0 ? blank : symbols[s / 2]; }
  // Whether the blank before place s may be left out.
  bool skips(int64_t s) const { return s > 1 && (*this)[s] != (*this)[s - 2]; }
};

}  // namespace

std::tuple<Tensor, Tensor> ctc_loss_cpu(const Tensor& log_probs, const Tensor& targets,
                                        IntArrayRef input_lengths, IntArrayRef target_lengths,
                                        int64_t blank, bool /*zero_infinity*/) {
  TORCH_CHECK(log_probs.dim() == 3, "ctc_loss(): Expected log_probs of 3 dimensions, but got ",
              log_probs.sizes());
  const Targets found = checked_targets(log_probs, targets, input_lengths, target_lengths, blank);
  const int64_t times = log_probs.size(0);
  const int64_t batch = log_probs.size(1);
  const int64_t classes = log_probs.size(2);
  const int64_t width = 2 * found.longest + 1;
  const Tensor probs = log_probs.contiguous();
  const Tensor losses = at::empty({batch}, log_probs.options());
  const Tensor log_alpha = at::full({batch, times, width}, -std::numeric_limits<double>::infinity(),
                                    log_probs.options());
  AT_DISPATCH_FLOATING_TYPES(log_probs.scalar_type(), "ctc_loss_cpu", [&] {
    constexpr scalar_t kNever = -std::numeric_limits<scalar_t>::infinity();
    const auto* p = probs.const_data_ptr<scalar_t>();
    auto* alphas = log_alpha.mutable_data_ptr<scalar_t>();
    auto* loss = losses.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, batch, 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const auto item = static_cast<size_t>(b);
        const Extended y{found.symbols.const_data_ptr<int64_t>() + found.first[item],
                         2 * target_lengths[item] + 1, blank};
        const int64_t steps = input_lengths[item];
        scalar_t* alpha = alphas + b * times * width;
        if (steps == 0) {
          loss[b] = y.length == 1 ? scalar_t(0) : -kNever;
          continue;
        }
        const auto prob = [&](int64_t t, int64_t s) { return p[(t * batch + b) * classes + y[s]]; };
        // (5), (6) and (7)
        alpha[0] = prob(0, 0);
        if (y.length > 1) alpha[1] = prob(0, 1);
        for (int64_t t = 1; t < steps; ++t) {
          const scalar_t* before = alpha + (t - 1) * width;
          for (int64_t s = 0; s < y.length; ++s) {
            scalar_t sum = before[s];
            if (s > 0) sum = log_add(sum, before[s - 1]);
            if (y.skips(s)) sum = log_add(sum, before[s - 2]);
            alpha[t * width + s] = sum + prob(t, s);
          }
        }
        // (8)
        const scalar_t* last = alpha + (steps - 1) * width;
        scalar_t sum = last[y.length - 1];
        if (y.length > 1) sum = log_add(sum, last[y.length - 2]);
        loss[b] = -sum;
      }
    });
  });
  return {losses, log_alpha};
}

Tensor ctc_loss_backward_cpu(const Tensor& grad, const Tensor& log_probs, const Tensor& targets,
                             IntArrayRef input_lengths, IntArrayRef target_lengths,
                             const Tensor& neg_log_likelihood, const Tensor& log_alpha,
                             int64_t blank, bool zero_infinity) {
  const Targets found = checked_targets(log_probs, targets, input_lengths, target_lengths, blank);
  const int64_t times = log_probs.size(0);
  const int64_t batch = log_probs.size(1);
  const int64_t classes = log_probs.size(2);
  const int64_t width = 2 * found.longest + 1;
  const Tensor probs = log_probs.contiguous();
  const Tensor alpha_list = log_alpha.contiguous();
  const Tensor losses = neg_log_likelihood.contiguous();
  const Tensor grads = grad.contiguous();
  const Tensor result = at::zeros_like(probs);
  AT_DISPATCH_FLOATING_TYPES(log_probs.scalar_type(), "ctc_loss_backward_cpu", [&] {
    constexpr scalar_t kNever = -std::numeric_limits<scalar_t>::infinity();
    const auto* p = probs.const_data_ptr<scalar_t>();
    const auto* alphas = alpha_list.const_data_ptr<scalar_t>();
    const auto* loss = losses.const_data_ptr<scalar_t>();
    const auto* dy = grads.const_data_ptr<scalar_t>();
    auto* dx = result.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, batch, 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const auto item = static_cast<size_t>(b);
        if (zero_infinity && loss[b] == -kNever) continue;
        const Extended y{found.symbols.const_data_ptr<int64_t>() + found.first[item],
                         2 * target_lengths[item] + 1, blank};
        const scalar_t* alpha = alphas + b * times * width;
        std::vector<scalar_t> beta(static_cast<size_t>(y.length), kNever);
        std::vector<scalar_t> sums(static_cast<size_t>(classes));
        const int64_t steps = input_lengths[item];
        for (int64_t t = steps - 1; t >= 0; --t) {
          const scalar_t* now = p + (t * batch + b) * classes;
          // (10) and (11), in place: places after s are of the next step until s is done.
          std::vector<scalar_t> next = beta;
          for (int64_t s = 0; s < y.length; ++s) {
            const auto at = static_cast<size_t>(s);
            scalar_t sum = kNever;
            if (t == steps - 1) {
              if (s >= y.length - 2) sum = 0;
            } else {
              sum = next[at];
              if (s + 1 < y.length) sum = log_add(sum, next[at + 1]);
              if (s + 2 < y.length && y.skips(s + 2)) sum = log_add(sum, next[at + 2]);
            }
            beta[at] = sum + now[y[s]];
          }
          // (16): alpha beta / p of all places of a class.
          std::fill(sums.begin(), sums.end(), kNever);
          for (int64_t s = 0; s < y.length; ++s) {
            scalar_t& sum = sums[static_cast<size_t>(y[s])];
            sum = log_add(sum, alpha[t * width + s] + beta[static_cast<size_t>(s)]);
          }
          scalar_t* out = dx + (t * batch + b) * classes;
          for (int64_t c = 0; c < classes; ++c) {
            const scalar_t share = std::exp(sums[static_cast<size_t>(c)] + loss[b] - now[c]);
            out[c] = dy[b] * (std::exp(now[c]) - share);
          }
        }
      }
    });
  });
  return result;
}

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                IntArrayRef target_lengths, int64_t blank, int64_t reduction, bool zero_infinity) {
  const bool batched = log_probs.dim() == 3;
  const Tensor probs = batched ? log_probs : log_probs.unsqueeze(1);
  const Tensor symbols = batched || targets.dim() != 1 ? targets : targets.unsqueeze(0);
  Tensor loss = std::get<0>(
      at::_ctc_loss(probs, symbols, input_lengths, target_lengths, blank, zero_infinity));
  if (zero_infinity) {
    loss = at::where(loss.eq(std::numeric_limits<double>::infinity()), at::zeros_like(loss), loss);
  }
  constexpr int64_t kMean = 1;
  constexpr int64_t kSum = 2;
  if (reduction == kMean) {
    const Tensor lengths = at::empty({loss.size(0)}, TensorOptions().dtype(kLong));
    std::copy(target_lengths.begin(), target_lengths.end(), lengths.mutable_data_ptr<int64_t>());
    return loss.div(lengths.to(loss.device(), loss.scalar_type()).clamp_min(1)).mean();
  }
  if (reduction == kSum) return loss.sum();
  return batched ? loss : loss.squeeze(0);
}

Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, int64_t blank, int64_t reduction,
                bool zero_infinity) {
  const auto list = [](const Tensor& lengths) {
    TORCH_CHECK(c10::isIntegralType(lengths.scalar_type(), /*includeBool=*/false),
                "ctc_loss(): lengths must be integral");
    const Tensor longs = lengths.to(kCPU, kLong).contiguous();
    const auto* data = longs.const_data_ptr<int64_t>();
    return std::vector<int64_t>(data, data + longs.numel());
  };
  return at::ctc_loss(log_probs, targets, list(input_lengths), list(target_lengths), blank,
                      reduction, zero_infinity);
}

}  // namespace at::native
