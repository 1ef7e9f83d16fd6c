// Joining tensors along rows, columns and other dimensions, and views that make such shapes.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/atleast_1d.h>
#include <ATen/ops/atleast_1d_native.h>
#include <ATen/ops/atleast_2d.h>
#include <ATen/ops/atleast_2d_native.h>
#include <ATen/ops/atleast_3d.h>
#include <ATen/ops/atleast_3d_native.h>
#include <ATen/ops/block_diag_native.h>
#include <ATen/ops/broadcast_tensors_native.h>
#include <ATen/ops/broadcast_to_native.h>
#include <ATen/ops/cartesian_prod_native.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/column_stack_native.h>
#include <ATen/ops/combinations_native.h>
#include <ATen/ops/concat_native.h>
#include <ATen/ops/concatenate_native.h>
#include <ATen/ops/dstack_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/hstack.h>
#include <ATen/ops/hstack_native.h>
#include <ATen/ops/meshgrid.h>
#include <ATen/ops/meshgrid_native.h>
#include <ATen/ops/row_stack_native.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/view_native.h>
#include <ATen/ops/vstack.h>
#include <ATen/ops/vstack_native.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <string_view>
#include <vector>

namespace at::native {

// ---- at least so many dimensions

Tensor atleast_1d(const Tensor& self) { return self.dim() == 0 ? self.reshape({1}) : self; }

Tensor atleast_2d(const Tensor& self) {
  if (self.dim() == 0) return self.reshape({1, 1});
  return self.dim() == 1 ? self.unsqueeze(0) : self;
}

Tensor atleast_3d(const Tensor& self) {
  if (self.dim() == 0) return self.reshape({1, 1, 1});
  if (self.dim() == 1) return self.unsqueeze(0).unsqueeze(-1);
  return self.dim() == 2 ? self.unsqueeze(-1) : self;
}

namespace {

template <typename F>
std::vector<Tensor> map_tensors(TensorList tensors, F f) {
  std::vector<Tensor> result;
  result.reserve(tensors.size());
  for (const Tensor& tensor : tensors) result.push_back(f(tensor));
  return result;
}

void check_not_empty(const char* name, TensorList tensors) {
  TORCH_CHECK(!tensors.empty(), name, " expects a non-empty TensorList");
}

}  // namespace

std::vector<Tensor> atleast_1d(TensorList tensors) {
  return map_tensors(tensors, [](const Tensor& t) { return at::atleast_1d(t); });
}

std::vector<Tensor> atleast_2d(TensorList tensors) {
  return map_tensors(tensors, [](const Tensor& t) { return at::atleast_2d(t); });
}

std::vector<Tensor> atleast_3d(TensorList tensors) {
  return map_tensors(tensors, [](const Tensor& t) { return at::atleast_3d(t); });
}

// ---- stacks

Tensor hstack(TensorList tensors) {
  check_not_empty("hstack", tensors);
  const std::vector<Tensor> parts = at::atleast_1d(tensors);
  return at::cat(parts, parts[0].dim() == 1 ? 0 : 1);
}

Tensor& hstack_out(TensorList tensors, Tensor& result) {
  check_not_empty("hstack", tensors);
  const std::vector<Tensor> parts = at::atleast_1d(tensors);
  return at::cat_out(result, parts, parts[0].dim() == 1 ? 0 : 1);
}

Tensor vstack(TensorList tensors) {
  check_not_empty("vstack", tensors);
  return at::cat(at::atleast_2d(tensors), 0);
}

Tensor& vstack_out(TensorList tensors, Tensor& result) {
  check_not_empty("vstack", tensors);
  return at::cat_out(result, at::atleast_2d(tensors), 0);
}

Tensor dstack(TensorList tensors) {
  check_not_empty("dstack", tensors);
  return at::cat(at::atleast_3d(tensors), 2);
}

Tensor& dstack_out(TensorList tensors, Tensor& result) {
  check_not_empty("dstack", tensors);
  return at::cat_out(result, at::atleast_3d(tensors), 2);
}

namespace {

// Vectors become columns.
std::vector<Tensor> as_columns(TensorList tensors) {
  return map_tensors(tensors,
                     [](const Tensor& t) { return t.dim() <= 1 ? t.reshape({t.numel(), 1}) : t; });
}

}  // namespace

Tensor column_stack(TensorList tensors) {
  check_not_empty("column_stack", tensors);
  return at::hstack(as_columns(tensors));
}

Tensor& column_stack_out(TensorList tensors, Tensor& result) {
  check_not_empty("column_stack", tensors);
  return at::hstack_out(result, as_columns(tensors));
}

Tensor row_stack(TensorList tensors) { return at::vstack(tensors); }

Tensor& row_stack_out(TensorList tensors, Tensor& result) {
  return at::vstack_out(result, tensors);
}

Tensor concatenate(TensorList tensors, int64_t dim) { return at::cat(tensors, dim); }

Tensor& concatenate_out(TensorList tensors, int64_t dim, Tensor& result) {
  return at::cat_out(result, tensors, dim);
}

Tensor& concat_out(TensorList tensors, int64_t dim, Tensor& result) {
  return at::cat_out(result, tensors, dim);
}

// ---- broadcasting

Tensor broadcast_to(const Tensor& self, IntArrayRef size) { return self.expand(size); }

std::vector<Tensor> broadcast_tensors(TensorList tensors) { return expand_outplace(tensors); }

std::vector<Tensor> meshgrid(TensorList tensors) {
  TORCH_WARN_ONCE(
      "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.");
  return at::meshgrid(tensors, "ij");
}

std::vector<Tensor> meshgrid(TensorList tensors, std::string_view indexing) {
  TORCH_CHECK(!tensors.empty(), "meshgrid expects a non-empty TensorList");
  for (const Tensor& tensor : tensors) {
    TORCH_CHECK(
        tensor.dim() <= 1,
        "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: ", tensor.sizes());
    TORCH_CHECK(tensor.scalar_type() == tensors[0].scalar_type(),
                "torch.meshgrid expects all tensors to have the same dtype");
    TORCH_CHECK(tensor.device() == tensors[0].device(),
                "torch.meshgrid expects all tensors to have the same device");
  }
  TORCH_CHECK(indexing == "xy" || indexing == "ij",
              "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: ", indexing);
  // Columns before rows: the first two change places.
  const bool swap = indexing == "xy" && tensors.size() >= 2;
  std::vector<Tensor> parts = tensors.vec();
  if (swap) std::swap(parts[0], parts[1]);
  std::vector<int64_t> shape;
  for (const Tensor& tensor : parts) shape.push_back(tensor.numel());
  std::vector<Tensor> grids;
  for (size_t i = 0; i < parts.size(); ++i) {
    std::vector<int64_t> view(parts.size(), 1);
    view[i] = -1;
    grids.push_back(parts[i].view(view).expand(shape));
  }
  if (swap) std::swap(grids[0], grids[1]);
  return grids;
}

// ---- products of sets

Tensor cartesian_prod(TensorList tensors) {
  for (const Tensor& tensor : tensors) {
    TORCH_CHECK(tensor.dim() == 1, "Expect a 1D vector, but got shape ", tensor.sizes());
  }
  if (tensors.size() == 1) return tensors[0];
  std::vector<Tensor> grids = at::meshgrid(tensors, "ij");
  for (Tensor& grid : grids) grid = grid.flatten();
  return at::stack(grids, 1);
}

Tensor combinations(const Tensor& self, int64_t r, bool with_replacement) {
  TORCH_CHECK(self.dim() == 1, "Expect a 1D vector, but got shape ", self.sizes());
  TORCH_CHECK(r >= 0, "Expect a non-negative number, but got ", r);
  if (r == 0) return at::empty({0}, self.options());
  // The tuples of indices that ascend.
  const int64_t n = self.numel();
  const Tensor range = at::arange(n, self.options().dtype(kLong));
  const std::vector<Tensor> grids =
      at::meshgrid(std::vector<Tensor>(static_cast<size_t>(r), range), "ij");
  Tensor mask = at::full(grids[0].sizes(), true, self.options().dtype(kBool));
  for (size_t i = 0; i + 1 < grids.size(); ++i) {
    mask =
        mask.logical_and(with_replacement ? grids[i].le(grids[i + 1]) : grids[i].lt(grids[i + 1]));
  }
  std::vector<Tensor> columns;
  for (const Tensor& grid : grids) {
    columns.push_back(self.index_select(0, grid.masked_select(mask)));
  }
  return at::stack(columns, 1);
}

Tensor block_diag(TensorList tensors) {
  if (tensors.empty()) return at::empty({1, 0});
  std::vector<Tensor> blocks;
  int64_t rows = 0;
  int64_t columns = 0;
  ScalarType type = tensors[0].scalar_type();
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    TORCH_CHECK(tensor.device() == tensors[0].device(),
                "torch.block_diag: input tensors must all be on the same device.");
    TORCH_CHECK(tensor.dim() <= 2,
                "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input ", i,
                " has ", tensor.dim(), " dimensions");
    blocks.push_back(at::atleast_2d(tensor));
    rows += blocks.back().size(0);
    columns += blocks.back().size(1);
    type = c10::promoteTypes(type, tensor.scalar_type());
  }
  Tensor result = at::zeros({rows, columns}, tensors[0].options().dtype(type));
  int64_t row = 0;
  int64_t column = 0;
  for (const Tensor& block : blocks) {
    result.narrow(0, row, block.size(0)).narrow(1, column, block.size(1)).copy_(block);
    row += block.size(0);
    column += block.size(1);
  }
  return result;
}

}  // namespace at::native
