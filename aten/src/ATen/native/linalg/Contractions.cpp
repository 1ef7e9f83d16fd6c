// Sums of products over chosen dimensions: tensordot and einsum.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/TensorOperators.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/native/OutVariant.h>
#include <ATen/ops/einsum_native.h>
#include <ATen/ops/inner_native.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/sum_native.h>
#include <ATen/ops/tensordot.h>
#include <ATen/ops/tensordot_native.h>
#include <ATen/ops/where_native.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>
#include <c10/util/StringUtil.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace at::native {

// ---- tensordot: a matrix product of what is summed and what is not

Tensor tensordot(const Tensor& self, const Tensor& other, IntArrayRef dims_self,
                 IntArrayRef dims_other) {
  TORCH_CHECK(dims_self.size() == dims_other.size(),
              "both dimension lists should have same length");
  TORCH_CHECK(self.scalar_type() == other.scalar_type(), "both inputs should have same dtype");
  const auto mask_self = at::dim_list_to_bitset(dims_self, self.dim());
  const auto mask_other = at::dim_list_to_bitset(dims_other, other.dim());
  Tensor a = self;
  Tensor b = other;
  int64_t summed = 1;
  std::vector<int64_t> order_a, order_b, shape;
  int64_t rows = 1;
  int64_t columns = 1;
  for (size_t i = 0; i < dims_self.size(); ++i) {
    const int64_t d1 = at::maybe_wrap_dim(dims_self[i], self.dim());
    const int64_t d2 = at::maybe_wrap_dim(dims_other[i], other.dim());
    const int64_t s1 = self.size(d1);
    const int64_t s2 = other.size(d2);
    // A dimension of size 1 is summed out of the other tensor.
    if (s2 == 1) {
      a = a.sum({d1}, /*keepdim=*/true, a.scalar_type());
      continue;
    }
    if (s1 == 1) {
      b = b.sum({d2}, /*keepdim=*/true, b.scalar_type());
      continue;
    }
    TORCH_CHECK(s1 == s2, "contracted dimensions need to match, but first has size ", s1,
                " in dim ", d1, " and second has size ", s2, " in dim ", d2);
    summed *= s1;
  }
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (mask_self[static_cast<size_t>(d)]) continue;
    order_a.push_back(d);
    rows *= self.size(d);
    shape.push_back(self.size(d));
  }
  for (const int64_t d : dims_self) order_a.push_back(at::maybe_wrap_dim(d, self.dim()));
  for (const int64_t d : dims_other) order_b.push_back(at::maybe_wrap_dim(d, other.dim()));
  for (int64_t d = 0; d < other.dim(); ++d) {
    if (mask_other[static_cast<size_t>(d)]) continue;
    order_b.push_back(d);
    columns *= other.size(d);
    shape.push_back(other.size(d));
  }
  return at::mm(a.permute(order_a).reshape({rows, summed}),
                b.permute(order_b).reshape({summed, columns}))
      .reshape(shape);
}

Tensor& tensordot_out(const Tensor& self, const Tensor& other, IntArrayRef dims_self,
                      IntArrayRef dims_other, Tensor& result) {
  return write_to_out(at::tensordot(self, other, dims_self, dims_other), result);
}

// ---- einsum

namespace {

constexpr int kLabels = 52;
constexpr int kEllipsis = kLabels;

int label_of(char c) {
  return std::isupper(static_cast<unsigned char>(c)) ? c - 'A' : c - 'a' + 26;
}

char name_of(int label) { return static_cast<char>(label < 26 ? 'A' + label : 'a' + label - 26); }

// The labels of an operand, with kEllipsis for "...". `text` begins at `start` of the equation;
// `where` is "operand 0" or "the output", for errors.
std::vector<int> parse_labels(std::string_view text, size_t start, const std::string& where) {
  std::vector<int> labels;
  bool ellipsis = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (text[i] == '.') {
      TORCH_CHECK(!ellipsis, "einsum(): found \'.\' for ", where,
                  " for which an ellipsis was already found");
      TORCH_CHECK(i + 2 < text.size() && text[i + 1] == '.' && text[i + 2] == '.',
                  "einsum(): found \'.\' for ", where, " that is not part of any ellipsis");
      i += 2;
      ellipsis = true;
      labels.push_back(kEllipsis);
      continue;
    }
    TORCH_CHECK(std::isalpha(static_cast<unsigned char>(text[i])),
                "einsum(): invalid subscript given at index ", start + i,
                " in the equation string, subscripts must be in [a-zA-Z]");
    labels.push_back(label_of(text[i]));
  }
  return labels;
}

// Sums the product of `a` and `b`, both with all dimensions of the equation, over the dimensions in
// `sum`: a batched matrix product.
Tensor sum_product_pair(Tensor a, Tensor b, const std::vector<bool>& sum) {
  const auto ndim = static_cast<int64_t>(sum.size());
  // An outer product needs no sums, and keeps the order of its operands' dimensions in memory.
  if (std::find(sum.begin(), sum.end(), true) == sum.end()) return a * b;
  // batch: in both operands and the result; left, right: in one operand; summed: in both operands.
  std::vector<int64_t> batch, left, right, summed;
  for (int64_t d = 0; d < ndim; ++d) {
    const bool in_a = a.size(d) != 1;
    const bool in_b = b.size(d) != 1;
    if (sum[static_cast<size_t>(d)]) {
      if (in_a && in_b) {
        TORCH_CHECK(a.size(d) == b.size(d), "einsum(): operands do not broadcast");
        summed.push_back(d);
      } else if (in_a) {
        a = a.sum({d}, /*keepdim=*/true, a.scalar_type());
      } else if (in_b) {
        b = b.sum({d}, /*keepdim=*/true, b.scalar_type());
      }
    } else if (in_a && in_b) {
      batch.push_back(d);
    } else if (in_a) {
      left.push_back(d);
    } else {
      right.push_back(d);
    }
  }
  // Each sum was over one operand.
  if (summed.empty()) return a * b;
  for (int64_t d = 0; d < ndim; ++d) {
    if (sum[static_cast<size_t>(d)] && std::find(summed.begin(), summed.end(), d) == summed.end()) {
      right.push_back(d);  // of size 1 in both
    }
  }
  const auto size_of = [&](const Tensor& t, const std::vector<int64_t>& dims) {
    int64_t size = 1;
    for (const int64_t d : dims) size *= t.size(d);
    return size;
  };
  const auto joined = [](const std::vector<std::vector<int64_t>>& lists) {
    std::vector<int64_t> all;
    for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
  };
  const int64_t batches = size_of(a, batch);
  const int64_t rows = size_of(a, left);
  const int64_t columns = size_of(b, right);
  const int64_t inner = size_of(a, summed);
  // The dimensions that a tensor lacks have size 1 and go anywhere.
  const Tensor x = a.permute(joined({batch, left, summed, right})).reshape({batches, rows, inner});
  const Tensor y =
      b.permute(joined({batch, summed, right, left})).reshape({batches, inner, columns});
  std::vector<int64_t> shape;
  for (const int64_t d : batch) shape.push_back(a.size(d));
  for (const int64_t d : left) shape.push_back(a.size(d));
  for (const int64_t d : right) shape.push_back(b.size(d));
  for (size_t i = 0; i < summed.size(); ++i) shape.push_back(1);
  const std::vector<int64_t> order = joined({batch, left, right, summed});
  std::vector<int64_t> back(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return x.bmm(y).reshape(shape).permute(back);
}

}  // namespace

Tensor einsum(std::string_view equation, TensorList operands, OptionalIntArrayRef path) {
  TORCH_CHECK(!operands.empty(), "einsum(): must provide at least one operand");
  const size_t arrow = equation.find("->");
  const std::string_view lhs = equation.substr(0, arrow);
  // ---- the operands' labels
  std::vector<std::vector<int>> labels;
  for (size_t start = 0;;) {
    const size_t comma = lhs.find(',', start);
    TORCH_CHECK(labels.size() < operands.size(),
                "einsum(): fewer operands were provided than specified in the equation");
    labels.push_back(
        parse_labels(lhs.substr(start, comma - start), start, c10::str("operand ", labels.size())));
    if (comma == std::string_view::npos) break;
    start = comma + 1;
  }
  TORCH_CHECK(labels.size() == operands.size(),
              "einsum(): more operands were provided than specified in the equation");
  // ---- counts, and the dimensions that "..." stands for
  int count[kLabels] = {};
  int64_t ellipsis_dims = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    const int64_t ndim = operands[i].dim();
    int64_t named = 0;
    bool ellipsis = false;
    for (const int label : labels[i]) {
      if (label == kEllipsis) {
        ellipsis = true;
      } else {
        ++count[label];
        ++named;
      }
    }
    TORCH_CHECK(ellipsis ? named <= ndim : named == ndim,
                "einsum(): the number of subscripts in the equation (", named,
                ellipsis ? ") is more than the number of dimensions ("
                         : ") does not match the number of dimensions (",
                ndim, ") for operand ", i, ellipsis ? "" : " and no ellipsis was given");
    if (ellipsis) ellipsis_dims = std::max(ellipsis_dims, ndim - named);
  }
  // ---- the output's labels, and a place for every label: first those of the output
  int place[kLabels];
  std::fill(std::begin(place), std::end(place), -1);
  int64_t places = 0;
  int64_t ellipsis_place = -1;
  if (arrow == std::string_view::npos) {
    // "..." first, then the labels that occur once, in their order.
    ellipsis_place = 0;
    places = ellipsis_dims;
    for (int label = 0; label < kLabels; ++label) {
      if (count[label] == 1) place[label] = static_cast<int>(places++);
    }
  } else {
    for (const int label : parse_labels(equation.substr(arrow + 2), arrow + 2, "the output")) {
      if (label == kEllipsis) {
        ellipsis_place = places;
        places += ellipsis_dims;
        continue;
      }
      const char name = name_of(label);
      TORCH_CHECK(place[label] == -1, "einsum(): output subscript ", name,
                  " appears more than once in the output");
      TORCH_CHECK(count[label] > 0, "einsum(): output subscript ", name,
                  " does not appear in the equation for any input operand");
      place[label] = static_cast<int>(places++);
    }
  }
  const int64_t output_dims = places;
  if (ellipsis_place < 0) {
    ellipsis_place = places;
    places += ellipsis_dims;
  }
  for (int label = 0; label < kLabels; ++label) {
    if (count[label] > 0 && place[label] == -1) place[label] = static_cast<int>(places++);
  }
  // ---- every operand with all dimensions, in the order of places
  std::vector<Tensor> tensors;
  std::vector<int64_t> uses(static_cast<size_t>(places), 0);
  for (size_t i = 0; i < operands.size(); ++i) {
    Tensor t = operands[i];
    const int64_t named =
        static_cast<int64_t>(labels[i].size()) -
        static_cast<int64_t>(std::count(labels[i].begin(), labels[i].end(), kEllipsis));
    const int64_t own_ellipsis = t.dim() - named;
    std::vector<int64_t> where(static_cast<size_t>(places), -1);
    int64_t d = 0;
    for (const int label : labels[i]) {
      if (label == kEllipsis) {
        for (int64_t e = 0; e < own_ellipsis; ++e) {
          where[static_cast<size_t>(ellipsis_place + ellipsis_dims - own_ellipsis + e)] = d++;
        }
        continue;
      }
      int64_t& at = where[static_cast<size_t>(place[label])];
      if (at == -1) {
        at = d++;
        continue;
      }
      // Met before in this operand: the diagonal.
      const char name = name_of(label);
      TORCH_CHECK(t.size(at) == t.size(d), "einsum(): subscript ", name,
                  " is repeated for operand ", i, " but the sizes don't match, ", t.size(d),
                  " != ", t.size(at));
      t = t.diagonal(0, at, d).movedim(-1, at);
    }
    std::vector<int64_t> order;
    for (const int64_t dim : where) {
      if (dim >= 0) order.push_back(dim);
    }
    t = t.permute(order);
    for (size_t p = 0; p < where.size(); ++p) {
      if (where[p] < 0) {
        t = t.unsqueeze(static_cast<int64_t>(p));
      } else if (t.size(static_cast<int64_t>(p)) != 1) {
        ++uses[p];
      }
    }
    tensors.push_back(t);
  }
  // What stands at a place of the equation.
  const auto written_at = [&](int64_t p) -> std::string {
    const int* const label = std::find(std::begin(place), std::end(place), p);
    return label == std::end(place) ? "..."
                                    : std::string(1, name_of(static_cast<int>(label - place)));
  };
  for (int64_t p = 0; p < places; ++p) {
    int64_t size = 1;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const int64_t own = tensors[i].size(p);
      TORCH_CHECK(own == 1 || size == 1 || own == size, "einsum(): subscript ", written_at(p),
                  " has size ", own, " for operand ", i,
                  " which does not broadcast with previously seen size ", size);
      if (own != 1) size = own;
    }
  }
  // ---- multiply pairs, by `path` or from the left; a dimension is summed as soon as no other
  // operand has it
  const auto contract = [&](const Tensor& a, const Tensor& b) {
    std::vector<bool> sum(static_cast<size_t>(places), false);
    for (int64_t p = 0; p < places; ++p) {
      const auto at = static_cast<size_t>(p);
      const int64_t here = (a.size(p) != 1 ? 1 : 0) + (b.size(p) != 1 ? 1 : 0);
      sum[at] = p >= output_dims && uses[at] == here && here > 0;
      uses[at] += (sum[at] ? 0 : (here > 0 ? 1 : 0)) - here;
    }
    return sum_product_pair(a, b, sum);
  };
  size_t step = 0;
  while (tensors.size() > 1) {
    size_t first = 0;
    size_t second = 1;
    if (path.has_value()) {
      TORCH_CHECK(path->size() == 2 * (operands.size() - 1),
                  "einsum(): expected contraction path given in path parameter to have size ",
                  2 * (operands.size() - 1), " but got ", path->size());
      first = static_cast<size_t>((*path)[2 * step]);
      second = static_cast<size_t>((*path)[2 * step + 1]);
      if (first > second) std::swap(first, second);
      TORCH_CHECK(first != second && second < tensors.size(),
                  "einsum(): invalid contraction path (", first, ", ", second, ")");
      ++step;
    }
    const Tensor product = contract(tensors[first], tensors[second]);
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(second));
    tensors.erase(tensors.begin() + static_cast<std::ptrdiff_t>(first));
    if (path.has_value()) {
      tensors.push_back(product);
    } else {
      tensors.insert(tensors.begin(), product);
    }
  }
  Tensor result = tensors[0];
  std::vector<int64_t> rest;
  for (int64_t p = output_dims; p < places; ++p) rest.push_back(p);
  if (rest.empty()) return result;
  bool all_one = true;
  for (const int64_t p : rest) all_one = all_one && result.size(p) == 1;
  return all_one ? result.squeeze(rest) : result.sum(rest);
}

}  // namespace at::native
