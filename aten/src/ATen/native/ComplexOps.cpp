// Complex numbers: from and to their parts, and conjugates and negatives that are views.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/ExpandUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TensorShape.h>
#include <ATen/ops/_conj_native.h>
#include <ATen/ops/_neg_view_native.h>
#include <ATen/ops/adjoint.h>
#include <ATen/ops/adjoint_native.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/complex_native.h>
#include <ATen/ops/conj_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/imag_native.h>
#include <ATen/ops/mH_native.h>
#include <ATen/ops/matrix_H_native.h>
#include <ATen/ops/polar.h>
#include <ATen/ops/polar_native.h>
#include <ATen/ops/real_native.h>
#include <ATen/ops/resolve_conj_native.h>
#include <ATen/ops/resolve_neg_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/view_as_real_native.h>
#include <c10/core/ScalarType.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/Exception.h>
#include <c10/util/intrusive_ptr.h>

#include <vector>

namespace at::native {
namespace {

// The same memory under another type, sizes and strides.
Tensor reinterpret(const Tensor& self, ScalarType dtype, IntArrayRef sizes, IntArrayRef strides,
                   int64_t storage_offset) {
  Tensor result(c10::make_intrusive<TensorImpl, c10::UndefinedTensorImpl>(
      TensorImpl::VIEW, c10::Storage(self.storage()), self.key_set(),
      c10::scalarTypeToTypeMeta(dtype)));
  TensorImpl* impl = result.unsafeGetTensorImpl();
  impl->set_storage_offset(storage_offset);
  impl->set_sizes_and_strides(sizes, strides);
  return result;
}

void check_parts(const Tensor& a, const Tensor& b) {
  const ScalarType type = a.scalar_type();
  TORCH_CHECK(
      (type == kFloat || type == kDouble || type == kHalf) &&
          (b.scalar_type() == kFloat || b.scalar_type() == kDouble || b.scalar_type() == kHalf),
      "Expected both inputs to be Half, Float or Double tensors but got ", type, " and ",
      b.scalar_type());
  TORCH_CHECK(type == b.scalar_type(), "Expected object of scalar type ", type,
              " but got scalar type ", b.scalar_type(), " for second argument");
}

void check_complex_out(const Tensor& a, const Tensor& out) {
  TORCH_CHECK(c10::toComplexType(a.scalar_type()) == out.scalar_type(),
              "Expected object of scalar type ", c10::toComplexType(a.scalar_type()),
              " but got scalar type ", out.scalar_type(), " for argument 'out'");
}

Tensor empty_complex(const Tensor& a) {
  return at::empty({0}, a.options().dtype(c10::toComplexType(a.scalar_type())));
}

}  // namespace

Tensor view_as_real(const Tensor& self) {
  TORCH_CHECK(self.is_complex(), "view_as_real is only supported for complex tensors");
  TORCH_CHECK(
      !self.is_conj(),
      "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias the original.");
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  for (int64_t& stride : strides) stride *= 2;
  sizes.push_back(2);
  strides.push_back(1);
  return reinterpret(self, c10::toRealValueType(self.scalar_type()), sizes, strides,
                     self.storage_offset() * 2);
}

Tensor view_as_complex(const Tensor& self) {
  TORCH_CHECK(
      self.scalar_type() == kFloat || self.scalar_type() == kDouble || self.scalar_type() == kHalf,
      "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: ",
      self.scalar_type());
  TORCH_CHECK(self.dim() != 0, "Input tensor must have one or more dimensions");
  TORCH_CHECK(self.size(-1) == 2, "Tensor must have a last dimension of size 2");
  TORCH_CHECK(self.stride(-1) == 1, "Tensor must have a last dimension with stride 1");
  std::vector<int64_t> sizes = self.sizes().vec();
  std::vector<int64_t> strides = self.strides().vec();
  sizes.pop_back();
  strides.pop_back();
  for (int64_t& stride : strides) {
    TORCH_CHECK(stride % 2 == 0,
                "Tensor must have a stride divisible by 2 for all but last dimension");
    stride /= 2;
  }
  TORCH_CHECK(self.storage_offset() % 2 == 0, "Tensor must have a storage_offset divisible by 2");
  return reinterpret(self, c10::toComplexType(self.scalar_type()), sizes, strides,
                     self.storage_offset() / 2);
}

Tensor real(const Tensor& self) {
  if (!self.is_complex()) return self;
  return at::view_as_real(self.is_conj() ? self._conj() : self).select(-1, 0);
}

Tensor imag(const Tensor& self) {
  TORCH_CHECK(self.is_complex(), "imag is not implemented for tensors with non-complex dtypes.");
  if (self.is_conj()) return at::view_as_real(self._conj()).select(-1, 1)._neg_view();
  return at::view_as_real(self).select(-1, 1);
}

Tensor _conj(const Tensor& self) {
  TORCH_CHECK(self.is_complex(), "_conj is only supported for complex tensors");
  const Tensor result = alias_with_sizes_and_strides(self, self.sizes(), self.strides());
  result._set_conj(!self.is_conj());
  return result;
}

Tensor _neg_view(const Tensor& self) {
  const Tensor result = alias_with_sizes_and_strides(self, self.sizes(), self.strides());
  result._set_neg(!self.is_neg());
  return result;
}

Tensor conj(const Tensor& self) { return self.is_complex() ? self._conj() : self; }

// A copy has neither bit.
Tensor resolve_conj(const Tensor& self) { return self.is_conj() ? self.clone() : self; }

Tensor resolve_neg(const Tensor& self) { return self.is_neg() ? self.clone() : self; }

Tensor& complex_out(const Tensor& real, const Tensor& imag, Tensor& out) {
  check_parts(real, imag);
  check_complex_out(real, out);
  const auto [re, im] = expand_outplace(real, imag);
  resize_output(out, re.sizes());
  if (out.is_meta()) return out;
  const Tensor parts = native::view_as_real(out);
  parts.select(-1, 0).copy_(re);
  parts.select(-1, 1).copy_(im);
  return out;
}

Tensor complex(const Tensor& real, const Tensor& imag) {
  check_parts(real, imag);
  Tensor result = empty_complex(real);
  return at::complex_out(result, real, imag);
}

Tensor& polar_out(const Tensor& abs, const Tensor& angle, Tensor& out) {
  check_parts(abs, angle);
  check_complex_out(abs, out);
  return at::complex_out(out, abs.mul(angle.cos()), abs.mul(angle.sin()));
}

Tensor polar(const Tensor& abs, const Tensor& angle) {
  check_parts(abs, angle);
  Tensor result = empty_complex(abs);
  return at::polar_out(result, abs, angle);
}

// ---- conjugate transposes

Tensor adjoint(const Tensor& self) {
  if (self.dim() == 0) {
    TORCH_WARN_ONCE("adjoint() is deprecated on 0-D tensors. Consider using x.conj().");
    return self.conj();
  }
  TORCH_CHECK(self.dim() >= 2,
              "tensor.adjoint() is only supported on matrices or batches of matrices. Got ",
              self.dim(), "-D tensor.");
  return self.is_complex() ? self.transpose(-2, -1).conj() : self.transpose(-2, -1);
}

Tensor mH(const Tensor& self) {
  if (self.dim() == 0) {
    TORCH_WARN_ONCE("Tensor.mH is deprecated on 0-D tensors. Consider using x.conj().");
    return self.conj();
  }
  TORCH_CHECK(self.dim() >= 2,
              "tensor.mH is only supported on matrices or batches of matrices. Got ", self.dim(),
              "-D tensor.");
  return at::adjoint(self);
}

Tensor matrix_H(const Tensor& self) {
  TORCH_CHECK(self.dim() == 2 || self.dim() == 0,
              "tensor.H is only supported on matrices (2-D tensors). Got ", self.dim(),
              "-D tensor.",
              self.dim() > 2 ? " For batches of matrices, consider using tensor.mH" : "");
  return self.dim() == 0 ? self.conj() : at::adjoint(self);
}

}  // namespace at::native
