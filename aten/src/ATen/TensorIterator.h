#pragma once

// The loop under elementwise operators. A TensorIterator checks its operands,
// broadcasts their shapes, promotes their types, allocates outputs, orders and merges dimensions
// for memory order, and then calls a loop body with pointers and strides in bytes.

#include <ATen/Parallel.h>
#include <ATen/TensorMeta.h>
#include <ATen/core/TensorBase.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>
#include <c10/util/FunctionRef.h>
#include <c10/util/SmallVector.h>

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace at {

class Tensor;
class TensorIteratorConfig;
struct TensorIterator;
struct TensorIteratorBase;

using StrideVector = c10::SmallVector<int64_t, 6>;

struct TORCH_API OperandInfo {
  OperandInfo() = default;
  explicit OperandInfo(TensorBase t);

  // Undefined while an output is not allocated yet.
  const TensorBase& tensor_base() const { return tensor_; }
  const Tensor& tensor() const;
  void tensor(TensorBase t);
  // The operand given by the caller where `tensor()` is a temporary of another type.
  const TensorBase& original_tensor_base() const { return original_tensor_; }
  const Tensor& original_tensor() const;
  void exchange_tensor(TensorBase new_tensor);
  void restore_original_tensor();

  TensorOptions options() const { return TensorOptions(target_dtype).device(*device); }
  bool is_type_defined() const { return target_dtype != ScalarType::Undefined; }

  // Bytes between neighbours, for each dimension of the iteration.
  StrideVector stride_bytes;
  std::optional<c10::Device> device;
  // The type the loop sees, and the type of the tensor.
  ScalarType target_dtype = ScalarType::Undefined;
  ScalarType current_dtype = ScalarType::Undefined;
  void* data = nullptr;
  bool is_output = false;
  // The output has another shape than the result and will be resized.
  bool will_resize = false;
  bool is_read_write = false;
  bool is_const = false;

 private:
  TensorBase tensor_;
  TensorBase original_tensor_;
};

enum class FastSetupType : uint8_t { NONE, CONTIGUOUS, CHANNELS_LAST, NON_OVERLAPPING_DENSE };

struct TORCH_API TensorIteratorBase : public impl::MetaBase {
  using DimMask = std::bitset<64>;
  using PtrVector = c10::SmallVector<char*, 4>;
  // One pass over `size` elements: `data[i] += strides[i]` after each.
  using loop1d_t = c10::function_ref<void(char** data, const int64_t* strides, int64_t size)>;
  // `size1` passes of `size0` elements; `strides` holds the inner strides, then the outer.
  using loop2d_t =
      c10::function_ref<void(char** data, const int64_t* strides, int64_t size0, int64_t size1)>;

  TensorIteratorBase();
  void build(TensorIteratorConfig& config);

  // The iteration's shape, fastest dimension first, after dimensions were merged.
  int ndim() const { return static_cast<int>(shape_.size()); }
  IntArrayRef shape() const { return shape_; }
  int64_t numel() const;
  int ntensors() const { return static_cast<int>(operands_.size()); }
  int noutputs() const { return num_outputs_; }
  int ninputs() const { return ntensors() - noutputs(); }

  // Operands are numbered outputs first.
  bool is_contiguous() const;
  bool is_trivial_1d() const;
  bool is_scalar(int64_t arg) const;
  bool is_cpu_scalar(int64_t arg) const;

  const TensorBase& tensor_base(int64_t arg) const { return operands_[arg].tensor_base(); }
  const Tensor& tensor(int64_t arg) const { return operands_[arg].tensor(); }
  const TensorBase& output_base(int64_t arg = 0) const { return tensor_base(arg); }
  const Tensor& output(int64_t arg = 0) const { return tensor(arg); }
  const TensorBase& input_base(int64_t arg = 0) const { return tensor_base(num_outputs_ + arg); }
  const Tensor& input(int64_t arg = 0) const { return tensor(num_outputs_ + arg); }
  IntArrayRef strides(int64_t arg) const { return operands_[arg].stride_bytes; }
  void* data_ptr(int64_t arg) const { return operands_[arg].data; }
  // The type in the loop, which for a cast operand is not the tensor's.
  ScalarType dtype(int64_t arg = 0) const { return operands_[arg].current_dtype; }
  ScalarType input_dtype(int64_t arg = 0) const { return dtype(num_outputs_ + arg); }
  ScalarType common_dtype() const { return common_dtype_; }
  c10::Device device(int64_t arg = 0) const { return *operands_[arg].device; }
  c10::DeviceType device_type(int64_t arg = 0) const { return device(arg).type(); }
  int64_t element_size(int64_t arg) const {
    return static_cast<int64_t>(c10::elementSize(dtype(arg)));
  }
  // The value of a one-element CPU operand.
  c10::Scalar scalar_at(int64_t arg) const;
  template <typename T>
  T scalar_value(int64_t arg) const {
    return scalar_at(arg).to<T>();
  }
  // The same as the caller gave it, not rounded to the type in the loop.
  c10::Scalar original_scalar_at(int64_t arg) const;
  template <typename T>
  T original_scalar_value(int64_t arg) const {
    return original_scalar_at(arg).to<T>();
  }

  // Runs the body over everything, in parallel from `grain_size` elements on.
  void for_each(loop1d_t loop, int64_t grain_size = internal::GRAIN_SIZE);
  void for_each(loop2d_t loop, int64_t grain_size = internal::GRAIN_SIZE);
  struct Range {
    int64_t begin;
    int64_t end;
    int64_t size() const { return end - begin; }
  };
  void serial_for_each(loop1d_t loop, Range range) const;
  void serial_for_each(loop2d_t loop, Range range) const;

  StrideVector get_dim_strides(int dim) const;
  StrideVector get_strides() const;
  StrideVector get_inner_strides() const { return get_dim_strides(0); }
  PtrVector get_base_ptrs() const;
  PtrVector get_data_ptrs(ArrayRef<char*> base, IntArrayRef counter) const;
  // Keeps `size` elements of a dimension, from `start` on: kernels of a GPU split what 32-bit
  // offsets do not reach.
  void narrow(int dim, int64_t start, int64_t size);
  // The shape's inverse permutation: the order of the caller's dimensions.
  DimVector invert_perm(IntArrayRef input) const;
  // Writes temporaries back to the outputs they stand for.
  void cast_outputs();

  void set_output_raw_strided(int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override;

  // The usual configurations. `out` may be undefined.
  void build_ternary_op(const TensorBase& out, const TensorBase& a, const TensorBase& b,
                        const TensorBase& c);
  void build_binary_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  void build_unary_op(const TensorBase& out, const TensorBase& a);
  // Integers are computed, and returned, as floating point.
  void build_binary_float_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  void build_unary_float_op(const TensorBase& out, const TensorBase& a);
  // The output is boolean, or of the type of `out`.
  void build_comparison_op(const TensorBase& out, const TensorBase& a, const TensorBase& b);
  // As those above; the operands outlive the iterator.
  void build_borrowing_binary_op(const TensorBase& out, const TensorBase& a, const TensorBase& b) {
    build_binary_op(out, a, b);
  }
  void build_borrowing_binary_float_op(const TensorBase& out, const TensorBase& a,
                                       const TensorBase& b) {
    build_binary_float_op(out, a, b);
  }
  void build_borrowing_unary_op(const TensorBase& out, const TensorBase& a) {
    build_unary_op(out, a);
  }
  void build_borrowing_unary_float_op(const TensorBase& out, const TensorBase& a) {
    build_unary_float_op(out, a);
  }
  void build_borrowing_comparison_op(const TensorBase& out, const TensorBase& a,
                                     const TensorBase& b) {
    build_comparison_op(out, a, b);
  }
  void build_borrowing_unary_force_boolean_op(const TensorBase& out, const TensorBase& a);
  void build_output_borrowing_argument_owning_unary_op(const TensorBase& out, const TensorBase& a) {
    build_unary_op(out, a);
  }

 protected:
  void populate_operands(TensorIteratorConfig& config);
  void mark_outputs();
  void compute_mem_overlaps(const TensorIteratorConfig& config);
  void compute_shape(const TensorIteratorConfig& config);
  void mark_resize_outputs(const TensorIteratorConfig& config);
  void compute_types(const TensorIteratorConfig& config);
  ScalarType compute_common_dtype();
  bool fast_set_up(const TensorIteratorConfig& config);
  FastSetupType compute_fast_setup_type(const TensorIteratorConfig& config);
  void compute_strides(const TensorIteratorConfig& config);
  void reorder_dimensions();
  void permute_dimensions(IntArrayRef perm);
  void allocate_or_resize_outputs();
  void coalesce_dimensions();
  StrideVector compatible_stride(int64_t element_size) const;

  DimVector shape_;
  // perm_[i] is the caller's dimension that became dimension i, counted from the last.
  DimVector perm_;
  c10::SmallVector<OperandInfo, 4> operands_;
  int num_outputs_ = 0;
  ScalarType common_dtype_ = ScalarType::Undefined;
  c10::Device common_device_ = c10::DeviceType::CPU;
  bool has_coalesced_dimensions_ = false;
  bool all_ops_same_shape_ = false;
  bool all_ops_are_scalars_ = false;
  bool is_meta_ = false;
  bool enforce_linear_iteration_ = false;
};

// An iterator that allocates and resizes its own outputs.
struct TORCH_API TensorIterator final : public TensorIteratorBase {
  TensorIterator() = default;
  TensorIterator(const TensorIteratorBase& iter) : TensorIteratorBase(iter) {}

  static TensorIterator binary_op(TensorBase& out, const TensorBase& a, const TensorBase& b);
  static TensorIterator borrowing_binary_op(const TensorBase& out, const TensorBase& a,
                                            const TensorBase& b);
  static TensorIterator binary_float_op(TensorBase& out, const TensorBase& a, const TensorBase& b);
  static TensorIterator comparison_op(TensorBase& out, const TensorBase& a, const TensorBase& b);
  static TensorIterator unary_op(TensorBase& out, const TensorBase& a);
  static TensorIterator unary_float_op(TensorBase& out, const TensorBase& a);
  static TensorIterator nullary_op(TensorBase& out);
  static TensorIterator borrowing_nullary_op(const TensorBase& out);

  const Tensor& maybe_get_output(int64_t output_idx) override;
  void set_output_raw_strided(int64_t output_idx, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override;
};

// What an iterator is built from. Outputs are added before inputs; `build` gives the iterator.
class TORCH_API TensorIteratorConfig final {
 public:
  friend struct TensorIteratorBase;
  friend struct TensorIterator;

  TensorIteratorConfig() = default;
  TensorIteratorConfig(const TensorIteratorConfig&) = delete;
  TensorIteratorConfig& operator=(const TensorIteratorConfig&) = delete;

  TensorIteratorConfig& add_output(const TensorBase& output);
  TensorIteratorConfig& add_input(const TensorBase& input);
  TensorIteratorConfig& add_const_input(const TensorBase& input);
  TensorIteratorConfig& add_owned_output(const TensorBase& output) { return add_output(output); }
  TensorIteratorConfig& add_owned_input(const TensorBase& input) { return add_input(input); }
  TensorIteratorConfig& add_owned_const_input(const TensorBase& input) {
    return add_const_input(input);
  }
  TensorIteratorConfig& add_borrowed_output(const TensorBase& output) { return add_output(output); }
  TensorIteratorConfig& add_borrowed_input(const TensorBase& input) { return add_input(input); }
  TensorIteratorConfig& add_borrowed_const_input(const TensorBase& input) {
    return add_const_input(input);
  }

  // Each flag's default is the value of its member below.
  TensorIteratorConfig& set_check_mem_overlap(bool check) { return set(check_mem_overlap_, check); }
  // All operands have one type, or the iterator does not look.
  TensorIteratorConfig& check_all_same_dtype(bool check) {
    return set(check_all_same_dtype_, check);
  }
  TensorIteratorConfig& check_all_same_device(bool check) {
    return set(check_all_same_device_, check);
  }
  // The common type must be castable to the outputs' types: no float into an integer.
  TensorIteratorConfig& enforce_safe_casting_to_output(bool enforce) {
    return set(enforce_safe_casting_to_output_, enforce);
  }
  // Iterates in the caller's order of dimensions: the body may count elements.
  TensorIteratorConfig& enforce_linear_iteration(bool enforce = true) {
    return set(enforce_linear_iteration_, enforce);
  }
  // Computes the common type and casts the inputs to it.
  TensorIteratorConfig& promote_inputs_to_common_dtype(bool promote);
  // Integral and boolean inputs are computed in the default floating-point type.
  TensorIteratorConfig& promote_integer_inputs_to_float(bool promote) {
    return set(promote_integer_inputs_to_float_, promote);
  }
  // Zero-dimensional CPU tensors may meet tensors of another device.
  TensorIteratorConfig& allow_cpu_scalars(bool allow) { return set(allow_cpu_scalars_, allow); }
  // The body sees outputs of the common type; they are cast to the outputs given.
  TensorIteratorConfig& cast_common_dtype_to_outputs(bool cast);
  TensorIteratorConfig& resize_outputs(bool resize) { return set(resize_outputs_, resize); }
  // Fixes the type, the device, or the shape of outputs instead of computing it from the inputs.
  TensorIteratorConfig& declare_static_dtype_and_device(ScalarType dtype, c10::Device device);
  TensorIteratorConfig& declare_static_dtype(ScalarType dtype);
  TensorIteratorConfig& declare_static_device(c10::Device device);
  TensorIteratorConfig& declare_static_shape(IntArrayRef shape);
  // The shape, with the dimensions in `squash_dims` iterated over once.
  TensorIteratorConfig& declare_static_shape(IntArrayRef shape, IntArrayRef squash_dims);

  TensorIterator build();

 private:
  TensorIteratorConfig& set(bool& member, bool value) {
    member = value;
    return *this;
  }
  struct Operand {
    TensorBase tensor;
    bool is_const;
  };
  c10::SmallVector<Operand, 4> tensors_;
  int num_outputs_ = 0;
  int num_inputs_ = 0;
  std::optional<DimVector> static_shape_;
  std::optional<ScalarType> static_dtype_;
  std::optional<c10::Device> static_device_;
  bool check_mem_overlap_ = true;
  bool allow_cpu_scalars_ = false;
  bool resize_outputs_ = true;
  bool check_all_same_dtype_ = true;
  bool check_all_same_device_ = true;
  bool enforce_safe_casting_to_output_ = false;
  bool enforce_linear_iteration_ = false;
  bool promote_inputs_to_common_dtype_ = false;
  bool promote_integer_inputs_to_float_ = false;
  bool cast_common_dtype_to_outputs_ = false;
};

// Counts through a range of a shape in blocks of two dimensions.
struct TORCH_API DimCounter {
  DimCounter(IntArrayRef shape, TensorIteratorBase::Range range);
  void increment(const std::array<int64_t, 2>& step);
  bool is_done() const { return offset >= range.end; }
  std::array<int64_t, 2> max_2d_step() const;

  IntArrayRef shape;
  TensorIteratorBase::Range range;
  DimVector values;
  int64_t offset;
};

}  // namespace at
