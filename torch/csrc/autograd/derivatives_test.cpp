// Every formula of derivatives.yaml against finite differences, in double: the first derivative of
// the operator, and the derivative of that where it has one. tools/codegen/autograd_test.py checks
// that no node is missing here.

#include <ATen/TensorOperators.h>
#include <ATen/core/List.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/_index_put_impl.h>
#include <ATen/ops/_log_softmax.h>
#include <ATen/ops/_log_softmax_backward_data.h>
#include <ATen/ops/_softmax.h>
#include <ATen/ops/_softmax_backward_data.h>
#include <ATen/ops/_to_copy.h>
#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/binary_cross_entropy.h>
#include <ATen/ops/binary_cross_entropy_backward.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/embedding_dense_backward.h>
#include <ATen/ops/fill.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/gelu_backward.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/leaky_relu_backward.h>
#include <ATen/ops/lift_fresh.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/mse_loss_backward.h>
#include <ATen/ops/native_dropout.h>
#include <ATen/ops/native_dropout_backward.h>
#include <ATen/ops/native_layer_norm.h>
#include <ATen/ops/nll_loss_backward.h>
#include <ATen/ops/nll_loss_forward.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/select_backward.h>
#include <ATen/ops/sigmoid_backward.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/slice_backward.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/softplus_backward.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh_backward.h>
#include <ATen/ops/threshold.h>
#include <ATen/ops/threshold_backward.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace torch::autograd {
namespace {

using at::Tensor;
using Tensors = std::vector<Tensor>;
using Function = std::function<Tensor(const Tensors&)>;

constexpr double kStep = 1e-5;
constexpr double kTolerance = 2e-5;

std::mt19937& random_engine() {
  static std::mt19937 engine(std::random_device{}());
  return engine;
}

// ---- inputs: fresh random numbers, at a distance from where an operator has a kink ----

Tensor random_tensor(at::IntArrayRef sizes, double low, double high, bool either_sign) {
  Tensor t = at::zeros(sizes, at::kDouble);
  std::uniform_real_distribution<double> magnitude(low, high);
  double* data = t.mutable_data_ptr<double>();
  for (int64_t i = 0; i < t.numel(); ++i) {
    const bool negative = either_sign && (random_engine()() & 1u) != 0;
    data[i] = negative ? -magnitude(random_engine()) : magnitude(random_engine());
  }
  return t.requires_grad_();
}

Tensor any(std::initializer_list<int64_t> sizes) {
  return random_tensor(at::IntArrayRef(sizes.begin(), sizes.size()), 0.2, 1.9, true);
}
Tensor positive(std::initializer_list<int64_t> sizes) {
  return random_tensor(at::IntArrayRef(sizes.begin(), sizes.size()), 0.3, 1.9, false);
}
Tensor probability(std::initializer_list<int64_t> sizes) {
  return random_tensor(at::IntArrayRef(sizes.begin(), sizes.size()), 0.1, 0.9, false);
}
// All elements differ by at least 0.1: selections stay what they are.
Tensor distinct(std::initializer_list<int64_t> sizes) {
  Tensor t = at::zeros(at::IntArrayRef(sizes.begin(), sizes.size()), at::kDouble);
  double* data = t.mutable_data_ptr<double>();
  for (int64_t i = 0; i < t.numel(); ++i) {
    data[i] = 0.17 * static_cast<double>(i) - 0.6;
  }
  std::shuffle(data, data + t.numel(), random_engine());
  return t.requires_grad_();
}
Tensor indices(std::vector<int64_t> values, at::IntArrayRef sizes) {
  Tensor t = at::zeros(sizes, at::kLong);
  std::copy(values.begin(), values.end(), t.mutable_data_ptr<int64_t>());
  return t;
}
Tensor indices(std::vector<int64_t> values) {
  const auto size = static_cast<int64_t>(values.size());
  return indices(std::move(values), {size});
}
Tensor mask23() { return indices({1, 0, 0, 1, 1, 0}, {2, 3}) == 1; }
c10::List<std::optional<Tensor>> index_list(Tensor first) {
  c10::List<std::optional<Tensor>> list;
  list.push_back(std::move(first));
  return list;
}

// ---- the check ----

// The sum of all elements, weighted: a number whose gradient sees every element.
Tensor weighted_sum(const Tensor& t) {
  Tensor weights = at::zeros(t.sizes(), at::kDouble);
  double* data = weights.mutable_data_ptr<double>();
  for (int64_t i = 0; i < weights.numel(); ++i) {
    data[i] = 0.5 + 0.37 * static_cast<double>(i % 5);
  }
  return (t * weights).sum();
}

Tensors differentiable(const Tensors& inputs) {
  Tensors result;
  std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(result),
               [](const Tensor& t) { return t.requires_grad(); });
  return result;
}

// d f / d inputs, element after element.
std::vector<double> numerical(const Function& f, const Tensors& inputs) {
  std::vector<double> gradient;
  for (const Tensor& input : differentiable(inputs)) {
    double* data = input.detach().mutable_data_ptr<double>();
    for (int64_t i = 0; i < input.numel(); ++i) {
      const double before = data[i];
      data[i] = before + kStep;
      const double high = f(inputs).item<double>();
      data[i] = before - kStep;
      const double low = f(inputs).item<double>();
      data[i] = before;
      gradient.push_back((high - low) / (2 * kStep));
    }
  }
  return gradient;
}

std::vector<double> analytical(const Function& f, const Tensors& inputs) {
  const Tensors wanted = differentiable(inputs);
  const Tensor result = f(inputs);
  const variable_list grads = result.requires_grad() ? grad({result}, wanted, {}, std::nullopt,
                                                            false, /*allow_unused=*/true)
                                                     : variable_list(wanted.size());
  std::vector<double> gradient;
  for (size_t i = 0; i < wanted.size(); ++i) {
    const Tensor g = grads[i].defined() ? grads[i].contiguous() : at::zeros_like(wanted[i]);
    EXPECT_EQ(g.sizes(), wanted[i].sizes());
    const Tensor plain = g.detach();
    gradient.insert(gradient.end(), plain.const_data_ptr<double>(),
                    plain.const_data_ptr<double>() + plain.numel());
  }
  return gradient;
}

void expect_gradient(const Function& f, const Tensors& inputs, const char* what) {
  const std::vector<double> expected = numerical(f, inputs);
  const std::vector<double> got = analytical(f, inputs);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], expected[i], kTolerance * std::max(1.0, std::abs(expected[i])))
        << what << ", element " << i;
  }
}

// ---- the table ----

struct Case {
  // The class of the node that the operator records.
  std::string node;
  std::function<Tensors()> inputs;
  Function f;
  // Whether the backward formula is differentiable itself.
  bool twice = true;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.node; }

class DerivativesTest : public ::testing::TestWithParam<Case> {};

TEST_P(DerivativesTest, MatchFiniteDifferences) {
  const Case& c = GetParam();
  const Tensors inputs = c.inputs();
  const Tensor result = c.f(inputs);
  ASSERT_TRUE(result.requires_grad());
  EXPECT_EQ(result.grad_fn()->name(), c.node);

  const Function first = [&c](const Tensors& x) { return weighted_sum(c.f(x)); };
  expect_gradient(first, inputs, "first derivative");
  if (!c.twice) {
    return;
  }
  const Function second = [&first](const Tensors& x) {
    const variable_list grads = grad({first(x)}, differentiable(x), {}, std::nullopt,
                                     /*create_graph=*/true, /*allow_unused=*/true);
    Tensor sum = at::zeros({}, at::kDouble);
    for (const Tensor& g : grads) {
      if (g.defined()) {
        sum = sum + weighted_sum(g);
      }
    }
    return sum;
  };
  expect_gradient(second, inputs, "second derivative");
}

// Operators that change a fresh copy, as in-place operators must.
Tensor copy(const Tensor& t) { return t * 1; }

using X = const Tensors&;

std::vector<Case> cases() {
  const auto x = [] { return Tensors{any({2, 3})}; };
  const auto xy = [] { return Tensors{any({2, 3}), any({2, 3})}; };
  const auto row = [] { return Tensors{any({2, 3}), any({3})}; };
  const auto column = [] { return Tensors{any({2, 1}), positive({2, 3})}; };
  const auto pos = [] { return Tensors{positive({2, 3})}; };
  const auto sorted = [] { return Tensors{distinct({2, 3})}; };
  const auto prob = [] { return Tensors{probability({2, 3}), probability({2, 3})}; };
  const int64_t mean = at::Reduction::Mean;
  const int64_t none = at::Reduction::None;
  return {
      // copies and casts
      {"AliasBackward0", x, [](X t) { return t[0].alias(); }},
      {"CloneBackward0", x, [](X t) { return t[0].clone(); }},
      {"ToCopyBackward0", x,
       [](X t) { return at::_to_copy(t[0], at::TensorOptions(at::kDouble)); }},
      // filling
      {"FillBackward0", x, [](X t) { return at::fill(t[0], 2); }},
      {"FillBackward1", [] { return Tensors{any({2, 3}), any({})}; },
       [](X t) { return at::fill(t[0], t[1]); }},
      {"FillBackward2", x, [](X t) { return copy(t[0]).fill_(2); }},
      {"FillBackward3", [] { return Tensors{any({2, 3}), any({})}; },
       [](X t) { return copy(t[0]).fill_(t[1]); }},
      {"ZeroBackward0", x, [](X t) { return copy(t[0]).zero_(); }},
      // views
      {"AsStridedBackward0", x, [](X t) { return t[0].as_strided({2, 2}, {3, 1}, 1); }},
      {"AsStridedBackward0", x, [](X t) { return t[0].as_strided({2, 3}, {1, 1}); }},
      {"AsStridedBackward0", [] { return Tensors{any({3})}; },
       [](X t) { return t[0].expand({2, 3}).as_strided({3}, {1}); }},
      {"AsStridedBackward1", x, [](X t) { return copy(t[0]).as_strided_({2, 2}, {3, 1}, 1); }},
      {"DiagonalBackward0", x, [](X t) { return t[0].diagonal(1); }},
      {"ExpandBackward0", [] { return Tensors{any({2, 1})}; },
       [](X t) { return t[0].expand({3, 2, 3}); }},
      {"PermuteBackward0", [] { return Tensors{any({2, 3, 2})}; },
       [](X t) { return t[0].permute({2, 0, -2}); }},
      {"SelectBackward0", x, [](X t) { return t[0].select(1, -1); }},
      {"SelectBackwardBackward0", [] { return Tensors{any({2})}; },
       [](X t) { return at::select_backward(t[0], {2, 3}, 1, 2); }},
      {"SliceBackward0", x, [](X t) { return t[0].slice(1, 0, 3, 2); }},
      {"SliceBackwardBackward0", [] { return Tensors{any({2, 2})}; },
       [](X t) { return at::slice_backward(t[0], {2, 3}, 1, 0, 3, 2); }},
      {"SplitBackward0", x, [](X t) { return t[0].split(2, 1)[1]; }},
      {"SplitWithSizesBackward0", x, [](X t) { return t[0].split_with_sizes({1, 2}, 1)[1]; }},
      {"SqueezeBackward0", [] { return Tensors{any({1, 3, 1})}; },
       [](X t) { return t[0].squeeze(); }},
      {"SqueezeBackward1", [] { return Tensors{any({1, 3, 1})}; },
       [](X t) { return t[0].squeeze(-1); }},
      {"SqueezeBackward2", [] { return Tensors{any({1, 3, 1})}; },
       [](X t) { return t[0].squeeze(at::IntArrayRef({0, 2})); }},
      {"SqueezeBackward3", [] { return Tensors{any({1, 3, 1})}; },
       [](X t) { return copy(t[0]).squeeze_(); }},
      {"SqueezeBackward4", [] { return Tensors{any({1, 3, 1})}; },
       [](X t) { return copy(t[0]).squeeze_(-1); }},
      {"SqueezeBackward5", [] { return Tensors{any({1, 3, 1})}; },
       [](X t) { return copy(t[0]).squeeze_(at::IntArrayRef({0, 2})); }},
      {"TBackward0", x, [](X t) { return t[0].t(); }},
      {"TBackward1", x, [](X t) { return copy(t[0]).t_(); }},
      {"TransposeBackward0", x, [](X t) { return t[0].transpose(0, -1); }},
      {"TransposeBackward1", x, [](X t) { return copy(t[0]).transpose_(0, -1); }},
      {"UnbindBackward0", x, [](X t) { return t[0].unbind(1)[2]; }},
      {"UnsqueezeBackward0", x, [](X t) { return t[0].unsqueeze(1); }},
      {"UnsqueezeBackward1", x, [](X t) { return copy(t[0]).unsqueeze_(-1); }},
      {"ViewBackward0", x, [](X t) { return t[0].view({3, 2}); }},
      {"UnsafeViewBackward0", x, [](X t) { return at::_unsafe_view(t[0], {3, 2}); }},
      {"ReshapeAliasBackward0", x, [](X t) { return t[0]._reshape_alias({3, 2}, {2, 1}); }},
      // arithmetic
      {"AbsBackward0", x, [](X t) { return t[0].abs(); }},
      {"AddBackward0", row, [](X t) { return t[0].add(t[1], 3); }},
      {"AddBackward1", x, [](X t) { return t[0].add(2, 3); }},
      {"AddcdivBackward0", [] { return Tensors{any({2, 3}), any({3}), positive({2, 3})}; },
       [](X t) { return t[0].addcdiv(t[1], t[2], 2); }},
      {"AddcmulBackward0", [] { return Tensors{any({2, 3}), any({3}), any({2, 1})}; },
       [](X t) { return t[0].addcmul(t[1], t[2], 2); }},
      {"CeilBackward0", [] { return Tensors{probability({2, 3})}; },
       [](X t) { return t[0].ceil(); }},
      {"ClampBackward1", sorted, [](X t) { return t[0].clamp(-0.5, 0.16); }},
      {"ClampMinBackward0", sorted, [](X t) { return t[0].clamp_min(-0.2); }},
      {"ClampMaxBackward0", sorted, [](X t) { return t[0].clamp_max(-0.2); }},
      {"CosBackward0", x, [](X t) { return t[0].cos(); }},
      {"DivBackward0", column, [](X t) { return t[0].div(t[1]); }},
      {"DivBackward1", x, [](X t) { return t[0].div(3); }},
      {"DivBackward2", [] { return Tensors{probability({2, 3}), positive({2, 3})}; },
       [](X t) { return t[0].div(t[1] + 2, "floor"); }},
      {"DivBackward3", [] { return Tensors{probability({2, 3})}; },
       [](X t) { return t[0].div(3, "trunc"); }},
      {"ExpBackward0", x, [](X t) { return t[0].exp(); }},
      {"ExpBackward0", x, [](X t) { return copy(t[0]).exp_(); }},
      {"Expm1Backward0", x, [](X t) { return t[0].expm1(); }},
      {"FloorBackward0", [] { return Tensors{probability({2, 3})}; },
       [](X t) { return t[0].floor(); }},
      {"LerpBackward0", xy, [](X t) { return t[0].lerp(t[1], 0.3); }},
      {"LerpBackward1", [] { return Tensors{any({2, 3}), any({3}), any({2, 1})}; },
       [](X t) { return t[0].lerp(t[1], t[2]); }},
      {"LogBackward0", pos, [](X t) { return t[0].log(); }},
      {"Log1PBackward0", pos, [](X t) { return t[0].log1p(); }},
      {"MaximumBackward0", [] { return Tensors{positive({2, 3}), any({3})}; },
       [](X t) { return t[0].maximum(t[1] - 3); }},
      {"MinimumBackward0", [] { return Tensors{positive({2, 3}), any({3})}; },
       [](X t) { return t[0].minimum(t[1] - 3); }},
      {"MulBackward0", row, [](X t) { return t[0].mul(t[1]); }},
      {"MulBackward0", x, [](X t) { return copy(t[0]).mul_(t[0]); }},
      {"MulBackward1", x, [](X t) { return t[0].mul(3); }},
      {"NegBackward0", x, [](X t) { return t[0].neg(); }},
      {"PowBackward0", pos, [](X t) { return t[0].pow(2.5); }},
      {"PowBackward0", x, [](X t) { return t[0].pow(3); }},
      {"PowBackward0", x, [](X t) { return copy(t[0]).pow_(2); }},
      {"PowBackward1", [] { return Tensors{positive({2, 3}), any({3})}; },
       [](X t) { return t[0].pow(t[1]); }},
      {"PowBackward2", x, [](X t) { return at::pow(1.7, t[0]); }},
      {"ReciprocalBackward0", x, [](X t) { return t[0].reciprocal(); }},
      {"RemainderBackward0", [] { return Tensors{probability({2, 3})}; },
       [](X t) { return t[0].remainder(2); }},
      {"RemainderBackward1", [] { return Tensors{probability({2, 3}), probability({2, 3})}; },
       [](X t) { return (t[0] + 5).remainder(t[1] + 3.9); }},
      {"RemainderBackward2", [] { return Tensors{probability({2, 3})}; },
       [](X t) { return at::remainder(9.5, t[0] + 6); }},
      {"RoundBackward0", [] { return Tensors{random_tensor({2, 3}, 0.6, 1.4, false)}; },
       [](X t) { return t[0].round(); }},
      {"RsqrtBackward0", pos, [](X t) { return t[0].rsqrt(); }},
      {"RsubBackward0", row, [](X t) { return at::rsub(t[0], t[1], 3); }},
      {"RsubBackward1", x, [](X t) { return at::rsub(t[0], 2, 3); }},
      {"SignBackward0", x, [](X t) { return t[0].sign(); }},
      {"SinBackward0", x, [](X t) { return t[0].sin(); }},
      {"SqrtBackward0", pos, [](X t) { return t[0].sqrt(); }},
      {"SubBackward0", row, [](X t) { return t[0].sub(t[1], 3); }},
      {"SubBackward1", x, [](X t) { return t[0].sub(2, 3); }},
      {"TruncBackward0", [] { return Tensors{probability({2, 3})}; },
       [](X t) { return t[0].trunc(); }},
      {"WhereBackward0", row, [](X t) { return at::where(mask23(), t[0], t[1]); }},
      // reductions
      {"AmaxBackward0", sorted, [](X t) { return t[0].amax({1}); }},
      {"AminBackward0", sorted, [](X t) { return t[0].amin(at::IntArrayRef(), true); }},
      {"CumsumBackward0", x, [](X t) { return t[0].cumsum(1); }},
      {"LogsumexpBackward0", x, [](X t) { return t[0].logsumexp({1}); }},
      {"LinalgVectorNormBackward0", x,
       [](X t) { return at::linalg_vector_norm(t[0], 3, at::IntArrayRef({1})); }},
      {"LinalgVectorNormBackward0", x, [](X t) { return at::linalg_vector_norm(t[0], 2); }},
      {"MaxBackward0", sorted, [](X t) { return std::get<0>(t[0].max(1)); }},
      {"MaxBackward1", sorted, [](X t) { return t[0].max(); }},
      {"MeanBackward0", x, [](X t) { return t[0].mean(); }},
      {"MeanBackward1", x, [](X t) { return t[0].mean(at::IntArrayRef({-1})); }},
      {"MinBackward0", sorted, [](X t) { return std::get<0>(t[0].min(0, true)); }},
      {"MinBackward1", sorted, [](X t) { return t[0].min(); }},
      {"LinalgVectorNormBackward0", x, [](X t) { return t[0].norm(3); }},
      {"LinalgVectorNormBackward0", x, [](X t) { return t[0].norm(1); }},
      {"LinalgVectorNormBackward0", sorted, [](X t) { return t[0].norm(INFINITY); }},
      {"LinalgVectorNormBackward0", x, [](X t) { return t[0].norm(2, at::IntArrayRef({1})); }},
      {"LinalgVectorNormBackward0", x,
       [](X t) { return t[0].norm(1.5, at::IntArrayRef({1}), true); }},
      {"LinalgVectorNormBackward0", x,
       [](X t) { return t[0].norm(2, at::IntArrayRef({1}), true, at::kDouble); }},
      {"ProdBackward0", x, [](X t) { return t[0].prod(); }},
      {"ProdBackward0", x, [](X t) { return t[0].masked_fill(mask23(), 0).prod(); }},
      {"ProdBackward0", x,
       [](X t) { return t[0].masked_fill(indices({1, 0, 0, 0, 0, 0}, {2, 3}) == 1, 0).prod(); }},
      {"ProdBackward1", x, [](X t) { return t[0].prod(1); }},
      {"ProdBackward1", x,
       [](X t) { return t[0].masked_fill(indices({1, 0, 0, 0, 1, 1}, {2, 3}) == 1, 0).prod(0); }},
      {"StdBackward0", x, [](X t) { return t[0].std(at::IntArrayRef({1}), 0); }},
      {"SumBackward0", x, [](X t) { return t[0].sum(); }},
      {"SumBackward1", [] { return Tensors{any({2, 3, 2})}; },
       [](X t) { return t[0].sum(at::IntArrayRef({0, -1})); }},
      {"VarBackward0", x, [](X t) { return t[0].var(at::IntArrayRef({1}), 1, true); }},
      {"VarBackward0", x, [](X t) { return t[0].var(std::nullopt, 2); }},
      // matrix products
      {"AddmmBackward0", [] { return Tensors{any({4}), any({2, 3}), any({3, 4})}; },
       [](X t) { return t[0].addmm(t[1], t[2], 2, 3); }},
      {"AddmvBackward0", [] { return Tensors{any({2}), any({2, 3}), any({3})}; },
       [](X t) { return t[0].addmv(t[1], t[2], 2, 3); }},
      {"BmmBackward0", [] { return Tensors{any({2, 2, 3}), any({2, 3, 2})}; },
       [](X t) { return t[0].bmm(t[1]); }},
      {"DotBackward0", [] { return Tensors{any({3}), any({3})}; },
       [](X t) { return t[0].dot(t[1]); }},
      {"MmBackward0", [] { return Tensors{any({2, 3}), any({3, 4})}; },
       [](X t) { return t[0].mm(t[1]); }},
      {"MvBackward0", row, [](X t) { return t[0].mv(t[1]); }},
      {"TrilBackward0", x, [](X t) { return t[0].tril(1); }},
      {"TriuBackward0", x, [](X t) { return t[0].triu(1); }},
      // activations
      {"GeluBackward0", x, [](X t) { return at::gelu(t[0]); }},
      {"GeluBackward0", x, [](X t) { return at::gelu(t[0], "tanh"); }},
      {"GeluBackwardBackward0", xy, [](X t) { return at::gelu_backward(t[0], t[1]); }},
      {"GeluBackwardBackward0", xy, [](X t) { return at::gelu_backward(t[0], t[1], "tanh"); }},
      {"LeakyReluBackward0", x, [](X t) { return at::leaky_relu(t[0], 0.2); }},
      {"LeakyReluBackwardBackward0", xy,
       [](X t) { return at::leaky_relu_backward(t[0], t[1], 0.2, false); }},
      {"ReluBackward0", x, [](X t) { return t[0].relu(); }},
      {"SigmoidBackward0", x, [](X t) { return t[0].sigmoid(); }},
      {"SigmoidBackwardBackward0", xy, [](X t) { return at::sigmoid_backward(t[0], t[1]); }},
      {"SiluBackward0", x, [](X t) { return at::silu(t[0]); }},
      {"SoftplusBackward0", x, [](X t) { return at::softplus(t[0], 2, 20); }},
      {"SoftplusBackwardBackward0", xy,
       [](X t) { return at::softplus_backward(t[0], t[1], 2, 20); }},
      {"TanhBackward0", x, [](X t) { return t[0].tanh(); }},
      {"TanhBackwardBackward0", xy, [](X t) { return at::tanh_backward(t[0], t[1]); }},
      {"ThresholdBackward0", x, [](X t) { return at::threshold(t[0], 0.1, 3); }},
      {"ThresholdBackwardBackward0", xy,
       [](X t) { return at::threshold_backward(t[0], t[1], 0.1); }},
      // softmax and losses
      {"LogSoftmaxBackward0", x, [](X t) { return at::_log_softmax(t[0], 1, false); }},
      {"LogSoftmaxBackwardDataBackward0", xy,
       [](X t) { return at::_log_softmax_backward_data(t[0], t[1], 1, at::kDouble); }},
      {"SoftmaxBackward0", x, [](X t) { return at::_softmax(t[0], 1, false); }},
      {"SoftmaxBackwardDataBackward0", xy,
       [](X t) { return at::_softmax_backward_data(t[0], t[1], 1, at::kDouble); }},
      {"BinaryCrossEntropyBackward0", prob,
       [=](X t) { return at::binary_cross_entropy(t[0], t[1], std::nullopt, mean); }},
      {"BinaryCrossEntropyBackward0", prob,
       [=](X t) {
         return at::binary_cross_entropy(t[0], t[1], mask23().to(at::kDouble) + 1, none);
       }},
      {"BinaryCrossEntropyBackwardBackward0",
       [] { return Tensors{any({}), probability({2, 3}), probability({2, 3})}; },
       [=](X t) {
         return at::binary_cross_entropy_backward(t[0], t[1], t[2], std::nullopt, mean);
       }},
      {"BinaryCrossEntropyWithLogitsBackward0",
       [] { return Tensors{any({2, 3}), probability({2, 3})}; },
       [=](X t) {
         return at::binary_cross_entropy_with_logits(t[0], t[1], std::nullopt, std::nullopt, none);
       }},
      {"MseLossBackward0", xy, [=](X t) { return at::mse_loss(t[0], t[1], mean); }},
      {"MseLossBackward0", xy, [=](X t) { return at::mse_loss(t[0], t[1], none); }},
      {"MseLossBackwardBackward0", [] { return Tensors{any({}), any({2, 3}), any({2, 3})}; },
       [=](X t) { return at::mse_loss_backward(t[0], t[1], t[2], mean); }},
      {"NllLossBackward0", x,
       [=](X t) {
         return std::get<0>(at::nll_loss_forward(t[0], indices({2, 0}), std::nullopt, mean, -100));
       }},
      {"NllLossBackwardBackward0", [] { return Tensors{any({}), any({2, 3})}; },
       [=](X t) {
         const Tensor weight = at::zeros({}, at::kDouble) + 2;
         return at::nll_loss_backward(t[0], t[1], indices({2, 0}), std::nullopt, mean, -100,
                                      weight);
       }},
      {"NativeDropoutBackwardBackward0", x,
       [](X t) { return at::native_dropout_backward(t[0], mask23(), 1.25); }},
      {"EmbeddingBackward0", [] { return Tensors{any({4, 2})}; },
       [](X t) { return at::embedding(t[0], indices({0, 3, 3, 1}, {2, 2}), 2); }},
      {"EmbeddingDenseBackwardBackward0", [] { return Tensors{any({2, 2, 2})}; },
       [](X t) {
         return at::embedding_dense_backward(t[0], indices({0, 3, 3, 1}, {2, 2}), 4, 1, false);
       }},
      {"NativeLayerNormBackward0", [] { return Tensors{any({2, 3}), any({3}), any({3})}; },
       [](X t) { return std::get<0>(at::native_layer_norm(t[0], {3}, t[1], t[2], 1e-5)); }},
      // indexing
      {"CatBackward0", [] { return Tensors{any({2, 3}), any({2, 1})}; },
       [](X t) { return at::cat({t[0], t[1], t[0]}, 1); }},
      {"FlipBackward0", x, [](X t) { return t[0].flip({0, 1}); }},
      {"GatherBackward0", x, [](X t) { return t[0].gather(1, indices({2, 2, 0, 1}, {2, 2})); }},
      {"IndexBackward0", x, [](X t) { return t[0].index(index_list(indices({1, 0, 1}))); }},
      {"IndexAddBackward0", [] { return Tensors{any({2, 3}), any({3, 3})}; },
       [](X t) { return t[0].index_add(0, indices({1, 0, 1}), t[1], 2); }},
      {"IndexPutBackward0", [] { return Tensors{any({3, 2}), any({2, 2})}; },
       [](X t) { return t[0].index_put(index_list(indices({2, 0})), t[1]); }},
      {"IndexPutBackward0", [] { return Tensors{any({3, 2}), any({3, 2})}; },
       [](X t) { return t[0].index_put(index_list(indices({2, 0, 2})), t[1], true); }},
      {"IndexPutImplBackward0", [] { return Tensors{any({3, 2}), any({2, 2})}; },
       [](X t) {
         Tensor self = copy(t[0]);
         return at::_index_put_impl_(self, index_list(indices({2, 0})), t[1]);
       }},
      {"IndexSelectBackward0", x, [](X t) { return t[0].index_select(1, indices({2, 0, 2})); }},
      {"MaskedFillBackward0", x, [](X t) { return t[0].masked_fill(mask23(), 3); }},
      {"MaskedFillBackward1", [] { return Tensors{any({2, 3}), any({})}; },
       [](X t) { return t[0].masked_fill(mask23(), t[1]); }},
      {"MaskedScatterBackward0", [] { return Tensors{any({2, 3}), any({4})}; },
       [](X t) { return t[0].masked_scatter(mask23(), t[1]); }},
      {"MaskedSelectBackward0", x, [](X t) { return t[0].masked_select(mask23()); }},
      {"ScatterBackward0", [] { return Tensors{any({2, 3}), any({2, 2})}; },
       [](X t) { return t[0].scatter(1, indices({2, 0, 0, 1}, {2, 2}), t[1]); }},
      {"ScatterBackward1", x,
       [](X t) { return t[0].scatter(1, indices({2, 0, 0, 1}, {2, 2}), 3); }},
      {"ScatterAddBackward0", [] { return Tensors{any({2, 3}), any({2, 2})}; },
       [](X t) { return t[0].scatter_add(1, indices({2, 2, 0, 1}, {2, 2}), t[1]); }},
      {"SortBackward0", sorted, [](X t) { return std::get<0>(t[0].sort(1, true)); }},
      {"SortBackward1", sorted, [](X t) { return std::get<0>(t[0].sort(true, 0, false)); }},
      {"StackBackward0", xy, [](X t) { return at::stack({t[0], t[1], t[0]}, 1); }},
      {"RepeatBackward0", x, [](X t) { return t[0].repeat({2, 1, 3}); }},
      {"TopkBackward0", sorted, [](X t) { return std::get<0>(t[0].topk(2, 1)); }},
  };
}

INSTANTIATE_TEST_SUITE_P(Derivatives, DerivativesTest, ::testing::ValuesIn(cases()),
                         [](const ::testing::TestParamInfo<Case>& info) {
                           return info.param.node + "_" + std::to_string(info.index);
                         });

// ---- random results: the derivative is known, the value is not ----

TEST(RandomDerivativesTest, DropoutScalesWhatItKept) {
  const Tensor x = positive({100});
  const auto [y, mask] = at::native_dropout(x, 0.25, true);
  EXPECT_EQ(y.grad_fn()->name(), "NativeDropoutBackward0");
  const Tensor g = grad({y.sum()}, {x})[0];
  EXPECT_TRUE(g.detach().equal((mask.to(at::kDouble) / 0.75)));
}

TEST(RandomDerivativesTest, RandomValuesDoNotDependOnTheOldOnes) {
  const std::vector<std::pair<std::string, std::function<Tensor(const Tensor&)>>> fills = {
      {"NormalBackward0", [](const Tensor& t) { return copy(t).normal_(); }},
      {"UniformBackward0", [](const Tensor& t) { return copy(t).uniform_(); }},
      {"BernoulliBackward0", [](const Tensor& t) { return t.bernoulli(); }},
      {"BernoulliBackward1", [](const Tensor& t) { return copy(t).bernoulli_(t.detach()); }},
      {"BernoulliBackward2", [](const Tensor& t) { return copy(t).bernoulli_(0.3); }},
      {"BernoulliBackward3", [](const Tensor& t) { return t.bernoulli(0.3); }},
      {"RandomBackward0", [](const Tensor& t) { return copy(t).random_(1, 5); }},
      {"RandomBackward1", [](const Tensor& t) { return copy(t).random_(5); }},
      {"RandomBackward2", [](const Tensor& t) { return copy(t).random_(); }},
  };
  for (const auto& [node, fill] : fills) {
    const Tensor x = probability({3});
    const Tensor y = fill(x);
    ASSERT_TRUE(y.requires_grad()) << node;
    EXPECT_EQ(y.grad_fn()->name(), node);
    EXPECT_TRUE(grad({y.sum()}, {x})[0].equal(at::zeros({3}, at::kDouble))) << node;
  }
}

TEST(EmbeddingDerivativesTest, ThePaddingRowTakesNoGradient) {
  const Tensor weight = any({3, 2});
  const Tensor y = at::embedding(weight, indices({0, 1, 1}), /*padding_idx=*/1);
  const Tensor g = grad({y.sum()}, {weight})[0];
  EXPECT_TRUE(g.select(0, 1).equal(at::zeros({2}, at::kDouble)));
  EXPECT_TRUE(g.select(0, 0).equal(at::zeros({2}, at::kDouble) + 1));
}

TEST(RandomDerivativesTest, LiftFreshIsTheIdentity) {
  // LiftFreshBackward0 is the node of a tensor that is lifted while it requires grad.
  const Tensor x = any({3});
  EXPECT_TRUE(at::lift_fresh(x.detach()).equal(x.detach()));
}

}  // namespace
}  // namespace torch::autograd
