// Sums, means and maxima of bags of embeddings: out of operators, or where nothing asks for
// gradients, sums and means by a loop of their own.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/native/EmbeddingBag.h>

#include <ATen/core/Tensor.h>
#include <ATen/ops/embedding_bag.h>
#include <ATen/ops/embedding_bag_native.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace at::native {

DEFINE_DISPATCH(embedding_bags_stub);

namespace {

constexpr int64_t kSum = 0;
constexpr int64_t kMean = 1;
constexpr int64_t kMax = 2;

// Bag b holds indices [begin[b], begin[b + 1]).
std::vector<int64_t> bag_begins(const Tensor& indices, const Tensor& offsets,
                                bool include_last_offset) {
  const Tensor o = offsets.to(kCPU, kLong).contiguous();
  const auto* data = o.const_data_ptr<int64_t>();
  std::vector<int64_t> begins(data, data + o.numel());
  if (!begins.empty()) {
    TORCH_CHECK(
        begins[0] == 0,
        "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got ",
        begins[0]);
    TORCH_CHECK(begins.back() <= indices.numel(),
                "offsets[-1] can not be greater than input's length(", indices.numel(),
                "), but got offsets[-1] of ", begins.back());
  }
  if (include_last_offset) {
    TORCH_CHECK(!begins.empty(), "include_last_offset: number of offset should be at least 1");
  } else {
    begins.push_back(indices.numel());
  }
  for (size_t b = 0; b + 1 < begins.size(); ++b) {
    TORCH_CHECK(begins[b] <= begins[b + 1], "offsets must not decrease, but offsets[", b + 1,
                "] is ", begins[b + 1], " after ", begins[b]);
  }
  return begins;
}

Tensor to_tensor(const std::vector<int64_t>& values, const Tensor& like) {
  Tensor t = at::empty({static_cast<int64_t>(values.size())}, kLong);
  std::copy(values.begin(), values.end(), t.mutable_data_ptr<int64_t>());
  return t.to(like.device());
}

void check_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets, int64_t mode,
               const std::optional<Tensor>& per_sample_weights) {
  for (const auto& [name, t] : {std::pair{"indices", &indices}, {"offsets", &offsets}}) {
    TORCH_CHECK(t->dim() == 1, name, " has to be a 1D Tensor, but got Tensor of dimension ",
                t->dim());
    TORCH_CHECK(t->scalar_type() == kLong || t->scalar_type() == kInt,
                "Expected tensor for argument '", name,
                "' to have one of the following scalar types: Long, Int; but got ",
                t->scalar_type(), " instead");
  }
  TORCH_CHECK(weight.dim() == 2, "weight has to be a 2D Tensor, but got Tensor of dimension ",
              weight.dim());
  TORCH_CHECK(mode >= kSum && mode <= kMax, "mode has to be 0 (sum), 1 (mean) or 2 (max), but got ",
              mode);
  if (!per_sample_weights.has_value() || !per_sample_weights->defined()) return;
  TORCH_CHECK(
      mode == kSum,
      "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got mode=",
      mode == kMean ? "'mean'" : "'max'", ").");
  TORCH_CHECK(per_sample_weights->dim() == 1 && per_sample_weights->numel() == indices.numel(),
              "expected per_sample_weights to be of the same shape as the indices, but got ",
              per_sample_weights->sizes(), " and ", indices.sizes());
  TORCH_CHECK(
      per_sample_weights->scalar_type() == weight.scalar_type(),
      "Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 'per_sample_weights'; but type torch.",
      weight.scalar_type(), "Tensor does not equal torch.", per_sample_weights->scalar_type(),
      "Tensor (while checking arguments for embedding_bag)");
}

// The greatest of each feature of a bag, and the index whose embedding it is.
std::tuple<Tensor, Tensor> bag_maxima(const Tensor& rows, const Tensor& counted,
                                      const Tensor& indices, const std::vector<int64_t>& begins) {
  std::vector<Tensor> values;
  std::vector<Tensor> places;
  for (size_t b = 0; b + 1 < begins.size(); ++b) {
    const int64_t length = begins[b + 1] - begins[b];
    const Tensor kept = counted.narrow(0, begins[b], length).nonzero().squeeze(1);
    if (kept.numel() == 0) {
      values.push_back(rows.narrow(0, 0, 0).sum(0));  // Zeros that know the weight.
      places.push_back(at::zeros({rows.size(1)}, indices.options().dtype(kLong)).sub(1));
      continue;
    }
    const auto [value, place] =
        rows.narrow(0, begins[b], length).index_select(0, kept).max(0, /*keepdim=*/false);
    values.push_back(value);
    places.push_back(indices.narrow(0, begins[b], length)
                         .to(kLong)
                         .index_select(0, kept)
                         .index_select(0, place));
  }
  if (values.empty()) {
    return {rows.narrow(0, 0, 0), at::zeros({0, rows.size(1)}, indices.options().dtype(kLong))};
  }
  return {at::stack(values), at::stack(places)};
}

// Indices on other devices are checked by the kernel that reads them.
void check_rows(const Tensor& longs, int64_t rows) {
  if (!longs.is_cpu()) return;
  const Tensor indices = longs.contiguous();
  const auto* data = indices.const_data_ptr<int64_t>();
  for (int64_t i = 0; i < indices.numel(); ++i) {
    TORCH_CHECK(data[i] >= 0 && data[i] < rows,
                "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be ",
                data[i]);
  }
}

// Sums or means by the loop, or an undefined tensor where it does not apply.
Tensor sums_without_gradient(const Tensor& weight, const Tensor& longs,
                             const std::vector<int64_t>& begins, bool mean, int64_t padding_idx,
                             const std::optional<Tensor>& per_sample_weights) {
  const bool scaled = per_sample_weights.has_value() && per_sample_weights->defined();
  if (c10::GradMode::is_enabled() &&
      (weight.requires_grad() || (scaled && per_sample_weights->requires_grad()))) {
    return Tensor();
  }
  if (!weight.is_cpu() || !longs.is_cpu() || (scaled && !per_sample_weights->is_cpu()) ||
      !c10::isFloatingType(weight.scalar_type()) || begins.size() < 2) {
    return Tensor();
  }
  const Tensor indices = longs.contiguous();
  const auto* data = indices.const_data_ptr<int64_t>();
  const Tensor table = weight.contiguous();
  const Tensor factors = scaled ? per_sample_weights->contiguous() : Tensor();
  const auto bags = static_cast<int64_t>(begins.size()) - 1;
  Tensor output = at::empty({bags, weight.size(1)}, weight.options());
  embedding_bags_stub(
      c10::DeviceType::CPU,
      EmbeddingBags{bags, weight.size(1), begins.data(), data, padding_idx, mean,
                    table.const_data_ptr(), scaled ? factors.const_data_ptr() : nullptr,
                    output.mutable_data_ptr()},
      weight.scalar_type());
  return output;
}

}  // namespace

// The output, the bag of each index, the sizes of the bags, and for maxima where they came from.
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(
    const Tensor& weight, const Tensor& all_indices, const Tensor& offsets, bool scale_grad_by_freq,
    int64_t mode, bool sparse, const std::optional<Tensor>& all_weights, bool include_last_offset,
    std::optional<int64_t> padding_idx_opt) {
  check_bag(weight, all_indices, offsets, mode, all_weights);
  const int64_t rows_of_weight = weight.size(0);
  int64_t padding_idx = -1;
  if (padding_idx_opt.has_value()) {
    padding_idx = *padding_idx_opt;
    TORCH_CHECK(padding_idx >= -rows_of_weight && padding_idx < rows_of_weight,
                "padding_idx must be within the number of embeddings, -", rows_of_weight,
                " through ", rows_of_weight - 1, ", but got ", padding_idx);
    if (padding_idx < 0) padding_idx += rows_of_weight;
  }
  const std::vector<int64_t> begins = bag_begins(all_indices, offsets, include_last_offset);
  // Indices from the last offset on belong to no bag.
  const Tensor indices = all_indices.narrow(0, 0, begins.back());
  std::optional<Tensor> per_sample_weights = all_weights;
  if (per_sample_weights.has_value() && per_sample_weights->defined()) {
    per_sample_weights = per_sample_weights->narrow(0, 0, begins.back());
  }
  const auto bags = static_cast<int64_t>(begins.size()) - 1;
  std::vector<int64_t> bag_of(static_cast<size_t>(indices.numel()));
  for (int64_t b = 0; b < bags; ++b) {
    std::fill(bag_of.begin() + begins[static_cast<size_t>(b)],
              bag_of.begin() + begins[static_cast<size_t>(b) + 1], b);
  }
  const Tensor offset2bag = to_tensor(bag_of, indices);
  const Tensor longs = indices.to(kLong);
  const bool all_count = !padding_idx_opt.has_value();
  Tensor counted;
  Tensor bag_size;
  if (all_count) {
    std::vector<int64_t> sizes(static_cast<size_t>(bags));
    for (size_t b = 0; b < sizes.size(); ++b) sizes[b] = begins[b + 1] - begins[b];
    bag_size = to_tensor(sizes, indices);
  } else {
    counted = longs.ne(padding_idx);
    bag_size = at::zeros({bags}, longs.options()).index_add(0, offset2bag, counted.to(kLong));
  }
  check_rows(longs, rows_of_weight);
  if (mode != kMax) {
    const Tensor output = sums_without_gradient(weight, longs, begins, mode == kMean, padding_idx,
                                                per_sample_weights);
    if (output.defined()) {
      return {output, offset2bag, bag_size, at::zeros({0}, longs.options())};
    }
  }
  const Tensor rows = weight.index_select(0, longs);
  if (mode == kMax) {
    if (all_count) counted = at::ones({indices.numel()}, longs.options().dtype(kBool));
    const auto [output, places] = bag_maxima(rows, counted, indices, begins);
    return {output, offset2bag, bag_size, places};
  }
  // Sums of the narrow types are float until the end.
  const ScalarType dtype = weight.scalar_type();
  const ScalarType wide = dtype == kBFloat16 || dtype == kHalf ? kFloat : dtype;
  Tensor parts = rows.to(wide);
  // Rows that do not count may be infinite.
  if (!all_count) parts = parts.masked_fill(counted.logical_not().unsqueeze(1), 0);
  if (per_sample_weights.has_value() && per_sample_weights->defined()) {
    parts = parts.mul(per_sample_weights->to(wide).unsqueeze(1));
  }
  Tensor output =
      at::zeros({bags, weight.size(1)}, parts.options()).index_add(0, offset2bag, parts);
  if (mode == kMean) output = output.div(bag_size.clamp_min(1).to(wide).unsqueeze(1));
  return {output.to(dtype), offset2bag, bag_size, at::zeros({0}, longs.options())};
}

std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(
    const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq,
    int64_t mode, bool sparse, const std::optional<Tensor>& per_sample_weights,
    bool include_last_offset) {
  return at::embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse,
                           per_sample_weights, include_last_offset, std::nullopt);
}

}  // namespace at::native
