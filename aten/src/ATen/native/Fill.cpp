// fill_ and zero_.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/Fill.h>

#include <ATen/TensorIterator.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/fill_native.h>
#include <ATen/ops/zero_native.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <cstring>

#include <ATen/native/ScalarConversion.h>

namespace at::native {

DEFINE_DISPATCH(fill_stub);

Tensor& fill_(Tensor& self, const Scalar& value) {
  check_convert(value, self.scalar_type());
  if (self.is_meta() || self.numel() == 0) return self;
  auto iter = TensorIteratorConfig()
                  .set_check_mem_overlap(false)  // every element gets the same value
                  .check_all_same_dtype(false)
                  .add_output(self)
                  .resize_outputs(false)
                  .build();
  fill_stub(iter.device_type(), iter, value);
  return self;
}

Tensor& fill_(Tensor& self, const Tensor& value) {
  TORCH_CHECK(value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ",
              value.dim(), " dimensions.");
  if (self.is_meta()) return self;
  // A copy converts as copies do, and writes no element twice.
  if (self.is_cpu() && value.is_cpu()) return self.copy_(value);
  return self.fill_(value.item());
}

Tensor& fill_meta_(Tensor& self, const Scalar& value) { return self; }

Tensor& fill_meta_(Tensor& self, const Tensor& value) {
  TORCH_CHECK(value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ",
              value.dim(), " dimensions.");
  return self;
}

Tensor fill(const Tensor& self, const Scalar& value) { return at::empty_like(self).fill_(value); }

Tensor fill(const Tensor& self, const Tensor& value) { return at::empty_like(self).fill_(value); }

Tensor& zero_(Tensor& self) {
  if (self.is_contiguous() && self.device().is_cpu()) {
    if (self.numel() > 0) {
      std::memset(self.data_ptr(), 0, static_cast<size_t>(self.numel()) * self.element_size());
    }
    return self;
  }
  return self.fill_(0);
}

Tensor& zero_meta_(Tensor& self) { return self; }

}  // namespace at::native
