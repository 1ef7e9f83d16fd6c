#include <ATen/core/dispatch/Dispatcher.h>

#include <ATen/EmptyTensor.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using at::Tensor;
using c10::Dispatcher;
using c10::DispatchKey;
using c10::DispatchKeySet;
using testing::HasSubstr;

Tensor cpu(std::vector<int64_t> sizes = {2}) {
  return Tensor(at::detail::empty_cpu(sizes, at::kFloat));
}
Tensor meta(std::vector<int64_t> sizes = {2}) {
  return Tensor(at::detail::empty_meta(sizes, at::kFloat));
}

template <typename F>
std::string messageOf(F f) {
  try {
    f();
  } catch (const c10::Error& e) {
    return e.what_without_backtrace();
  }
  return "(no error)";
}

c10::OperatorHandle find(const char* name, const char* overload = "") {
  return Dispatcher::singleton().findSchemaOrThrow(name, overload);
}

int64_t sizeOf(const Tensor& self, int64_t factor) { return self.numel() * factor; }

TEST(Dispatcher, CallsTheKernelOfTheArgumentsBackend) {
  auto m = MAKE_TORCH_LIBRARY(test_backend);
  m.def("where(Tensor self) -> str");
  auto on_cpu = MAKE_TORCH_LIBRARY_IMPL(test_backend, CPU);
  on_cpu.impl("where", [](const Tensor&) -> std::string { return "cpu"; });
  auto on_meta = MAKE_TORCH_LIBRARY_IMPL(test_backend, Meta);
  on_meta.impl("where", [](const Tensor&) -> std::string { return "meta"; });
  const auto op = find("test_backend::where").typed<std::string(const Tensor&)>();
  EXPECT_EQ(op.call(cpu()), "cpu");
  EXPECT_EQ(op.call(meta()), "meta");
}

TEST(Dispatcher, InfersTheSchemaOfAFunction) {
  auto m = MAKE_TORCH_LIBRARY(test_infer);
  m.def("size_of", &sizeOf);
  const auto op = find("test_infer::size_of");
  EXPECT_EQ(toString(op.schema()), "test_infer::size_of(Tensor _0, int _1) -> int _0");
  EXPECT_EQ((op.typed<int64_t(const Tensor&, int64_t)>().call(cpu({3, 4}), 5)), 60);
}

TEST(Dispatcher, TakesCompileTimeFunctions) {
  auto m = MAKE_TORCH_LIBRARY(test_fn);
  m.def("size_of(Tensor self, int factor=2) -> int", TORCH_FN(sizeOf));
  EXPECT_EQ((find("test_fn::size_of").typed<int64_t(const Tensor&, int64_t)>().call(cpu(), 7)), 14);
}

TEST(Dispatcher, BoxedCallsReachUnboxedKernels) {
  auto m = MAKE_TORCH_LIBRARY(test_boxed);
  m.def("mix(Tensor self, int[] sizes, float? scale, bool flag, str name) -> (int, str)",
        [](const Tensor& self, at::IntArrayRef sizes, std::optional<double> scale, bool flag,
           std::string_view name) -> std::tuple<int64_t, std::string> {
          return {self.dim() + static_cast<int64_t>(sizes.size()) +
                      static_cast<int64_t>(scale.value_or(0)) + (flag ? 1000 : 0),
                  std::string(name) + "!"};
        });
  c10::Stack stack;
  torch::jit::push(stack, cpu({1, 1}), std::vector<int64_t>{4, 5, 6}, 100.0, true, "hi");
  find("test_boxed::mix").callBoxed(stack);
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_EQ(stack[0].toInt(), 2 + 3 + 100 + 1000);
  EXPECT_EQ(stack[1].toStringRef(), "hi!");
}

int fallback_calls = 0;
void countingFallback(const c10::OperatorHandle& op, c10::DispatchKeySet ks, c10::Stack* stack) {
  ++fallback_calls;
  op.redispatchBoxed(
      ks & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, DispatchKey::PrivateUse1), stack);
}

void boxedDouble(const c10::OperatorHandle&, c10::Stack* stack) {
  const int64_t value = torch::jit::pop(*stack).toInt();
  torch::jit::drop(*stack, 1);
  torch::jit::push(*stack, 2 * value);
}

TEST(Dispatcher, UnboxedCallsReachBoxedKernels) {
  auto m = MAKE_TORCH_LIBRARY(test_boxed_kernel);
  m.def("twice(Tensor self, int x) -> int");
  auto impl = MAKE_TORCH_LIBRARY_IMPL(test_boxed_kernel, CPU);
  impl.impl("twice", torch::CppFunction::makeFromBoxedFunction<&boxedDouble>());
  EXPECT_EQ(
      (find("test_boxed_kernel::twice").typed<int64_t(const Tensor&, int64_t)>().call(cpu(), 21)),
      42);
}

void boxedReturnSelf(const c10::OperatorHandle&, c10::Stack* stack) {
  Tensor self = torch::jit::peek(*stack, 0, 2).toTensor();
  torch::jit::drop(*stack, 2);
  torch::jit::push(*stack, self);
}

TEST(Dispatcher, ReferencesComeBackFromBoxedKernels) {
  auto m = MAKE_TORCH_LIBRARY(test_inplace);
  m.def("add_(Tensor(a!) self, Tensor other) -> Tensor(a!)");
  auto impl = MAKE_TORCH_LIBRARY_IMPL(test_inplace, CPU);
  impl.impl("add_", torch::CppFunction::makeFromBoxedFunction<&boxedReturnSelf>());
  Tensor self = cpu();
  Tensor& result =
      find("test_inplace::add_").typed<Tensor&(Tensor&, const Tensor&)>().call(self, cpu());
  EXPECT_EQ(&result, &self);
}

TEST(Dispatcher, FallbackServesOperatorsWithoutAKernel) {
  auto m = MAKE_TORCH_LIBRARY(test_fallback);
  m.def("number(Tensor self) -> int");
  m.def("other(Tensor self) -> int");
  auto impl = MAKE_TORCH_LIBRARY_IMPL(test_fallback, CPU);
  impl.impl("number", [](const Tensor&) -> int64_t { return 7; });
  auto own = MAKE_TORCH_LIBRARY_IMPL(test_fallback, PrivateUse1);
  own.impl("other", [](const Tensor&) -> int64_t { return 8; });
  auto fallback = MAKE_TORCH_LIBRARY_IMPL(_, PrivateUse1);
  fallback.fallback(torch::CppFunction::makeFromBoxedFunction<&countingFallback>());

  const c10::impl::IncludeDispatchKeyGuard guard(DispatchKey::PrivateUse1);
  fallback_calls = 0;
  EXPECT_EQ((find("test_fallback::number").typed<int64_t(const Tensor&)>().call(cpu())), 7);
  EXPECT_EQ(fallback_calls, 1);
  EXPECT_EQ((find("test_fallback::other").typed<int64_t(const Tensor&)>().call(cpu())), 8);
  EXPECT_EQ(fallback_calls, 1);
}

TEST(Dispatcher, FallthroughKernelsArePassedOver) {
  auto m = MAKE_TORCH_LIBRARY(test_fallthrough);
  m.def("number(Tensor self) -> int");
  auto impl = MAKE_TORCH_LIBRARY_IMPL(test_fallthrough, CPU);
  impl.impl("number", [](const Tensor&) -> int64_t { return 7; });
  const auto call = [] {
    return find("test_fallthrough::number").typed<int64_t(const Tensor&)>().call(cpu());
  };
  auto above = MAKE_TORCH_LIBRARY_IMPL(test_fallthrough, AutogradCPU);
  above.impl("number", [](const Tensor&) -> int64_t { return 9; });
  EXPECT_EQ(call(), 9);
  above.reset();
  EXPECT_EQ(call(), 7);
  auto through = MAKE_TORCH_LIBRARY_IMPL(test_fallthrough, AutogradCPU);
  through.impl("number", torch::CppFunction::makeFallthrough());
  EXPECT_EQ(call(), 7);
}

TEST(Dispatcher, KeysAboveTheBackendsArePassedOver) {
  auto m = MAKE_TORCH_LIBRARY(test_above);
  m.def("where(Tensor self) -> str");
  const auto op = find("test_above::where");
  // Python's dispatcher is excluded unless a guard includes it.
  const DispatchKeySet above =
      DispatchKeySet(DispatchKeySet::FULL).remove(DispatchKey::PythonDispatcher) -
      c10::backend_dispatch_keyset;
  EXPECT_TRUE(above.has_all(c10::autograd_dispatch_keyset | c10::autocast_dispatch_keyset));
  for (const DispatchKey key : above) {
    EXPECT_TRUE(op.hasComputedKernelForDispatchKey(key)) << toString(key);
  }
}

TEST(Dispatcher, AutogradKernelsRedispatchBelowThemselves) {
  auto m = MAKE_TORCH_LIBRARY(test_autograd);
  m.def("number(Tensor self) -> int");
  auto impl = MAKE_TORCH_LIBRARY_IMPL(test_autograd, CPU);
  impl.impl("number", [](const Tensor&) -> int64_t { return 1; });
  auto autograd = MAKE_TORCH_LIBRARY_IMPL(test_autograd, Autograd);
  autograd.impl("number", [](c10::DispatchKeySet ks, const Tensor& self) -> int64_t {
    return 10 + find("test_autograd::number")
                    .typed<int64_t(const Tensor&)>()
                    .redispatch(ks & c10::after_autograd_keyset, self);
  });
  const auto op = find("test_autograd::number").typed<int64_t(const Tensor&)>();
  EXPECT_EQ(op.call(cpu()), 11);
  const at::AutoDispatchBelowAutograd guard;
  EXPECT_EQ(op.call(cpu()), 1);
}

TEST(Dispatcher, CompositeKernelsServeEveryBackend) {
  auto m = MAKE_TORCH_LIBRARY(test_alias);
  m.def("implicit(Tensor self) -> int", [](const Tensor&) -> int64_t { return 1; });
  m.def("explicit(Tensor self) -> int");
  auto composite = MAKE_TORCH_LIBRARY_IMPL(test_alias, CompositeExplicitAutograd);
  composite.impl("explicit", [](const Tensor&) -> int64_t { return 2; });
  const auto implicit = find("test_alias::implicit");
  EXPECT_EQ(implicit.typed<int64_t(const Tensor&)>().call(meta()), 1);
  EXPECT_EQ(find("test_alias::explicit").typed<int64_t(const Tensor&)>().call(meta()), 2);

  // A backend's own kernel wins, and autograd of that backend no longer takes the composite one.
  auto on_cpu = MAKE_TORCH_LIBRARY_IMPL(test_alias, CPU);
  on_cpu.impl("implicit", [](const Tensor&) -> int64_t { return 3; });
  on_cpu.impl("explicit", [](const Tensor&) -> int64_t { return 4; });
  EXPECT_EQ(implicit.typed<int64_t(const Tensor&)>().call(cpu()), 3);
  EXPECT_EQ(implicit.typed<int64_t(const Tensor&)>().call(meta()), 1);
  EXPECT_EQ(find("test_alias::explicit").typed<int64_t(const Tensor&)>().call(cpu()), 4);
}

// A kernel that says which one it is.
struct NumberedKernel final : c10::OperatorKernel {
  explicit NumberedKernel(int64_t number) : number_(number) {}
  void operator()(const c10::OperatorHandle&, DispatchKeySet, c10::Stack* stack) const {
    torch::jit::drop(*stack, 1);
    torch::jit::push(*stack, number_);
  }

 private:
  int64_t number_;
};

// What each key of an operator runs: -1 if it has no kernel, -2 if its kernel throws.
std::vector<int64_t> tableOf(const c10::OperatorHandle& op) {
  std::vector<int64_t> table;
  for (const DispatchKey key : DispatchKeySet(DispatchKeySet::FULL)) {
    c10::Stack stack;
    torch::jit::push(stack, cpu());
    if (!op.hasComputedKernelForDispatchKey(key)) {
      table.push_back(-1);
    } else {
      try {
        op.redispatchBoxed(DispatchKeySet(key), &stack);
        table.push_back(stack.at(0).toInt());
      } catch (const c10::Error&) {
        table.push_back(-2);
      }
    }
  }
  return table;
}

TEST(Dispatcher, TheOrderOfRegistrationsIsNothingToTheTable) {
  auto m = MAKE_TORCH_LIBRARY(test_order);
  m.def("first(Tensor self) -> int");
  m.def("second(Tensor self) -> int");
  const std::vector<DispatchKey> keys = {
      DispatchKey::CPU,
      DispatchKey::Vulkan,
      DispatchKey::Meta,
      DispatchKey::AutogradCPU,
      DispatchKey::AutogradOther,
      DispatchKey::Autograd,
      DispatchKey::CompositeImplicitAutograd,
      DispatchKey::CompositeExplicitAutograd,
      DispatchKey::CompositeExplicitAutogradNonFunctional,
  };
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<size_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const size_t kept = random() % (keys.size() + 1);
    std::vector<torch::Library> libraries;
    const auto add = [&](const char* name, size_t key) {
      auto kernel = std::make_unique<NumberedKernel>(static_cast<int64_t>(key));
      libraries.emplace_back(torch::Library::IMPL, "test_order", keys[key], __FILE__, __LINE__)
          .impl(name, torch::CppFunction::makeFromBoxedFunctor(std::move(kernel)));
    };
    // One gets all kernels and loses some again; the other gets those that stay, sorted.
    for (const size_t key : order) add("first", key);
    for (size_t i = kept; i < order.size(); ++i) libraries[i].reset();
    std::sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(kept));
    for (size_t i = 0; i < kept; ++i) add("second", order[i]);
    ASSERT_EQ(tableOf(find("test_order::first")), tableOf(find("test_order::second"))) << round;
  }
}

TEST(Dispatcher, FactoriesDispatchOnTheirDevice) {
  auto m = MAKE_TORCH_LIBRARY(test_factory);
  m.def("make(int n, *, Device? device=None) -> str");
  auto on_cpu = MAKE_TORCH_LIBRARY_IMPL(test_factory, CPU);
  on_cpu.impl("make", [](int64_t, std::optional<c10::Device>) -> std::string { return "cpu"; });
  auto on_meta = MAKE_TORCH_LIBRARY_IMPL(test_factory, Meta);
  on_meta.impl("make", [](int64_t, std::optional<c10::Device>) -> std::string { return "meta"; });
  const auto op = find("test_factory::make");
  const auto typed = op.typed<std::string(int64_t, std::optional<c10::Device>)>();
  EXPECT_EQ(typed.call(1, std::nullopt), "cpu");
  EXPECT_EQ(typed.call(1, c10::Device(c10::DeviceType::Meta)), "meta");
  c10::Stack stack;
  torch::jit::push(stack, 1, c10::Device(c10::DeviceType::Meta));
  op.callBoxed(stack);
  EXPECT_EQ(stack.at(0).toStringRef(), "meta");
}

TEST(Dispatcher, RegistrationsEndWithTheirLibrary) {
  {
    auto m = MAKE_TORCH_LIBRARY(test_scope);
    m.def("gone(Tensor self) -> int", [](const Tensor&) -> int64_t { return 1; });
    EXPECT_TRUE(Dispatcher::singleton().findSchema({"test_scope::gone", ""}).has_value());
  }
  EXPECT_FALSE(Dispatcher::singleton().findOp({"test_scope::gone", ""}).has_value());
  EXPECT_EQ(messageOf([] { find("test_scope::gone"); }),
            "Could not find schema for test_scope::gone.");
}

TEST(DispatcherErrors, NoKernelForTheBackend) {
  auto m = MAKE_TORCH_LIBRARY(test_missing);
  m.def("f(Tensor self) -> int");
  auto impl = MAKE_TORCH_LIBRARY_IMPL(test_missing, CPU);
  impl.impl("f", [](const Tensor&) -> int64_t { return 1; });
  const auto op = find("test_missing::f").typed<int64_t(const Tensor&)>();
  const std::string message = messageOf([&] { op.call(meta()); });
  EXPECT_THAT(message, HasSubstr("Could not run 'test_missing::f' with arguments from the 'Meta' "
                                 "backend."));
  EXPECT_THAT(message, HasSubstr("'test_missing::f' is only available for these backends: [CPU,"));
  EXPECT_THROW(op.call(meta()), c10::NotImplementedError);
}

TEST(Dispatcher, InferredSchemasNameWhatTheyReturn) {
  auto m = MAKE_TORCH_LIBRARY(test_inferred);
  m.def("f", [](const Tensor& self, int64_t) { return self; });
  EXPECT_EQ(toString(find("test_inferred::f").schema()),
            "test_inferred::f(Tensor _0, int _1) -> Tensor _0");
  m.def("g(Tensor self, int[2] stride=1, int[2] rest=[1, 2]) -> Tensor");
  EXPECT_EQ(toString(find("test_inferred::g").schema()),
            "test_inferred::g(Tensor self, int[2] stride=1, int[2] rest=[1, 2]) -> Tensor");
}

TEST(DispatcherErrors, NamesThePythonModuleOfTheMetaKernel) {
  auto m = MAKE_TORCH_LIBRARY(test_python_module);
  m.def("before(Tensor self) -> int");
  m.set_python_module("my.module", "See my page.");
  m.def("f(Tensor self) -> int");
  const auto op = find("test_python_module::f").typed<int64_t(const Tensor&)>();
  EXPECT_EQ(
      messageOf([&] { op.call(meta()); }),
      "test_python_module::f: We could not find the fake impl for this operator. The operator "
      "specified that you may need to import the 'my.module' Python module to load the fake "
      "impl. See my page.");
  const auto other = find("test_python_module::before").typed<int64_t(const Tensor&)>();
  EXPECT_THAT(messageOf([&] { other.call(meta()); }),
              HasSubstr("Could not run 'test_python_module::before'"));
  EXPECT_THAT(messageOf([&] { op.call(cpu()); }),
              HasSubstr("Could not run 'test_python_module::f'"));
  EXPECT_STREQ(Dispatcher::singleton().getPyStub({"test_python_module::f", ""})->first,
               "my.module");
  m.reset();
  EXPECT_FALSE(Dispatcher::singleton().getPyStub({"test_python_module::f", ""}).has_value());
}

TEST(DispatcherErrors, NoTensorArguments) {
  auto m = MAKE_TORCH_LIBRARY(test_no_tensors);
  m.def("f(Tensor[] xs) -> int");
  auto impl = MAKE_TORCH_LIBRARY_IMPL(test_no_tensors, CPU);
  impl.impl("f", [](at::TensorList) -> int64_t { return 1; });
  EXPECT_THAT(
      messageOf([] { find("test_no_tensors::f").typed<int64_t(at::TensorList)>().call({}); }),
      HasSubstr("There were no tensor arguments to this function (e.g., you passed an empty "
                "list of Tensors)"));
}

c10::SymInt symTwice(const Tensor&, c10::SymInt n) { return n * 2; }
int64_t total(const Tensor&, c10::SymIntArrayRef sizes, std::optional<c10::SymInt> more,
              c10::OptionalSymIntArrayRef others) {
  c10::SymInt sum = more.value_or(c10::SymInt(0));
  for (const c10::SymInt& size : sizes) sum += size;
  if (others.has_value()) {
    for (const c10::SymInt& size : *others) sum += size;
  }
  return sum.expect_int();
}

TEST(Dispatcher, SymIntAndIntServeEachOther) {
  auto m = MAKE_TORCH_LIBRARY(test_symint);
  m.def("twice(Tensor x, SymInt n) -> SymInt");
  m.def("total(Tensor x, SymInt[] sizes, SymInt? more=None, SymInt[]? others=None) -> SymInt");
  m.def("plain(Tensor x, SymInt n) -> SymInt");
  m.def("inferred", &symTwice);
  m.def("keys(Tensor x, SymInt n) -> SymInt");
  auto impl = MAKE_TORCH_LIBRARY_IMPL(test_symint, CPU);
  impl.impl("twice", TORCH_FN(symTwice));
  impl.impl("total", &total);
  impl.impl("plain", [](const Tensor&, int64_t n) { return n + 1; });
  impl.impl("keys", [](c10::DispatchKeySet ks, const Tensor& x, const c10::SymInt& n) {
    return ks.has(c10::DispatchKey::CPU) ? n + x.sym_numel() : c10::SymInt(0);
  });
  const Tensor x = cpu();

  const auto twice = find("test_symint::twice");
  EXPECT_EQ(twice.typed<c10::SymInt(const Tensor&, c10::SymInt)>().call(x, 4), 8);
  EXPECT_EQ(twice.typed<int64_t(const Tensor&, int64_t)>().call(x, 4), 8);
  const auto plain = find("test_symint::plain");
  EXPECT_EQ(plain.typed<c10::SymInt(const Tensor&, c10::SymInt)>().call(x, 4), 5);
  EXPECT_EQ(plain.typed<int64_t(const Tensor&, int64_t)>().call(x, 4), 5);
  const auto keys = find("test_symint::keys");
  EXPECT_EQ(keys.typed<int64_t(const Tensor&, int64_t)>().call(x, 4), 4 + x.numel());
  EXPECT_EQ(find("test_symint::inferred").typed<decltype(symTwice)>().call(x, 3), 6);
  EXPECT_EQ(toString(find("test_symint::inferred").schema()),
            "test_symint::inferred(Tensor _0, SymInt _1) -> SymInt _0");

  const auto sum = find("test_symint::total");
  using Plain =
      int64_t(const Tensor&, at::IntArrayRef, std::optional<int64_t>, at::OptionalIntArrayRef);
  EXPECT_EQ(sum.typed<Plain>().call(x, {1, 2}, 4, at::OptionalIntArrayRef({8, 16})), 31);
  EXPECT_EQ(sum.typed<Plain>().call(x, {1, 2}, std::nullopt, std::nullopt), 3);
  EXPECT_EQ(sum.typed<decltype(total)>().call(x, {1, 2}, c10::SymInt(4), std::nullopt), 7);
  torch::jit::Stack stack = {x, std::vector<int64_t>{1, 2}, 4, c10::IValue()};
  sum.callBoxed(stack);
  EXPECT_EQ(stack.at(0).toSymInt(), 7);
}

TEST(DispatcherErrors, DuplicateDefinition) {
  auto m = MAKE_TORCH_LIBRARY(test_duplicate);
  m.def("f(Tensor x) -> Tensor");
  const std::string message = messageOf([&] { m.def("f(Tensor x) -> Tensor"); });
  EXPECT_THAT(
      message,
      HasSubstr("Tried to register an operator (test_duplicate::f(Tensor x) -> Tensor) with "
                "the same name and overload name multiple times."));
  EXPECT_THAT(message, HasSubstr("Original registration: registered at "));
  EXPECT_THAT(messageOf([] { auto again = MAKE_TORCH_LIBRARY(test_duplicate); }),
              HasSubstr("Only a single TORCH_LIBRARY can be used to register the namespace "
                        "test_duplicate;"));
  EXPECT_NO_THROW(auto fragment = MAKE_TORCH_LIBRARY_FRAGMENT(test_duplicate));
}

TEST(DispatcherErrors, SchemaAndKernelDisagree) {
  auto m = MAKE_TORCH_LIBRARY(test_disagree);
  m.def("f(Tensor self, int n) -> Tensor");
  auto impl = MAKE_TORCH_LIBRARY_IMPL(test_disagree, CPU);
  const std::string message =
      messageOf([&] { impl.impl("f", [](const Tensor& self, double) -> Tensor { return self; }); });
  EXPECT_THAT(message, HasSubstr("Inferred operator schema for a C++ kernel function doesn't match "
                                 "the expected function schema."));
  EXPECT_THAT(message, HasSubstr("Type mismatch in argument 2: int vs float."));
  EXPECT_THAT(messageOf([&] { impl.impl("f", [](const Tensor& self) -> Tensor { return self; }); }),
              HasSubstr("The number of arguments is different. 2 vs 1."));
}

TEST(DispatcherErrors, CallWithAWrongSignature) {
  auto m = MAKE_TORCH_LIBRARY(test_signature);
  m.def("f", &sizeOf);
  EXPECT_THAT(messageOf([] { find("test_signature::f").typed<int64_t(const Tensor&)>(); }),
              HasSubstr("Tried to access or call an operator with a wrong signature."));
}

TEST(DispatcherErrors, BlocksInTheWrongPlace) {
  auto impl = MAKE_TORCH_LIBRARY_IMPL(test_block, CPU);
  EXPECT_THAT(messageOf([&] { impl.def("f(Tensor self) -> Tensor"); }),
              HasSubstr("Cannot define an operator inside of a TORCH_LIBRARY_IMPL block."));
  EXPECT_THAT(messageOf([&] { impl.impl("elsewhere::f", &sizeOf); }),
              HasSubstr("Explicitly provided namespace (elsewhere) in operator name does not match "
                        "namespace of enclosing TORCH_LIBRARY_IMPL block (test_block)."));
  EXPECT_THAT(messageOf([&] { impl.fallback(torch::CppFunction::makeFallthrough()); }),
              HasSubstr("TORCH_LIBRARY_IMPL(_, CPU, m) { m.fallback(...); }"));
}

TEST(DispatcherErrors, KernelWithoutDefinition) {
  auto impl = MAKE_TORCH_LIBRARY_IMPL(test_undefined, CPU);
  impl.impl("f", &sizeOf);
  EXPECT_THAT(messageOf([] { find("test_undefined::f"); }),
              HasSubstr("but we found an implementation; did you forget to def() the operator?"));
}

}  // namespace
