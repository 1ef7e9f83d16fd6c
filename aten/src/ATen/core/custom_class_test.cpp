#include <torch/custom_class.h>

#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/custom_class.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using c10::IValue;

struct Stack : torch::CustomClassHolder {
  explicit Stack(std::vector<std::string> values) : values(std::move(values)) {}
  void push(const std::string& value) { values.push_back(value); }
  std::string pop() {
    std::string last = values.back();
    values.pop_back();
    return last;
  }
  int64_t size() const { return static_cast<int64_t>(values.size()); }
  c10::intrusive_ptr<Stack> clone() const { return c10::make_intrusive<Stack>(values); }
  std::vector<std::string> values;
  double weight = 1.5;
};

struct Stranger : torch::CustomClassHolder {};

int64_t total(const c10::intrusive_ptr<Stack>& a, const c10::intrusive_ptr<Stack>& b) {
  return a->size() + b->size();
}

TORCH_LIBRARY(custom_class_test, m) {
  m.class_<Stack>("Stack")
      .def(torch::init<std::vector<std::string>>(), "Makes a stack.",
           {torch::arg("values") = std::vector<std::string>()})
      .def("push", &Stack::push)
      .def("pop", &Stack::pop)
      .def("size", &Stack::size)
      .def("clone", &Stack::clone)
      .def("repeat",
           [](const c10::intrusive_ptr<Stack>& self, int64_t n, const std::string& what) {
             for (int64_t i = 0; i < n; ++i) self->push(what);
             return std::make_tuple(n, self);
           },
           "", {torch::arg("n"), torch::arg("what") = "x"})
      .def_static("of",
                  [](const std::string& only) {
                    return c10::make_intrusive<Stack>(std::vector<std::string>{only});
                  })
      .def_property("last",
                    [](const c10::intrusive_ptr<Stack>& self) { return self->values.back(); })
      .def_readwrite("weight", &Stack::weight)
      .def_pickle([](const c10::intrusive_ptr<Stack>& self) { return self->values; },
                  [](std::vector<std::string> values) {
                    return c10::make_intrusive<Stack>(std::move(values));
                  });
  m.def(
      "total(__torch__.torch.classes.custom_class_test.Stack a, "
      "__torch__.torch.classes.custom_class_test.Stack b) -> int",
      &total);
  m.def("fresh", [](const std::string& only) {
    return c10::make_intrusive<Stack>(std::vector<std::string>{only});
  });
}

constexpr const char* kName = "__torch__.torch.classes.custom_class_test.Stack";

const c10::CustomClass& stackClass() { return *c10::findCustomClass(kName); }

IValue call(const char* method, std::vector<IValue> arguments) {
  return stackClass().findMethod(method)->call(arguments);
}

TEST(CustomClass, CallsMethods) {
  const IValue stack = call("__init__", {std::vector<std::string>{"a"}});
  ASSERT_TRUE(stack.isObject());
  EXPECT_EQ(stack.toObjectRef().name(), kName);
  EXPECT_TRUE(call("push", {stack, "b"}).isNone());
  EXPECT_EQ(call("size", {stack}).toInt(), 2);
  EXPECT_EQ(call("pop", {stack}).toStringRef(), "b");
  EXPECT_EQ(stack.toCustomClass<Stack>()->size(), 1);
  const IValue other = call("clone", {stack});
  call("push", {other, "c"});
  EXPECT_EQ(call("size", {stack}).toInt(), 1);
  EXPECT_EQ(call("of", {"z"}).toCustomClass<Stack>()->values.front(), "z");
  EXPECT_EQ(stackClass().properties.at("last").get.call({other}).toStringRef(), "c");
  stackClass().properties.at("weight").set->call({other, 2.5});
  EXPECT_EQ(other.toCustomClass<Stack>()->weight, 2.5);
  EXPECT_FALSE(stackClass().properties.at("last").set.has_value());
}

TEST(CustomClass, KnowsItsSchemas) {
  EXPECT_EQ(toString(stackClass().findMethod("push")->schema),
            std::string("push(") + kName + " _0, str _1) -> ()");
  EXPECT_EQ(
      toString(stackClass().findMethod("repeat")->schema),
      std::string("repeat(") + kName + " _0, int n, str what=\"x\") -> (int, " + kName + ") _0");
  EXPECT_EQ(stackClass().findMethod("nothing"), nullptr);
}

TEST(CustomClass, PassesThroughOperators) {
  auto op = c10::Dispatcher::singleton().findSchemaOrThrow("custom_class_test::total", "");
  const auto stack = c10::make_intrusive<Stack>(std::vector<std::string>{"a", "b"});
  EXPECT_EQ(op.typed<decltype(total)>().call(stack, stack), 4);
  torch::jit::Stack boxed = {stack, stack};
  op.callBoxed(boxed);
  EXPECT_EQ(boxed.at(0).toInt(), 4);
  auto fresh = c10::Dispatcher::singleton().findSchemaOrThrow("custom_class_test::fresh", "");
  EXPECT_EQ(toString(fresh.schema()),
            std::string("custom_class_test::fresh(str _0) -> ") + kName + " _0");
  torch::jit::Stack argument = {"q"};
  fresh.callBoxed(argument);
  EXPECT_EQ(argument.at(0).toCustomClass<Stack>()->values.front(), "q");
}

TEST(CustomClass, SavesItsState) {
  const IValue stack = c10::make_intrusive<Stack>(std::vector<std::string>{"a", "b"});
  const IValue copy = call("__setstate__", {call("__getstate__", {stack})});
  EXPECT_EQ(copy.toCustomClass<Stack>()->values, stack.toCustomClass<Stack>()->values);
}

TEST(CustomClass, CapsulesHoldAnyClass) {
  const IValue capsule = IValue::make_capsule(c10::make_intrusive<Stranger>());
  EXPECT_TRUE(capsule.isCapsule());
  EXPECT_FALSE(capsule.isObject());
  EXPECT_TRUE(c10::dynamic_intrusive_pointer_cast<Stranger>(capsule.toCapsule()));
  EXPECT_THROW_MESSAGE(capsule.toCustomClass<Stack>(), c10::Error,
                       "Expected Object but got Capsule");
  EXPECT_TRUE(IValue(c10::intrusive_ptr<Stack>()).isNone());
}

TEST(CustomClass, RefusesWhatIsWrong) {
  const auto refuses = [](const auto& f, const std::string& message) {
    EXPECT_THROW_CONTAINS(f(), c10::Error, message);
  };
  refuses([] { (void)IValue(c10::make_intrusive<Stranger>()); },
          "Can't find class id in custom class type map for");
  auto lib = MAKE_TORCH_LIBRARY_FRAGMENT(custom_class_test);
  refuses([&] { lib.class_<Stack>("Stack"); }, "is already registered");
  refuses([&] { lib.class_<Stack>("Other"); }, "is registered already, as");
  refuses([&] { lib.class_<Stranger>("not one"); }, "Class name must be a valid identifier");
  refuses([&] { lib.def("f(__torch__.torch.classes.custom_class_test.Nobody x) -> int"); },
          "Unknown custom class type __torch__.torch.classes.custom_class_test.Nobody");
  auto impl = MAKE_TORCH_LIBRARY_IMPL(custom_class_test, CPU);
  refuses([&] { impl.class_<Stranger>("Stranger"); },
          "Cannot define a class inside of a TORCH_LIBRARY_IMPL block");

  torch::class_<Stranger> stranger("custom_class_test", "Stranger");
  using Self = const c10::intrusive_ptr<Stranger>&;
  stranger.def("f", [](Self) { return true; });
  refuses([&] { stranger.def("f", [](Self) { return true; }); }, "is defined twice");
  refuses(
      [&] {
        stranger.def("g", [](Self, double) { return true; }, "",
                     {torch::arg("a"), torch::arg("b")});
      },
      "Default values must be specified for none or all arguments");
  refuses(
      [&] {
        stranger.def_pickle([](Self) { return int64_t(1); },
                            [](double) { return c10::make_intrusive<Stranger>(); });
      },
      "Got int but expected float");
  refuses(
      [] { IValue(c10::make_intrusive<Stranger>()).toCustomClass<Stack>(); },
      "Tried to convert an IValue of type __torch__.torch.classes.custom_class_test.Stranger to "
      "custom class type __torch__.torch.classes.custom_class_test.Stack");
}

}  // namespace
