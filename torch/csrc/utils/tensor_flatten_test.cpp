#include <torch/csrc/utils/tensor_flatten.h>

#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <vector>

namespace torch::utils {
namespace {

TEST(TensorFlattenTest, GivesBackWhatItTook) {
  const std::vector<at::Tensor> tensors = {at::randn({2, 3}), at::randn({}), at::randn({0, 4}),
                                           at::randn({5, 2}).t()};
  const at::Tensor flat = flatten_dense_tensors(tensors);
  EXPECT_EQ(flat.sizes(), at::IntArrayRef({17}));
  const std::vector<at::Tensor> back = unflatten_dense_tensors(flat, tensors);
  ASSERT_EQ(back.size(), tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_TRUE(at::equal(back[i], tensors[i])) << i;
    EXPECT_TRUE(back[i].is_alias_of(flat)) << i;
  }
}

TEST(TensorFlattenTest, AFlatTensorWithTooFewElementsIsRefused) {
  const std::vector<at::Tensor> tensors = {at::randn({2, 3}), at::randn({4})};
  EXPECT_THROW_MESSAGE(
      unflatten_dense_tensors(at::randn({9}), tensors), c10::Error,
      "unflatten_dense_tensors: the flat tensor has 9 elements, wanted at least 10");
}

}  // namespace
}  // namespace torch::utils
