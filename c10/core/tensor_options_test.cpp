#include <c10/core/DefaultDtype.h>
#include <c10/core/TensorOptions.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <optional>
#include <sstream>

namespace {

using c10::TensorOptions;

TEST(TensorOptionsTest, UnsetOptionsHaveDefaults) {
  const TensorOptions options;
  EXPECT_FALSE(options.has_dtype());
  EXPECT_FALSE(options.has_device());
  EXPECT_EQ(options.dtype(), c10::kFloat);
  EXPECT_EQ(options.device(), c10::Device(c10::kCPU));
  EXPECT_EQ(options.layout(), c10::kStrided);
  EXPECT_FALSE(options.requires_grad());
  EXPECT_FALSE(options.pinned_memory());
  EXPECT_EQ(options.memory_format_opt(), std::nullopt);
}

TEST(TensorOptionsTest, SettersChain) {
  const TensorOptions options =
      c10::dtype(c10::kInt).device("cuda:1").requires_grad(true).pinned_memory(true).memory_format(
          c10::MemoryFormat::ChannelsLast);
  EXPECT_EQ(options.dtype(), c10::kInt);
  EXPECT_EQ(options.device(), c10::Device(c10::kCUDA, 1));
  EXPECT_EQ(options.device_index(), 1);
  EXPECT_TRUE(options.requires_grad());
  EXPECT_TRUE(options.pinned_memory());
  EXPECT_EQ(options.memory_format_opt(), c10::MemoryFormat::ChannelsLast);
  EXPECT_FALSE(options.device(std::nullopt).has_device());
  EXPECT_EQ(c10::dtype<double>().dtype(), c10::kDouble);
  EXPECT_EQ(c10::device(c10::kMeta).device().type(), c10::kMeta);
}

TEST(TensorOptionsTest, ConvertsFromOneOption) {
  const auto dtype_of = [](TensorOptions options) { return options.dtype(); };
  EXPECT_EQ(dtype_of(c10::kLong), c10::kLong);
  EXPECT_EQ(dtype_of(c10::kCPU), c10::kFloat);
}

TEST(TensorOptionsTest, MergeTakesWhatIsSet) {
  const TensorOptions base = c10::dtype(c10::kInt).requires_grad(true);
  const TensorOptions merged = base.merge_in(c10::device(c10::kMeta).dtype(c10::kDouble));
  EXPECT_EQ(merged.dtype(), c10::kDouble);
  EXPECT_EQ(merged.device().type(), c10::kMeta);
  EXPECT_TRUE(merged.requires_grad());
  EXPECT_EQ(base.merge_memory_format(c10::MemoryFormat::Preserve).memory_format_opt(),
            c10::MemoryFormat::Preserve);
}

TEST(TensorOptionsTest, DispatchKeyFollowsTheDevice) {
  EXPECT_EQ(TensorOptions().computeDispatchKey(), c10::DispatchKey::CPU);
  EXPECT_EQ(c10::device(c10::kMeta).computeDispatchKey(), c10::DispatchKey::Meta);
  EXPECT_TRUE(TensorOptions().type_equal(c10::dtype(c10::kFloat)));
  EXPECT_FALSE(TensorOptions().type_equal(c10::dtype(c10::kInt)));
  EXPECT_THROW_MESSAGE(
      c10::layout(c10::kSparse).computeDispatchKey(), c10::NotImplementedError,
      "Unsupported layout: Sparse. Tensors are strided here: leave layout unset or "
      "pass Strided");
}

TEST(TensorOptionsTest, Prints) {
  std::ostringstream out;
  out << c10::dtype(c10::kDouble);
  EXPECT_EQ(
      out.str(),
      "TensorOptions(dtype=double, device=cpu (default), layout=Strided (default), "
      "requires_grad=false (default), pinned_memory=false (default), memory_format=(nullopt))");
}

TEST(DefaultDtypeTest, IsAFloatingType) {
  EXPECT_EQ(c10::get_default_dtype(), c10::kFloat);
  EXPECT_EQ(c10::get_default_complex_dtype(), c10::kComplexFloat);
  c10::set_default_dtype(caffe2::TypeMeta::Make<double>());
  EXPECT_EQ(TensorOptions().dtype(), c10::kDouble);
  EXPECT_EQ(c10::get_default_complex_dtype(), c10::kComplexDouble);
  EXPECT_THROW_MESSAGE(c10::set_default_dtype(caffe2::TypeMeta::Make<int>()), c10::TypeError,
                       "only floating-point types are supported as the default type");
  EXPECT_EQ(c10::get_default_dtype(), c10::kDouble);
  c10::set_default_dtype(caffe2::TypeMeta::Make<float>());
}

TEST(TensorOptionsTest, TakesWhatADeviceTakes) {
  const auto device_of = [](const TensorOptions& options) { return options.device(); };
  EXPECT_EQ(device_of("cuda:1"), c10::Device(c10::kCUDA, 1));
  EXPECT_EQ(device_of({c10::kCUDA, 1}), c10::Device(c10::kCUDA, 1));
  EXPECT_EQ(device_of(TensorOptions({c10::kCUDA, 1})), c10::Device(c10::kCUDA, 1));
  EXPECT_EQ(device_of(TensorOptions(c10::kCUDA, 1)), c10::Device(c10::kCUDA, 1));
}

}  // namespace
