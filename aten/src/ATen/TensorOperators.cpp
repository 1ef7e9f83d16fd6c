#include <ATen/TensorOperators.h>

#include <ATen/ScalarOps.h>

namespace at {

namespace {
Tensor wrap(const Scalar& s, const Tensor& like) {
  return native::wrapped_scalar_tensor(s, like.device());
}
}  // namespace

Tensor operator+(const Tensor& x, const Tensor& y) { return x.add(y); }
Tensor operator+(const Tensor& x, const Scalar& y) { return x.add(y); }
Tensor operator+(const Scalar& x, const Tensor& y) { return y.add(x); }
Tensor operator-(const Tensor& x, const Tensor& y) { return x.sub(y); }
Tensor operator-(const Tensor& x, const Scalar& y) { return x.sub(y); }
Tensor operator-(const Scalar& x, const Tensor& y) { return wrap(x, y).sub(y); }
Tensor operator*(const Tensor& x, const Tensor& y) { return x.mul(y); }
Tensor operator*(const Tensor& x, const Scalar& y) { return x.mul(y); }
Tensor operator*(const Scalar& x, const Tensor& y) { return y.mul(x); }
Tensor operator/(const Tensor& x, const Tensor& y) { return x.div(y); }
Tensor operator/(const Tensor& x, const Scalar& y) { return x.div(y); }
Tensor operator/(const Scalar& x, const Tensor& y) { return wrap(x, y).div(y); }

Tensor operator%(const Tensor& x, const Tensor& y) { return x.remainder(y); }
Tensor operator%(const Tensor& x, const Scalar& y) { return x.remainder(y); }
Tensor operator%(const Scalar& x, const Tensor& y) { return wrap(x, y).remainder(y); }

#define AT_BITS(op, method)                                                    \
  Tensor operator op(const Tensor& x, const Tensor& y) { return x.method(y); } \
  Tensor operator op(const Tensor& x, const Scalar& y) { return x.method(y); } \
  Tensor operator op(const Scalar& x, const Tensor& y) { return y.method(x); }
AT_BITS(&, bitwise_and)
AT_BITS(|, bitwise_or)
AT_BITS(^, bitwise_xor)
#undef AT_BITS

#define AT_COMPARISON(op, method, reflected)                                   \
  Tensor operator op(const Tensor& x, const Tensor& y) { return x.method(y); } \
  Tensor operator op(const Tensor& x, const Scalar& y) { return x.method(y); } \
  Tensor operator op(const Scalar& x, const Tensor& y) { return y.reflected(x); }
AT_COMPARISON(<, lt, gt)
AT_COMPARISON(<=, le, ge)
AT_COMPARISON(>, gt, lt)
AT_COMPARISON(>=, ge, le)
AT_COMPARISON(==, eq, eq)
AT_COMPARISON(!=, ne, ne)
#undef AT_COMPARISON

Tensor Tensor::operator~() const { return bitwise_not(); }
Tensor Tensor::operator-() const { return neg(); }
Tensor& Tensor::operator+=(const Tensor& other) { return add_(other); }
Tensor& Tensor::operator+=(const Scalar& other) { return add_(other); }
Tensor& Tensor::operator-=(const Tensor& other) { return sub_(other); }
Tensor& Tensor::operator-=(const Scalar& other) { return sub_(other); }
Tensor& Tensor::operator*=(const Tensor& other) { return mul_(other); }
Tensor& Tensor::operator*=(const Scalar& other) { return mul_(other); }
Tensor& Tensor::operator/=(const Tensor& other) { return div_(other); }
Tensor& Tensor::operator/=(const Scalar& other) { return div_(other); }
Tensor& Tensor::operator&=(const Tensor& other) { return bitwise_and_(other); }
Tensor& Tensor::operator&=(const Scalar& other) { return bitwise_and_(other); }
Tensor& Tensor::operator|=(const Tensor& other) { return bitwise_or_(other); }
Tensor& Tensor::operator|=(const Scalar& other) { return bitwise_or_(other); }
Tensor& Tensor::operator^=(const Tensor& other) { return bitwise_xor_(other); }
Tensor& Tensor::operator^=(const Scalar& other) { return bitwise_xor_(other); }
Tensor Tensor::operator[](int64_t index) const { return select(0, index); }

Tensor Tensor::operator[](const Scalar& index) const {
  TORCH_CHECK_INDEX(index.isIntegral(/*includeBool=*/false),
                    "Can only index tensors with integral scalars");
  return select(0, index.toLong());
}

Tensor Tensor::operator[](const Tensor& index) const {
  TORCH_CHECK_INDEX(index.defined(), "Can only index with tensors that are defined");
  TORCH_CHECK_INDEX(index.dim() == 0, "Can only index with tensors that are scalars (zero-dim)");
  return operator[](index.item());
}

Tensor& Tensor::operator=(const Scalar& v) && { return fill_(v); }
Tensor& Tensor::operator=(const Tensor& rhs) && { return copy_(rhs); }
Tensor& Tensor::operator=(Tensor&& rhs) && { return copy_(rhs); }

Tensor Tensor::cpu() const { return to(options().device(c10::DeviceType::CPU)); }
Tensor Tensor::cuda() const { return to(options().device(c10::DeviceType::CUDA)); }
Tensor Tensor::vulkan() const { return to(options().device(c10::DeviceType::Vulkan)); }
Tensor Tensor::meta() const { return to(options().device(c10::DeviceType::Meta)); }
Tensor Tensor::toType(ScalarType t) const { return to(t); }

#define AT_ITEM(T)         \
  template <>              \
  T Tensor::item() const { \
    return item().to<T>(); \
  }
AT_ITEM(bool)
AT_ITEM(uint8_t)
AT_ITEM(int8_t)
AT_ITEM(int16_t)
AT_ITEM(int32_t)
AT_ITEM(int64_t)
AT_ITEM(float)
AT_ITEM(double)
AT_ITEM(c10::Half)
AT_ITEM(c10::BFloat16)
AT_ITEM(c10::complex<float>)
AT_ITEM(c10::complex<double>)
#undef AT_ITEM

}  // namespace at
