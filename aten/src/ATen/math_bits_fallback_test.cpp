// Conjugates and negatives that are views: what operators are given, and what they give back.
#include <ATen/TensorUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/testing_support.h>
#include <ATen/ops/_conj.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/real.h>
#include <ATen/ops/view_as_real.h>
#include <c10/core/DispatchKeySet.h>
#include <gtest/gtest.h>
#include <torch/library.h>

#include <optional>
#include <string>
#include <vector>

namespace {

using at::Tensor;
using at::native::testing::message_of;
using at::native::testing::values;

// 0 + 3i, 1 + 4i, 2 + 5i.
Tensor numbers() {
  const Tensor parts = at::arange(6, at::kFloat);
  return at::complex(parts.slice(0, 0, 3), parts.slice(0, 3, 6));
}

bool has_bits(const Tensor& x) { return x.is_conj() || x.is_neg(); }

int64_t count(const Tensor& x, c10::List<std::optional<Tensor>> more) {
  int64_t found = has_bits(x) ? 1 : 0;
  for (size_t i = 0; i < more.size(); ++i) {
    const std::optional<Tensor> each = more.get(i);
    if (each.has_value() && has_bits(*each)) ++found;
  }
  return found;
}

Tensor& double_(Tensor& x) {
  EXPECT_FALSE(has_bits(x));
  return x.add_(x);
}

void fill_all_(at::TensorList tensors) {
  for (Tensor x : tensors) {
    EXPECT_FALSE(has_bits(x));
    x.fill_(7);
  }
}

TORCH_LIBRARY(math_bits_test, m) {
  m.def("count(Tensor x, Tensor?[] more) -> int");
  m.def("double_(Tensor(a!) x) -> Tensor(a!)");
  m.def("fill_all_(Tensor(a!)[] tensors) -> ()");
}
TORCH_LIBRARY_IMPL(math_bits_test, CPU, m) {
  m.impl("count", TORCH_FN(count));
  m.impl("double_", TORCH_FN(double_));
  m.impl("fill_all_", TORCH_FN(fill_all_));
}

c10::OperatorHandle find(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
}

TEST(MathBitsTest, TheBitsAreKeys) {
  const Tensor x = numbers();
  const Tensor y = x.conj();
  EXPECT_TRUE(y.is_conj());
  EXPECT_TRUE(y.key_set().has(c10::DispatchKey::Conjugate));
  EXPECT_EQ(c10::legacyExtractDispatchKey(y.key_set()), c10::DispatchKey::CPU);
  EXPECT_FALSE(at::_conj(y).is_conj());
  EXPECT_TRUE(at::imag(y).is_neg());
  EXPECT_EQ(values(at::imag(y).resolve_neg()), (std::vector<double>{-3, -4, -5}));
  EXPECT_EQ(values(at::real(y)), (std::vector<double>{0, 1, 2}));
  y._set_conj(false);
  EXPECT_FALSE(y.is_conj());
  y._set_neg(true);
  EXPECT_EQ(values(at::imag(y).resolve_neg()), (std::vector<double>{-3, -4, -5}));
}

TEST(MathBitsTest, KernelsSeeNoBits) {
  const Tensor x = numbers();
  const auto op = find("math_bits_test::count")
                      .typed<int64_t(const Tensor&, c10::List<std::optional<Tensor>>)>();
  const c10::List<std::optional<Tensor>> more({x.conj(), std::nullopt, at::imag(x.conj())});
  EXPECT_EQ(op.call(x.conj(), more), 0);
  EXPECT_EQ(op.call(x, more), 0);
  // The caller's list is as it was.
  EXPECT_TRUE(more.get(0)->is_conj());
  EXPECT_EQ(count(x.conj(), more), 3);
}

TEST(MathBitsTest, WhatAKernelWritesReachesTheTensor) {
  const Tensor x = numbers();
  Tensor y = x.conj();
  const auto twice = find("math_bits_test::double_").typed<Tensor&(Tensor&)>();
  EXPECT_EQ(&twice.call(y), &y);
  EXPECT_TRUE(y.is_conj());
  EXPECT_EQ(values(at::imag(x)), (std::vector<double>{6, 8, 10}));

  c10::Stack stack{y};
  find("math_bits_test::double_").callBoxed(stack);
  EXPECT_TRUE(stack.back().toTensor().is_same(y));
  EXPECT_EQ(values(at::imag(x)), (std::vector<double>{12, 16, 20}));

  Tensor imaginary = at::imag(y);
  const std::vector<Tensor> list{imaginary, at::real(x)};
  find("math_bits_test::fill_all_").typed<void(at::TensorList)>().call(list);
  EXPECT_EQ(values(at::view_as_real(x).flatten()), (std::vector<double>{7, -7, 7, -7, 7, -7}));
}

TEST(MathBitsTest, ExtensionsGetMemoryAndTheLibraryIsRefusedIt) {
  const Tensor x = numbers();
  // This test is compiled as an extension is.
  EXPECT_EQ(x.conj().data_ptr(), x.data_ptr());
  EXPECT_EQ(x.conj().const_data_ptr<c10::complex<float>>()[1].imag(), 4);
  EXPECT_EQ(at::maybe_data_ptr(x), x.data_ptr());
  const std::string message = message_of([&] { at::maybe_data_ptr(x.conj()); });
  EXPECT_NE(message.find("the memory of a tensor with the conjugate bit was about to be read or "
                         "written as it is. Use resolve_conj() and resolve_neg() first."),
            std::string::npos)
      << message;
}

}  // namespace
