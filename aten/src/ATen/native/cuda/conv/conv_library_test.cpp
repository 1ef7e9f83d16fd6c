// What cuDNN is asked for, on a cuDNN that runs on the host, against the loops of the CPU.

#include <ATen/native/ConvLibrary.h>
#include <ATen/native/ConvUtils.h>
#include <ATen/native/conv_testing_support.h>
#include <ATen/native/cuda/ConvLibrary.h>
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <cudnn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct cudnnContext {};
struct cudnnTensorStruct {
  std::vector<int64_t> sizes, strides;
};
struct cudnnFilterStruct {
  std::vector<int64_t> sizes;
};
struct cudnnConvolutionStruct {
  std::vector<int64_t> padding, stride, dilation;
  int groups = 1;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
};

namespace {

cudnnStatus_t answer = CUDNN_STATUS_SUCCESS;
bool has_algorithm = true;
bool is_deterministic = true;
int asked = 0;     // questions for an algorithm
int measured = 0;  // measurements of all
cudnnMathType_t last_math = CUDNN_DEFAULT_MATH;
int alive = 0;

std::vector<int64_t> list(const int* values, int count) { return {values, values + count}; }

// Calls f(x, w, y) with the offsets of every product of elements, in two or three dimensions.
void for_each_product(const cudnnTensorStruct& x, const cudnnFilterStruct& w,
                      const cudnnConvolutionStruct& c, const cudnnTensorStruct& y,
                      const std::function<void(int64_t, int64_t, int64_t)>& f) {
  const size_t dims = x.sizes.size() - 2;
  const int64_t in = w.sizes[1], out = w.sizes[0] / c.groups;
  EXPECT_EQ(x.sizes[1], in * c.groups);
  EXPECT_EQ(y.sizes[1], w.sizes[0]);
  // Visits the spatial dimensions one after the other.
  const std::function<void(size_t, int64_t, int64_t, int64_t)> visit = [&](size_t d, int64_t xi,
                                                                           int64_t wi, int64_t yi) {
    if (d == dims) return f(xi, wi, yi);
    for (int64_t o = 0; o < y.sizes[d + 2]; ++o) {
      for (int64_t k = 0; k < w.sizes[d + 2]; ++k) {
        const int64_t i = o * c.stride[d] + k * c.dilation[d] - c.padding[d];
        if (i < 0 || i >= x.sizes[d + 2]) continue;
        visit(d + 1, xi + i * x.strides[d + 2], wi * w.sizes[d + 2] + k, yi + o * y.strides[d + 2]);
      }
    }
  };
  for (int64_t n = 0; n < x.sizes[0]; ++n) {
    for (int64_t oc = 0; oc < w.sizes[0]; ++oc) {
      for (int64_t ic = 0; ic < in; ++ic) {
        visit(0, n * x.strides[0] + (oc / out * in + ic) * x.strides[1], oc * in + ic,
              n * y.strides[0] + oc * y.strides[1]);
      }
    }
  }
}

int64_t count(const std::vector<int64_t>& sizes) {
  int64_t result = 1;
  for (const int64_t s : sizes) result *= s;
  return result;
}

template <typename Performance>
cudnnStatus_t perform(int* found, Performance* results) {
  *found = 0;
  if (!has_algorithm) return CUDNN_STATUS_NOT_SUPPORTED;
  // The first cannot be used.
  results[0] = {};
  results[0].status = CUDNN_STATUS_NOT_SUPPORTED;
  results[1] = {};
  results[1].status = CUDNN_STATUS_SUCCESS;
  results[1].determinism = is_deterministic ? CUDNN_DETERMINISTIC : CUDNN_NON_DETERMINISTIC;
  results[1].memory = 64;
  *found = 2;
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

size_t cudnnGetVersion() { return 92000; }
const char* cudnnGetErrorString(cudnnStatus_t) { return "CUDNN_STATUS_EXECUTION_FAILED"; }
cudnnStatus_t cudnnCreate(cudnnHandle_t* made) {
  static cudnnContext handle;
  *made = &handle;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t, cudaStream_t) { return CUDNN_STATUS_SUCCESS; }

#define FAKE_DESCRIPTOR(Name, Type)                          \
  cudnnStatus_t cudnnCreate##Name##Descriptor(Type** made) { \
    *made = new Type;                                        \
    ++alive;                                                 \
    return CUDNN_STATUS_SUCCESS;                             \
  }                                                          \
  cudnnStatus_t cudnnDestroy##Name##Descriptor(Type* made) { \
    delete made;                                             \
    --alive;                                                 \
    return CUDNN_STATUS_SUCCESS;                             \
  }
FAKE_DESCRIPTOR(Tensor, cudnnTensorStruct)
FAKE_DESCRIPTOR(Filter, cudnnFilterStruct)
FAKE_DESCRIPTOR(Convolution, cudnnConvolutionStruct)

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t t, cudnnDataType_t, int dims,
                                         const int* sizes, const int* strides) {
  t->sizes = list(sizes, dims);
  t->strides = list(strides, dims);
  return dims < 4 || dims > 5 ? CUDNN_STATUS_BAD_PARAM : CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t w, cudnnDataType_t,
                                         cudnnTensorFormat_t format, int dims, const int* sizes) {
  EXPECT_EQ(format, CUDNN_TENSOR_NCHW);
  w->sizes = list(sizes, dims);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t c, int dims,
                                              const int* padding, const int* stride,
                                              const int* dilation, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t) {
  EXPECT_EQ(mode, CUDNN_CROSS_CORRELATION);
  c->padding = list(padding, dims);
  c->stride = list(stride, dims);
  c->dilation = list(dilation, dims);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t c, int groups) {
  c->groups = groups;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t c, cudnnMathType_t math) {
  c->math = last_math = math;
  return CUDNN_STATUS_SUCCESS;
}

#define FAKE_CHOICE(Function, First, Second, Third, Fourth, Performance, counter)      \
  cudnnStatus_t Function(cudnnHandle_t, First, Second, Third, Fourth, int, int* found, \
                         Performance* results) {                                       \
    ++(counter);                                                                       \
    return perform(found, results);                                                    \
  }
#define FAKE_CHOICES(Kind, First, Second, Fourth, Performance)                                    \
  FAKE_CHOICE(cudnnGetConvolution##Kind##Algorithm_v7, First, Second,                             \
              cudnnConvolutionDescriptor_t, Fourth, Performance, asked)                           \
  FAKE_CHOICE(cudnnFindConvolution##Kind##Algorithm, First, Second, cudnnConvolutionDescriptor_t, \
              Fourth, Performance, measured)
FAKE_CHOICES(Forward, cudnnTensorDescriptor_t, cudnnFilterDescriptor_t, cudnnTensorDescriptor_t,
             cudnnConvolutionFwdAlgoPerf_t)
FAKE_CHOICES(BackwardData, cudnnFilterDescriptor_t, cudnnTensorDescriptor_t,
             cudnnTensorDescriptor_t, cudnnConvolutionBwdDataAlgoPerf_t)
FAKE_CHOICES(BackwardFilter, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
             cudnnFilterDescriptor_t, cudnnConvolutionBwdFilterAlgoPerf_t)

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t, const void*, cudnnTensorDescriptor_t xd,
                                      const void* x, cudnnFilterDescriptor_t wd, const void* w,
                                      cudnnConvolutionDescriptor_t c, cudnnConvolutionFwdAlgo_t,
                                      void* workspace, size_t bytes, const void*,
                                      cudnnTensorDescriptor_t yd, void* y) {
  if (answer != CUDNN_STATUS_SUCCESS) return answer;
  EXPECT_TRUE(workspace != nullptr && bytes == 64);
  auto* out = static_cast<float*>(y);
  std::fill_n(out, count(yd->sizes), 0.0f);
  for_each_product(*xd, *wd, *c, *yd, [&](int64_t xi, int64_t wi, int64_t yi) {
    out[yi] += static_cast<const float*>(x)[xi] * static_cast<const float*>(w)[wi];
  });
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t, const void*, cudnnFilterDescriptor_t wd,
                                           const void* w, cudnnTensorDescriptor_t yd, const void* y,
                                           cudnnConvolutionDescriptor_t c,
                                           cudnnConvolutionBwdDataAlgo_t, void*, size_t,
                                           const void*, cudnnTensorDescriptor_t xd, void* x) {
  auto* out = static_cast<float*>(x);
  std::fill_n(out, count(xd->sizes), 0.0f);
  for_each_product(*xd, *wd, *c, *yd, [&](int64_t xi, int64_t wi, int64_t yi) {
    out[xi] += static_cast<const float*>(y)[yi] * static_cast<const float*>(w)[wi];
  });
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t, const void*, cudnnTensorDescriptor_t xd,
                                             const void* x, cudnnTensorDescriptor_t yd,
                                             const void* y, cudnnConvolutionDescriptor_t c,
                                             cudnnConvolutionBwdFilterAlgo_t, void*, size_t,
                                             const void*, cudnnFilterDescriptor_t wd, void* w) {
  auto* out = static_cast<float*>(w);
  std::fill_n(out, count(wd->sizes), 0.0f);
  for_each_product(*xd, *wd, *c, *yd, [&](int64_t xi, int64_t wi, int64_t yi) {
    out[wi] += static_cast<const float*>(x)[xi] * static_cast<const float*>(y)[yi];
  });
  return CUDNN_STATUS_SUCCESS;
}

}  // extern "C"

namespace at::native {
namespace {

bool library(ConvProduct product, const ConvGeometry& g, c10::ScalarType dtype, void* x, void* w,
             void* y) {
  return conv_library_stub(c10::DeviceType::CUDA, product, g, dtype, x, w, y);
}

std::vector<float> values(int64_t count) {
  std::vector<float> result;
  for (int64_t i = 0; i < count; ++i) result.push_back(static_cast<float>(i * 7 % 13) - 6);
  return result;
}

const ConvGeometry kFlat =
    testing::conv_geometry(2, 2, 3, 2, {1, 7, 6}, {1, 3, 2}, {1, 2, 1}, {0, 1, 2}, {1, 1, 2});
const ConvGeometry kDeep =
    testing::conv_geometry(2, 2, 3, 2, {4, 5, 6}, {2, 3, 1}, {1, 2, 2}, {1, 0, 1}, {2, 1, 1});

struct Tensors {
  explicit Tensors(const ConvGeometry& g)
      : x(values(g.batch * g.groups * g.in_channels * g.in_size())),
        w(values(g.groups * g.out_channels * g.in_channels * g.kernel_size())),
        y(values(g.batch * g.groups * g.out_channels * g.out_size())) {}
  std::vector<float> x, w, y;
};

TEST(ConvLibraryTest, EveryProductIsThatOfTheLoops) {
  constexpr auto kFloat = c10::ScalarType::Float;
  for (const ConvGeometry& g : {kFlat, kDeep}) {
    Tensors ours(g), loops(g);
    ASSERT_TRUE(
        library(ConvProduct::FORWARD, g, kFloat, ours.x.data(), ours.w.data(), ours.y.data()));
    conv_forward(g, kFloat, loops.x.data(), loops.w.data(), nullptr, loops.y.data());
    EXPECT_EQ(ours.y, loops.y);
    ASSERT_TRUE(library(ConvProduct::BACKWARD_INPUT, g, kFloat, ours.x.data(), ours.w.data(),
                        ours.y.data()));
    conv_backward_input(g, kFloat, loops.y.data(), loops.w.data(), loops.x.data());
    EXPECT_EQ(ours.x, loops.x);
    ASSERT_TRUE(library(ConvProduct::BACKWARD_WEIGHT, g, kFloat, ours.x.data(), ours.w.data(),
                        ours.y.data()));
    conv_backward_weight(g, kFloat, loops.y.data(), loops.x.data(), loops.w.data());
    EXPECT_EQ(ours.w, loops.w);
  }
  EXPECT_EQ(alive, 0) << "descriptors are destroyed";
  EXPECT_EQ(conv_library_version(), 92000);
}

TEST(ConvLibraryTest, TheSwitchesAreFollowed) {
  ConvLibraryOptions& options = conv_library_options();
  ConvGeometry g = kFlat;
  g.batch = 3;  // not asked for yet
  Tensors t(g);
  const auto run = [&] {
    return library(ConvProduct::FORWARD, g, c10::ScalarType::Float, t.x.data(), t.w.data(),
                   t.y.data());
  };
  asked = measured = 0;
  EXPECT_TRUE(run());
  EXPECT_TRUE(run());
  EXPECT_EQ(asked, 1) << "the answer is remembered";
  EXPECT_EQ(last_math, CUDNN_DEFAULT_MATH);

  options.allow_tf32 = false;
  EXPECT_TRUE(run());
  EXPECT_EQ(last_math, CUDNN_FMA_MATH);
  options.allow_tf32 = true;

  options.benchmark = true;
  EXPECT_TRUE(run());
  EXPECT_EQ(measured, 1);
  options.benchmark = false;

  is_deterministic = false;
  options.deterministic = true;
  EXPECT_FALSE(run()) << "no algorithm gives the same bits";
  options.deterministic = false;
  is_deterministic = true;

  options.enabled = false;
  EXPECT_FALSE(run());
  options.enabled = true;
}

TEST(ConvLibraryTest, WhatItLacksIsLeftToTheProducts) {
  ConvGeometry g = kFlat;
  g.batch = 4;
  Tensors t(g);
  has_algorithm = false;
  EXPECT_FALSE(
      library(ConvProduct::FORWARD, g, c10::ScalarType::Float, t.x.data(), t.w.data(), t.y.data()));
  has_algorithm = true;
  EXPECT_FALSE(library(ConvProduct::FORWARD, g, c10::ScalarType::ComplexFloat, t.x.data(),
                       t.w.data(), t.y.data()));
}

TEST(ConvLibraryTest, AFailureIsNamed) {
  Tensors t(kFlat);
  answer = CUDNN_STATUS_EXECUTION_FAILED;
  try {
    library(ConvProduct::FORWARD, kFlat, c10::ScalarType::Float, t.x.data(), t.w.data(),
            t.y.data());
    FAIL() << "it did not throw";
  } catch (const c10::Error& error) {
    EXPECT_EQ(
        std::string(error.what_without_backtrace())
            .find(
                "cuDNN error: CUDNN_STATUS_EXECUTION_FAILED when calling `cudnnConvolutionForward("),
        0u);
  }
  answer = CUDNN_STATUS_SUCCESS;
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace at::native
