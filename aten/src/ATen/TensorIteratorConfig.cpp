// How an iterator is asked for: the configuration, and the usual ones.

#include <ATen/TensorIterator.h>

#include <c10/util/Exception.h>
#include <c10/util/accumulate.h>

namespace at {

TensorIteratorConfig& TensorIteratorConfig::add_output(const TensorBase& output) {
  TORCH_INTERNAL_ASSERT(num_inputs_ == 0, "outputs are added before inputs");
  tensors_.push_back({output, false});
  ++num_outputs_;
  return *this;
}

TensorIteratorConfig& TensorIteratorConfig::add_input(const TensorBase& input) {
  tensors_.push_back({input, false});
  ++num_inputs_;
  return *this;
}

TensorIteratorConfig& TensorIteratorConfig::add_const_input(const TensorBase& input) {
  tensors_.push_back({input, true});
  ++num_inputs_;
  return *this;
}

TensorIteratorConfig& TensorIteratorConfig::promote_inputs_to_common_dtype(bool promote) {
  promote_inputs_to_common_dtype_ = promote;
  if (promote) check_all_same_dtype_ = false;
  return *this;
}

TensorIteratorConfig& TensorIteratorConfig::cast_common_dtype_to_outputs(bool cast) {
  cast_common_dtype_to_outputs_ = cast;
  if (cast) check_all_same_dtype_ = false;
  return *this;
}

TensorIteratorConfig& TensorIteratorConfig::declare_static_dtype_and_device(ScalarType dtype,
                                                                            c10::Device device) {
  return declare_static_dtype(dtype).declare_static_device(device);
}

TensorIteratorConfig& TensorIteratorConfig::declare_static_dtype(ScalarType dtype) {
  TORCH_CHECK(!check_all_same_dtype_,
              "check_all_same_dtype(false) must be called before declare_static_dtype(...)");
  static_dtype_ = dtype;
  return *this;
}

TensorIteratorConfig& TensorIteratorConfig::declare_static_device(c10::Device device) {
  TORCH_CHECK(!check_all_same_device_,
              "check_all_same_device(false) must be called before declare_static_device(...)");
  static_device_ = device;
  return *this;
}

TensorIteratorConfig& TensorIteratorConfig::declare_static_shape(IntArrayRef shape) {
  TORCH_CHECK(!resize_outputs_, "resize_outputs() must be called before declare_static_shape(...)");
  static_shape_.emplace(shape.begin(), shape.end());
  return *this;
}

TensorIteratorConfig& TensorIteratorConfig::declare_static_shape(IntArrayRef shape,
                                                                 IntArrayRef squash_dims) {
  declare_static_shape(shape);
  if (c10::multiply_integers(shape) == 0) return *this;
  for (const int64_t dim : squash_dims) {
    TORCH_CHECK(dim >= 0 && dim < static_cast<int64_t>(shape.size()), "squash_dim ", dim,
                " must be in [0, ", shape.size(), ").");
    (*static_shape_)[static_cast<size_t>(dim)] = 1;
  }
  return *this;
}

TensorIterator TensorIteratorConfig::build() {
  TensorIterator iter;
  iter.TensorIteratorBase::build(*this);
  return iter;
}

namespace {

void configureBinary(TensorIteratorConfig& config, const TensorBase& out, const TensorBase& a,
                     const TensorBase& b) {
  config.add_output(out).add_const_input(a).add_const_input(b);
}

TensorIteratorConfig& configureArithmetic(TensorIteratorConfig& config) {
  return config.set_check_mem_overlap(true)
      .allow_cpu_scalars(true)
      .promote_inputs_to_common_dtype(true)
      .cast_common_dtype_to_outputs(true)
      .enforce_safe_casting_to_output(true);
}

TensorIteratorConfig& configureUnary(TensorIteratorConfig& config, const TensorBase& out,
                                     const TensorBase& a) {
  config.add_output(out).add_const_input(a);
  return config.set_check_mem_overlap(true).cast_common_dtype_to_outputs(false);
}

}  // namespace

void TensorIteratorBase::build_binary_op(const TensorBase& out, const TensorBase& a,
                                         const TensorBase& b) {
  TensorIteratorConfig config;
  configureBinary(config, out, a, b);
  build(configureArithmetic(config));
}

void TensorIteratorBase::build_binary_float_op(const TensorBase& out, const TensorBase& a,
                                               const TensorBase& b) {
  TensorIteratorConfig config;
  configureBinary(config, out, a, b);
  build(configureArithmetic(config).promote_integer_inputs_to_float(true));
}

void TensorIteratorBase::build_ternary_op(const TensorBase& out, const TensorBase& a,
                                          const TensorBase& b, const TensorBase& c) {
  TensorIteratorConfig config;
  config.add_output(out).add_const_input(a).add_const_input(b).add_const_input(c);
  build(configureArithmetic(config));
}

void TensorIteratorBase::build_comparison_op(const TensorBase& out, const TensorBase& a,
                                             const TensorBase& b) {
  TensorIteratorConfig config;
  configureBinary(config, out, a, b);
  config.set_check_mem_overlap(true).allow_cpu_scalars(true).promote_inputs_to_common_dtype(true);
  if (out.defined()) {
    // Computed as boolean or in the common type, and cast to what the caller gave.
    config.check_all_same_dtype(false);
    if (out.scalar_type() != ScalarType::Bool) config.cast_common_dtype_to_outputs(true);
  } else {
    config.declare_static_dtype(ScalarType::Bool);
  }
  build(config);
}

void TensorIteratorBase::build_unary_op(const TensorBase& out, const TensorBase& a) {
  TensorIteratorConfig config;
  configureUnary(config, out, a);
  config.check_all_same_dtype(true);
  build(config);
}

void TensorIteratorBase::build_unary_float_op(const TensorBase& out, const TensorBase& a) {
  TensorIteratorConfig config;
  configureUnary(config, out, a);
  config.promote_inputs_to_common_dtype(true)
      .promote_integer_inputs_to_float(true)
      .cast_common_dtype_to_outputs(true);
  build(config.enforce_safe_casting_to_output(true));
}

void TensorIteratorBase::build_borrowing_unary_force_boolean_op(const TensorBase& out,
                                                                const TensorBase& a) {
  TensorIteratorConfig config;
  configureUnary(config, out, a);
  config.check_all_same_dtype(false);
  if (!out.defined()) config.declare_static_dtype(ScalarType::Bool);
  build(config);
}

TensorIterator TensorIterator::binary_op(TensorBase& out, const TensorBase& a,
                                         const TensorBase& b) {
  TensorIterator iter;
  iter.build_binary_op(out, a, b);
  return iter;
}

TensorIterator TensorIterator::borrowing_binary_op(const TensorBase& out, const TensorBase& a,
                                                   const TensorBase& b) {
  TensorIterator iter;
  iter.build_binary_op(out, a, b);
  return iter;
}

TensorIterator TensorIterator::binary_float_op(TensorBase& out, const TensorBase& a,
                                               const TensorBase& b) {
  TensorIterator iter;
  iter.build_binary_float_op(out, a, b);
  return iter;
}

TensorIterator TensorIterator::comparison_op(TensorBase& out, const TensorBase& a,
                                             const TensorBase& b) {
  TensorIterator iter;
  iter.build_comparison_op(out, a, b);
  return iter;
}

TensorIterator TensorIterator::unary_op(TensorBase& out, const TensorBase& a) {
  TensorIterator iter;
  iter.build_unary_op(out, a);
  return iter;
}

TensorIterator TensorIterator::unary_float_op(TensorBase& out, const TensorBase& a) {
  TensorIterator iter;
  iter.build_unary_float_op(out, a);
  return iter;
}

TensorIterator TensorIterator::nullary_op(TensorBase& out) { return borrowing_nullary_op(out); }

TensorIterator TensorIterator::borrowing_nullary_op(const TensorBase& out) {
  return TensorIteratorConfig()
      .set_check_mem_overlap(true)
      .check_all_same_dtype(false)
      .add_output(out)
      // Without inputs nothing else would decide the shape.
      .resize_outputs(false)
      .build();
}

}  // namespace at
