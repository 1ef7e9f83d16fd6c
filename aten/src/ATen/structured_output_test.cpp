// Structured operators end to end: a call goes through the dispatcher and the generated wrapper to
// meta and impl, onto a new tensor, a given one, or self.
#include <ATen/StructuredOutput.h>

#include <ATen/core/Tensor.h>
#include <ATen/native/testing_support.h>
#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using at::native::testing::message_of;
using at::native::testing::values;

TEST(StructuredOutputTest, FunctionalMakesANewTensor) {
  const at::Tensor a = at::full({2, 3}, 1.5);
  const at::Tensor b = at::full({3}, 2.0);
  const at::Tensor c = at::add(a, b, /*alpha=*/3);
  EXPECT_EQ(c.sizes(), a.sizes());
  EXPECT_EQ(values(c), std::vector<double>(6, 1.5 + 3 * 2.0));
  EXPECT_EQ(values(a), std::vector<double>(6, 1.5));
}

TEST(StructuredOutputTest, InplaceWritesToSelf) {
  at::Tensor a = at::full({2, 2}, 1.0);
  const void* data = a.data_ptr();
  at::Tensor& result = a.add_(at::full({2, 2}, 4.0));
  EXPECT_EQ(&result, &a);
  EXPECT_EQ(a.data_ptr(), data);
  EXPECT_EQ(values(a), std::vector<double>(4, 5.0));
}

TEST(StructuredOutputTest, OutIsResized) {
  at::Tensor out = at::empty({0});
  at::add_out(out, at::full({2, 2}, 1.0), at::full({2, 2}, 2.0));
  EXPECT_EQ(out.sizes(), (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(values(out), std::vector<double>(4, 3.0));
}

TEST(StructuredOutputTest, OutKeepsItsStrides) {
  at::Tensor out = at::empty({3, 2}).t();
  at::mm_out(out, at::full({2, 4}, 1.0), at::full({4, 3}, 2.0));
  EXPECT_EQ(out.strides(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(values(out), std::vector<double>(6, 8.0));
}

TEST(StructuredOutputTest, MetaGivesShapesWithoutData) {
  const at::TensorOptions meta = at::TensorOptions().device(at::kMeta);
  const at::Tensor a = at::empty({4, 1, 5}, meta);
  const at::Tensor b = at::empty({3, 1}, meta.dtype(at::kDouble));
  const at::Tensor c = at::add(a, b);
  EXPECT_TRUE(c.is_meta());
  EXPECT_EQ(c.scalar_type(), at::kDouble);
  EXPECT_EQ(c.sizes(), (std::vector<int64_t>{4, 3, 5}));
}

TEST(StructuredOutputTest, OutOfAnotherTypeIsRefused) {
  at::Tensor out = at::empty({2, 2}, at::kLong);
  EXPECT_EQ(message_of([&] { at::mm_out(out, at::ones({2, 2}), at::ones({2, 2})); }),
            "Expected out tensor to have dtype float, but got long int instead");
}

TEST(StructuredOutputTest, OutOnAnotherDeviceIsRefused) {
  at::Tensor out = at::empty({2, 2}, at::TensorOptions().device(at::kMeta));
  const c10::TensorOptions wanted = at::TensorOptions().dtype(at::kFloat).device(at::kCPU);
  EXPECT_EQ(message_of([&] { at::impl::resize_out(out, {2, 2}, {}, wanted); }),
            "Expected out tensor to have device cpu, but got meta instead");
}

TEST(StructuredOutputTest, SelfOfAnotherShapeOrTypeIsRefused) {
  const at::Tensor self = at::empty({2, 2});
  const c10::TensorOptions options = self.options();
  EXPECT_EQ(message_of([&] { at::impl::check_inplace(self, {3, 2}, options); }),
            "Bad in-place call: input tensor size [2, 2] and output tensor size [3, 2] should "
            "match");
  EXPECT_EQ(message_of([&] { at::impl::check_inplace(self, {2, 2}, options.dtype(at::kLong)); }),
            "Bad in-place call: input tensor dtype float and output tensor dtype long int should "
            "match");
  EXPECT_EQ(message_of([&] { at::impl::check_inplace(self, {2, 2}, options.device(at::kMeta)); }),
            "Bad in-place call: input tensor device cpu and output tensor device meta should "
            "match");
}

// A kernel that demands column-major output writes to a proxy, which is copied back.
struct ColumnMajor : public at::impl::MetaBase {
  void meta(const at::Tensor& self) {
    set_output_strided(0, self.sizes(), {1, self.size(0)}, self.options());
  }
  void impl(const at::Tensor& self, const at::Tensor& out) {
    strides = out.strides().vec();
    const_cast<at::Tensor&>(out).copy_(self);
  }
  std::vector<int64_t> strides;
};

TEST(StructuredOutputTest, AProxyStandsInForWrongStrides) {
  const at::Tensor self = at::full({2, 3}, 7.0);
  at::Tensor out = at::empty({2, 3});
  at::impl::OutKernel<ColumnMajor, 1, at::impl::CPUOutputs> op(out);
  op.meta(self);
  op.impl(self, op.maybe_get_output(0));
  EXPECT_EQ(op.strides, (std::vector<int64_t>{1, 2}));
  EXPECT_FALSE(op.maybe_get_output(0).is_same(out));
  op.copy_back();
  EXPECT_EQ(out.strides(), (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(values(out), std::vector<double>(6, 7.0));
}

TEST(StructuredOutputTest, OptionalTensorRefBorrows) {
  const at::Tensor t = at::ones({1});
  const auto count = t.use_count();
  {
    const at::OptionalTensorRef ref(t);
    const at::OptionalTensorRef copy = ref;
    EXPECT_TRUE(copy.has_value());
    EXPECT_TRUE(copy->is_same(t));
    EXPECT_EQ(t.use_count(), count);
  }
  EXPECT_EQ(t.use_count(), count);
  EXPECT_FALSE(at::OptionalTensorRef());
}

}  // namespace
