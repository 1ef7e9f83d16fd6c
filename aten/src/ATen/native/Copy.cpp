// copy_: broadcasts `src` over `self` and converts its elements.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Copy.h>

#include <ATen/ExpandUtils.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/copy_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

namespace at::native {

DEFINE_DISPATCH(copy_stub);
DEFINE_DISPATCH(narrow_stub);
DEFINE_DISPATCH(widen_stub);

Tensor& copy_(Tensor& self, const Tensor& src, bool non_blocking) {
  TORCH_CHECK(self.defined(), "self is undefined");
  TORCH_CHECK(src.defined(), "src is undefined");
  if (self.is_same(src)) return self;
  if (self.is_meta()) {
    at::infer_size(self.sizes(), src.sizes());
    return self;
  }
  TORCH_CHECK_NOT_IMPLEMENTED(!src.is_meta(), "Cannot copy out of meta tensor; no data!");
  // Two views of the same elements in the same order are equal already.
  if (self.scalar_type() == src.scalar_type() && self.data_ptr() == src.data_ptr() &&
      self.sizes() == src.sizes() && self.strides() == src.strides() && self.is_alias_of(src)) {
    return self;
  }
  auto iter = TensorIteratorConfig()
                  .add_output(self)
                  .add_input(src)
                  .resize_outputs(false)
                  .check_all_same_dtype(false)
                  .check_all_same_device(false)
                  .build();
  if (iter.numel() == 0) return self;
  if (isComplexType(src.scalar_type()) && !isComplexType(self.scalar_type())) {
    TORCH_WARN_ONCE("Casting complex values to real discards the imaginary part");
  }
  copy_stub(self.is_cpu() ? src.device().type() : self.device().type(), iter, non_blocking);
  return self;
}

}  // namespace at::native
