#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/OneDnn.h>

#if defined(TORCH_USE_ONEDNN)
#include <ATen/Parallel.h>
#include <dnnl.hpp>

#include <cstddef>
#include <unordered_map>
#endif

namespace at::native::onednn {

#if defined(TORCH_USE_ONEDNN)

namespace {

using dnnl::memory;
using Dims = memory::dims;

// Multiply-adds below which finding a primitive takes longer than our own loops.
constexpr int64_t kSmallWork = 64 * 64 * 64;
constexpr int64_t kSmallProduct = 128 * 128 * 256;

const dnnl::engine& processor() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::stream& stream() {
  thread_local dnnl::stream stream(processor());
  return stream;
}

bool has_bfloat16() {
  constexpr auto kNeeded = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_bf16);
  static const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
  return (isa & kNeeded) == kNeeded;
}

memory::data_type type_of(c10::ScalarType dtype) {
  return dtype == c10::kBFloat16 ? memory::data_type::bf16 : memory::data_type::f32;
}

// One operand of a convolution: the caller's contiguous memory, and the description that lets
// oneDNN choose its own layout.
struct Operand {
  memory::desc plain;
  memory::desc any;
  void* data;

  Operand(const Dims& sizes, memory::data_type type, const void* p)
      : any(sizes, type, memory::format_tag::any), data(const_cast<void*>(p)) {
    Dims strides(sizes.size());
    int64_t stride = 1;
    for (size_t d = sizes.size(); d-- > 0;) {
      strides[d] = stride;
      stride *= sizes[d];
    }
    plain = memory::desc(sizes, type, strides);
  }

  // In the layout that was chosen; an output is read back by `finish`.
  memory input(const memory::desc& chosen) const {
    memory own(plain, processor(), data);
    if (chosen == plain) return own;
    memory result(chosen, processor());
    dnnl::reorder(own, result).execute(stream(), own, result);
    return result;
  }
  memory output(const memory::desc& chosen) const {
    return chosen == plain ? memory(plain, processor(), data) : memory(chosen, processor());
  }
  void finish(memory& result) const {
    if (result.get_desc() == plain) return;
    memory own(plain, processor(), data);
    dnnl::reorder(result, own).execute(stream(), result, own);
  }
};

// A convolution as oneDNN counts: two spatial dimensions where the first is 1, dilation from 0.
struct Convolution {
  Operand x, w, y;
  Dims stride, dilation, padding;

  Convolution(const ConvGeometry& g, c10::ScalarType dtype, const void* x_data, const void* w_data,
              const void* y_data)
      : x(sizes(g, {g.batch, g.groups * g.in_channels}, g.in), type_of(dtype), x_data),
        w(sizes(g, weight_channels(g), g.kernel), type_of(dtype), w_data),
        y(sizes(g, {g.batch, g.groups * g.out_channels}, g.out), type_of(dtype), y_data),
        stride(sizes(g, {}, g.stride)),
        dilation(sizes(g, {}, g.dilation)),
        padding(sizes(g, {}, g.padding)) {
    for (int64_t& d : dilation) --d;
  }

  dnnl::convolution_forward::primitive_desc forward(const memory::desc& bias) const {
    return {processor(),
            dnnl::prop_kind::forward_training,
            dnnl::algorithm::convolution_direct,
            x.any,
            w.any,
            bias,
            y.any,
            stride,
            dilation,
            padding,
            padding};
  }

 private:
  static Dims weight_channels(const ConvGeometry& g) {
    if (g.groups == 1) return {g.out_channels, g.in_channels};
    return {g.groups, g.out_channels, g.in_channels};
  }
  static Dims sizes(const ConvGeometry& g, Dims first, const ConvGeometry::Dims& spatial) {
    const bool flat = g.in[0] == 1 && g.out[0] == 1 && g.kernel[0] == 1 && g.padding[0] == 0;
    first.insert(first.end(), spatial.begin() + (flat ? 1 : 0), spatial.end());
    return first;
  }
};

// Channels of an image, which oneDNN's blocks of 16 leave mostly empty.
constexpr int64_t kFewChannels = 4;

// Our own loops are as fast where no window overlaps another, and for one channel a group; for few
// channels as long as one thread works.
bool is_taken(const ConvGeometry& g, c10::ScalarType dtype) {
  const int64_t work =
      g.batch * g.groups * g.out_size() * g.out_channels * g.in_channels * g.kernel_size();
  if (dtype == c10::kBFloat16) return work > 0 && has_bfloat16();
  const int64_t least = at::get_num_threads() == 1 ? kFewChannels : 1;
  return dtype == c10::kFloat && work >= kSmallWork && g.kernel_size() > 1 && g.in_channels > least;
}

}  // namespace

bool is_available() { return true; }

bool convolves(c10::ScalarType dtype) { return dtype == c10::kBFloat16 && has_bfloat16(); }

bool conv_forward(const ConvGeometry& g, c10::ScalarType dtype, const void* x, const void* w,
                  const void* bias, void* y) try {
  if (!is_taken(g, dtype)) return false;
  const Convolution c(g, dtype, x, w, y);
  const Operand b({g.groups * g.out_channels}, type_of(dtype), bias);
  const auto chosen = c.forward(bias == nullptr ? memory::desc() : b.plain);
  memory result = c.y.output(chosen.dst_desc());
  std::unordered_map<int, memory> arguments = {{DNNL_ARG_SRC, c.x.input(chosen.src_desc())},
                                               {DNNL_ARG_WEIGHTS, c.w.input(chosen.weights_desc())},
                                               {DNNL_ARG_DST, result}};
  if (bias != nullptr) arguments.emplace(DNNL_ARG_BIAS, b.input(b.plain));
  dnnl::convolution_forward(chosen).execute(stream(), arguments);
  c.y.finish(result);
  stream().wait();
  return true;
} catch (const dnnl::error&) {
  return false;
}

bool conv_backward_input(const ConvGeometry& g, c10::ScalarType dtype, const void* y, const void* w,
                         void* x) try {
  if (!is_taken(g, dtype)) return false;
  const Convolution c(g, dtype, x, w, y);
  const dnnl::convolution_backward_data::primitive_desc chosen(
      processor(), dnnl::algorithm::convolution_direct, c.x.any, c.w.any, c.y.any, c.stride,
      c.dilation, c.padding, c.padding, c.forward(memory::desc()));
  memory result = c.x.output(chosen.diff_src_desc());
  dnnl::convolution_backward_data(chosen).execute(
      stream(), {{DNNL_ARG_DIFF_DST, c.y.input(chosen.diff_dst_desc())},
                 {DNNL_ARG_WEIGHTS, c.w.input(chosen.weights_desc())},
                 {DNNL_ARG_DIFF_SRC, result}});
  c.x.finish(result);
  stream().wait();
  return true;
} catch (const dnnl::error&) {
  return false;
}

bool conv_backward_weight(const ConvGeometry& g, c10::ScalarType dtype, const void* y,
                          const void* x, void* w) try {
  if (!is_taken(g, dtype)) return false;
  const Convolution c(g, dtype, x, w, y);
  const dnnl::convolution_backward_weights::primitive_desc chosen(
      processor(), dnnl::algorithm::convolution_direct, c.x.any, c.w.any, c.y.any, c.stride,
      c.dilation, c.padding, c.padding, c.forward(memory::desc()));
  memory result = c.w.output(chosen.diff_weights_desc());
  dnnl::convolution_backward_weights(chosen).execute(
      stream(), {{DNNL_ARG_DIFF_DST, c.y.input(chosen.diff_dst_desc())},
                 {DNNL_ARG_SRC, c.x.input(chosen.src_desc())},
                 {DNNL_ARG_DIFF_WEIGHTS, result}});
  c.w.finish(result);
  stream().wait();
  return true;
} catch (const dnnl::error&) {
  return false;
}

bool bfloat16_gemm(cpublas::TransposeType transa, cpublas::TransposeType transb, int64_t m,
                   int64_t n, int64_t k, double alpha, const c10::BFloat16* a, int64_t lda,
                   const c10::BFloat16* b, int64_t ldb, double beta, c10::BFloat16* c,
                   int64_t ldc) try {
  if (!has_bfloat16() || alpha != 1 || beta != 0 || m * n * k < kSmallProduct) return false;
  // By rows it is c^T = op(b)^T op(a)^T.
  const auto matrix = [](int64_t rows, int64_t columns, int64_t ld, bool transposed) {
    return memory::desc({rows, columns}, memory::data_type::bf16,
                        transposed ? Dims{1, ld} : Dims{ld, 1});
  };
  const auto source = matrix(n, k, ldb, transb == cpublas::TransposeType::Transpose);
  const auto weights = matrix(k, m, lda, transa == cpublas::TransposeType::Transpose);
  const auto result = matrix(n, m, ldc, false);
  const dnnl::matmul::primitive_desc chosen(processor(), source, weights, result);
  const auto at = [](const memory::desc& desc, const c10::BFloat16* p) {
    return memory(desc, processor(), const_cast<c10::BFloat16*>(p));
  };
  dnnl::matmul(chosen).execute(stream(), {{DNNL_ARG_SRC, at(source, b)},
                                          {DNNL_ARG_WEIGHTS, at(weights, a)},
                                          {DNNL_ARG_DST, at(result, c)}});
  stream().wait();
  return true;
} catch (const dnnl::error&) {
  return false;
}

#else

bool is_available() { return false; }

bool convolves(c10::ScalarType /*dtype*/) { return false; }

bool conv_forward(const ConvGeometry& /*g*/, c10::ScalarType /*dtype*/, const void* /*x*/,
                  const void* /*w*/, const void* /*bias*/, void* /*y*/) {
  return false;
}

bool conv_backward_input(const ConvGeometry& /*g*/, c10::ScalarType /*dtype*/, const void* /*y*/,
                         const void* /*w*/, void* /*x*/) {
  return false;
}

bool conv_backward_weight(const ConvGeometry& /*g*/, c10::ScalarType /*dtype*/, const void* /*y*/,
                          const void* /*x*/, void* /*w*/) {
  return false;
}

bool bfloat16_gemm(cpublas::TransposeType /*transa*/, cpublas::TransposeType /*transb*/,
                   int64_t /*m*/, int64_t /*n*/, int64_t /*k*/, double /*alpha*/,
                   const c10::BFloat16* /*a*/, int64_t /*lda*/, const c10::BFloat16* /*b*/,
                   int64_t /*ldb*/, double /*beta*/, c10::BFloat16* /*c*/, int64_t /*ldc*/) {
  return false;
}

#endif

}  // namespace at::native::onednn
