// Padding with a constant, with the mirrored or repeated edge, and around a circle.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/AxisSampling.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/_pad_circular.h>
#include <ATen/ops/_pad_circular_native.h>
#include <ATen/ops/_pad_enum.h>
#include <ATen/ops/_pad_enum_native.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/constant_pad_nd_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/pad_native.h>
#include <ATen/ops/reflection_pad1d.h>
#include <ATen/ops/reflection_pad1d_backward_native.h>
#include <ATen/ops/reflection_pad1d_native.h>
#include <ATen/ops/reflection_pad2d.h>
#include <ATen/ops/reflection_pad2d_backward_native.h>
#include <ATen/ops/reflection_pad2d_native.h>
#include <ATen/ops/reflection_pad3d.h>
#include <ATen/ops/reflection_pad3d_backward_native.h>
#include <ATen/ops/reflection_pad3d_native.h>
#include <ATen/ops/replication_pad1d.h>
#include <ATen/ops/replication_pad1d_backward_native.h>
#include <ATen/ops/replication_pad1d_native.h>
#include <ATen/ops/replication_pad2d.h>
#include <ATen/ops/replication_pad2d_backward_native.h>
#include <ATen/ops/replication_pad2d_native.h>
#include <ATen/ops/replication_pad3d.h>
#include <ATen/ops/replication_pad3d_backward_native.h>
#include <ATen/ops/replication_pad3d_native.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace at::native {
namespace {

enum class Edge { Reflect, Replicate };

// How one dimension of the output reads the input, in three dimensions, the first ones of size 1.
struct PadGeometry {
  int64_t planes = 1;
  std::array<int64_t, 3> in = {1, 1, 1};
  std::array<int64_t, 3> out = {1, 1, 1};
  std::array<std::vector<int64_t>, 3> source;  // for each output position
  std::vector<int64_t> out_sizes;
};

const char* name_of(Edge edge) {
  return edge == Edge::Reflect ? "reflection_pad" : "replication_pad";
}

PadGeometry edge_geometry(const Tensor& self, IntArrayRef padding, int64_t dims, Edge edge) {
  const char* name = name_of(edge);
  TORCH_CHECK(static_cast<int64_t>(padding.size()) == 2 * dims, "padding size is expected to be ",
              2 * dims, ", but got: ", padding.size());
  const int64_t ndim = self.dim();
  bool valid = ndim == dims + 1 || ndim == dims + 2;
  for (int64_t d = ndim == dims + 2 ? 1 : 0; valid && d < ndim; ++d) valid = self.size(d) != 0;
  TORCH_CHECK(
      valid, "Expected ", dims + 1, "D or ", dims + 2,
      "D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: ",
      self.sizes());
  PadGeometry g;
  g.out_sizes = self.sizes().vec();
  for (int64_t d = 0; d < ndim - dims; ++d) g.planes *= self.size(d);
  for (size_t at = 0; at < 3; ++at) {
    const int64_t d = static_cast<int64_t>(at) - (3 - dims);
    if (d < 0) {
      g.source[at] = {0};
      continue;
    }
    const auto last = static_cast<size_t>(2 * (dims - 1 - d));
    const int64_t before = padding[last];
    const int64_t after = padding[last + 1];
    const int64_t size = self.size(ndim - dims + d);
    TORCH_CHECK(
        edge != Edge::Reflect || (before < size && after < size),
        "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (",
        before, ", ", after, ") at dimension ", ndim - dims + d, " of input ", self.sizes());
    const int64_t out = size + before + after;
    g.source[at].reserve(static_cast<size_t>(std::max<int64_t>(out, 0)));
    TORCH_CHECK(out >= 1, name, dims, "d: input (size ", size, " at dimension ", ndim - dims + d,
                ") is too small. Calculated output size: ", out);
    g.in[at] = size;
    g.out[at] = out;
    g.out_sizes[static_cast<size_t>(ndim - dims + d)] = out;
    for (int64_t i = 0; i < out; ++i) {
      int64_t from = i - before;
      if (edge == Edge::Replicate) {
        from = std::clamp<int64_t>(from, 0, size - 1);
      } else if (from < 0) {
        from = -from;
      } else if (from >= size) {
        from = 2 * (size - 1) - from;
      }
      g.source[at].push_back(from);
    }
  }
  return g;
}

// The longest run of positions that read neighbours: where it begins, and its length.
struct Run {
  size_t begin = 0;
  size_t size = 0;
};
Run straight_run(const std::vector<int64_t>& source) {
  Run longest;
  for (size_t begin = 0; begin < source.size();) {
    size_t end = begin + 1;
    while (end < source.size() && source[end] == source[end - 1] + 1) ++end;
    if (end - begin > longest.size) longest = {begin, end - begin};
    begin = end;
  }
  return longest;
}

// Calls row(first output element, first input element) for each row of each plane.
template <typename F>
void for_each_row(const PadGeometry& g, const F& row) {
  at::parallel_for(0, g.planes, 1, [&](int64_t first, int64_t last) {
    for (int64_t plane = first; plane < last; ++plane) {
      for (int64_t d = 0; d < g.out[0]; ++d) {
        const int64_t from_d = plane * g.in[0] + g.source[0][static_cast<size_t>(d)];
        for (int64_t h = 0; h < g.out[1]; ++h) {
          row(((plane * g.out[0] + d) * g.out[1] + h) * g.out[2],
              (from_d * g.in[1] + g.source[1][static_cast<size_t>(h)]) * g.in[2]);
        }
      }
    }
  });
}

// One axis after the other, for devices without the loops above.
Tensor pad_by_axes(const PadGeometry& g, Tensor x, int64_t dims) {
  for (int64_t d = 0; d < dims; ++d) {
    x = sample_axis(x, x.dim() - dims + d, 1, g.source[static_cast<size_t>(3 - dims + d)], {});
  }
  return x;
}
Tensor pad_backward_by_axes(const PadGeometry& g, Tensor grad, int64_t dims) {
  for (int64_t d = 0; d < dims; ++d) {
    const auto at = static_cast<size_t>(3 - dims + d);
    grad = scatter_axis(grad, grad.dim() - dims + d, g.in[at], 1, g.source[at], {});
  }
  return grad;
}

Tensor pad_edge(const Tensor& self, IntArrayRef padding, int64_t dims, Edge edge) {
  const PadGeometry g = edge_geometry(self, padding, dims, edge);
  if (!self.is_cpu()) return pad_by_axes(g, self, dims);
  const Tensor x = self.contiguous();
  Tensor output = at::empty(g.out_sizes, x.options());
  if (output.numel() == 0) return output;
  const std::vector<int64_t>& columns = g.source[2];
  const Run run = straight_run(columns);
  const std::string name = c10::str(name_of(edge), dims, "d");
  AT_DISPATCH_ALL_TYPES_AND_COMPLEX_AND2(kBFloat16, kHalf, x.scalar_type(), name.c_str(), [&] {
    const auto* xd = x.const_data_ptr<scalar_t>();
    auto* yd = output.mutable_data_ptr<scalar_t>();
    for_each_row(g, [&](int64_t out, int64_t in) {
      scalar_t* y = yd + out;
      const scalar_t* x = xd + in;
      for (size_t w = 0; w < run.begin; ++w) y[w] = x[columns[w]];
      std::copy_n(x + columns[run.begin], run.size, y + run.begin);
      for (size_t w = run.begin + run.size; w < columns.size(); ++w) y[w] = x[columns[w]];
    });
  });
  return output.contiguous(self.suggest_memory_format());
}

Tensor pad_edge_backward(const Tensor& grad_output, const Tensor& self, IntArrayRef padding,
                         int64_t dims, Edge edge) {
  const PadGeometry g = edge_geometry(self, padding, dims, edge);
  TORCH_CHECK(grad_output.sizes() == IntArrayRef(g.out_sizes), "grad_output size unexpected. ",
              "Expected: ", IntArrayRef(g.out_sizes), ", Got: ", grad_output.sizes());
  if (!self.is_cpu()) return pad_backward_by_axes(g, grad_output, dims);
  const ScalarType dtype = grad_output.scalar_type();
  if (dtype == kHalf || dtype == kBFloat16) {
    return pad_edge_backward(grad_output.to(kFloat), self, padding, dims, edge).to(dtype);
  }
  const Tensor gy = grad_output.contiguous();
  Tensor grad_input = at::zeros(self.sizes(), gy.options());
  if (gy.numel() == 0) return grad_input;
  const std::vector<int64_t>& columns = g.source[2];
  const Run run = straight_run(columns);
  const std::string name = c10::str(name_of(edge), dims, "d_backward");
  AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(dtype, name.c_str(), [&] {
    const auto* gyd = gy.const_data_ptr<scalar_t>();
    auto* gxd = grad_input.mutable_data_ptr<scalar_t>();
    for_each_row(g, [&](int64_t out, int64_t in) {
      scalar_t* gx = gxd + in;
      const scalar_t* gy_row = gyd + out;
      for (size_t w = 0; w < run.begin; ++w) gx[columns[w]] += gy_row[w];
      scalar_t* inner = gx + columns[run.begin];
      for (size_t w = 0; w < run.size; ++w) inner[w] += gy_row[run.begin + w];
      for (size_t w = run.begin + run.size; w < columns.size(); ++w) {
        gx[columns[w]] += gy_row[w];
      }
    });
  });
  return grad_input.contiguous(self.suggest_memory_format());
}

}  // namespace

#define TORCH_EDGE_PAD(name, edge, dims)                                                  \
  Tensor name##_pad##dims##d(const Tensor& self, IntArrayRef padding) {                   \
    return pad_edge(self, padding, dims, edge);                                           \
  }                                                                                       \
  Tensor& name##_pad##dims##d_out(const Tensor& self, IntArrayRef padding, Tensor& out) { \
    return write_out(out, pad_edge(self, padding, dims, edge));                           \
  }                                                                                       \
  Tensor name##_pad##dims##d_backward(const Tensor& grad_output, const Tensor& self,      \
                                      IntArrayRef padding) {                              \
    return pad_edge_backward(grad_output, self, padding, dims, edge);                     \
  }
TORCH_EDGE_PAD(reflection, Edge::Reflect, 1)
TORCH_EDGE_PAD(reflection, Edge::Reflect, 2)
TORCH_EDGE_PAD(reflection, Edge::Reflect, 3)
TORCH_EDGE_PAD(replication, Edge::Replicate, 1)
TORCH_EDGE_PAD(replication, Edge::Replicate, 2)
TORCH_EDGE_PAD(replication, Edge::Replicate, 3)
#undef TORCH_EDGE_PAD

// Pairs of sizes from the last dimension on; negative ones cut.
Tensor constant_pad_nd(const Tensor& self, IntArrayRef pad, const Scalar& value) {
  TORCH_CHECK(pad.size() % 2 == 0, "Length of pad must be even but instead it equals ", pad.size());
  const auto pairs = static_cast<int64_t>(pad.size() / 2);
  const int64_t ndim = self.dim();
  TORCH_CHECK(
      ndim >= pairs,
      "Length of pad should be no more than twice the number of dimensions of the input. Pad length is ",
      pad.size(), " while the input has ", ndim, " dimensions.");
  Tensor inner = self;
  std::vector<int64_t> sizes = self.sizes().vec();
  bool only_cuts = true;
  for (int64_t i = 0; i < pairs; ++i) {
    const int64_t d = ndim - 1 - i;
    const int64_t before = pad[static_cast<size_t>(2 * i)];
    const int64_t after = pad[static_cast<size_t>(2 * i + 1)];
    const int64_t size = self.size(d) + before + after;
    TORCH_CHECK(size >= 0, "The input size ", self.size(d), ", plus negative padding ", before,
                " and ", after,
                " resulted in a negative output size, which is invalid. Check dimension ", d,
                " of your input.");
    sizes[static_cast<size_t>(d)] = size;
    only_cuts = only_cuts && before <= 0 && after <= 0;
    const int64_t cut_before = std::min(std::max<int64_t>(-before, 0), self.size(d));
    const int64_t cut_after = std::min(std::max<int64_t>(-after, 0), self.size(d) - cut_before);
    if (cut_before != 0 || cut_after != 0) {
      inner = inner.narrow(d, cut_before, self.size(d) - cut_before - cut_after);
    }
  }
  if (only_cuts) return inner.clone();
  Tensor output = at::empty(sizes, self.options(), std::nullopt);
  if (self.suggest_memory_format() != MemoryFormat::Contiguous) {
    output = output.contiguous(self.suggest_memory_format());
  }
  output.fill_(value);
  int64_t offset = 0;
  for (int64_t i = 0; i < pairs; ++i) {
    offset += std::max<int64_t>(pad[static_cast<size_t>(2 * i)], 0) * output.stride(ndim - 1 - i);
  }
  output.as_strided(inner.sizes(), output.strides(), offset).copy_(inner);
  return output;
}

// Each side is copied from the other end of what is already there.
Tensor _pad_circular(const Tensor& self, IntArrayRef padding) {
  const int64_t dims = self.dim() - 2;
  TORCH_CHECK(static_cast<int64_t>(padding.size()) + 4 == self.dim() * 2,
              "Invalid padding size, expected ", 2 * dims, " but got ", padding.size());
  std::vector<int64_t> sizes = self.sizes().vec();
  for (int64_t i = 0; i < dims; ++i) {
    const int64_t before = padding[static_cast<size_t>(2 * i)];
    const int64_t after = padding[static_cast<size_t>(2 * i + 1)];
    const auto d = static_cast<size_t>(self.dim() - 1 - i);
    // What negative padding leaves is all that the sides can be copied from.
    const int64_t left = sizes[d] + std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0);
    TORCH_CHECK(before <= std::max<int64_t>(left, 0) && after <= std::max<int64_t>(left, 0),
                "Padding value causes wrapping around more than once.");
    sizes[d] += before + after;
    TORCH_CHECK(sizes[d] >= 0, "Negative padding value is resulting in an empty dimension");
  }
  Tensor output = at::empty(sizes, self.options());
  Tensor middle = output;
  Tensor source = self;
  for (int64_t i = 0; i < dims; ++i) {
    const int64_t d = self.dim() - 1 - i;
    const int64_t before = padding[static_cast<size_t>(2 * i)];
    const int64_t after = padding[static_cast<size_t>(2 * i + 1)];
    const int64_t skip = std::max<int64_t>(-before, 0);
    const int64_t length = self.size(d) - skip - std::max<int64_t>(-after, 0);
    source = source.narrow(d, skip, length);
    middle = middle.narrow(d, std::max<int64_t>(before, 0), length);
  }
  middle.copy_(source);
  for (int64_t i = 0; i < dims; ++i) {
    const int64_t d = self.dim() - 1 - i;
    const int64_t before = padding[static_cast<size_t>(2 * i)];
    const int64_t after = padding[static_cast<size_t>(2 * i + 1)];
    const int64_t size = output.size(d);
    if (before > 0) {
      output.narrow(d, 0, before)
          .copy_(output.narrow(d, size - before - std::max<int64_t>(after, 0), before));
    }
    if (after > 0) {
      output.narrow(d, size - after, after)
          .copy_(output.narrow(d, std::max<int64_t>(before, 0), after));
    }
  }
  return output;
}

// `mode` counts padding_mode's names: reflect, replicate, circular, constant.
Tensor _pad_enum(const Tensor& self, IntArrayRef pad, int64_t mode, std::optional<double> value) {
  TORCH_CHECK(pad.size() % 2 == 0, "Padding length must be divisible by 2");
  TORCH_CHECK(
      static_cast<int64_t>(pad.size()) <= self.dim() * 2,
      "Padding length should be less than or equal to two times the input dimension but got padding length ",
      pad.size(), " and input of dimension ", self.dim());
  if (mode == 3) return at::constant_pad_nd(self, pad, value.value_or(0.0));
  static constexpr const char* kNames[] = {"reflect", "replicate", "circular"};
  TORCH_CHECK(mode >= 0 && mode < 3, "Unrecognised padding mode ", mode);
  TORCH_CHECK(!value.has_value() || *value == 0, "Padding mode \"", kNames[mode],
              "\" doesn't take in value argument");
  const auto dims = static_cast<int64_t>(pad.size() / 2);
  if (dims >= 1 && dims <= 3 && (self.dim() == dims + 1 || self.dim() == dims + 2)) {
    if (mode == 0) {
      if (dims == 1) return at::reflection_pad1d(self, pad);
      return dims == 2 ? at::reflection_pad2d(self, pad) : at::reflection_pad3d(self, pad);
    }
    if (mode == 1) {
      if (dims == 1) return at::replication_pad1d(self, pad);
      return dims == 2 ? at::replication_pad2d(self, pad) : at::replication_pad3d(self, pad);
    }
    const bool batched = self.dim() == dims + 2;
    const Tensor padded = at::_pad_circular(batched ? self : self.unsqueeze(0), pad);
    return batched ? padded : padded.squeeze(0);
  }
  C10_THROW_ERROR(NotImplementedError,
                  "Only 2D, 3D, 4D, 5D padding with non-constant padding are supported for now");
}

Tensor pad(const Tensor& self, IntArrayRef pad, std::string_view mode,
           std::optional<double> value) {
  static constexpr std::string_view kNames[] = {"reflect", "replicate", "circular", "constant"};
  for (int64_t i = 0; i < 4; ++i) {
    if (mode == kNames[i]) return at::_pad_enum(self, pad, i, value);
  }
  C10_THROW_ERROR(NotImplementedError, "Unrecognised padding mode " + std::string(mode));
}

}  // namespace at::native
