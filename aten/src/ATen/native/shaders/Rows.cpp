#define TORCH_ASSERT_NO_OPERATORS
#include <ATen/native/shaders/Rows.h>

#include <ATen/core/TensorBase.h>
#include <c10/util/Exception.h>

#include <algorithm>

namespace at::native::shaders {
namespace {

// A row of fewer elements is one thread's; threads of a group share the rest.
constexpr uint32_t kLong = 64;

}  // namespace

Rows rows_of(const TensorBase& self, DimMask mask, const char* op) {
  TORCH_CHECK_NOT_IMPLEMENTED(self.dim() <= static_cast<int64_t>(kMostRowDims), op, " on ",
                              kDeviceName, " takes at most ", kMostRowDims, " dimensions, got ",
                              self.dim());
  Rows result;
  int64_t rows = 1;
  int64_t count = 1;
  for (int64_t d = 0; d < self.dim(); ++d) {
    const int64_t size = self.size(d);
    const uint32_t stride = size == 1 ? 0 : narrow(self.stride(d));
    if (mask[static_cast<size_t>(d)]) {
      result.arguments.size[result.dims] = narrow(size);
      result.arguments.stride[result.dims++] = stride;
      count *= size;
    } else {
      result.arguments.kept_size[result.kept_dims] = narrow(size);
      result.arguments.kept_stride[result.kept_dims++] = stride;
      rows *= size;
    }
  }
  result.arguments.rows = narrow(rows);
  result.arguments.count = narrow(count);
  return result;
}

Rows contiguous_rows(int64_t count, int64_t length) {
  Rows result;
  result.arguments.rows = narrow(count);
  result.arguments.count = narrow(length);
  return result;
}

void run_rows(at::shaders::ComputeDevice& device, const std::string& shader, int op,
              const Rows& rows, std::initializer_list<at::shaders::Binding> bindings) {
  const RowArguments& arguments = rows.arguments;
  if (arguments.rows == 0) return;
  const bool shared = arguments.count >= kLong;
  const uint32_t groups = groups_for(arguments.rows, device, shared ? 1 : kGroupSize);
  launch(device, shader, {shared ? 1U : 0U, static_cast<uint32_t>(op), rows.kept_dims, rows.dims},
         bindings, arguments, {groups, 1, 1});
}

}  // namespace at::native::shaders
