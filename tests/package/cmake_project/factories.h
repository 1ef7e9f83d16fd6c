#pragma once

#include <ATen/Dispatch_v2.h>
#include <ATen/Scalar.h>
#include <ATen/Tensor.h>
#include <torch/autograd.h>
#include <torch/torch.h>

#include <cstdlib>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

// Ends the program where something does not hold.
inline void check(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "does not hold: " << what << '\n';
  std::exit(1);
}
#define CHECK_THAT(...) check((__VA_ARGS__), #__VA_ARGS__)

inline std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const c10::Error& e) {
    return e.what_without_backtrace();
  } catch (const std::runtime_error& e) {
    return std::string("runtime_error: ") + e.what();
  }
  return "none";
}

inline void check_requires_grad() {
  torch::Tensor x = torch::randn({2, 2}, torch::requires_grad());
  CHECK_THAT(x.requires_grad() && x.is_leaf());
  (x * x).sum().backward();
  CHECK_THAT(torch::allclose(x.grad(), 2 * x));
  const auto options = torch::dtype(torch::kDouble).requires_grad(true);
  CHECK_THAT(torch::empty({2}, options).requires_grad());
  CHECK_THAT(torch::zeros_like(x, options).requires_grad());
  CHECK_THAT(torch::full({2}, 3.0, options).requires_grad());
  CHECK_THAT(torch::linspace(0, 1, 3, options).requires_grad());
  CHECK_THAT(torch::normal(0.0, 1.0, {3}, std::nullopt, options).requires_grad());
  CHECK_THAT(!torch::ones({2}).requires_grad());
  CHECK_THAT(torch::normal(torch::zeros({3}), 1.0).size(0) == 3);
  const auto whole = torch::dtype(torch::kLong).requires_grad(true);
  CHECK_THAT(message([&] { torch::zeros({2}, whole); }).find("floating point") !=
             std::string::npos);
}

inline void check_values() {
  const torch::Tensor nested = torch::tensor({{1, 2}, {3, 4}});
  CHECK_THAT(nested.scalar_type() == torch::kLong && nested.size(1) == 2);
  CHECK_THAT(nested[1][0].item<int64_t>() == 3);
  CHECK_THAT(torch::tensor({1.5, 2.5}).scalar_type() == torch::kFloat);
  CHECK_THAT(torch::tensor(true).scalar_type() == torch::kBool);
  CHECK_THAT(torch::tensor({}).numel() == 0);
  CHECK_THAT(torch::tensor(2.5).dim() == 0);
  const auto options = torch::dtype(torch::kDouble).requires_grad(true);
  CHECK_THAT(torch::tensor(std::vector<double>{1, 2}, options).requires_grad());
  CHECK_THAT(at::tensor({1.5, 2.5}).scalar_type() == torch::kDouble);
  CHECK_THAT(message([] { torch::tensor({{1, 2}, {3}}); }) ==
             "Expected all sub-lists to have sizes: [2], but got sub-list with sizes: [1]");
  CHECK_THAT(message([] { torch::tensor({1, 2.0}); }) ==
             "Expected all elements of the tensor to have the same scalar type: Int, but got "
             "element of scalar type: Double");
  CHECK_THAT(message([] { (void)torch::Scalar(1e10).to<int8_t>(); }) ==
             "runtime_error: value cannot be converted to type int8_t without overflow");
}

inline void check_blobs() {
  float data[6] = {0, 1, 2, 3, 4, 5};
  int released = 0;
  {
    const auto release = [&](void* memory) { released += memory == data; };
    const torch::Tensor x = torch::from_blob(data, {2, 3}, release, torch::requires_grad());
    const torch::Tensor view = x.detach()[1];
    CHECK_THAT(x.requires_grad() && view[2].item<float>() == 5 && released == 0);
  }
  CHECK_THAT(released == 1);
  CHECK_THAT(at::from_blob(data, {3, 2}, {1, 3})[2][1].item<float>() == 5);
  CHECK_THAT(torch::from_blob(data, {2}, {2}, 1, [](void*) {})[1].item<float>() == 3);
  CHECK_THAT(message([&] { at::from_blob(data, {2}, torch::requires_grad()); }) ==
             "at::from_blob makes no tensor that requires grad; call torch::from_blob");
}

inline void check_dispatch() {
  const auto half = [](torch::ScalarType type) {
    return AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, "half", [] { return sizeof(scalar_t); });
  };
  CHECK_THAT(half(torch::kHalf) == 2 && half(torch::kDouble) == 8);
  CHECK_THAT(message([&] { half(torch::kInt); }) == "\"half\" not implemented for 'Int'");
  const auto any = [](torch::ScalarType type) {
    return AT_DISPATCH_V2(type, "any", AT_WRAP([] {
                            const size_t size = sizeof(scalar_t), none = 0;
                            return size + none;
                          }),
                          AT_EXPAND(AT_ALL_TYPES_AND_COMPLEX), torch::kHalf, torch::kBool,
                          AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
  };
  CHECK_THAT(any(torch::kComplexDouble) == 16 && any(torch::kUInt64) == 8 &&
             any(torch::kBool) == 1);
  CHECK_THAT(message([&] { any(torch::kBFloat16); }) == "\"any\" not implemented for 'BFloat16'");
}
