#include <ATen/TensorUtils.h>

#include <c10/util/Exception.h>

#include <algorithm>
#include <ostream>
#include <sstream>

namespace at {

namespace {

// "(while checking arguments for my_op)", the end of each message.
std::string while_checking(CheckedFrom c) {
  return std::string(" (while checking arguments for ") + c + ")";
}

template <typename Check>
void check_all_as_first(ArrayRef<TensorArg> tensors, const Check& check) {
  const TensorArg* first = nullptr;
  for (const TensorArg& tensor : tensors) {
    if (!tensor->defined()) continue;
    if (first == nullptr) {
      first = &tensor;
    } else {
      check(*first, tensor);
    }
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const TensorGeometryArg& t) {
  if (t.pos == 0) return out << '\'' << t.name << '\'';
  return out << "argument #" << t.pos << " '" << t.name << '\'';
}

void checkDim(CheckedFrom c, const Tensor& tensor, const char* name, int pos, int64_t dim) {
  TORCH_CHECK(tensor.dim() == dim, "Expected ", dim, "-dimensional tensor, but got ", tensor.dim(),
              "-dimensional tensor for ", TensorGeometryArg(TensorArg(tensor, name, pos)),
              while_checking(c));
}

void checkDim(CheckedFrom c, const TensorGeometryArg& t, int64_t dim) {
  TORCH_CHECK(t->dim() == dim, "Expected ", dim, "-dimensional tensor, but got ", t->dim(),
              "-dimensional tensor for ", t, while_checking(c));
}

void checkDimRange(CheckedFrom c, const TensorGeometryArg& t, int64_t dim_start, int64_t dim_end) {
  TORCH_CHECK(t->dim() >= dim_start && t->dim() < dim_end, "Expected ", dim_start, " to ",
              dim_end - 1, " dimensions, but got ", t->dim(), "-dimensional tensor for ", t,
              while_checking(c));
}

void checkSameDim(CheckedFrom c, const TensorGeometryArg& t1, const TensorGeometryArg& t2) {
  TORCH_CHECK(t1->dim() == t2->dim(), "Expected tensor for ", t1,
              " to have the same dimension as tensor for ", t2, "; but ", t1->dim(),
              " does not equal ", t2->dim(), while_checking(c));
}

void checkContiguous(CheckedFrom c, const TensorGeometryArg& t) {
  TORCH_CHECK(t->is_contiguous(), "Expected contiguous tensor, but got non-contiguous tensor for ",
              t, while_checking(c));
}

void checkAllContiguous(CheckedFrom c, ArrayRef<TensorArg> ts) {
  for (const TensorArg& t : ts) {
    if (t->defined()) checkContiguous(c, t);
  }
}

void checkSize(CheckedFrom c, const TensorGeometryArg& t, IntArrayRef sizes) {
  checkDim(c, t, static_cast<int64_t>(sizes.size()));
  TORCH_CHECK(t->sizes().equals(sizes), "Expected tensor of size ", sizes,
              ", but got tensor of size ", t->sizes(), " for ", t, while_checking(c));
}

void checkSize(CheckedFrom c, const TensorGeometryArg& t, int64_t dim, int64_t size) {
  TORCH_CHECK(t->size(dim) == size, "Expected tensor to have size ", size, " at dimension ", dim,
              ", but got size ", t->size(dim), " for ", t, while_checking(c));
}

void checkSameSize(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  TORCH_CHECK(t1->sizes().equals(t2->sizes()), "Expected tensor for ", TensorGeometryArg(t1),
              " to have same size as tensor for ", TensorGeometryArg(t2), "; but ", t1->sizes(),
              " does not equal ", t2->sizes(), while_checking(c));
}

void checkAllSameSize(CheckedFrom c, ArrayRef<TensorArg> tensors) {
  check_all_as_first(tensors, [c](const auto& a, const auto& b) { checkSameSize(c, a, b); });
}

void checkNumel(CheckedFrom c, const TensorGeometryArg& t, int64_t numel) {
  TORCH_CHECK(t->numel() == numel, "Expected tensor for ", t, " to have ", numel,
              " elements; but it actually has ", t->numel(), " elements", while_checking(c));
}

void checkSameNumel(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  TORCH_CHECK(t1->numel() == t2->numel(), "Expected tensor for ", TensorGeometryArg(t1),
              " to have same number of elements as tensor for ", TensorGeometryArg(t2), "; but ",
              t1->numel(), " does not equal ", t2->numel(), while_checking(c));
}

void checkAllSameNumel(CheckedFrom c, ArrayRef<TensorArg> tensors) {
  check_all_as_first(tensors, [c](const auto& a, const auto& b) { checkSameNumel(c, a, b); });
}

void checkScalarType(CheckedFrom c, const TensorArg& t, ScalarType s) {
  TORCH_CHECK(t->scalar_type() == s, "Expected tensor for ", TensorGeometryArg(t),
              " to have scalar type ", c10::toString(s), "; but got ", t->toString(), " instead",
              while_checking(c));
}

void checkScalarTypes(CheckedFrom c, const TensorArg& t, ArrayRef<ScalarType> l) {
  if (std::find(l.begin(), l.end(), t->scalar_type()) != l.end()) return;
  std::ostringstream wanted;
  for (size_t i = 0; i < l.size(); ++i) wanted << (i == 0 ? "" : ", ") << c10::toString(l[i]);
  TORCH_CHECK(false, "Expected tensor for ", TensorGeometryArg(t),
              " to have one of the following scalar types: ", wanted.str(), "; but got ",
              t->toString(), " instead", while_checking(c));
}

void checkSameType(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  TORCH_CHECK(t1->options().type_equal(t2->options()), "Expected tensor for ",
              TensorGeometryArg(t1), " to have the same type as tensor for ", TensorGeometryArg(t2),
              "; but type ", t1->toString(), " does not equal ", t2->toString(), while_checking(c));
}

void checkAllSameType(CheckedFrom c, ArrayRef<TensorArg> tensors) {
  check_all_as_first(tensors, [c](const auto& a, const auto& b) { checkSameType(c, a, b); });
}

void checkSameGPU(CheckedFrom c, const TensorArg& t1, const TensorArg& t2) {
  std::string elsewhere;
  for (const TensorArg* t : {&t1, &t2}) {
    if (!(*t)->is_cuda())
      elsewhere += c10::str("Tensor for ", TensorGeometryArg(*t), " is on CPU, ");
  }
  TORCH_CHECK(elsewhere.empty(), elsewhere, "but expected it to be on GPU", while_checking(c));
  TORCH_CHECK(t1->get_device() == t2->get_device(), "Expected tensor for ", TensorGeometryArg(t1),
              " to have the same device as tensor for ", TensorGeometryArg(t2), "; but device ",
              t1->get_device(), " does not equal ", t2->get_device(), while_checking(c));
}

void checkAllSameGPU(CheckedFrom c, ArrayRef<TensorArg> tensors) {
  check_all_as_first(tensors, [c](const auto& a, const auto& b) { checkSameGPU(c, a, b); });
}

void checkDefined(CheckedFrom c, const TensorArg& t) {
  TORCH_CHECK(t->defined(), "Expected tensor for argument #", t.pos, " '", t.name,
              "' to be non-null, but it was undefined", while_checking(c));
}

void checkAllDefined(CheckedFrom c, ArrayRef<TensorArg> ts) {
  for (const TensorArg& t : ts) checkDefined(c, t);
}

void checkDeviceType(CheckedFrom c, const Tensor& t, c10::DeviceType device_type) {
  TORCH_CHECK(!t.defined() || t.device().type() == device_type, "Expected tensor to have ",
              c10::DeviceTypeName(device_type, /*lower_case=*/true),
              " DeviceType, but got tensor with ",
              c10::DeviceTypeName(t.device().type(), /*lower_case=*/true), " DeviceType",
              while_checking(c));
}

void checkDeviceType(CheckedFrom c, ArrayRef<Tensor> tensors, c10::DeviceType device_type) {
  for (const Tensor& t : tensors) checkDeviceType(c, t, device_type);
}

void checkLayout(CheckedFrom c, const Tensor& t, Layout layout) {
  TORCH_CHECK(!t.defined() || t.layout() == layout, "Expected tensor to have ", layout,
              " Layout, but got tensor with ", t.layout(), " Layout", while_checking(c));
}

void checkLayout(CheckedFrom c, ArrayRef<Tensor> tensors, Layout layout) {
  for (const Tensor& t : tensors) checkLayout(c, t, layout);
}

void* maybe_data_ptr(const Tensor& tensor) {
  return tensor.defined() ? tensor.data_ptr() : nullptr;
}
void* maybe_data_ptr(const TensorArg& tensor) { return maybe_data_ptr(tensor.tensor); }

std::vector<int64_t> detail::defaultStrides(IntArrayRef sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    strides[d] = stride;
    stride *= sizes[d];
  }
  return strides;
}

}  // namespace at
