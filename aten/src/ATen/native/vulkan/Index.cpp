// Elements by their indices.

#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/TensorIterator.h>
#include <ATen/native/TensorAdvancedIndexing.h>
#include <ATen/native/vulkan/Launch.h>
#include <c10/util/Exception.h>

#include <array>

namespace at::native {
namespace {

using at::vulkan::Binding;
using at::vulkan::device_state;
using at::vulkan::DeviceState;

constexpr size_t kMostIndices = 3;

// What index.comp and gather.comp call their functions.
constexpr int kRead = 0;
constexpr int kWrite = 1;
constexpr int kAdd = 2;

void index_with(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides, int op,
                const char* name) {
  DeviceState& device = device_state(iter.device(0).index());
  TORCH_CHECK_NOT_IMPLEMENTED(sizes.size() <= kMostIndices, name, " on vulkan takes at most ",
                              kMostIndices, " tensors of indices, got ", sizes.size());
  // Indices are int64.
  vulkan::shader_type(c10::ScalarType::Long, name, device);
  const int64_t element = iter.element_size(0);
  vulkan::Extra extra;
  extra.constants = {static_cast<uint32_t>(sizes.size())};
  for (size_t k = 0; k < sizes.size(); ++k) {
    extra.words[2 * k] = vulkan::narrow(sizes[k]);
    extra.words[2 * k + 1] = vulkan::narrow(strides[k] / element);
  }
  const std::string type = vulkan::opaque_type(static_cast<size_t>(element), name, device);
  vulkan::run_iteration(iter, "index_" + type, op, name, /*floating=*/false, {}, extra);
}

void index_vulkan(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  index_with(iter, sizes, strides, kRead, "index");
}

void index_put_vulkan(TensorIterator& iter, c10::IntArrayRef sizes, c10::IntArrayRef strides,
                      bool accumulate) {
  TORCH_CHECK_NOT_IMPLEMENTED(!accumulate,
                              "index_put_ with accumulate=True has no kernel on vulkan; "
                              "index_add_ has one");
  index_with(iter, sizes, strides, kWrite, "index_put_");
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
  DeviceState& device = device_state(result.device().index());
  if (index.numel() == 0) return;
  TORCH_CHECK_NOT_IMPLEMENTED(index.dim() <= static_cast<int64_t>(kMostDims), name,
                              " on vulkan takes at most ", kMostDims, " dimensions, got ",
                              index.dim());
  vulkan::shader_type(c10::ScalarType::Long, name, device);
  std::string type;
  if (op == kAdd) {
    const c10::ScalarType dtype = result.scalar_type();
    vulkan::check_type(dtype, {c10::ScalarType::Float, c10::ScalarType::Int}, name, device);
    type = std::string("atomic") + vulkan::shader_type(dtype, name, device);
  } else {
    type = vulkan::opaque_type(static_cast<size_t>(result.element_size()), name, device);
  }
  GatherArguments arguments{};
  arguments.count = vulkan::narrow(index.numel());
  arguments.dim = vulkan::narrow(dim);
  const TensorBase& indexed = op == kRead ? source : result;
  arguments.indexed_size = vulkan::narrow(indexed.dim() == 0 ? 1 : indexed.size(dim));
  for (int64_t d = 0; d < index.dim(); ++d) {
    const auto i = static_cast<size_t>(d);
    arguments.size[i] = vulkan::narrow(index.size(d));
    arguments.index_stride[i] = vulkan::narrow(index.stride(d));
    arguments.result_stride[i] = result.dim() == 0 ? 0 : vulkan::narrow(result.stride(d));
    arguments.source_stride[i] = source.dim() == 0 ? 0 : vulkan::narrow(source.stride(d));
  }
  const auto binding = [](const TensorBase& t) {
    return Binding{t.const_data_ptr(), static_cast<size_t>(t.element_size())};
  };
  vulkan::launch(device, "gather_" + type,
                 {static_cast<uint32_t>(op), static_cast<uint32_t>(index.dim())},
                 {binding(result), binding(source), binding(index)}, arguments,
                 {vulkan::groups_for(index.numel(), device), 1, 1});
}

void gather_vulkan(const TensorBase& result, const TensorBase& self, int64_t dim,
                   const TensorBase& index) {
  gather_with(result, self, dim, index, kRead, "gather");
}
void scatter_vulkan(const TensorBase& self, int64_t dim, const TensorBase& index,
                    const TensorBase& src) {
  gather_with(self, src, dim, index, kWrite, "scatter");
}
void scatter_add_vulkan(const TensorBase& self, int64_t dim, const TensorBase& index,
                        const TensorBase& src) {
  gather_with(self, src, dim, index, kAdd, "scatter_add");
}

}  // namespace

REGISTER_VULKAN_DISPATCH(index_stub, &index_vulkan)
REGISTER_VULKAN_DISPATCH(index_put_stub, &index_put_vulkan)
REGISTER_VULKAN_DISPATCH(gather_stub, &gather_vulkan)
REGISTER_VULKAN_DISPATCH(scatter_stub, &scatter_vulkan)
REGISTER_VULKAN_DISPATCH(scatter_add_stub, &scatter_add_vulkan)

}  // namespace at::native
