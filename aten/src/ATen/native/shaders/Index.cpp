// Elements by their indices.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/TensorIterator.h>
#include <ATen/native/TensorAdvancedIndexing.h>
#include <ATen/native/shaders/Launch.h>
#include <c10/util/Exception.h>

#include <array>
#include <optional>
#include <string>

namespace at::native {
namespace {

using at::shaders::Binding;
using at::shaders::ComputeDevice;

constexpr size_t kMostIndices = 3;

// What index.comp and gather.comp call their functions.
constexpr int kRead = 0;
constexpr int kWrite = 1;
constexpr int kAdd = 2;

// Of elements that several threads add to.
std::string atomic_type(c10::ScalarType dtype, const char* name, const ComputeDevice& device) {
  using enum c10::ScalarType;
  shaders::check_type(dtype, {Float, Half, Int, Long, Byte}, name, device);
  return "atomic" + shaders::shader_type(dtype, name, device);
}

void index_with(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides, int op,
                const char* name) {
  ComputeDevice& device = at::shaders::compute_device(iter.device(0).index());
  TORCH_CHECK_NOT_IMPLEMENTED(sizes.size() <= kMostIndices, name, " on ", shaders::kDeviceName,
                              " takes at most ", kMostIndices, " tensors of indices, got ",
                              sizes.size());
  // Indices are int64.
  shaders::shader_type(c10::ScalarType::Long, name, device);
  const int64_t element = iter.element_size(0);
  shaders::Extra extra;
  extra.constants = {static_cast<uint32_t>(sizes.size())};
  for (size_t k = 0; k < sizes.size(); ++k) {
    extra.words[2 * k] = shaders::narrow(sizes[k]);
    extra.words[2 * k + 1] = shaders::narrow(strides[k] / element);
  }
  const std::string type = op == kAdd
                               ? atomic_type(iter.dtype(0), name, device)
                               : shaders::opaque_type(static_cast<size_t>(element), name, device);
  shaders::run_iteration(iter, "index_" + type, op, name, std::nullopt, {}, extra);
}

void index_shader(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  index_with(iter, sizes, strides, kRead, "index");
}

void index_put_shader(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                      bool accumulate) {
  index_with(iter, sizes, strides, accumulate ? kAdd : kWrite, "index_put_");
}

constexpr size_t kMostDims = 16;

// `Arguments` of gather.comp.
struct GatherArguments {
  uint32_t start[8];
  uint32_t count;
  uint32_t dim;
  uint32_t indexed_size;
  uint32_t size[kMostDims];
  uint32_t result_stride[kMostDims];
  uint32_t source_stride[kMostDims];
  uint32_t index_stride[kMostDims];
};

void gather_with(const TensorBase& result, const TensorBase& source, int64_t dim,
                 const TensorBase& index, int op, const char* name) {
  ComputeDevice& device = at::shaders::compute_device(result.device().index());
  if (index.numel() == 0) return;
  TORCH_CHECK_NOT_IMPLEMENTED(index.dim() <= static_cast<int64_t>(kMostDims), name, " on ",
                              shaders::kDeviceName, " takes at most ", kMostDims,
                              " dimensions, got ", index.dim());
  shaders::shader_type(c10::ScalarType::Long, name, device);
  std::string type;
  if (op == kAdd) {
    type = atomic_type(result.scalar_type(), name, device);
  } else {
    type = shaders::opaque_type(static_cast<size_t>(result.element_size()), name, device);
  }
  GatherArguments arguments{};
  arguments.count = shaders::narrow(index.numel());
  arguments.dim = shaders::narrow(dim);
  const TensorBase& indexed = op == kRead ? source : result;
  arguments.indexed_size = shaders::narrow(indexed.dim() == 0 ? 1 : indexed.size(dim));
  for (int64_t d = 0; d < index.dim(); ++d) {
    const auto i = static_cast<size_t>(d);
    arguments.size[i] = shaders::narrow(index.size(d));
    arguments.index_stride[i] = shaders::narrow(index.stride(d));
    arguments.result_stride[i] = result.dim() == 0 ? 0 : shaders::narrow(result.stride(d));
    arguments.source_stride[i] = source.dim() == 0 ? 0 : shaders::narrow(source.stride(d));
  }
  const auto binding = [](const TensorBase& t) {
    return Binding{t.const_data_ptr(), static_cast<size_t>(t.element_size())};
  };
  shaders::launch(device, "gather_" + type,
                  {static_cast<uint32_t>(op), static_cast<uint32_t>(index.dim())},
                  {binding(result), binding(source), binding(index)}, arguments,
                  {shaders::groups_for(index.numel(), device), 1, 1});
}

void gather_shader(const TensorBase& result, const TensorBase& self, int64_t dim,
                   const TensorBase& index) {
  gather_with(result, self, dim, index, kRead, "gather");
}
void scatter_shader(const TensorBase& self, int64_t dim, const TensorBase& index,
                    const TensorBase& src) {
  gather_with(self, src, dim, index, kWrite, "scatter");
}
void scatter_add_shader(const TensorBase& self, int64_t dim, const TensorBase& index,
                        const TensorBase& src) {
  gather_with(self, src, dim, index, kAdd, "scatter_add");
}

}  // namespace

REGISTER_SHADER_DISPATCH(index_stub, &index_shader)
REGISTER_SHADER_DISPATCH(index_put_stub, &index_put_shader)
REGISTER_SHADER_DISPATCH(gather_stub, &gather_shader)
REGISTER_SHADER_DISPATCH(scatter_stub, &scatter_shader)
REGISTER_SHADER_DISPATCH(scatter_add_stub, &scatter_add_shader)

}  // namespace at::native
