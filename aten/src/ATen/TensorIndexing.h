#pragma once

// Indexing as Python writes it.
//
//   using namespace torch::indexing;
//   x.index({Slice(), 0})               // x[:, 0]
//   x.index({"...", Slice(None, 3)})    // x[..., :3]
//   x.index({mask})                     // x[mask]
//   x.index_put_({0, Slice(1)}, 2.0);   // x[0, 1:] = 2
//
// Integers, slices, None and an ellipsis alone give a view of x; tensors and booleans give a copy.
// IndexError: an index out of bounds, more indices than dimensions, a mask of another shape.

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <c10/core/Scalar.h>
#include <c10/core/SymInt.h>
#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace at::indexing {

constexpr int64_t INDEX_MIN = std::numeric_limits<int64_t>::min();
constexpr int64_t INDEX_MAX = std::numeric_limits<int64_t>::max() >> 1;  // Of a SymInt.

enum class TensorIndexType { None, Ellipsis, SymInt, Boolean, Slice, Tensor };

constexpr auto None = std::nullopt;

struct TORCH_API EllipsisIndexType final {
  EllipsisIndexType() = default;
};
inline const EllipsisIndexType Ellipsis{};

/// start:stop:step. ValueError if the step is not positive.
struct TORCH_API Slice final {
  explicit Slice(std::optional<c10::SymInt> start_index = std::nullopt,
                 std::optional<c10::SymInt> stop_index = std::nullopt,
                 std::optional<c10::SymInt> step_index = std::nullopt)
      : start_(start_index.value_or(c10::SymInt(0))),
        stop_(stop_index.value_or(c10::SymInt(INDEX_MAX))),
        step_(step_index.value_or(c10::SymInt(1))) {
    TORCH_CHECK_VALUE(step_ != 0, "slice step cannot be zero");
    TORCH_CHECK_VALUE(step_ > 0, "step must be greater than zero");
  }

  c10::SymInt start() const { return start_; }
  c10::SymInt stop() const { return stop_; }
  c10::SymInt step() const { return step_; }

 private:
  c10::SymInt start_;
  c10::SymInt stop_;
  c10::SymInt step_;
};

TORCH_API std::ostream& operator<<(std::ostream& stream, const Slice& slice);

/// One index of a tensor.
struct TORCH_API TensorIndex final {
  // NOLINTBEGIN(google-explicit-constructor): `x.index({None, 1, Slice(), mask})`.
  TensorIndex(std::nullopt_t) : type_(TensorIndexType::None) {}
  TensorIndex(EllipsisIndexType) : type_(TensorIndexType::Ellipsis) {}
  TensorIndex(const char* text) : type_(TensorIndexType::Ellipsis) {
    TORCH_CHECK_VALUE(std::string(text) == "...",
                      "Expected \"...\" to represent an ellipsis index, but got \"", text, "\"");
  }
  TensorIndex(c10::SymInt integer) : integer_(integer), type_(TensorIndexType::SymInt) {}
  TensorIndex(int64_t integer) : TensorIndex(c10::SymInt(integer)) {}
  TensorIndex(int integer) : TensorIndex(static_cast<int64_t>(integer)) {}
  template <class T, class = std::enable_if_t<std::is_same_v<bool, T>>>
  TensorIndex(T boolean) : boolean_(boolean), type_(TensorIndexType::Boolean) {}
  TensorIndex(Slice slice) : slice_(std::move(slice)), type_(TensorIndexType::Slice) {}
  TensorIndex(Tensor tensor) : tensor_(std::move(tensor)), type_(TensorIndexType::Tensor) {}
  // NOLINTEND(google-explicit-constructor)

  bool is_none() const { return type_ == TensorIndexType::None; }
  bool is_ellipsis() const { return type_ == TensorIndexType::Ellipsis; }
  bool is_integer() const { return type_ == TensorIndexType::SymInt; }
  bool is_boolean() const { return type_ == TensorIndexType::Boolean; }
  bool is_slice() const { return type_ == TensorIndexType::Slice; }
  bool is_tensor() const { return type_ == TensorIndexType::Tensor; }
  c10::SymInt integer() const { return integer_; }
  bool boolean() const { return boolean_; }
  const Slice& slice() const { return slice_; }
  const Tensor& tensor() const { return tensor_; }

 private:
  c10::SymInt integer_ = 0;
  bool boolean_ = false;
  Slice slice_;
  Tensor tensor_;
  TensorIndexType type_;
};

TORCH_API std::ostream& operator<<(std::ostream& stream, const TensorIndex& index);
TORCH_API std::ostream& operator<<(std::ostream& stream, const std::vector<TensorIndex>& indices);

namespace impl {

/// Applies indices to a tensor, one after the other, from its first dimension on. What is left to
/// do then is `index` of `view` by `tensors`, if there is one.
class TORCH_API IndexedView {
 public:
  /// `specified`: how many dimensions the indices name; an ellipsis stands for the others.
  /// IndexError if the tensor has fewer.
  IndexedView(const Tensor& self, int64_t specified);

  void none();
  void ellipsis();
  void boolean(bool value);
  void integer(int64_t index);
  void slice(int64_t start, int64_t stop, int64_t step);
  void tensor(const Tensor& index);

  const Tensor& view() const { return view_; }
  /// Whether a tensor or a boolean is among the indices.
  bool has_tensors() const { return has_tensors_; }
  /// For each dimension of the view up to the last that a tensor indexes: the tensor, on the view's
  /// device, or none. A mask of k dimensions is one entry for k dimensions.
  c10::List<std::optional<Tensor>> tensors() const;

 private:
  void keep_dim();
  void index_by(Tensor index, int64_t dims);

  Tensor self_;
  Tensor view_;
  std::vector<std::optional<Tensor>> tensors_;
  int64_t specified_;
  int64_t dim_ = 0;       // of the view
  int64_t real_dim_ = 0;  // of the tensor, for messages
  bool has_tensors_ = false;
};

/// self[index] along `dim`, a view. IndexError, which names `real_dim`, if it is out of bounds.
TORCH_API Tensor select(const Tensor& self, int64_t dim, int64_t index, int64_t real_dim);
/// self[start:stop:step] along `dim`: `self` itself if that is all of it, else a view. Bounds are
/// cut to the tensor's, and count from the end if they are negative.
TORCH_API Tensor slice(const Tensor& self, int64_t dim, int64_t start, int64_t stop, int64_t step);
/// How many dimensions an index tensor stands for: those of a mask, else one.
TORCH_API int64_t dims_of_index(const Tensor& index);
/// `value` without the leading dimensions of size 1 that make it deeper than `dim`.
TORCH_API Tensor strip_leading_ones(const Tensor& value, int64_t dim);

}  // namespace impl

/// self[indices]
TORCH_API Tensor get_item(const Tensor& self, ArrayRef<TensorIndex> indices);
/// self[indices] = value
TORCH_API void set_item(const Tensor& self, ArrayRef<TensorIndex> indices, const Tensor& value);
TORCH_API void set_item(const Tensor& self, ArrayRef<TensorIndex> indices, const Scalar& value);

}  // namespace at::indexing
