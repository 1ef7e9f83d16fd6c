#pragma once

// The outputs of structured kernels. Generated registrations wrap a kernel class K (its meta and
// impl functions) in one of three classes that decide what an output is:
//   FunctionalKernel  a new tensor
//   OutKernel         the tensor of out=, resized when its shape is wrong
//   InplaceKernel     self, whose shape must be right already
// Where the kernel demands strides that the given tensor does not have, it writes to a proxy, and
// copy_back() brings the values over.

#include <ATen/TensorMeta.h>
#include <ATen/core/Tensor.h>

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace at {

struct TensorIteratorBase;

namespace impl {

// How a backend makes tensors: contiguous, or as the options' memory format says, when strides are
// empty.
struct TORCH_API CPUOutputs {
  static Tensor create(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);
};
struct TORCH_API MetaOutputs {
  static Tensor create(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);
};
// Any backend's, through the dispatcher.
struct TORCH_API DefaultOutputs {
  static Tensor create(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);
};

// Gives `out` the shape; throws if its dtype or device is not the result's.
TORCH_API void resize_out(const Tensor& out, IntArrayRef sizes, IntArrayRef strides,
                          const TensorOptions& options);
// Throws if `self` cannot hold the result.
TORCH_API void check_inplace(const Tensor& self, IntArrayRef sizes, const TensorOptions& options);

// Tells TensorIterator, when K is one, about an output that is in its place.
template <class K>
void output_is_set(K& kernel, int64_t index, IntArrayRef sizes, IntArrayRef strides,
                   TensorOptions options) {
  if constexpr (std::is_base_of_v<TensorIteratorBase, K>) {
    kernel.K::set_output_raw_strided(index, sizes, strides, options);
  }
}

template <class K, size_t N, class Outputs>
class FunctionalKernel final : public K {
 public:
  void set_output_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides,
                          TensorOptions options) override {
    outputs_[index] = Outputs::create(sizes, strides, options);
    output_is_set<K>(*this, index, sizes, strides, options);
  }
  void set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override {
    set_output_strided(index, sizes, strides, options);
  }
  const Tensor& maybe_get_output(int64_t index) override { return outputs_[index]; }
  Tensor take_output(int64_t index) { return std::move(outputs_[index]); }

 private:
  std::array<Tensor, N> outputs_;
};

// Outputs that exist before the call, and their proxies.
template <class K, size_t N, class Outputs>
class GivenOutputs : public K {
 public:
  const Tensor& maybe_get_output(int64_t index) override {
    return proxies_[index].has_value() ? *proxies_[index] : *outputs_[index];
  }
  void copy_back() {
    for (size_t i = 0; i < N; ++i) {
      if (proxies_[i].has_value()) {
        outputs_[i]->copy_(*proxies_[i]);
      }
    }
  }

 protected:
  explicit GivenOutputs(std::array<Tensor*, N> outputs) : outputs_(outputs) {}

  void maybe_use_proxy(int64_t index, IntArrayRef sizes, IntArrayRef strides,
                       const TensorOptions& options) {
    const Tensor& out = *outputs_[index];
    if (!strides.empty() ? out.strides() != strides : !out.is_contiguous()) {
      proxies_[index] = Outputs::create(sizes, strides, options);
    }
  }

  std::array<Tensor*, N> outputs_;
  std::array<std::optional<Tensor>, N> proxies_;
};

template <class K, size_t N, class Outputs>
class OutKernel final : public GivenOutputs<K, N, Outputs> {
 public:
  template <class... Tensors>
  explicit OutKernel(Tensors&... outputs) : GivenOutputs<K, N, Outputs>({&outputs...}) {}

  void set_output_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides,
                          TensorOptions options) override {
    resize_out(*this->outputs_[index], sizes, strides, options);
    this->maybe_use_proxy(index, sizes, strides, options);
    output_is_set<K>(*this, index, sizes, strides, options);
  }
  void set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override {
    resize_out(*this->outputs_[index], sizes, strides, options);
    output_is_set<K>(*this, index, sizes, strides, options);
  }
};

template <class K, class Outputs>
class InplaceKernel final : public GivenOutputs<K, 1, Outputs> {
 public:
  explicit InplaceKernel(Tensor& self) : GivenOutputs<K, 1, Outputs>({&self}) {}

  void set_output_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides,
                          TensorOptions options) override {
    check_inplace(*this->outputs_[index], sizes, options);
    this->maybe_use_proxy(index, sizes, strides, options);
    output_is_set<K>(*this, index, sizes, strides, options);
  }
  void set_output_raw_strided(int64_t index, IntArrayRef sizes, IntArrayRef strides,
                              TensorOptions options) override {
    check_inplace(*this->outputs_[index], sizes, options);
    output_is_set<K>(*this, index, sizes, strides, options);
  }
};

}  // namespace impl
}  // namespace at
