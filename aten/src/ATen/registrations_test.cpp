// What the generator registers beyond the kernels that somebody wrote: variants that `autogen` asks
// for, structured operators on Meta and on backends with out kernels only, tags, direct calls.
#include <ATen/CompositeKernels.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <ATen/native/testing_support.h>
#include <ATen/ops/add.h>
#include <ATen/ops/add_compositeexplicitautogradnonfunctional_dispatch.h>
#include <ATen/ops/add_cpu_dispatch.h>
#include <ATen/ops/add_meta_dispatch.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/DispatchKey.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace {

using at::native::testing::message_of;
using at::native::testing::values;

c10::OperatorHandle find(const char* name, const char* overload) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
}

TEST(RegistrationsTest, AStructuredOperatorIsOnMetaAndOnBackendsWithOutKernels) {
  int count = 0;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (!op ||
        !op->hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutogradNonFunctional)) {
      continue;
    }
    ++count;
    EXPECT_TRUE(op->hasComputedKernelForDispatchKey(c10::DispatchKey::Meta)) << toString(name);
    EXPECT_TRUE(op->hasComputedKernelForDispatchKey(c10::DispatchKey::PrivateUse1))
        << toString(name);
  }
  EXPECT_GT(count, 100);
}

TEST(RegistrationsTest, AnOutVariantIsDerived) {
  const at::Tensor self = at::full({2, 2}, 3.0);
  at::Tensor out = at::ones({0});
  EXPECT_EQ(&at::full_like_out(out, self, 5.0), &out);
  EXPECT_EQ(out.sizes(), self.sizes());
  EXPECT_EQ(values(out), std::vector<double>(4, 5.0));
  const void* data = out.data_ptr();
  at::zeros_like_out(out, self);
  EXPECT_EQ(out.data_ptr(), data);
  EXPECT_EQ(values(out), std::vector<double>(4, 0.0));
}

TEST(RegistrationsTest, ADerivedOutVariantMakesTheTypeOfOut) {
  at::Tensor out = at::empty({0}, at::kDouble);
  at::zeros_like_out(out, at::ones({3}));
  EXPECT_EQ(out.sizes(), (std::vector<int64_t>{3}));
  EXPECT_EQ(out.scalar_type(), at::kDouble);
  EXPECT_EQ(message_of([] { at::impl::copy_to_out(at::empty({1}, at::kLong), at::ones({1})); }),
            "Expected out tensor to have dtype float, but got long int instead");
}

TEST(RegistrationsTest, AFunctionalKernelClonesWhatIsWritten) {
  const at::Tensor tensor = at::ones({2});
  const at::Tensor clone = at::impl::clone_argument(tensor);
  EXPECT_NE(clone.data_ptr(), tensor.data_ptr());
  EXPECT_FALSE(at::impl::clone_argument(std::optional<at::Tensor>()).has_value());
  const std::vector<at::Tensor> list{tensor, clone};
  EXPECT_EQ(at::impl::clone_argument(at::TensorList(list)).size(), 2u);
  EXPECT_EQ(message_of([&] { at::impl::copy_to_out(at::TensorList(list), at::TensorList()); }),
            "Expected a list of 0 out tensors, but got 2");
  const at::Tensor column = at::ones({2, 3}).t();
  EXPECT_TRUE(at::impl::contiguous_copy(column).is_contiguous());
}

TEST(RegistrationsTest, TagsAreStated) {
  EXPECT_TRUE(find("aten::zeros_like", "out").hasTag(at::Tag::generated));
  EXPECT_TRUE(find("aten::zeros_like", "out").hasTag(at::Tag::out));
  EXPECT_FALSE(find("aten::zeros_like", "").hasTag(at::Tag::generated));
  EXPECT_TRUE(find("aten::add_", "Tensor").hasTag(at::Tag::inplace));
  EXPECT_TRUE(find("aten::add", "Tensor").hasTag(at::Tag::pt2_compliant_tag));
}

TEST(RegistrationsTest, KernelsOfAKeyAreCalledDirectly) {
  const at::Tensor a = at::arange(4, at::kFloat);
  const at::Tensor b = at::full({4}, 2.0);
  const std::vector<double> expected = values(at::add(a, b, /*alpha=*/3));
  EXPECT_EQ(values(at::cpu::add(a, b, /*alpha=*/3)), expected);
  EXPECT_EQ(values(at::compositeexplicitautogradnonfunctional::add(a, b, /*alpha=*/3)), expected);
  at::Tensor out = at::empty({0});
  at::cpu::add_out(out, a, b, /*alpha=*/3);
  EXPECT_EQ(values(out), expected);
  at::Tensor self = a.clone();
  at::compositeexplicitautogradnonfunctional::add_(self, b, /*alpha=*/3);
  EXPECT_EQ(values(self), expected);
  EXPECT_TRUE(at::meta::add(a.to(at::kMeta), b.to(at::kMeta)).is_meta());
}

TEST(RegistrationsTest, InPlaceOnMetaNeedsSelfThere) {
  at::Tensor self = at::ones({2}, at::device(at::kMeta));
  const at::Tensor mask = at::empty({2}, at::device(at::kMeta).dtype(at::kBool));
  EXPECT_EQ(&self.masked_fill_(mask, 1.0), &self);
  at::Tensor here = at::ones({2});
  EXPECT_EQ(message_of([&] { here.masked_fill_(mask, 1.0); }),
            "Cannot inplace into non-meta tensor with meta tensor argument");
}

}  // namespace
