#include <c10/util/FunctionRef.h>
#include <c10/util/Type.h>
#include <gtest/gtest.h>

#include <string>
#include <typeinfo>
#include <vector>

namespace {

int twice(int x) { return 2 * x; }
int apply(c10::function_ref<int(int)> f, int x) { return f(x); }

TEST(FunctionRefTest, CallsFunctionsAndClosures) {
  int offset = 10;
  EXPECT_EQ(apply([&](int x) { return x + offset; }, 1), 11);
  EXPECT_EQ(apply(twice, 4), 8);
  auto counter = [count = 0](int) mutable { return ++count; };
  c10::function_ref<int(int)> ref(counter);
  ref(0);
  EXPECT_EQ(ref(0), 2);
  EXPECT_EQ(counter(0), 3);
}

TEST(FunctionRefTest, EmptyIsFalse) {
  EXPECT_FALSE(static_cast<bool>(c10::function_ref<void()>()));
  EXPECT_FALSE(static_cast<bool>(c10::function_ref<void()>(nullptr)));
}

TEST(TypeTest, Demangles) {
  EXPECT_EQ(c10::demangle(typeid(int).name()), "int");
  EXPECT_EQ(c10::demangle_type<std::vector<int>*>().rfind("std::", 0), 0u);
  EXPECT_EQ(c10::demangle("not a mangled name"), "not a mangled name");
}

}  // namespace
