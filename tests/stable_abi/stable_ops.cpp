// An extension that includes the stable headers alone.

#include <torch/csrc/stable/accelerator.h>
#include <torch/csrc/stable/device.h>
#include <torch/csrc/stable/generator.h>
#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/macros.h>
#include <torch/csrc/stable/ops.h>
#include <torch/csrc/stable/stableivalue_conversions.h>
#include <torch/csrc/stable/tensor.h>
#include <torch/headeronly/core/Dispatch_v2.h>
#include <torch/headeronly/core/ScalarType.h>
#include <torch/headeronly/core/TensorAccessor.h>
#include <torch/headeronly/util/Exception.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

using torch::headeronly::HeaderOnlyArrayRef;
using torch::headeronly::IntHeaderOnlyArrayRef;
using torch::headeronly::ScalarType;
using torch::stable::Tensor;

// A loop of its own over the memory, on several threads.
Tensor scaled(const Tensor& x, double factor) {
  STD_TORCH_CHECK(x.is_cpu() && x.is_contiguous(), "scaled: expected a contiguous tensor");
  Tensor y = torch::stable::empty_like(x);
  const float* in = x.const_data_ptr<float>();
  float* out = y.mutable_data_ptr<float>();
  torch::stable::parallel_for(0, x.numel(), 16, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) out[i] = static_cast<float>(in[i] * factor);
  });
  return y;
}

// x[i][j] + y[j][i] by accessors, for three element types.
Tensor add_transposed(const Tensor& x, const Tensor& y) {
  Tensor result = torch::stable::new_empty(x, x.sizes());
  THO_DISPATCH_V2(x.scalar_type(), "add_transposed", AT_WRAP([&] {
                    using Accessor = torch::headeronly::HeaderOnlyTensorAccessor<scalar_t, 2>;
                    const auto access = [](const Tensor& t) {
                      return Accessor(t.mutable_data_ptr<scalar_t>(), t.sizes().data(),
                                      t.strides().data());
                    };
                    const Accessor a = access(x), b = access(y), out = access(result);
                    for (int64_t i = 0; i < x.size(0); ++i) {
                      for (int64_t j = 0; j < x.size(-1); ++j) out[i][j] = a[i][j] + b[j][i];
                    }
                  }),
                  AT_EXPAND(AT_FLOATING_TYPES), ScalarType::Long);
  return result;
}

// Every kind of argument, as a text.
std::string describe(int64_t i, bool b, double d, std::string_view s, torch::stable::Device device,
                     ScalarType dtype, torch::headeronly::Layout layout,
                     torch::headeronly::MemoryFormat format, IntHeaderOnlyArrayRef ints,
                     const std::vector<std::string>& texts, std::optional<int64_t> none,
                     std::optional<IntHeaderOnlyArrayRef> some, const std::optional<Tensor>& tensor,
                     const std::vector<std::optional<Tensor>>& tensors,
                     std::optional<torch::stable::Generator> generator) {
  std::ostringstream out;
  out << i << ' ' << b << ' ' << d << ' ' << s << ' ' << static_cast<int>(device.type()) << ':'
      << device.index() << ' ' << torch::headeronly::toString(dtype) << ' '
      << static_cast<int>(layout) << ' ' << static_cast<int>(format);
  for (const int64_t n : ints) out << " i" << n;
  for (const std::string& text : texts) out << " t" << text;
  out << ' ' << none.has_value() << ' ' << some->size() << ' ' << tensor.has_value();
  for (const auto& t : tensors) out << ' ' << (t ? t->numel() : -1);
  out << ' ' << (generator ? generator->device().is_cpu() : false);
  return out.str();
}

std::tuple<Tensor, int64_t, std::vector<Tensor>> split(const Tensor& x, int64_t rows) {
  return {torch::stable::narrow(x, 0, 0, rows),
          x.size(0) - rows,
          {torch::stable::narrow(x, 0, rows, x.size(0) - rows), x}};
}

void double_(Tensor x) { torch::stable::copy_(x, torch::stable::subtract(x, x, -1.0)); }

int64_t narrow_number(int32_t n) { return n; }

// Calls of operators, by their functions; the test has the same in Python.
std::vector<Tensor> operators(const Tensor& x) {
  using namespace torch::stable;
  Tensor out = empty({x.size(1)}, ScalarType::Double);
  Tensor filled = new_zeros(x, {2, 3});
  fill_(filled, 2.5);
  Tensor zeroed = clone(x);
  zero_(zeroed);
  return {matmul(x, transpose(x, 0, 1)),
          amax(x, 1),
          amax(x, {0, 1}, true),
          sum(x, IntHeaderOnlyArrayRef{0}, true),
          sum(x),
          sum_out(out, x, IntHeaderOnlyArrayRef{0}),
          pad(x, {1, 2}, "constant", 7.0),
          reshape(x, {-1}),
          view(x, {x.numel(), 1}),
          flatten(x),
          squeeze(unsqueeze(x, 1), 1),
          select(x, 0, -1),
          to(x, ScalarType::Float),
          to(x, Device("cpu")),
          contiguous(transpose(x, 0, 1)),
          full({2, 2}, 1.5, ScalarType::Double),
          filled,
          zeroed};
}

int64_t deleted = 0;

// A tensor over memory of the extension's.
Tensor owned(int64_t n) {
  auto* values = new double[n];
  for (int64_t i = 0; i < n; ++i) values[i] = static_cast<double>(i);
  const std::string who = "owner";
  return torch::stable::from_blob(values, {n}, {1}, torch::stable::Device("cpu"),
                                  ScalarType::Double, [who](void* memory) {
                                    delete[] static_cast<double*>(memory);
                                    deleted += static_cast<int64_t>(who.size());
                                  });
}
int64_t deletions() { return deleted; }

Tensor wrong_operator(const Tensor& x) {
  std::array<StableIValue, 1> stack{torch::stable::detail::from(x)};
  STABLE_TORCH_ERROR_CODE_CHECK(
      torch_call_dispatcher("aten::no_such_operator", "", stack.data(), TORCH_ABI_VERSION));
  return torch::stable::detail::to<Tensor>(stack[0]);
}
Tensor wrong_shape(const Tensor& x) { return torch::stable::matmul(x, x); }
// Functions of the C interface that nothing above calls.
std::vector<Tensor> by_handles(const Tensor& x, const Tensor& index) {
  const auto made = [](auto function, auto... args) {
    AtenTensorHandle handle = nullptr;
    STABLE_TORCH_ERROR_CODE_CHECK(function(args..., &handle));
    return Tensor(handle);
  };
  const Tensor copy = made(aoti_torch_clone_preserve_strides, x.get());
  const Tensor written = torch::stable::empty_like(x);
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_tensor_copy_(x.get(), written.get()));
  const auto empty = [&] { return torch::stable::new_empty(x, {0}); };
  const Tensor scattered = empty(), reduced = empty(), put = empty();
  STABLE_TORCH_ERROR_CODE_CHECK(
      aoti_torch_scatter_out(scattered.get(), x.get(), 0, index.get(), x.get()));
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_scatter_reduce_out(
      reduced.get(), x.get(), 0, index.get(), x.get(), "amax", /*include_self=*/0));
  const Tensor row = torch::stable::select(index, 0, 0);
  const std::array<AtenTensorHandle, 2> indices = {nullptr, row.get()};
  STABLE_TORCH_ERROR_CODE_CHECK(
      aoti_torch_index_put_out(put.get(), x.get(), indices.data(), 2, x.get(), true));
  return {copy, written, scattered, reduced, put};
}

Tensor pinned(int64_t n) {
  const int64_t stride = 1;
  AtenTensorHandle handle = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided_pinned(
      1, &n, &stride, aoti_torch_dtype<float>(), aoti_torch_device_type_cpu(), -1, &handle));
  return Tensor(handle);
}

std::vector<int64_t> dtypes() {
  return {aoti_torch_dtype<c10::BFloat16>(),
          aoti_torch_dtype<c10::Half>(),
          aoti_torch_dtype<c10::complex<float>>(),
          aoti_torch_dtype<c10::complex<double>>(),
          aoti_torch_dtype<float>(),
          aoti_torch_dtype<double>(),
          aoti_torch_dtype<uint8_t>(),
          aoti_torch_dtype<int8_t>(),
          aoti_torch_dtype<int16_t>(),
          aoti_torch_dtype<int32_t>(),
          aoti_torch_dtype<int64_t>(),
          aoti_torch_dtype<bool>()};
}

void check_and_warn(int64_t n) {
  AOTI_TORCH_WARN("n is ", n);
  AOTI_TORCH_CHECK(n > 0, "expected n > 0, but got ", n);
  AOTI_TORCH_CHECK(n > 1);
}

int64_t null_stream() {
  void* handle = nullptr;
  STABLE_TORCH_ERROR_CODE_CHECK(torch_stream_native_handle(nullptr, &handle));
  return 0;
}
int64_t native_handle() {
  return reinterpret_cast<int64_t>(torch::stable::accelerator::getCurrentStream(-1).nativeHandle());
}
int64_t current_device() { return torch::stable::accelerator::getCurrentDeviceIndex(); }
void fail_in_parallel(int64_t n) {
  torch::stable::parallel_for(
      0, n, 1, [](int64_t begin, int64_t) { STD_TORCH_CHECK(begin < 0, "no chunk works"); });
}

}  // namespace

STABLE_TORCH_LIBRARY(stable_test, m) {
  m.def("scaled(Tensor x, float factor) -> Tensor", {at::Tag::pt2_compliant_tag});
  m.def("add_transposed(Tensor x, Tensor y) -> Tensor");
  m.def(
      "describe(int i, bool b, float d, str s, Device device, ScalarType dtype, Layout layout, "
      "MemoryFormat format, int[] ints, str[] texts, int? none, int[]? some, Tensor? tensor, "
      "Tensor?[] tensors, Generator? generator) -> str");
  m.def("split(Tensor x, int rows) -> (Tensor, int, Tensor[])");
  m.def("double_(Tensor(a!) x) -> ()");
  m.def("wrong_count(Tensor x, int n) -> Tensor");
}

STABLE_TORCH_LIBRARY_FRAGMENT(stable_test, m) {
  m.def("narrow_number(int n) -> int");
  m.def("operators(Tensor x) -> Tensor[]");
  m.def("owned(int n) -> Tensor");
  m.def("deletions() -> int");
  m.def("wrong_operator(Tensor x) -> Tensor");
  m.def("wrong_shape(Tensor x) -> Tensor");
  m.def("current_device() -> int");
  m.def("by_handles(Tensor x, Tensor index) -> Tensor[]");
  m.def("pinned(int n) -> Tensor");
  m.def("dtypes() -> int[]");
  m.def("check_and_warn(int n) -> ()");
  m.def("null_stream() -> int");
  m.def("native_handle() -> int");
  m.def("fail_in_parallel(int n) -> ()");
  m.def("scalar(Tensor x, Scalar s) -> Tensor");
}

STABLE_TORCH_LIBRARY_IMPL(stable_test, CPU, m) {
  m.impl("scaled", TORCH_BOX(&scaled));
  m.impl("add_transposed", TORCH_BOX(&add_transposed));
  m.impl("scalar", TORCH_BOX(&scaled));
}

STABLE_TORCH_LIBRARY_IMPL(stable_test, CompositeExplicitAutograd, m) {
  m.impl("describe", TORCH_BOX(&describe));
  m.impl("split", TORCH_BOX(&split));
  m.impl("double_", TORCH_BOX(&double_));
  m.impl("wrong_count", TORCH_BOX(&wrong_shape));
  m.impl("narrow_number", TORCH_BOX(&narrow_number));
  m.impl("operators", TORCH_BOX(&operators));
  m.impl("owned", TORCH_BOX(&owned));
  m.impl("deletions", TORCH_BOX(&deletions));
  m.impl("wrong_operator", TORCH_BOX(&wrong_operator));
  m.impl("wrong_shape", TORCH_BOX(&wrong_shape));
  m.impl("current_device", TORCH_BOX(&current_device));
  m.impl("by_handles", TORCH_BOX(&by_handles));
  m.impl("pinned", TORCH_BOX(&pinned));
  m.impl("dtypes", TORCH_BOX(&dtypes));
  m.impl("check_and_warn", TORCH_BOX(&check_and_warn));
  m.impl("null_stream", TORCH_BOX(&null_stream));
  m.impl("native_handle", TORCH_BOX(&native_handle));
  m.impl("fail_in_parallel", TORCH_BOX(&fail_in_parallel));
}
