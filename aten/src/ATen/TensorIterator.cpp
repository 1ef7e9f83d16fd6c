// How an iterator is built: shape, types, strides and outputs of its operands, step by step.

#include <ATen/TensorIterator.h>

#include <ATen/EmptyTensor.h>
#include <ATen/ExpandUtils.h>
#include <ATen/MemoryOverlap.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/Resize.h>
#include <ATen/native/TypeProperties.h>
#include <c10/core/DefaultDtype.h>
#include <c10/util/Exception.h>
#include <c10/util/accumulate.h>

#include <algorithm>
#include <utility>

namespace at {

namespace {

// A Tensor is a TensorBase with more methods, so that either can be seen as the other.
static_assert(sizeof(Tensor) == sizeof(TensorBase));
const Tensor& asTensor(const TensorBase& t) { return static_cast<const Tensor&>(t); }

TensorBase allocate(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  return strides.empty() ? detail::empty_on_device(sizes, options)
                         : detail::empty_strided_on_device(sizes, strides, options);
}

void resizeTo(const Tensor& tensor, IntArrayRef sizes, IntArrayRef strides) {
  native::resize_output(tensor, sizes);
  if (!strides.empty()) tensor.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
}

}  // namespace

// OperandInfo

OperandInfo::OperandInfo(TensorBase t) { tensor(std::move(t)); }

void OperandInfo::tensor(TensorBase t) {
  tensor_ = std::move(t);
  if (!tensor_.defined()) return;
  device = tensor_.device();
  target_dtype = tensor_.scalar_type();
  current_dtype = target_dtype;
}

const Tensor& OperandInfo::tensor() const { return asTensor(tensor_); }
const Tensor& OperandInfo::original_tensor() const { return asTensor(original_tensor_); }

void OperandInfo::exchange_tensor(TensorBase new_tensor) {
  TORCH_INTERNAL_ASSERT(!original_tensor_.defined());
  original_tensor_ = std::exchange(tensor_, std::move(new_tensor));
}

void OperandInfo::restore_original_tensor() {
  TORCH_INTERNAL_ASSERT(original_tensor_.defined());
  tensor_ = std::exchange(original_tensor_, TensorBase());
}

// Building

TensorIteratorBase::TensorIteratorBase() = default;

void TensorIteratorBase::build(TensorIteratorConfig& config) {
  enforce_linear_iteration_ = config.enforce_linear_iteration_;
  populate_operands(config);
  mark_outputs();
  compute_mem_overlaps(config);
  compute_shape(config);
  mark_resize_outputs(config);
  compute_types(config);
  if (!fast_set_up(config)) {
    compute_strides(config);
    reorder_dimensions();
    allocate_or_resize_outputs();
    if (!is_meta_) coalesce_dimensions();
  }
  if (is_meta_) return;
  for (OperandInfo& op : operands_) {
    TORCH_INTERNAL_ASSERT(op.tensor_base().defined());
    op.data = op.is_const ? const_cast<void*>(op.tensor_base().const_data_ptr())
                          : op.tensor_base().mutable_data_ptr();
  }
}

void TensorIteratorBase::populate_operands(TensorIteratorConfig& config) {
  operands_.clear();
  for (auto& operand : config.tensors_) {
    OperandInfo& op = operands_.emplace_back(std::move(operand.tensor));
    op.is_const = operand.is_const;
  }
  num_outputs_ = config.num_outputs_;
}

void TensorIteratorBase::mark_outputs() {
  for (int i = 0; i < num_outputs_; ++i) {
    operands_[i].is_output = true;
    const TensorBase& output = tensor_base(i);
    if (!output.defined()) continue;
    for (int arg = num_outputs_; arg < ntensors(); ++arg) {
      if (output.is_same(tensor_base(arg))) operands_[i].is_read_write = true;
    }
  }
}

void TensorIteratorBase::compute_mem_overlaps(const TensorIteratorConfig& config) {
  if (!config.check_mem_overlap_) return;
  for (int i = 0; i < num_outputs_; ++i) {
    const TensorBase& output = tensor_base(i);
    if (!output.defined()) continue;
    assert_no_internal_overlap(output);
    for (int arg = num_outputs_; arg < ntensors(); ++arg) {
      const TensorBase& input = tensor_base(arg);
      if (input.defined() && !input.is_same(output)) assert_no_partial_overlap(output, input);
    }
  }
}

void TensorIteratorBase::compute_shape(const TensorIteratorConfig& config) {
  if (config.static_shape_.has_value()) {
    shape_ = *config.static_shape_;
    return;
  }
  shape_.clear();
  all_ops_same_shape_ = true;
  bool has_scalars = false;
  bool has_tensors = false;
  for (const OperandInfo& op : operands_) {
    if (!op.tensor_base().defined()) continue;
    // An output that will take the result's shape does not decide it.
    if (config.resize_outputs_ && op.is_output) continue;
    const IntArrayRef shape = op.tensor_base().sizes();
    (shape.empty() ? has_scalars : has_tensors) = true;
    if (has_scalars && has_tensors) all_ops_same_shape_ = false;
    if (shape_.empty()) {
      shape_.assign(shape.begin(), shape.end());
    } else if (!shape.equals(shape_)) {
      all_ops_same_shape_ = false;
      shape_ = infer_size_dimvector(shape_, shape);
    }
  }
  all_ops_are_scalars_ = !has_tensors;
}

void TensorIteratorBase::mark_resize_outputs(const TensorIteratorConfig& config) {
  if (config.static_shape_.has_value()) return;
  for (int i = 0; i < num_outputs_; ++i) {
    const TensorBase& output = tensor_base(i);
    if (!output.defined() || output.sizes().equals(shape_)) continue;
    if (config.resize_outputs_ && !operands_[i].is_read_write) {
      operands_[i].will_resize = true;
      continue;
    }
    TORCH_CHECK(false, "output with shape ", output.sizes(), " doesn't match the broadcast shape ",
                IntArrayRef(shape_));
  }
}

ScalarType TensorIteratorBase::compute_common_dtype() {
  native::ResultTypeState state;
  for (const OperandInfo& op : operands_) {
    if (!op.is_output) state = native::update_result_type_state(op.tensor_base(), state);
  }
  common_dtype_ = native::result_type(state);
  TORCH_INTERNAL_ASSERT(common_dtype_ != ScalarType::Undefined);
  return common_dtype_;
}

void TensorIteratorBase::compute_types(const TensorIteratorConfig& config) {
  common_dtype_ = ScalarType::Undefined;
  ScalarType output_dtype = ScalarType::Undefined;
  bool has_different_input_dtypes = false;
  bool has_different_output_dtypes = false;
  bool has_undefined_outputs = false;
  bool has_inputs_other_than_numbers = false;
  c10::Device common_device = c10::DeviceType::CPU;
  for (OperandInfo& op : operands_) {
    if (!op.is_type_defined()) {
      TORCH_INTERNAL_ASSERT(op.is_output, "Found type undefined input tensor!");
      if (config.static_dtype_.has_value()) op.target_dtype = *config.static_dtype_;
      if (config.static_device_.has_value()) op.device = *config.static_device_;
      if (!op.is_type_defined() || !op.device.has_value()) {
        has_undefined_outputs = true;
        continue;
      }
    }
    if (!op.tensor_base().defined()) continue;
    // The first device other than the CPU.
    if (common_device.is_cpu() && !op.tensor_base().device().is_cpu()) {
      common_device = op.tensor_base().device();
    }
    ScalarType& seen = op.is_output ? output_dtype : common_dtype_;
    if (op.target_dtype != seen) {
      if (seen == ScalarType::Undefined) {
        seen = op.target_dtype;
      } else {
        (op.is_output ? has_different_output_dtypes : has_different_input_dtypes) = true;
      }
    }
    if (!op.is_output && !op.tensor_base().unsafeGetTensorImpl()->is_wrapped_number()) {
      has_inputs_other_than_numbers = true;
    }
  }

  if (config.check_all_same_dtype_ &&
      (has_different_input_dtypes || has_different_output_dtypes ||
       (common_dtype_ != output_dtype && output_dtype != ScalarType::Undefined))) {
    for (const OperandInfo& op : operands_) {
      TORCH_CHECK(!op.tensor_base().defined() || op.target_dtype == common_dtype_, "Found dtype ",
                  c10::toString(op.target_dtype), " but expected ", c10::toString(common_dtype_));
    }
  }

  if (config.static_device_.has_value() && operands_.size() == static_cast<size_t>(num_outputs_)) {
    common_device = *config.static_device_;
  }
  common_device_ = common_device;
  is_meta_ = common_device.is_meta();

  if (!has_undefined_outputs && !config.check_all_same_device_ &&
      !config.promote_inputs_to_common_dtype_ && !config.cast_common_dtype_to_outputs_ &&
      !config.enforce_safe_casting_to_output_) {
    if (has_different_input_dtypes) common_dtype_ = ScalarType::Undefined;
    return;
  }

  // Numbers have only a category: even two of one dtype get theirs from the default dtype.
  if ((has_different_input_dtypes || !has_inputs_other_than_numbers) &&
      config.promote_inputs_to_common_dtype_ && common_dtype_ != ScalarType::Undefined) {
    common_dtype_ = compute_common_dtype();
  }
  if (config.promote_integer_inputs_to_float_ &&
      c10::isIntegralType(common_dtype_, /*includeBool=*/true)) {
    common_dtype_ = c10::get_default_dtype_as_scalartype();
  }

  int cpu_scalars = 0;
  for (OperandInfo& op : operands_) {
    if (!op.is_type_defined()) op.target_dtype = common_dtype_;
    if (!op.device.has_value()) op.device = common_device;
    if (!op.tensor_base().defined()) continue;

    if (config.check_all_same_device_ && op.tensor_base().device() != common_device) {
      const bool is_scalar = config.allow_cpu_scalars_ && !op.is_output && cpu_scalars == 0 &&
                             op.tensor_base().dim() == 0 && op.tensor_base().is_cpu();
      TORCH_CHECK(is_scalar,
                  "Expected all tensors to be on the same device, but found at least two devices, ",
                  common_device, " and ", op.tensor_base().device(), "!");
      ++cpu_scalars;
    }
    if (config.enforce_safe_casting_to_output_ && op.is_output &&
        op.current_dtype != common_dtype_) {
      TORCH_CHECK(c10::canCast(common_dtype_, op.current_dtype), "result type ",
                  c10::toString(common_dtype_), " can't be cast to the desired output type ",
                  c10::toString(op.current_dtype));
    }
    // Loops see one type: other operands are replaced by temporaries of it.
    if (is_meta_ || op.current_dtype == common_dtype_) continue;
    if (op.is_output && config.cast_common_dtype_to_outputs_) {
      op.exchange_tensor(allocate(op.tensor_base().sizes(), {},
                                  TensorOptions(common_dtype_).device(common_device)));
    } else if (!op.is_output && config.promote_inputs_to_common_dtype_) {
      op.exchange_tensor(op.tensor().to(common_dtype_));
    } else {
      continue;
    }
    op.current_dtype = common_dtype_;
    op.target_dtype = common_dtype_;
  }
}

FastSetupType TensorIteratorBase::compute_fast_setup_type(const TensorIteratorConfig& config) {
  if (!all_ops_same_shape_ || config.static_shape_.has_value()) {
    return FastSetupType::NONE;
  }
  bool is_contiguous = true;
  bool is_channels_last = !enforce_linear_iteration_;
  bool is_dense = !enforce_linear_iteration_;
  for (const OperandInfo& op : operands_) {
    if (!op.tensor_base().defined() || op.will_resize) continue;
    is_contiguous &= op.tensor_base().is_contiguous(MemoryFormat::Contiguous);
    is_channels_last &= op.tensor_base().is_contiguous(MemoryFormat::ChannelsLast);
    is_dense &= op.tensor_base().is_non_overlapping_and_dense();
  }
  if (is_contiguous) return FastSetupType::CONTIGUOUS;
  if (is_channels_last) return FastSetupType::CHANNELS_LAST;
  if (!is_dense) return FastSetupType::NONE;
  // Dense tensors of equal strides are one run of memory each.
  const TensorBase* first = nullptr;
  for (const OperandInfo& op : operands_) {
    if (!op.tensor_base().defined() || op.will_resize) continue;
    if (first == nullptr) {
      first = &op.tensor_base();
    } else if (!first->strides().equals(op.tensor_base().strides())) {
      return FastSetupType::NONE;
    }
  }
  return first == nullptr ? FastSetupType::NONE : FastSetupType::NON_OVERLAPPING_DENSE;
}

namespace {

// Those of the tensor that the caller gave, not of the temporary that the loop writes.
TensorOptions output_options(const OperandInfo& op) {
  const TensorBase& original = op.original_tensor_base();
  return original.defined() ? original.options() : op.options();
}

}  // namespace

bool TensorIteratorBase::fast_set_up(const TensorIteratorConfig& config) {
  const FastSetupType type = compute_fast_setup_type(config);
  if (type == FastSetupType::NONE) return false;
  DimVector strides;
  if (type != FastSetupType::CONTIGUOUS) {
    for (const OperandInfo& op : operands_) {
      if (!op.tensor_base().defined() || op.will_resize) continue;
      strides.assign(op.tensor_base().strides().begin(), op.tensor_base().strides().end());
      break;
    }
  }
  const DimVector shape = shape_;
  for (int i = 0; i < num_outputs_; ++i) {
    OperandInfo& op = operands_[i];
    if (op.tensor_base().defined() && !op.will_resize) {
      set_output_raw_strided(i, op.tensor_base().sizes(), {}, output_options(op));
    } else {
      set_output_raw_strided(i, shape, strides, output_options(op));
    }
  }
  if (ndim() > 1) has_coalesced_dimensions_ = true;
  if (ndim() >= 1) {
    shape_[0] = numel();
    shape_.resize(1);
  }
  for (OperandInfo& op : operands_) {
    op.stride_bytes.resize(shape_.size());
    if (ndim() > 0) op.stride_bytes[0] = static_cast<int64_t>(c10::elementSize(op.current_dtype));
  }
  perm_ = DimVector(shape_.size(), 0);
  return true;
}

void TensorIteratorBase::allocate_or_resize_outputs() {
  for (int i = 0; i < num_outputs_; ++i) {
    OperandInfo& op = operands_[i];
    if (op.tensor_base().defined() && !op.will_resize) {
      const DimVector sizes(op.tensor_base().sizes().begin(), op.tensor_base().sizes().end());
      set_output_raw_strided(i, sizes, {}, output_options(op));
      continue;
    }
    TORCH_INTERNAL_ASSERT(op.is_type_defined(), "no type for operand ", i);
    const auto element_size = static_cast<int64_t>(c10::elementSize(op.target_dtype));
    op.stride_bytes = compatible_stride(element_size);
    bool is_row_major = true;
    for (size_t d = 0; d < perm_.size(); ++d) {
      is_row_major &= perm_[d] == static_cast<int64_t>(perm_.size() - 1 - d);
    }
    const DimVector sizes = invert_perm(shape_);
    if (is_row_major) {
      set_output_raw_strided(i, sizes, {}, output_options(op));
    } else {
      DimVector strides = invert_perm(op.stride_bytes);
      for (int64_t& stride : strides) stride /= element_size;
      set_output_raw_strided(i, sizes, strides, output_options(op));
    }
    op.current_dtype = op.target_dtype;
    // A structured operator may have chosen strides of its own.
    const TensorBase& output = op.tensor_base();
    if (output.defined() && !is_meta_ && output.dim() == ndim()) {
      for (size_t d = 0; d < perm_.size(); ++d) {
        if (shape_[d] != 1) {
          op.stride_bytes[d] = output.strides()[static_cast<size_t>(perm_[d])] *
                               static_cast<int64_t>(output.itemsize());
        }
      }
    }
  }
}

// Queries

int64_t TensorIteratorBase::numel() const { return c10::multiply_integers(shape_); }

bool TensorIteratorBase::is_contiguous() const {
  if (numel() == 1) return true;
  if (ndim() != 1) return false;
  for (int arg = 0; arg < ntensors(); ++arg) {
    if (operands_[arg].stride_bytes[0] != element_size(arg)) return false;
  }
  return true;
}

bool TensorIteratorBase::is_trivial_1d() const { return ndim() == 1; }
bool TensorIteratorBase::is_scalar(int64_t arg) const { return tensor_base(arg).numel() == 1; }
bool TensorIteratorBase::is_cpu_scalar(int64_t arg) const {
  return is_scalar(arg) && device(arg).is_cpu();
}

namespace {
c10::Scalar scalar_of(ScalarType dtype, const void* data) {
  switch (dtype) {
#define AT_SCALAR_CASE(cpp_type, name) \
  case ScalarType::name:               \
    return c10::Scalar(*static_cast<const cpp_type*>(data));
    AT_FORALL_SCALAR_TYPES(AT_SCALAR_CASE)
    AT_SCALAR_CASE(bool, Bool)
    AT_SCALAR_CASE(c10::Half, Half)
    AT_SCALAR_CASE(c10::BFloat16, BFloat16)
    AT_SCALAR_CASE(c10::complex<float>, ComplexFloat)
    AT_SCALAR_CASE(c10::complex<double>, ComplexDouble)
#undef AT_SCALAR_CASE
    default:
      TORCH_CHECK(false, "no Scalar for dtype ", c10::toString(dtype));
  }
}
}  // namespace

c10::Scalar TensorIteratorBase::scalar_at(int64_t arg) const {
  const OperandInfo& op = operands_[arg];
  return scalar_of(op.current_dtype, op.data);
}
c10::Scalar TensorIteratorBase::original_scalar_at(int64_t arg) const {
  const OperandInfo& op = operands_[arg];
  const TensorBase& given =
      op.original_tensor_base().defined() ? op.original_tensor_base() : op.tensor_base();
  return scalar_of(given.scalar_type(), given.const_data_ptr());
}

// Casts back

void TensorIteratorBase::cast_outputs() {
  for (OperandInfo& op : operands_) {
    if (!op.is_output || !op.original_tensor_base().defined()) continue;
    const Tensor& original = op.original_tensor();
    if (original.scalar_type() != op.current_dtype) original.copy_(op.tensor());
    op.restore_original_tensor();
  }
}

// Outputs

void TensorIteratorBase::set_output_raw_strided(int64_t output_idx, IntArrayRef sizes,
                                                IntArrayRef strides, TensorOptions options) {
  OperandInfo& op = operands_[output_idx];
  const Tensor& output = maybe_get_output(output_idx);
  if (!op.tensor_base().defined()) {
    op.tensor(output);
  } else if (op.will_resize && op.original_tensor_base().defined()) {
    // The generated class has resized out=; the temporary that stands for it follows.
    op.tensor(allocate(sizes, strides, TensorOptions(op.current_dtype).device(*op.device)));
  }
}

const Tensor& TensorIterator::maybe_get_output(int64_t output_idx) { return output(output_idx); }

void TensorIterator::set_output_raw_strided(int64_t output_idx, IntArrayRef sizes,
                                            IntArrayRef strides, TensorOptions options) {
  OperandInfo& op = operands_[output_idx];
  if (!op.tensor_base().defined()) {
    op.tensor(allocate(sizes, strides, options));
  } else if (op.will_resize) {
    if (op.original_tensor_base().defined()) {
      resizeTo(op.original_tensor(), sizes, strides);
      op.tensor(allocate(sizes, strides, TensorOptions(op.current_dtype).device(*op.device)));
    } else {
      resizeTo(op.tensor(), sizes, strides);
    }
  }
}

}  // namespace at
