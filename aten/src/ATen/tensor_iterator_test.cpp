#include <ATen/TensorIterator.h>

#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/InferSize.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/Parallel.h>
#include <ATen/ScalarOps.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/TypeProperties.h>
#include <ATen/native/cpu/Loops.h>
#include <ATen/native/testing_support.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using at::ScalarType;
using at::Tensor;
using at::TensorIterator;
using at::TensorIteratorConfig;
using at::native::testing::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

Tensor empty(std::vector<int64_t> sizes, ScalarType dtype = at::kFloat) {
  return Tensor(at::detail::empty_cpu(sizes, dtype));
}

// Fresh random numbers; small whole ones for integers.
Tensor random(std::vector<int64_t> sizes, ScalarType dtype = at::kFloat) {
  static std::mt19937 rng(std::random_device{}());
  Tensor t = empty(std::move(sizes), dtype);
  for (int64_t i = 0; i < t.numel(); ++i) {
    const auto x = static_cast<int64_t>(rng() % 2001) - 1000;
    if (dtype == at::kFloat) {
      t.mutable_data_ptr<float>()[i] = static_cast<float>(x) / 8;
    } else if (dtype == at::kDouble) {
      t.mutable_data_ptr<double>()[i] = static_cast<double>(x) / 8;
    } else {
      t.mutable_data_ptr<int64_t>()[i] = x;
    }
  }
  return t;
}

// A view with other sizes and strides.
Tensor strided(const Tensor& t, std::vector<int64_t> sizes, std::vector<int64_t> strides,
               int64_t offset = 0) {
  auto impl = t.unsafeGetTensorImpl()->shallow_copy_and_detach(c10::VariableVersion(0), true);
  impl->set_sizes_and_strides(sizes, strides, offset);
  return Tensor(at::TensorBase(std::move(impl)));
}

template <typename T = float>
T at_(const Tensor& t, std::vector<int64_t> index) {
  int64_t offset = 0;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * t.stride(d);
  return t.const_data_ptr<T>()[offset];
}

Tensor add(const Tensor& a, const Tensor& b, Tensor out = Tensor()) {
  TensorIterator iter = TensorIterator::binary_op(out, a, b);
  Tensor result = iter.output();
  if (iter.dtype() == at::kDouble) {
    at::native::cpu_kernel(iter, [](double x, double y) { return x + y; });
  } else if (iter.dtype() == at::kFloat) {
    at::native::cpu_kernel_vec(
        iter, [](float x, float y) { return x + y; },
        [](at::vec::Vectorized<float> x, at::vec::Vectorized<float> y) { return x + y; });
  } else {
    at::native::cpu_kernel(iter, [](int64_t x, int64_t y) { return x + y; });
  }
  return out.defined() ? out : result;
}

TEST(TensorIterator, Broadcasts) {
  const Tensor a = random({5, 1, 7});
  const Tensor b = random({3, 1});
  const Tensor out = add(a, b);
  EXPECT_THAT(out.sizes(), ElementsAre(5, 3, 7));
  for (int64_t i = 0; i < 5; ++i) {
    for (int64_t j = 0; j < 3; ++j) {
      for (int64_t k = 0; k < 7; ++k) {
        ASSERT_EQ(at_(out, {i, j, k}), at_(a, {i, 0, k}) + at_(b, {j, 0}));
      }
    }
  }
}

TEST(TensorIterator, FollowsStrides) {
  const Tensor base = random({40, 30});
  const Tensor a = strided(base, {30, 40}, {1, 30});  // transposed
  const Tensor b = strided(base, {30, 40}, {1, 30});
  const Tensor out = add(a, b);
  // The result is laid out like the inputs.
  EXPECT_THAT(out.strides(), ElementsAre(1, 30));
  const Tensor c = random({30, 40});
  const Tensor mixed = add(a, c);
  for (int64_t i = 0; i < 30; ++i) {
    for (int64_t j = 0; j < 40; ++j) {
      ASSERT_EQ(at_(out, {i, j}), 2 * at_(base, {j, i}));
      ASSERT_EQ(at_(mixed, {i, j}), at_(base, {j, i}) + at_(c, {i, j}));
    }
  }
}

TEST(TensorIterator, MergesDimensions) {
  Tensor out;
  const Tensor a = random({4, 5, 6});
  const Tensor every_other = strided(random({4, 5, 12}), {4, 5, 6}, {60, 12, 2});
  EXPECT_EQ(TensorIterator::binary_op(out, a, a).ndim(), 1);
  EXPECT_EQ(TensorIterator::binary_op(out, a, every_other).ndim(), 1);
  EXPECT_EQ(TensorIterator::binary_op(out, a, random({5, 1})).ndim(), 3);
}

TEST(TensorIterator, RunsInParallel) {
  const int threads = at::get_num_threads();
  at::set_num_threads(3);
  const Tensor a = random({300, 1, 17});
  const Tensor b = random({41, 1});
  const Tensor parallel = add(a, b);
  at::set_num_threads(1);
  const Tensor serial = add(a, b);
  at::set_num_threads(threads);
  for (int64_t i = 0; i < serial.numel(); ++i) {
    ASSERT_EQ(parallel.const_data_ptr<float>()[i], serial.const_data_ptr<float>()[i]);
  }
}

TEST(TensorIterator, EmptyAndZeroDimensional) {
  EXPECT_THAT(add(random({0, 3}), random({3})).sizes(), ElementsAre(0, 3));
  const Tensor a = random({});
  const Tensor out = add(a, a);
  EXPECT_EQ(out.dim(), 0);
  EXPECT_EQ(at_(out, {}), 2 * at_(a, {}));
}

TEST(TypePromotion, CountsCategoriesBeforeSizes) {
  using at::native::result_type;
  const Tensor floats = empty({2});
  const Tensor ints = empty({2}, at::kInt);
  const Tensor zero_dim = empty({}, at::kDouble);
  EXPECT_EQ(result_type(floats, zero_dim), at::kFloat);
  EXPECT_EQ(result_type(ints, zero_dim), at::kDouble);
  EXPECT_EQ(result_type(ints, c10::Scalar(1.5)), at::kFloat);
  EXPECT_EQ(result_type(ints, c10::Scalar(int64_t{1} << 40)), at::kInt);
  EXPECT_EQ(result_type(floats, empty({2}, at::kHalf)), at::kFloat);
  EXPECT_EQ(result_type(empty({2}, at::kHalf), empty({2}, at::kBFloat16)), at::kFloat);
  EXPECT_EQ(result_type(empty({2}, at::kByte), empty({2}, at::kChar)), at::kShort);
  EXPECT_EQ(result_type(empty({2}, at::kBool), c10::Scalar(true)), at::kBool);
  EXPECT_EQ(result_type(floats, c10::Scalar(c10::complex<double>(1, 2))), at::kComplexFloat);
  EXPECT_EQ(result_type(ints, at::native::wrapped_scalar_tensor(2.5)), at::kFloat);
}

TEST(TensorIterator, ComputesInTheCommonType) {
  const Tensor a = random({100}, at::kLong);
  const Tensor b = random({100}, at::kDouble);
  const Tensor out = add(a, b);
  EXPECT_EQ(out.scalar_type(), at::kDouble);
  for (int64_t i = 0; i < 100; ++i) {
    ASSERT_EQ(at_<double>(out, {i}),
              static_cast<double>(at_<int64_t>(a, {i})) + at_<double>(b, {i}));
  }
}

TEST(TensorIterator, CastsToTheOutput) {
  const Tensor a = random({100}, at::kLong);
  Tensor out = empty({100});
  add(a, a, out);
  for (int64_t i = 0; i < 100; ++i) {
    ASSERT_EQ(at_(out, {i}), static_cast<float>(2 * at_<int64_t>(a, {i})));
  }
  EXPECT_EQ(message_of([] { add(random({3}), random({3}), empty({3}, at::kLong)); }),
            "result type Float can't be cast to the desired output type Long");
}

TEST(TensorIterator, ResizesTheOutput) {
  const Tensor a = random({3, 4});
  const Tensor out = empty({0});
  add(a, a, out);
  EXPECT_THAT(out.sizes(), ElementsAre(3, 4));
  EXPECT_EQ(at_(out, {2, 3}), 2 * at_(a, {2, 3}));
}

TEST(TensorIterator, RefusesShapesThatDoNotBroadcast) {
  EXPECT_EQ(
      message_of([] { add(random({3}), random({4})); }),
      "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension "
      "0");
  EXPECT_EQ(message_of([] {
              const Tensor self = random({3});
              add(self, random({2, 3}), self);
            }),
            "output with shape [3] doesn't match the broadcast shape [2, 3]");
}

TEST(TensorIterator, RefusesOverlap) {
  const Tensor expanded = strided(random({1}), {3}, {0});
  EXPECT_THAT(message_of([&] { add(expanded, random({3}), expanded); }),
              HasSubstr("more than one element of the written-to tensor refers to a single memory "
                        "location."));
  const Tensor base = random({5});
  const Tensor first = strided(base, {4}, {1});
  const Tensor last = strided(base, {4}, {1}, 1);
  EXPECT_THAT(message_of([&] { add(first, first, last); }),
              HasSubstr("some elements of the input tensor and the written-to tensor refer to a "
                        "single memory location."));
  EXPECT_EQ(message_of([&] { add(first, last, first); }),
            message_of([&] { add(first, first, last); }));
}

TEST(TensorIterator, RefusesMixedDevices) {
  const Tensor meta(at::detail::empty_meta({3}, at::kFloat));
  EXPECT_EQ(
      message_of([&] { add(random({3}), meta); }),
      "Expected all tensors to be on the same device, but found at least two devices, meta and "
      "cpu!");
}

TEST(TensorIterator, MetaTensorsHaveShapesOnly) {
  const Tensor a(at::detail::empty_meta({5, 1}, at::kLong));
  const Tensor b(at::detail::empty_meta({3}, at::kDouble));
  Tensor out;
  const TensorIterator iter = TensorIterator::binary_op(out, a, b);
  EXPECT_TRUE(iter.output().is_meta());
  EXPECT_THAT(iter.output().sizes(), ElementsAre(5, 3));
  EXPECT_EQ(iter.output().scalar_type(), at::kDouble);
}

TEST(TensorIterator, ComparesIntoBool) {
  const Tensor a = random({50});
  const Tensor b = random({50});
  Tensor undefined;
  TensorIterator iter = TensorIterator::comparison_op(undefined, a, b);
  const Tensor out = iter.output();
  at::native::cpu_kernel(iter, [](float x, float y) -> bool { return x < y; });
  for (int64_t i = 0; i < 50; ++i) ASSERT_EQ(at_<bool>(out, {i}), at_(a, {i}) < at_(b, {i}));
}

TEST(TensorIterator, NarrowedPartsAreTheWhole) {
  const Tensor a = random({5, 7, 3}).transpose(0, 2);
  for (int dim = 0; dim < 2; ++dim) {
    Tensor out = random({3, 7, 10}).slice(2, 0, 10, 2);
    TensorIterator iter = TensorIterator::unary_op(out, a);
    ASSERT_GT(iter.ndim(), dim);
    const int64_t size = iter.shape()[dim];
    for (int64_t start = 0; start < size; start += 2) {
      TensorIterator part(iter);
      part.narrow(dim, start, std::min<int64_t>(2, size - start));
      at::native::cpu_kernel(part, [](float x) { return 2 * x; });
    }
    for (int64_t i = 0; i < 3; ++i) {
      for (int64_t j = 0; j < 7; ++j) {
        for (int64_t k = 0; k < 5; ++k) {
          ASSERT_EQ(at_(out, {i, j, k}), 2 * at_(a, {i, j, k})) << dim;
        }
      }
    }
  }
}

TEST(Shapes, Inference) {
  using at::infer_size;
  EXPECT_THAT(infer_size({2, -1}, int64_t{6}), ElementsAre(2, 3));
  EXPECT_EQ(message_of([] { infer_size({2, -1}, int64_t{3}); }),
            "shape '[2, -1]' is invalid for input of size 3");
  EXPECT_EQ(message_of([] { infer_size({-1, -1}, int64_t{3}); }),
            "only one dimension can be inferred");
  EXPECT_EQ(message_of([] { infer_size({-1, 0}, int64_t{0}); }),
            "cannot reshape tensor of 0 elements into shape [-1, 0] because the unspecified "
            "dimension size -1 can be any value and is ambiguous");
  EXPECT_EQ(message_of([] { at::inferExpandGeometry_dimvector({3}, {1}, {2, 2}); }),
            "The expanded size of the tensor (2) must match the existing size (3) at non-singleton "
            "dimension 1.  Target sizes: [2, 2].  Tensor sizes: [3]");
  EXPECT_EQ(message_of([] { at::dim_list_to_bitset(at::IntArrayRef({0, 0}), 2); }),
            "dim 0 appears multiple times in the list of dims");
  EXPECT_THROW(at::maybe_wrap_dim(5, random({2})), c10::IndexError);
}

}  // namespace
