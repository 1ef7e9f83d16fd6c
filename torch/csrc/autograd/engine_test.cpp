#include <torch/csrc/autograd/engine.h>

#include <ATen/ExpandUtils.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/nll_loss.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/silu_backward.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace torch::autograd {
namespace {

using ::testing::HasSubstr;

at::Tensor leaf(std::vector<double> values) {
  at::Tensor t = at::zeros({static_cast<int64_t>(values.size())}, at::kDouble);
  std::copy(values.begin(), values.end(), t.mutable_data_ptr<double>());
  return t.requires_grad_();
}

std::vector<double> values(const at::Tensor& t) {
  EXPECT_TRUE(t.defined());
  if (!t.defined()) {
    return {};
  }
  const at::Tensor flat = t.detach().to(at::kDouble).contiguous();
  const double* data = flat.const_data_ptr<double>();
  return std::vector<double>(data, data + flat.numel());
}

using Values = std::vector<double>;

std::string error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "no error";
}

// ---- accumulation ----

TEST(EngineTest, GradientOfAProduct) {
  const auto x = leaf({1, 2, 3});
  const auto y = leaf({4, 5, 6});
  (x * y).sum().backward();
  EXPECT_EQ(values(x.grad()), values(y));
  EXPECT_EQ(values(y.grad()), values(x));
}

TEST(EngineTest, GradientsOfSeveralPassesAddUp) {
  const auto x = leaf({1, 2});
  (x * 2).sum().backward();
  const at::Tensor first = x.grad();
  (x * 3).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{5, 5}));
  EXPECT_TRUE(first.is_same(x.grad())) << "the gradient is added in place";
}

TEST(EngineTest, DiamondsAddUpBeforeTheyGoOn) {
  const auto x = leaf({2});
  const auto a = x * x;
  int calls = 0;
  a.register_hook([&](at::Tensor) { ++calls; });
  (a * 3 + a * a).sum().backward();
  EXPECT_EQ(calls, 1);
  // d/dx (3 x^2 + x^4) = 6 x + 4 x^3
  EXPECT_EQ(values(x.grad()), (Values{12 + 32}));
}

TEST(EngineTest, OneTensorTwiceInOneOperator) {
  const auto x = leaf({3});
  (x * x).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{6}));
}

TEST(EngineTest, BroadcastGradientsAreSummed) {
  const auto x = leaf({1, 2, 3});
  const auto y = leaf({2});
  (x * y).sum().backward();
  EXPECT_EQ(values(y.grad()), (Values{6}));
  EXPECT_EQ(y.grad().sizes(), y.sizes());
}

TEST(EngineTest, PromotedGradientsAreCastBack) {
  const at::Tensor x = at::ones({2}, at::kFloat).requires_grad_();
  const auto y = leaf({2, 3});
  (x * y).sum().backward();
  EXPECT_EQ(x.grad().scalar_type(), at::kFloat);
  EXPECT_EQ(values(x.grad()), (Values{2, 3}));
}

TEST(EngineTest, StoredGradientIsNotTheCallersTensor) {
  const auto x = leaf({1, 2});
  at::Tensor seed = at::ones({2}, at::kDouble);
  (x + 0).backward(seed);
  seed.fill_(7);
  EXPECT_EQ(values(x.grad()), (Values{1, 1}));
}

TEST(EngineTest, ALongChainNeitherOverflowsNorLeaks) {
  const auto x = leaf({1});
  at::Tensor y = x;
  for (int i = 0; i < 100000; ++i) {
    y = y + 1;
  }
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{1}));
}

TEST(EngineTest, UndefinedGradientsAreSkipped) {
  const auto x = leaf({1, 2, 3, 4});
  const auto parts = x.split(2);
  parts[1].sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{0, 0, 1, 1}));
}

// ---- what may be asked ----

TEST(EngineTest, BackwardTwiceNeedsRetainGraph) {
  const auto x = leaf({1, 2});
  const auto y = (x * x).sum();
  y.backward();
  EXPECT_THAT(error_of([&] { y.backward(); }),
              HasSubstr("Trying to backward through the graph a second time (or directly access "
                        "saved tensors after they have already been freed). Saved intermediate "
                        "values of the graph are freed when you call .backward() or "
                        "autograd.grad(). Specify retain_graph=True if you need to backward "
                        "through the graph a second time or if you need to access saved tensors "
                        "after calling backward."));
}

TEST(EngineTest, RetainGraphKeepsWhatWasSaved) {
  const auto x = leaf({1, 2});
  const auto y = (x * x).sum();
  y.backward({}, /*retain_graph=*/true);
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{4, 8}));
}

TEST(EngineTest, AGraphWithoutSavedTensorsMayRunTwice) {
  const auto x = leaf({1, 2});
  const auto y = (x + 1).sum();
  y.backward();
  y.backward();
  EXPECT_EQ(values(x.grad()), (Values{2, 2}));
}

TEST(EngineTest, NothingToDifferentiate) {
  EXPECT_THAT(error_of([] { at::ones({}, at::kDouble).backward(); }),
              HasSubstr("element 0 of tensors does not require grad and does not have a grad_fn"));
}

TEST(EngineTest, OnlyScalarsHaveAnImplicitGradient) {
  const auto x = leaf({1, 2});
  EXPECT_THAT(error_of([&] { (x * 2).backward(); }),
              HasSubstr("grad can be implicitly created only for scalar outputs"));
}

TEST(EngineTest, GradientOfTheWrongShape) {
  const auto x = leaf({1, 2, 3});
  EXPECT_THAT(error_of([&] { (x * 2).backward(at::ones({2}, at::kDouble)); }),
              HasSubstr("Mismatch in shape: grad_output[0] has a shape of [2] and output[0] has a "
                        "shape of [3]."));
}

TEST(EngineTest, GradGivesGradientsAndLeavesDotGradAlone) {
  const auto x = leaf({1, 2});
  const auto y = leaf({3, 4});
  const auto grads = grad({(x * y).sum()}, {x, y});
  EXPECT_EQ(values(grads[0]), values(y));
  EXPECT_EQ(values(grads[1]), values(x));
  EXPECT_FALSE(x.grad().defined());
}

TEST(EngineTest, GradOfAnIntermediateTensor) {
  const auto x = leaf({1, 2});
  const auto a = x * 2;
  EXPECT_EQ(values(grad({(a * a).sum()}, {a})[0]), (Values{4, 8}));
}

TEST(EngineTest, GradRunsOnlyWhatItNeeds) {
  const auto x = leaf({1, 2});
  const auto y = leaf({3, 4});
  const auto a = x * 1;
  bool ran = false;
  a.register_hook([&](at::Tensor) { ran = true; });
  grad({(a * y).sum()}, {y});
  EXPECT_FALSE(ran);
}

TEST(EngineTest, UnusedInputs) {
  const auto x = leaf({1, 2});
  const auto unused = leaf({1});
  EXPECT_THAT(error_of([&] { grad({(x * 2).sum()}, {unused}); }),
              HasSubstr("The differentiated Tensor at index 0 appears to not have been used in the "
                        "graph. Set allow_unused=True if this is the desired behavior."));
  const auto grads = grad({(x * 2).sum()}, {unused}, {}, std::nullopt, false,
                          /*allow_unused=*/true);
  EXPECT_FALSE(grads[0].defined());
}

TEST(EngineTest, BackwardIntoChosenInputsOnly) {
  const auto x = leaf({1, 2});
  const auto y = leaf({3, 4});
  backward({(x * y).sum()}, {}, std::nullopt, false, /*inputs=*/{x});
  EXPECT_EQ(values(x.grad()), values(y));
  EXPECT_FALSE(y.grad().defined());
}

TEST(EngineTest, DoubleBackward) {
  const auto x = leaf({1, 2, 3});
  const auto first = grad({(x * x * x).sum()}, {x}, {}, std::nullopt, /*create_graph=*/true)[0];
  EXPECT_TRUE(first.requires_grad());
  first.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{6, 12, 18}));
}

TEST(EngineTest, BackwardInsideBackward) {
  const auto x = leaf({2});
  const auto y = x * 3;
  const auto inner = leaf({5});
  y.register_hook([&](at::Tensor) {
    c10::AutoGradMode record(true);  // A pass runs with grad mode off.
    (inner * inner).sum().backward();
  });
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{3}));
  EXPECT_EQ(values(inner.grad()), (Values{10}));
}

TEST(EngineTest, ErrorsOfANodeReachTheCaller) {
  const auto x = leaf({1});
  const auto y = x * 2;
  y.register_hook([](at::Tensor) { TORCH_CHECK(false, "from the hook"); });
  EXPECT_THAT(error_of([&] { y.sum().backward(); }), HasSubstr("from the hook"));
  (x * 2).sum().backward();  // The engine is usable afterwards.
  EXPECT_EQ(values(x.grad()), (Values{2}));
}

TEST(EngineTest, CallbacksRunAtTheEnd) {
  const auto x = leaf({1});
  const auto y = x * 2;
  bool leaf_was_done = false;
  y.register_hook([&](at::Tensor) {
    Engine::get_default_engine().queue_callback([&] { leaf_was_done = x.grad().defined(); });
  });
  y.sum().backward();
  EXPECT_TRUE(leaf_was_done);
  EXPECT_THAT(error_of([] { Engine::get_default_engine().queue_callback([] {}); }),
              HasSubstr("Final callbacks can only be installed during backward pass."));
}

// ---- nodes ----

TEST(NodeTest, NamesAreThoseOfTheOperators) {
  const auto x = leaf({1, 2});
  EXPECT_EQ((x * x).grad_fn()->name(), "MulBackward0");
  EXPECT_EQ((x * 2).grad_fn()->name(), "MulBackward1");
  EXPECT_EQ((x + x).grad_fn()->name(), "AddBackward0");
  EXPECT_EQ(x.sigmoid().grad_fn()->name(), "SigmoidBackward0");
  EXPECT_EQ(x.sum().grad_fn()->name(), "SumBackward0");
  EXPECT_EQ(x.mean({0}).grad_fn()->name(), "MeanBackward1");
  const auto accumulator = x.sigmoid().grad_fn()->next_edges()[0].function;
  EXPECT_EQ(accumulator->name(), "torch::autograd::AccumulateGrad");
}

TEST(NodeTest, AnOperatorWithoutADerivativeSaysSoInBackward) {
  const auto x = leaf({1, 2});
  const auto y = at::silu_backward(x, x);
  EXPECT_EQ(y.grad_fn()->name(), "torch::autograd::NotImplemented");
  EXPECT_THAT(error_of([&] { y.sum().backward(); }),
              HasSubstr("derivative for aten::silu_backward is not implemented"));
}

TEST(NodeTest, GradientsOfTheWrongShapeNameTheNode) {
  struct Broken : Node {
    variable_list apply(variable_list&&) override { return {at::ones({5}, at::kDouble)}; }
    std::string name() const override { return "BrokenBackward"; }
  };
  const auto x = leaf({1, 2});
  at::Tensor y = x.detach().clone();
  const auto node = std::shared_ptr<Node>(new Broken(), deleteNode);
  node->add_next_edge(impl::gradient_edge(x));
  create_gradient_edge(y, node);
  EXPECT_THAT(error_of([&] { y.sum().backward(); }),
              HasSubstr("Function BrokenBackward returned an invalid gradient at index 0 - got [5] "
                        "but expected shape compatible with [2]"));
}

// ---- hooks ----

TEST(HookTest, AHookReplacesTheGradient) {
  const auto x = leaf({1, 2});
  x.register_hook([](at::Tensor grad) { return grad * 10; });
  (x * 2).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{20, 20}));
}

TEST(HookTest, HooksRunInOrderAndCanBeRemoved) {
  const auto x = leaf({1});
  std::vector<int> order;
  x.register_hook([&](at::Tensor) { order.push_back(0); });
  const auto removed = x.register_hook([&](at::Tensor) { order.push_back(1); });
  x.register_hook([&](at::Tensor) { order.push_back(2); });
  x.remove_hook(removed);
  (x * 2).sum().backward();
  EXPECT_EQ(order, (std::vector<int>{0, 2}));
}

TEST(HookTest, ATensorWithoutGradientTakesNone) {
  EXPECT_THAT(error_of([] { at::ones({1}).register_hook([](at::Tensor) {}); }),
              HasSubstr("cannot register a hook on a variable that doesn't require gradient"));
}

TEST(HookTest, RetainedGradientsOfIntermediateTensors) {
  const auto x = leaf({1, 2});
  const auto y = x * 3;
  EXPECT_FALSE(y.retains_grad());
  y.retain_grad();
  EXPECT_TRUE(y.retains_grad());
  (y * y).sum().backward();
  EXPECT_EQ(values(y.grad()), (Values{6, 12}));
}

struct CountingPostHook : FunctionPostHook {
  explicit CountingPostHook(int* count) : count_(count) {}
  variable_list operator()(const variable_list& outputs, const variable_list& inputs) override {
    ++*count_;
    EXPECT_EQ(inputs.size(), 1u);
    return outputs;
  }
  int* count_;
};

TEST(HookTest, PostHooksSeeWhatEntersAndLeaves) {
  const auto x = leaf({1, 2});
  const auto y = x.sigmoid();
  int count = 0;
  y.grad_fn()->add_post_hook(std::make_unique<CountingPostHook>(&count));
  y.sum().backward();
  EXPECT_EQ(count, 1);
}

struct StepHook : PostAccumulateGradHook {
  void operator()(const Variable& tensor) override {
    c10::NoGradGuard no_grad;
    at::Tensor parameter = tensor;
    parameter.sub_(tensor.grad());
    tensor.mutable_grad().reset();
  }
};

TEST(HookTest, PostAccumulateHooksMayUseTheGradientUp) {
  const auto x = leaf({1, 2});
  impl::set_post_acc_grad_hooks(x, std::make_unique<StepHook>());
  (x * 2).sum().backward();
  EXPECT_EQ(values(x), (Values{-1, 0}));
  EXPECT_FALSE(x.grad().defined());
}

// ---- grad mode ----

TEST(GradModeTest, NothingIsRecordedWithoutIt) {
  const auto x = leaf({1});
  {
    c10::NoGradGuard no_grad;
    EXPECT_FALSE((x * 2).requires_grad());
  }
  EXPECT_TRUE((x * 2).requires_grad());
}

TEST(GradModeTest, OnlyFloatingTensorsMayRequireGrad) {
  EXPECT_THAT(error_of([] { at::ones({1}, at::kLong).requires_grad_(); }),
              HasSubstr("Only Tensors of floating point and complex dtype can require gradients"));
  const auto x = leaf({1, 2});
  EXPECT_FALSE((x > 1).requires_grad());
  EXPECT_FALSE(x.argmax().requires_grad());
}

TEST(GradModeTest, DetachCutsTheGraphAndSharesTheData) {
  const auto x = leaf({1, 2});
  const auto y = x.detach();
  EXPECT_FALSE(y.requires_grad());
  EXPECT_TRUE(y.is_leaf());
  EXPECT_EQ(y.const_data_ptr(), x.const_data_ptr());
}

TEST(GradModeTest, ComputedTensorsKeepTheirFlag) {
  const auto y = leaf({1}) * 2;
  EXPECT_THAT(error_of([&] { y.requires_grad_(false); }),
              HasSubstr("you can only change requires_grad flags of leaf variables."));
}

// ---- in place ----

TEST(InplaceTest, ALeafThatRequiresGradMayNotChange) {
  auto x = leaf({1, 2});
  EXPECT_THAT(
      error_of([&] { x.mul_(2); }),
      HasSubstr("a leaf Variable that requires grad is being used in an in-place operation."));
  EXPECT_THAT(
      error_of([&] { x.select(0, 0).mul_(2); }),
      HasSubstr(
          "a view of a leaf Variable that requires grad is being used in an in-place operation."));
  c10::NoGradGuard no_grad;
  x.mul_(2);
  EXPECT_EQ(values(x), (Values{2, 4}));
}

TEST(InplaceTest, SavedTensorsMayNotChange) {
  const auto x = at::ones({3}, at::kFloat).requires_grad_();
  auto y = x.sigmoid();
  const auto z = y.sum();
  y.add_(1);
  EXPECT_THAT(
      error_of([&] { y.sum().backward(); }),
      HasSubstr("one of the variables needed for gradient computation has been modified by an "
                "inplace operation: [torch.FloatTensor [3]], which is output 0 of Sigmoid, is at "
                "version 1; expected version 0 instead. Hint: enable anomaly detection to find the "
                "operation that failed to compute its gradient, with "
                "torch.autograd.set_detect_anomaly(True, check_nan=False)."));
}

TEST(InplaceTest, VersionsCountOverAllViews) {
  at::Tensor base = at::zeros({4});
  at::Tensor view = base.narrow(0, 0, 2);
  const int64_t before = base._version();
  view.add_(1);
  base.mul_(2);
  EXPECT_EQ(base._version(), before + 2);
  EXPECT_EQ(view._version(), before + 2);
  base.detach().zero_();
  EXPECT_EQ(base._version(), before + 3);
}

TEST(InplaceTest, ResultsAreDifferentiatedAsFunctions) {
  const auto x = leaf({1, 2});
  auto y = x * 1;
  y.mul_(x);  // x^2
  EXPECT_EQ(y.grad_fn()->name(), "MulBackward0");
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{2, 4}));
}

TEST(InplaceTest, FormulasGetTheOverwrittenValue) {
  const auto x = leaf({2, 3});
  auto y = x * 1;
  y.pow_(3);
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{12, 27}));
}

TEST(InplaceTest, SavedResultsOfInplaceOperators) {
  const auto x = leaf({-1, 0.5});
  auto y = x * 1;
  y.sigmoid_();
  y.sum().backward();
  const auto expected = grad({x.sigmoid().sum()}, {x})[0];
  EXPECT_EQ(values(x.grad()), values(expected));
}

// ---- views ----

TEST(ViewTest, ViewsOfViewsHaveTheFirstBase) {
  const auto x = leaf({1, 2, 3, 4});
  const auto base = x * 1;
  const auto view = base.view({2, 2}).t().select(0, 1);
  EXPECT_TRUE(view.is_view());
  EXPECT_TRUE(view._base().is_same(base));
  EXPECT_FALSE(base.is_view());
}

TEST(ViewTest, ChangingAViewChangesTheHistoryOfItsBase) {
  const auto x = leaf({1, 2, 3});
  auto base = x * 1;
  auto view = base.narrow(0, 0, 2);
  view.mul_(x.narrow(0, 1, 2));  // base = (x0 x1, x1 x2, x2)
  EXPECT_EQ(base.grad_fn()->name(), "torch::autograd::CopySlices");
  EXPECT_EQ(view.grad_fn()->name(), "AsStridedBackward0");
  (base * base).sum().backward();
  // d/dx (x0^2 x1^2 + x1^2 x2^2 + x2^2)
  EXPECT_EQ(values(x.grad()), (Values{2 * 4, 2 * 1 * 2 + 2 * 2 * 9, 2 * 4 * 3 + 2 * 3}));
}

TEST(ViewTest, ChangingTheBaseChangesTheHistoryOfItsViews) {
  const auto x = leaf({1, 2, 3});
  auto base = x * 1;
  const auto view = base.narrow(0, 1, 2);
  EXPECT_EQ(view.grad_fn()->name(), "SliceBackward0");
  base.mul_(3);
  EXPECT_EQ(view.grad_fn()->name(), "AsStridedBackward0");
  view.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{0, 3, 3}));
}

TEST(ViewTest, AssigningIntoATensorWithoutGradient) {
  const auto x = leaf({5});
  auto base = at::zeros({3}, at::kDouble);
  base.narrow(0, 1, 1).copy_(x * 2);
  EXPECT_TRUE(base.requires_grad());
  (base * base).sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{2 * 2 * 10}));
}

TEST(ViewTest, GradWithInputsGoesThroughCopySlices) {
  const auto x = leaf({1, 2, 3});
  auto base = x * 1;
  base.narrow(0, 0, 1).mul_(4);
  EXPECT_EQ(values(grad({base.sum()}, {x})[0]), (Values{4, 1, 1}));
}

TEST(ViewTest, ViewsOfSeveralOutputsMayNotChange) {
  const auto x = leaf({1, 2});
  auto parts = (x * 1).unbind();
  EXPECT_THAT(
      error_of([&] { parts[0].mul_(2); }),
      HasSubstr("Output 0 of UnbindBackward0 is a view and is being modified inplace. This view is "
                "the output of a function that returns multiple views. Such functions do "
                "not allow the output views to be modified inplace. You should replace the "
                "inplace operation by an out-of-place one."));
}

TEST(ViewTest, ViewsMadeWithoutGradModeMayNotChangeWithIt) {
  const auto x = leaf({1, 2});
  const auto base = x * 1;
  at::Tensor view;
  {
    c10::NoGradGuard no_grad;
    view = base.select(0, 0);
  }
  EXPECT_THAT(error_of([&] { view.mul_(2); }),
              HasSubstr("A view was created in no_grad mode and is being modified inplace with "
                        "grad mode enabled."));
}

TEST(ViewTest, ViewsAreNotDetachedInPlace) {
  const auto x = leaf({1, 2});
  auto view = (x * 1).select(0, 0);
  EXPECT_THAT(error_of([&] { view.detach_(); }),
              HasSubstr("Can't detach views in-place. Use detach() instead."));
}

// ---- refusals ----

TEST(VariableTypeTest, OutArgumentsCannotBeRecorded) {
  const auto x = leaf({1, 2});
  at::Tensor out = at::zeros({2}, at::kDouble);
  EXPECT_THAT(error_of([&] { at::add_out(out, x, x); }),
              HasSubstr("add(): functions with out=... arguments don't support automatic "
                        "differentiation, but one of the arguments requires grad."));
  c10::NoGradGuard no_grad;
  at::add_out(out, x, x);
  EXPECT_EQ(values(out), (Values{2, 4}));
}

TEST(VariableTypeTest, ArgumentsWithoutADerivativeMayNotRequireGrad) {
  const auto weight = leaf({1, 2});
  const at::Tensor target = at::zeros({1}, at::kLong);
  EXPECT_THAT(error_of([&] { at::nll_loss(at::ones({1, 2}, at::kDouble), target, weight); }),
              HasSubstr("The function 'nll_loss_forward' is not differentiable with respect to "
                        "argument 'weight'. This input cannot have requires_grad True."));
}

// ---- custom functions ----

struct Cube : Function<Cube> {
  static Variable forward(AutogradContext* ctx, const Variable& x, double scale) {
    ctx->save_for_backward({x});
    ctx->saved_data["scale"] = scale;
    return x * x * x * scale;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const Variable x = ctx->get_saved_variables()[0];
    return {grads[0] * 3 * x * x * ctx->saved_data["scale"].toDouble(), Variable()};
  }
};

TEST(CustomFunctionTest, UsesItsOwnDerivative) {
  const auto x = leaf({1, 2});
  const auto y = Cube::apply(x, 2.0);
  EXPECT_EQ(values(y), (Values{2, 16}));
  y.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{6, 24}));
  EXPECT_THAT(error_of([&] { y.sum().backward(); }),
              HasSubstr("Trying to backward through the graph a second time"));
}

TEST(CustomFunctionTest, CanBeDifferentiatedTwice) {
  const auto x = leaf({1, 2});
  const auto first =
      grad({Cube::apply(x, 1.0).sum()}, {x}, {}, std::nullopt, /*create_graph=*/true)[0];
  first.sum().backward();
  EXPECT_EQ(values(x.grad()), (Values{6, 12}));
}

}  // namespace
}  // namespace torch::autograd
