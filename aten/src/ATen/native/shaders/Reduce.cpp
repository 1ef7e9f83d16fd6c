// Reductions, extreme values with their places, softmax and layer normalisation: a number or a row
// for each row.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/core/TensorBase.h>
#include <ATen/native/Normalization.h>
#include <ATen/native/ReduceOps.h>
#include <ATen/native/SoftMax.h>
#include <ATen/native/TensorCompare.h>
#include <ATen/native/shaders/Rows.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <initializer_list>
#include <string>

namespace at::native {
namespace {

using namespace shaders::operations;
using at::shaders::Binding;
using at::shaders::ComputeDevice;
using shaders::Rows;

constexpr std::initializer_list<ScalarType> kFloats = {kFloat, kHalf};
constexpr std::initializer_list<ScalarType> kNumbers = {kFloat, kHalf, kInt, kLong, kByte, kBool};

Binding binding(const TensorBase& t) {
  return {t.const_data_ptr(), static_cast<size_t>(t.element_size())};
}

void reduce(const TensorBase& out, const TensorBase& self, DimMask mask, int op, const char* name,
            std::initializer_list<ScalarType> types, double a = 1) {
  ComputeDevice& device = at::shaders::compute_device(self.device().index());
  const ScalarType dtype = self.scalar_type();
  shaders::check_type(dtype, types, name, device);
  TORCH_CHECK_NOT_IMPLEMENTED(out.scalar_type() == dtype, name, " on ", shaders::kDeviceName,
                              " gives ", c10::toString(dtype), " for elements of it, and not ",
                              c10::toString(out.scalar_type()));
  Rows rows = shaders::rows_of(self, mask, name);
  rows.arguments.a = static_cast<float>(a);
  shaders::run_rows(device, "reduce_" + shaders::shader_type(dtype, name, device), op, rows,
                    {binding(out), binding(self)});
}

void sum_shader(const TensorBase& out, const TensorBase& self, DimMask mask, double factor) {
  reduce(out, self, mask, REDUCE_SUM, "sum", {kFloat, kHalf, kInt, kLong}, factor);
}
void prod_shader(const TensorBase& out, const TensorBase& self, DimMask mask) {
  reduce(out, self, mask, REDUCE_PROD, "prod", {kFloat, kHalf, kInt, kLong});
}
void max_values_shader(const TensorBase& out, const TensorBase& self, DimMask mask) {
  reduce(out, self, mask, REDUCE_MAX, "amax", kNumbers);
}
void min_values_shader(const TensorBase& out, const TensorBase& self, DimMask mask) {
  reduce(out, self, mask, REDUCE_MIN, "amin", kNumbers);
}
void and_shader(const TensorBase& out, const TensorBase& self, DimMask mask) {
  reduce(out, self, mask, REDUCE_AND, "all", {kBool});
}
void or_shader(const TensorBase& out, const TensorBase& self, DimMask mask) {
  reduce(out, self, mask, REDUCE_OR, "any", {kBool});
}
void norm_shader(const TensorBase& out, const TensorBase& self, DimMask mask, double p) {
  reduce(out, self, mask, REDUCE_NORM, "norm", kFloats, p);
}
void std_var_shader(const TensorBase& out, const TensorBase& self, DimMask mask, double correction,
                    bool take_sqrt) {
  reduce(out, self, mask, take_sqrt ? REDUCE_STD : REDUCE_VAR, take_sqrt ? "std" : "var", kFloats,
         correction);
}

void extreme(const TensorBase& values, const TensorBase& places, const TensorBase& self,
             int64_t dim, int op, const char* name) {
  ComputeDevice& device = at::shaders::compute_device(self.device().index());
  const ScalarType dtype = self.scalar_type();
  shaders::check_type(dtype, kNumbers, name, device);
  // Places are int64.
  shaders::shader_type(kLong, name, device);
  DimMask mask;
  mask[static_cast<size_t>(dim)] = self.dim() > 0;
  shaders::run_rows(device, "extreme_" + shaders::shader_type(dtype, name, device), op,
                    shaders::rows_of(self, mask, name),
                    {binding(values), binding(self), binding(places)});
}

void max_shader(const TensorBase& values, const TensorBase& places, const TensorBase& self,
                int64_t dim) {
  extreme(values, places, self, dim, REDUCE_MAX, "max");
}
void min_shader(const TensorBase& values, const TensorBase& places, const TensorBase& self,
                int64_t dim) {
  extreme(values, places, self, dim, REDUCE_MIN, "min");
}

// What softmax.comp calls its functions.
constexpr int kSoftmax = 0;
constexpr int kLogSoftmax = 1;
constexpr int kSoftmaxBackward = 2;
constexpr int kLogSoftmaxBackward = 3;

void softmax(const TensorBase& result, const TensorBase& source, const TensorBase& output,
             int64_t dim, int op, const char* name) {
  ComputeDevice& device = at::shaders::compute_device(source.device().index());
  const ScalarType dtype = source.scalar_type();
  shaders::check_type(dtype, kFloats, name, device);
  TORCH_CHECK_NOT_IMPLEMENTED(result.scalar_type() == dtype, name, " on ", shaders::kDeviceName,
                              " gives ", c10::toString(dtype), " for elements of it, and not ",
                              c10::toString(result.scalar_type()));
  DimMask mask;
  mask[static_cast<size_t>(dim)] = true;
  Rows rows = shaders::rows_of(source, mask, name);
  rows.arguments.stride[0] = shaders::narrow(source.stride(dim));
  shaders::run_rows(device, "softmax_" + shaders::shader_type(dtype, name, device), op, rows,
                    {binding(result), binding(source), binding(output)});
}

void softmax_shader(const TensorBase& output, const TensorBase& input, int64_t dim) {
  softmax(output, input, input, dim, kSoftmax, "softmax");
}
void log_softmax_shader(const TensorBase& output, const TensorBase& input, int64_t dim) {
  softmax(output, input, input, dim, kLogSoftmax, "log_softmax");
}
void softmax_backward_shader(const TensorBase& grad_input, const TensorBase& grad,
                             const TensorBase& output, int64_t dim) {
  softmax(grad_input, grad, output, dim, kSoftmaxBackward, "softmax_backward");
}
void log_softmax_backward_shader(const TensorBase& grad_input, const TensorBase& grad,
                                 const TensorBase& output, int64_t dim) {
  softmax(grad_input, grad, output, dim, kLogSoftmaxBackward, "log_softmax_backward");
}

void layer_norm_shader(ScalarType dtype, int64_t count, int64_t length, const void* x,
                       const void* gamma, const void* beta, double eps, bool centred, void* y,
                       void* mean, void* rstd) {
  if (count == 0) return;
  TORCH_CHECK(length > 0, "layer_norm on ", shaders::kDeviceName,
              " needs rows of one element at least");
  ComputeDevice& device = at::shaders::device_of_address(x);
  shaders::check_type(dtype, kFloats, "layer_norm", device);
  const size_t size = c10::elementSize(dtype);
  Rows rows = shaders::contiguous_rows(count, length);
  rows.arguments.a = static_cast<float>(eps);
  const int op = (centred ? 1 : 0) | (gamma != nullptr ? 2 : 0) | (beta != nullptr ? 4 : 0);
  shaders::run_rows(device, "layer_norm_" + shaders::shader_type(dtype, "layer_norm", device), op,
                    rows,
                    {{y, size}, {x, size}, {gamma, size}, {beta, size}, {mean, 4}, {rstd, 4}});
}

// `Arguments` of layer_norm_parameters.comp.
struct ParameterArguments {
  uint32_t start[8];
  uint32_t rows;
  uint32_t count;
};

void layer_norm_backward_shader(ScalarType dtype, int64_t count, int64_t length, const void* dy,
                                const void* x, const void* mean, const void* rstd,
                                const void* gamma, bool centred, void* dx, void* dgamma,
                                void* dbeta) {
  if (count == 0 || length == 0) return;
  ComputeDevice& device = at::shaders::device_of_address(x);
  shaders::check_type(dtype, kFloats, "layer_norm_backward", device);
  const std::string type = shaders::shader_type(dtype, "layer_norm_backward", device);
  const size_t size = c10::elementSize(dtype);
  if (dx != nullptr) {
    shaders::run_rows(device, "layer_norm_backward_" + type,
                      (centred ? 1 : 0) | (gamma != nullptr ? 2 : 0),
                      shaders::contiguous_rows(count, length),
                      {{dx, size}, {dy, size}, {x, size}, {gamma, size}, {mean, 4}, {rstd, 4}});
  }
  if (dgamma == nullptr && dbeta == nullptr) return;
  constexpr int64_t kColumns = 32;
  const uint32_t op =
      (centred ? 1U : 0U) | (dgamma != nullptr ? 2U : 0U) | (dbeta != nullptr ? 4U : 0U);
  shaders::launch(device, "layer_norm_parameters_" + type, {op},
                  {{dgamma, 4}, {dbeta, 4}, {dy, size}, {x, size}, {mean, 4}, {rstd, 4}},
                  ParameterArguments{{}, shaders::narrow(count), shaders::narrow(length)},
                  {shaders::groups_for(length, device, kColumns), 1, 1});
}

}  // namespace

REGISTER_SHADER_DISPATCH(sum_stub, &sum_shader)
REGISTER_SHADER_DISPATCH(prod_stub, &prod_shader)
REGISTER_SHADER_DISPATCH(max_values_stub, &max_values_shader)
REGISTER_SHADER_DISPATCH(min_values_stub, &min_values_shader)
REGISTER_SHADER_DISPATCH(and_stub, &and_shader)
REGISTER_SHADER_DISPATCH(or_stub, &or_shader)
REGISTER_SHADER_DISPATCH(norm_stub, &norm_shader)
REGISTER_SHADER_DISPATCH(std_var_stub, &std_var_shader)
REGISTER_SHADER_DISPATCH(max_stub, &max_shader)
REGISTER_SHADER_DISPATCH(min_stub, &min_shader)
REGISTER_SHADER_DISPATCH(softmax_kernel, &softmax_shader)
REGISTER_SHADER_DISPATCH(log_softmax_kernel, &log_softmax_shader)
REGISTER_SHADER_DISPATCH(softmax_backward_kernel, &softmax_backward_shader)
REGISTER_SHADER_DISPATCH(log_softmax_backward_kernel, &log_softmax_backward_shader)
REGISTER_SHADER_DISPATCH(layer_norm_stub, &layer_norm_shader)
REGISTER_SHADER_DISPATCH(layer_norm_backward_stub, &layer_norm_backward_shader)

}  // namespace at::native
