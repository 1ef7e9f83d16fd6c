// Batch normalisation (Ioffe and Szegedy, arXiv:1502.03167), instance normalisation and group
// normalisation (Wu and He, arXiv:1803.08494): statistics of channels, made of passes over rows.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Normalization.h>
#include <ATen/native/OutVariant.h>

#include <ATen/core/Tensor.h>
#include <ATen/ops/_native_batch_norm_legit_native.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/batch_norm_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/group_norm_native.h>
#include <ATen/ops/instance_norm_native.h>
#include <ATen/ops/native_batch_norm.h>
#include <ATen/ops/native_batch_norm_backward_native.h>
#include <ATen/ops/native_batch_norm_native.h>
#include <ATen/ops/native_group_norm.h>
#include <ATen/ops/native_group_norm_backward_native.h>
#include <ATen/ops/native_group_norm_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(norm_moments_stub);
DEFINE_DISPATCH(norm_affine_stub);
DEFINE_DISPATCH(norm_dots_stub);
DEFINE_DISPATCH(norm_gradient_stub);
DEFINE_DISPATCH(group_norm_stub);
DEFINE_DISPATCH(group_norm_backward_stub);

namespace {

constexpr auto kCPU = c10::DeviceType::CPU;
using Doubles = std::vector<double>;

Doubles doubles(int64_t size, double value = 0) {
  return Doubles(static_cast<size_t>(size), value);
}

// A vector of parameters as doubles, `fallback` for each where it is not given.
Doubles to_doubles(const std::optional<Tensor>& t, int64_t size, double fallback) {
  if (!t.has_value() || !t->defined()) return doubles(size, fallback);
  const Tensor d = t->to(kDouble).contiguous();
  const double* data = d.const_data_ptr<double>();
  return Doubles(data, data + d.numel());
}

Tensor to_tensor(const Doubles& values, IntArrayRef sizes, const TensorOptions& options) {
  Tensor t = at::empty(sizes, options.dtype(kDouble));
  std::copy(values.begin(), values.end(), t.mutable_data_ptr<double>());
  return t.to(options);
}

// (N, C, ...) as contiguous rows with statistics. Of a tensor whose channels lie side by side they
// are columns. Of others row r is of channel r % C: it is a plane or, where planes are short, all
// of the channel's elements.
struct ChannelRows {
  int64_t batch;
  int64_t channels;
  int64_t inner = 1;
  MemoryFormat format;
  StatisticsOf of = StatisticsOf::Rows;
  bool whole_channels = false;
  int64_t count;
  int64_t length;

  explicit ChannelRows(const Tensor& input)
      : batch(input.size(0)), channels(input.size(1)), format(input.suggest_memory_format()) {
    for (int64_t d = 2; d < input.dim(); ++d) inner *= input.size(d);
    if (inner == 1 || format != MemoryFormat::Contiguous) of = StatisticsOf::Columns;
    whole_channels = of == StatisticsOf::Rows && inner < 16;
    if (of == StatisticsOf::Columns) {
      count = batch * inner;
      length = channels;
    } else {
      count = whole_channels ? channels : batch * channels;
      length = whole_channels ? batch * inner : inner;
    }
  }
  // A tensor of the input's shape as rows.
  Tensor rows(const Tensor& t) const {
    if (!whole_channels) return t.contiguous(format);
    return t.reshape({batch, channels, inner}).transpose(0, 1).contiguous();
  }
  // The tensor of the input's shape from rows.
  Tensor unrows(const Tensor& rows, const Tensor& input) const {
    if (!whole_channels) return rows;
    return rows.view({channels, batch, inner})
        .transpose(0, 1)
        .reshape(input.sizes())
        .contiguous(format);
  }
  size_t statistics() const {
    return static_cast<size_t>(of == StatisticsOf::Columns ? channels : count);
  }
  // One value a statistic from one a channel.
  Doubles spread(const Doubles& values) const {
    Doubles all(statistics());
    for (auto part = all.begin(); part != all.end(); part += channels) {
      std::copy(values.begin(), values.end(), part);
    }
    return all;
  }
  // Sums over the statistics of each channel.
  Doubles gather(const Doubles& statistics) const {
    Doubles sums = doubles(channels);
    for (auto part = statistics.begin(); part != statistics.end(); part += channels) {
      std::transform(sums.begin(), sums.end(), part, sums.begin(), std::plus<>());
    }
    return sums;
  }
};

struct Moments {
  Doubles mean;
  Doubles variance;  // over all elements
};

Moments channel_moments(const ChannelRows& shape, const Tensor& rows) {
  Doubles mean(shape.statistics());
  Doubles squares(shape.statistics());
  norm_moments_stub(kCPU, rows.scalar_type(), shape.of, shape.count, shape.length,
                    rows.const_data_ptr(), mean.data(), squares.data());
  const auto each = static_cast<double>(shape.statistics()) / static_cast<double>(shape.channels);
  const auto elements = static_cast<double>(shape.batch * shape.inner);
  Moments m{shape.gather(mean), shape.gather(squares)};
  for (double& value : m.mean) value /= each;
  // Squares about the rows' own means, moved to the channel's (Chan, Golub and LeVeque, 1983).
  for (size_t r = 0; r < mean.size(); ++r) {
    const size_t c = r % static_cast<size_t>(shape.channels);
    const double delta = mean[r] - m.mean[c];
    m.variance[c] += elements / each * delta * delta;
  }
  for (double& value : m.variance) value /= elements;
  return m;
}

// Narrow inputs may have parameters and statistics in float.
ScalarType parameter_type(const Tensor& input, const std::optional<Tensor>& weight,
                          const std::optional<Tensor>& running_mean) {
  const ScalarType dtype = input.scalar_type();
  for (const auto* t : {&weight, &running_mean}) {
    if (t->has_value() && (*t)->defined() && (*t)->scalar_type() != dtype) {
      TORCH_CHECK((dtype == kBFloat16 || dtype == kHalf) && (*t)->scalar_type() == kFloat,
                  "mixed dtype (CPU): expect parameter to have scalar type of Float");
      return kFloat;
    }
  }
  return dtype;
}

void check_vector(const char* name, const std::optional<Tensor>& t, int64_t features) {
  TORCH_CHECK(!t.has_value() || !t->defined() || t->numel() == features, name, " should contain ",
              features, " elements not ", t.has_value() && t->defined() ? t->numel() : 0);
}

std::tuple<Tensor, Tensor, Tensor> batch_norm_rows(const Tensor& input,
                                                   const std::optional<Tensor>& weight,
                                                   const std::optional<Tensor>& bias,
                                                   const std::optional<Tensor>& running_mean,
                                                   const std::optional<Tensor>& running_var,
                                                   bool train, double momentum, double eps) {
  TORCH_CHECK(input.dim() >= 2, "batch_norm expects an input of at least 2 dimensions, but got ",
              input.dim());
  const ChannelRows shape(input);
  const int64_t channels = shape.channels;
  check_vector("running_mean", running_mean, channels);
  check_vector("running_var", running_var, channels);
  check_vector("weight", weight, channels);
  check_vector("bias", bias, channels);
  const auto options = input.options().dtype(parameter_type(input, weight, running_mean));
  if (input.numel() == 0) {
    const int64_t saved = train ? channels : 0;
    return {at::empty_like(input), at::zeros({saved}, options), at::zeros({saved}, options)};
  }
  const Tensor rows = shape.rows(input);
  Doubles mean;
  Doubles invstd = doubles(channels);
  if (train) {
    Moments m = channel_moments(shape, rows);
    const auto n = static_cast<double>(input.numel() / channels);
    for (size_t c = 0; c < invstd.size(); ++c) invstd[c] = 1.0 / std::sqrt(m.variance[c] + eps);
    const auto update = [&](const std::optional<Tensor>& running, const Doubles& values,
                            double factor) {
      if (!running.has_value() || !running->defined()) return;
      Doubles next = to_doubles(running, channels, 0);
      for (size_t c = 0; c < next.size(); ++c) {
        next[c] = momentum * values[c] * factor + (1 - momentum) * next[c];
      }
      running->copy_(to_tensor(next, running->sizes(), running->options()));
    };
    update(running_mean, m.mean, 1);
    update(running_var, m.variance, n / (n - 1));
    mean = std::move(m.mean);
  } else {
    TORCH_CHECK(running_mean.has_value() && running_mean->defined(),
                "running_mean must be defined in evaluation mode");
    TORCH_CHECK(running_var.has_value() && running_var->defined(),
                "running_var must be defined in evaluation mode");
    mean = to_doubles(running_mean, channels, 0);
    const Doubles variance = to_doubles(running_var, channels, 1);
    for (size_t c = 0; c < invstd.size(); ++c) invstd[c] = 1.0 / std::sqrt(variance[c] + eps);
  }
  Doubles scale = to_doubles(weight, channels, 1);
  Doubles shift = to_doubles(bias, channels, 0);
  for (size_t c = 0; c < scale.size(); ++c) {
    scale[c] *= invstd[c];
    shift[c] -= mean[c] * scale[c];
  }
  Tensor output = at::empty_like(rows);
  norm_affine_stub(kCPU, rows.scalar_type(), shape.of, shape.count, shape.length,
                   rows.const_data_ptr(), shape.spread(scale).data(), shape.spread(shift).data(),
                   output.mutable_data_ptr());
  output = shape.unrows(output, input);
  if (!train) return {output, at::empty({0}, options), at::empty({0}, options)};
  return {output, to_tensor(mean, {channels}, options), to_tensor(invstd, {channels}, options)};
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> batch_norm_cpu(const Tensor& input,
                                                  const std::optional<Tensor>& weight,
                                                  const std::optional<Tensor>& bias,
                                                  const std::optional<Tensor>& running_mean,
                                                  const std::optional<Tensor>& running_var,
                                                  bool training, double momentum, double eps) {
  return batch_norm_rows(input, weight, bias, running_mean, running_var, training, momentum, eps);
}

std::tuple<Tensor&, Tensor&, Tensor&> batch_norm_cpu_out(
    const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
    const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
    bool training, double momentum, double eps, Tensor& out, Tensor& save_mean,
    Tensor& save_invstd) {
  const auto [output, mean, invstd] =
      batch_norm_rows(input, weight, bias, running_mean, running_var, training, momentum, eps);
  write_out(out, output);
  write_out(save_mean, mean);
  write_out(save_invstd, invstd);
  return {out, save_mean, save_invstd};
}

std::tuple<Tensor, Tensor, Tensor> _batch_norm_legit_cpu(
    const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
    Tensor& running_mean, Tensor& running_var, bool training, double momentum, double eps) {
  return batch_norm_rows(input, weight, bias, running_mean, running_var, training, momentum, eps);
}

std::tuple<Tensor, Tensor, Tensor> _batch_norm_legit_no_stats_cpu(
    const Tensor& input, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
    bool training, double momentum, double eps) {
  return batch_norm_rows(input, weight, bias, std::nullopt, std::nullopt, training, momentum, eps);
}

std::tuple<Tensor, Tensor, Tensor> batch_norm_backward_cpu(
    const Tensor& grad_out, const Tensor& input, const std::optional<Tensor>& weight,
    const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
    const std::optional<Tensor>& save_mean, const std::optional<Tensor>& save_invstd, bool train,
    double eps, std::array<bool, 3> grad_input_mask) {
  const ChannelRows shape(input);
  const int64_t channels = shape.channels;
  const auto options = input.options().dtype(parameter_type(input, weight, running_mean));
  if (input.numel() == 0) {
    return {grad_input_mask[0] ? at::empty_like(input) : Tensor(),
            grad_input_mask[1] ? at::zeros({channels}, options) : Tensor(),
            grad_input_mask[2] ? at::zeros({channels}, options) : Tensor()};
  }
  const Tensor x = shape.rows(input);
  const Tensor dy = shape.rows(grad_out.to(input.scalar_type()));
  const Doubles mean = to_doubles(train ? save_mean : running_mean, channels, 0);
  Doubles invstd = to_doubles(train ? save_invstd : running_var, channels, 1);
  if (!train) {
    for (double& value : invstd) value = 1.0 / std::sqrt(value + eps);
  }
  Doubles row_sum(shape.statistics());
  Doubles row_dot(shape.statistics());
  norm_dots_stub(kCPU, x.scalar_type(), shape.of, shape.count, shape.length, dy.const_data_ptr(),
                 x.const_data_ptr(), shape.spread(mean).data(), row_sum.data(), row_dot.data());
  const Doubles sum = shape.gather(row_sum);
  Doubles dot = shape.gather(row_dot);
  Tensor grad_input;
  if (grad_input_mask[0]) {
    // dx = w r (dy - mean(dy) - (x - mean) r^2 mean(dy (x - mean))), the means 0 in evaluation.
    Doubles a = to_doubles(weight, channels, 1);
    Doubles b = doubles(channels);
    Doubles c = doubles(channels);
    const auto n = static_cast<double>(input.numel() / channels);
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] *= invstd[i];
      if (!train) continue;
      b[i] = -a[i] * invstd[i] * invstd[i] * dot[i] / n;
      c[i] = -a[i] * sum[i] / n - b[i] * mean[i];
    }
    Tensor dx = at::empty_like(x);
    norm_gradient_stub(kCPU, x.scalar_type(), shape.of, shape.count, shape.length,
                       dy.const_data_ptr(), x.const_data_ptr(), shape.spread(a).data(),
                       shape.spread(b).data(), shape.spread(c).data(), dx.mutable_data_ptr());
    grad_input = shape.unrows(dx, input);
  }
  for (size_t i = 0; i < dot.size(); ++i) dot[i] *= invstd[i];
  return {grad_input, grad_input_mask[1] ? to_tensor(dot, {channels}, options) : Tensor(),
          grad_input_mask[2] ? to_tensor(sum, {channels}, options) : Tensor()};
}

Tensor batch_norm(const Tensor& input, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, const std::optional<Tensor>& running_mean,
                  const std::optional<Tensor>& running_var, bool training, double momentum,
                  double eps, bool cudnn_enabled) {
  return std::get<0>(at::native_batch_norm(input, weight, bias, running_mean, running_var, training,
                                           momentum, eps));
}

// Every channel of every sample is a channel of one batch.
Tensor instance_norm(const Tensor& input, const std::optional<Tensor>& weight,
                     const std::optional<Tensor>& bias, const std::optional<Tensor>& running_mean,
                     const std::optional<Tensor>& running_var, bool use_input_stats,
                     double momentum, double eps, bool cudnn_enabled) {
  const bool has_mean = running_mean.has_value() && running_mean->defined();
  const bool has_var = running_var.has_value() && running_var->defined();
  TORCH_CHECK(use_input_stats || (has_mean && has_var),
              "Expected running_mean and running_var to be defined when use_input_stats is false");
  TORCH_CHECK(input.dim() >= 2, "instance_norm expects an input of at least 2 dimensions, but got ",
              input.dim());
  const int64_t batch = input.size(0);
  const int64_t channels = input.size(1);
  std::vector<int64_t> shape = input.sizes().vec();
  shape[1] = batch * channels;
  shape[0] = 1;
  const auto repeated = [&](const std::optional<Tensor>& t) {
    return t.has_value() && t->defined() ? t->repeat(batch) : Tensor();
  };
  const Tensor mean = repeated(running_mean);
  const Tensor var = repeated(running_var);
  const Tensor output =
      at::batch_norm(input.contiguous().view(shape), repeated(weight), repeated(bias), mean, var,
                     use_input_stats, momentum, eps, cudnn_enabled);
  // Running statistics are the mean over the samples.
  const auto copy_mean = [&](const std::optional<Tensor>& to, const Tensor& from) {
    if (use_input_stats && from.defined()) {
      to->detach().copy_(from.view({batch, channels}).mean(0, /*keepdim=*/false));
    }
  };
  copy_mean(running_mean, mean);
  copy_mean(running_var, var);
  return output.view(input.sizes());
}

namespace {

const void* data_of(const std::optional<Tensor>& t) {
  return t.has_value() && t->defined() ? t->const_data_ptr() : nullptr;
}

// Calls f(row, group, channel) for each plane of (N, C), in order of memory.
template <typename F>
void for_each_plane(int64_t batch, int64_t groups, int64_t width, const F& f) {
  size_t row = 0;
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t g = 0; g < groups; ++g) {
      for (int64_t c = 0; c < width; ++c) {
        f(row++, static_cast<size_t>(n * groups + g), static_cast<size_t>(g * width + c));
      }
    }
  }
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> native_group_norm(const Tensor& input,
                                                     const std::optional<Tensor>& weight,
                                                     const std::optional<Tensor>& bias, int64_t N,
                                                     int64_t C, int64_t HxW, int64_t group,
                                                     double eps) {
  TORCH_CHECK(group > 0 && C % group == 0,
              "Expected number of channels in input to be divisible by num_groups, but got ", C,
              " channels and num_groups=", group);
  TORCH_CHECK(N >= 0 && C >= 0 && HxW >= 0 && N * C * HxW == input.numel(),
              "Expected N * C * HxW to be the number of elements of input, but got N=", N,
              ", C=", C, ", HxW=", HxW, " and input of size ", input.sizes());
  for (const auto& parameter : {weight, bias}) {
    TORCH_CHECK(!parameter.has_value() || !parameter->defined() || parameter->numel() == C,
                "Expected weight and bias to have C=", C, " elements, but got ",
                parameter->numel());
  }
  TORCH_CHECK_NOT_IMPLEMENTED(isFloatingType(input.scalar_type()),
                              "\"GroupNormKernelImpl\" not implemented for '", input.scalar_type(),
                              "'");
  const auto options = input.options().dtype(parameter_type(input, weight, std::nullopt));
  const Tensor x = input.contiguous();
  Tensor output = at::empty(x.sizes(), x.options());
  const int64_t groups = N * group;
  if (input.numel() == 0) {
    return {output, at::zeros({N, group}, options), at::zeros({N, group}, options)};
  }
  // The channels of a group are one row.
  const int64_t width = C / group;
  if (HxW == 1 && options.dtype() == input.dtype()) {
    Tensor means = at::empty({N, group}, options);
    Tensor rstds = at::empty({N, group}, options);
    const auto together = [](const std::optional<Tensor>& t) {
      return t.has_value() && t->defined() ? std::optional<Tensor>(t->contiguous()) : std::nullopt;
    };
    const std::optional<Tensor> gammas = together(weight);
    const std::optional<Tensor> betas = together(bias);
    group_norm_stub(kCPU, x.scalar_type(), groups, width, group, x.const_data_ptr(),
                    data_of(gammas), data_of(betas), eps, output.mutable_data_ptr(),
                    means.mutable_data_ptr(), rstds.mutable_data_ptr());
    return {output.contiguous(input.suggest_memory_format()), means, rstds};
  }
  Doubles mean = doubles(groups);
  Doubles rstd = doubles(groups);
  norm_moments_stub(kCPU, x.scalar_type(), StatisticsOf::Rows, groups, width * HxW,
                    x.const_data_ptr(), mean.data(), rstd.data());
  for (double& value : rstd) {
    value = 1.0 / std::sqrt(value / static_cast<double>(width * HxW) + eps);
  }
  const Doubles gamma = to_doubles(weight, C, 1);
  const Doubles beta = to_doubles(bias, C, 0);
  Doubles scale = doubles(N * C);
  Doubles shift = doubles(N * C);
  for_each_plane(N, group, width, [&](size_t r, size_t g, size_t c) {
    scale[r] = gamma[c] * rstd[g];
    shift[r] = beta[c] - mean[g] * scale[r];
  });
  norm_affine_stub(kCPU, x.scalar_type(), StatisticsOf::Rows, N * C, HxW, x.const_data_ptr(),
                   scale.data(), shift.data(), output.mutable_data_ptr());
  return {output.contiguous(input.suggest_memory_format()), to_tensor(mean, {N, group}, options),
          to_tensor(rstd, {N, group}, options)};
}

std::tuple<Tensor, Tensor, Tensor> native_group_norm_backward(
    const Tensor& grad_out, const Tensor& input, const Tensor& mean, const Tensor& rstd,
    const std::optional<Tensor>& weight, int64_t N, int64_t C, int64_t HxW, int64_t group,
    std::array<bool, 3> output_mask) {
  const auto options = input.options().dtype(parameter_type(input, weight, std::nullopt));
  const Tensor x = input.contiguous();
  const Tensor dy = grad_out.contiguous();
  Tensor dx = at::empty(x.sizes(), x.options());
  Doubles dgamma = doubles(C);
  Doubles dbeta = doubles(C);
  const auto gradients = [&]() -> std::tuple<Tensor, Tensor, Tensor> {
    return {output_mask[0] ? dx.contiguous(input.suggest_memory_format()) : Tensor(),
            output_mask[1] ? to_tensor(dgamma, {C}, options) : Tensor(),
            output_mask[2] ? to_tensor(dbeta, {C}, options) : Tensor()};
  };
  if (input.numel() != 0) {
    const int64_t width = C / group;
    if (HxW == 1 && options.dtype() == input.dtype() && mean.dtype() == input.dtype()) {
      const Tensor means = mean.contiguous();
      const Tensor rstds = rstd.contiguous();
      const Tensor gammas =
          weight.has_value() && weight->defined() ? weight->contiguous() : Tensor();
      const bool parameters = output_mask[1] || output_mask[2];
      group_norm_backward_stub(
          kCPU, x.scalar_type(), N * group, width, group, dy.const_data_ptr(), x.const_data_ptr(),
          means.const_data_ptr(), rstds.const_data_ptr(), data_of(gammas), dx.mutable_data_ptr(),
          parameters ? dgamma.data() : nullptr, parameters ? dbeta.data() : nullptr);
      return gradients();
    }
    const Doubles mu = to_doubles(mean, N * group, 0);
    const Doubles scale = to_doubles(rstd, N * group, 1);
    const Doubles gamma = to_doubles(weight, C, 1);
    Doubles row_mean = doubles(N * C);
    Doubles sum = doubles(N * C);
    Doubles dot = doubles(N * C);
    for_each_plane(N, group, width, [&](size_t r, size_t g, size_t) { row_mean[r] = mu[g]; });
    norm_dots_stub(kCPU, x.scalar_type(), StatisticsOf::Rows, N * C, HxW, dy.const_data_ptr(),
                   x.const_data_ptr(), row_mean.data(), sum.data(), dot.data());
    Doubles group_sum = doubles(N * group);
    Doubles group_dot = doubles(N * group);
    for_each_plane(N, group, width, [&](size_t r, size_t g, size_t channel) {
      group_sum[g] += gamma[channel] * sum[r];
      group_dot[g] += gamma[channel] * dot[r];
      dgamma[channel] += dot[r] * scale[g];
      dbeta[channel] += sum[r];
    });
    Doubles a = doubles(N * C);
    Doubles b = doubles(N * C);
    Doubles c = doubles(N * C);
    const auto n = static_cast<double>(width * HxW);
    for_each_plane(N, group, width, [&](size_t r, size_t g, size_t channel) {
      a[r] = gamma[channel] * scale[g];
      b[r] = -group_dot[g] * scale[g] * scale[g] * scale[g] / n;
      c[r] = -group_sum[g] * scale[g] / n - b[r] * mu[g];
    });
    norm_gradient_stub(kCPU, x.scalar_type(), StatisticsOf::Rows, N * C, HxW, dy.const_data_ptr(),
                       x.const_data_ptr(), a.data(), b.data(), c.data(), dx.mutable_data_ptr());
  }
  return gradients();
}

Tensor group_norm(const Tensor& input, int64_t num_groups, const std::optional<Tensor>& weight,
                  const std::optional<Tensor>& bias, double eps, bool cudnn_enabled) {
  TORCH_CHECK(input.dim() >= 2, "Expected at least 2 dimensions for input tensor but received ",
              input.dim());
  TORCH_CHECK(num_groups > 0, "Expected num groups to be greater than 0, got ", num_groups);
  const int64_t N = input.size(0);
  const int64_t C = input.size(1);
  TORCH_CHECK(
      C % num_groups == 0,
      "Expected number of channels in input to be divisible by num_groups, but got input of shape ",
      input.sizes(), " and num_groups=", num_groups);
  for (const auto& [name, t] : {std::pair{"weight", &weight}, {"bias", &bias}}) {
    if (!t->has_value() || !(*t)->defined()) continue;
    TORCH_CHECK((*t)->dim() == 1 && (*t)->numel() == C, "Expected ", name,
                " to be a vector of size equal to the number of channels in input, but got ", name,
                " of shape ", (*t)->sizes(), " and input of shape ", input.sizes());
  }
  int64_t HxW = 1;
  for (int64_t d = 2; d < input.dim(); ++d) HxW *= input.size(d);
  return std::get<0>(at::native_group_norm(input.contiguous(input.suggest_memory_format()), weight,
                                           bias, N, C, HxW, num_groups, eps));
}

}  // namespace at::native
