#include <c10/core/CPUAllocator.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/UndefinedTensorImpl.h>
#include <c10/core/impl/AutogradMetaFactory.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using c10::IntArrayRef;
using c10::intrusive_ptr;
using c10::MemoryFormat;
using c10::Storage;
using c10::TensorImpl;
using c10::UndefinedTensorImpl;
using c10::VariableVersion;

intrusive_ptr<TensorImpl> make(IntArrayRef sizes, size_t nbytes = 4096) {
  auto impl = c10::make_intrusive<TensorImpl>(
      Storage(Storage::use_byte_size_t(), nbytes, c10::GetCPUAllocator(), true), DispatchKey::CPU,
      caffe2::TypeMeta::Make<float>());
  impl->set_sizes_contiguous(sizes);
  return impl;
}

TEST(TensorImplTest, StartsEmpty) {
  const auto impl = c10::make_intrusive<TensorImpl>(
      Storage(Storage::use_byte_size_t(), 0, c10::GetCPUAllocator()), DispatchKey::CPU,
      caffe2::TypeMeta::Make<float>());
  EXPECT_EQ(impl->sizes(), IntArrayRef({0}));
  EXPECT_EQ(impl->numel(), 0);
  EXPECT_EQ(impl->device(), c10::Device(c10::kCPU));
  EXPECT_EQ(impl->dtype(), c10::kFloat);
  EXPECT_TRUE(impl->is_contiguous());
}

TEST(TensorImplTest, CarriesTheKeysOfItsBackend) {
  EXPECT_EQ(c10::toString(make({2})->key_set()),
            "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)");
}

TEST(TensorImplTest, BitsOfConjugatesAndNegativesAreKeys) {
  const auto impl = make({2});
  EXPECT_FALSE(impl->has_math_bits());
  impl->_set_neg(true);
  EXPECT_TRUE(impl->is_neg());
  EXPECT_FALSE(impl->is_conj());
  EXPECT_TRUE(impl->has_math_bits());
  EXPECT_EQ(c10::toString(impl->key_set()),
            "DispatchKeySet(CPU, Negative, ADInplaceOrView, AutogradCPU, AutocastCPU)");
  impl->_set_neg(false);
  EXPECT_FALSE(impl->has_math_bits());
  EXPECT_THROW(impl->_set_conj(true), c10::Error);
  impl->set_storage_and_dtype(impl->storage(), caffe2::TypeMeta::Make<c10::complex<float>>());
  impl->_set_conj(true);
  EXPECT_TRUE(impl->is_conj());
  const auto copy = impl->shallow_copy_and_detach(VariableVersion(0), true);
  EXPECT_TRUE(copy->is_conj());
}

TEST(TensorImplTest, InferenceTensorsHaveNoAutogradKeysAndNoVersion) {
  const auto impl = [] {
    const c10::InferenceMode guard;
    return make({2});
  }();
  EXPECT_TRUE(impl->is_inference());
  EXPECT_FALSE(impl->version_counter().enabled());
  EXPECT_FALSE(impl->key_set().has(DispatchKey::AutogradCPU));
  EXPECT_THROW_MESSAGE(
      impl->set_requires_grad(true), c10::Error,
      "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  EXPECT_THROW_MESSAGE(impl->set_version_counter(VariableVersion(0)), c10::Error,
                       "Cannot set version_counter for inference tensor");
}

TEST(TensorImplTest, ContiguousSizes) {
  const auto impl = make({2, 3, 4});
  EXPECT_EQ(impl->dim(), 3);
  EXPECT_EQ(impl->numel(), 24);
  EXPECT_EQ(impl->strides(), IntArrayRef({12, 4, 1}));
  EXPECT_EQ(impl->size(-1), 4);
  EXPECT_EQ(impl->stride(0), 12);
  EXPECT_THROW_MESSAGE(impl->size(3), c10::IndexError,
                       "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
  EXPECT_EQ(make({2, 0, 3})->strides(), IntArrayRef({3, 3, 1}));
  EXPECT_EQ(make({})->numel(), 1);
}

TEST(TensorImplTest, StridesDecideTheFlags) {
  const auto impl = make({2, 3, 4, 5});
  EXPECT_TRUE(impl->is_contiguous());
  EXPECT_FALSE(impl->is_contiguous(MemoryFormat::ChannelsLast));
  impl->empty_tensor_restride(MemoryFormat::ChannelsLast);
  EXPECT_FALSE(impl->is_contiguous());
  EXPECT_TRUE(impl->is_contiguous(MemoryFormat::ChannelsLast));
  EXPECT_TRUE(impl->is_strides_like_channels_last());
  EXPECT_TRUE(impl->is_strides_like(MemoryFormat::ChannelsLast));
  EXPECT_TRUE(impl->is_non_overlapping_and_dense());
  impl->set_sizes_and_strides({3, 2}, {1, 3});
  EXPECT_FALSE(impl->is_contiguous());
  EXPECT_TRUE(impl->is_non_overlapping_and_dense());
  impl->set_sizes_and_strides({3, 2}, {2, 0}, 5);
  EXPECT_FALSE(impl->is_non_overlapping_and_dense());
  EXPECT_EQ(impl->storage_offset(), 5);
}

TEST(TensorImplTest, RefusesUnfitFormats) {
  EXPECT_THROW_MESSAGE(make({2})->empty_tensor_restride(MemoryFormat::ChannelsLast), c10::Error,
                       "required rank 4 tensor to use channels_last format");
  EXPECT_THROW_MESSAGE(make({2})->empty_tensor_restride(MemoryFormat::ChannelsLast3d), c10::Error,
                       "required rank 5 tensor to use channels_last_3d format");
  EXPECT_THROW_MESSAGE(make({2})->empty_tensor_restride(MemoryFormat::Preserve), c10::Error,
                       "unsupported memory format Preserve");
  EXPECT_THROW_MESSAGE(make({2})->set_sizes_and_strides({2, 3}, {1}), c10::Error,
                       "dimensionality of sizes (2) must match dimensionality of strides (1)");
}

TEST(TensorImplTest, NegativeStridesMeanRowMajor) {
  const auto impl = make({2});
  impl->set_sizes_and_strides({2, 3, 4}, {-1, -1, -1});
  EXPECT_EQ(impl->strides(), IntArrayRef({12, 4, 1}));
}

TEST(TensorImplTest, SizesMayComeFromTheTensorItself) {
  const auto impl = make({2, 3, 4});
  impl->set_sizes_and_strides(impl->sizes().slice(1), impl->strides().slice(1));
  EXPECT_EQ(impl->sizes(), IntArrayRef({3, 4}));
  EXPECT_EQ(impl->strides(), IntArrayRef({4, 1}));
  EXPECT_EQ(impl->numel(), 12);
}

TEST(TensorImplTest, KeepsItsSizesWhenThereAreTooManyElements) {
  const auto impl = make({2, 3});
  const std::vector<int64_t> huge = {int64_t{1} << 62, 4};
  EXPECT_THROW_MESSAGE(impl->set_sizes_contiguous(huge), c10::Error,
                       "numel: integer multiplication overflow");
  EXPECT_THROW_MESSAGE(impl->set_sizes_and_strides(huge, {0, 0}), c10::Error,
                       "numel: integer multiplication overflow");
  EXPECT_EQ(impl->sizes(), IntArrayRef({2, 3}));
  EXPECT_EQ(impl->numel(), 6);
}

TEST(TensorImplTest, SetSizeAndStride) {
  const auto impl = make({2, 3});
  impl->set_size(0, 5);
  EXPECT_EQ(impl->numel(), 15);
  impl->set_stride(-1, 2);
  EXPECT_FALSE(impl->is_contiguous());
}

TEST(TensorImplTest, DataBeginsAtTheOffset) {
  const auto impl = make({2, 3});
  impl->set_storage_offset(4);
  EXPECT_EQ(static_cast<const char*>(impl->data()),
            static_cast<const char*>(impl->storage().data()) + 4 * sizeof(float));
  EXPECT_EQ(impl->mutable_data(), impl->data());
  EXPECT_EQ(make({0})->data(), nullptr);
}

TEST(TensorImplTest, WithoutStorageThereIsNoData) {
  const auto impl = c10::make_intrusive<TensorImpl>(
      DispatchKey::Meta, caffe2::TypeMeta::Make<float>(), c10::Device(c10::kMeta));
  impl->set_sizes_contiguous({3});
  EXPECT_FALSE(impl->has_storage());
  EXPECT_TRUE(impl->is_meta());
  EXPECT_THROW_MESSAGE(impl->data(), c10::Error,
                       "Cannot access data pointer of Tensor that doesn't have storage");
}

TEST(TensorImplTest, MetaStorageHasANullAddress) {
  const auto impl = c10::make_intrusive<TensorImpl>(
      Storage(Storage::use_byte_size_t(), 64, c10::DataPtr(nullptr, c10::Device(c10::kMeta))),
      DispatchKey::Meta, caffe2::TypeMeta::Make<float>());
  impl->set_sizes_contiguous({3});
  impl->set_storage_offset(2);
  EXPECT_EQ(impl->device(), c10::Device(c10::kMeta));
  EXPECT_EQ(impl->data(), nullptr);
}

TEST(TensorImplTest, MetadataOfDetachedTensorsIsFixed) {
  const auto impl = make({2});
  impl->set_allow_tensor_metadata_change(false);
  const std::string rest =
      " is not allowed on a Tensor created from .data or .detach().\n"
      "If your intent is to change the metadata of a Tensor (such as sizes / strides / storage / "
      "storage_offset)\n";
  EXPECT_THROW_CONTAINS(impl->set_sizes_contiguous({1}), c10::Error, "set_sizes_contiguous" + rest);
  EXPECT_THROW_CONTAINS(impl->set_sizes_and_strides({1}, {1}), c10::Error,
                        "set_sizes_and_strides" + rest);
  EXPECT_THROW_CONTAINS(impl->set_storage_offset(1), c10::Error, "set_storage_offset" + rest);
  EXPECT_THROW_CONTAINS(impl->set_storage_keep_dtype(Storage()), c10::Error, "set_storage" + rest);
}

TEST(TensorImplTest, WrappedNumbersHaveNoDimensions) {
  const auto impl = make({});
  EXPECT_FALSE(impl->is_wrapped_number());
  impl->set_wrapped_number(true);
  EXPECT_TRUE(impl->is_wrapped_number());
  EXPECT_THROW(make({1})->set_wrapped_number(true), c10::Error);
}

TEST(TensorImplTest, ShallowCopySharesStorageOnly) {
  const auto impl = make({2, 3});
  impl->bump_version();
  const auto copy = impl->shallow_copy_and_detach(VariableVersion(7), false);
  EXPECT_TRUE(copy->storage().is_alias_of(impl->storage()));
  EXPECT_EQ(copy->sizes(), impl->sizes());
  EXPECT_EQ(copy->key_set(), impl->key_set());
  EXPECT_EQ(copy->version_counter().current_version(), 7u);
  EXPECT_FALSE(copy->allow_tensor_metadata_change());
  EXPECT_EQ(impl->version_counter().current_version(), 1u);
  const auto shared = impl->shallow_copy_and_detach(impl->version_counter(), true);
  shared->bump_version();
  EXPECT_EQ(impl->version_counter().current_version(), 2u);
}

TEST(TensorImplTest, ShallowCopyFromKeepsTheVersionCounter) {
  const auto to = make({5});
  const auto from = make({2, 3});
  to->bump_version();
  EXPECT_TRUE(to->has_compatible_shallow_copy_type(from->key_set()));
  EXPECT_FALSE(to->has_compatible_shallow_copy_type(DispatchKeySet()));
  to->shallow_copy_from(from);
  EXPECT_EQ(to->sizes(), from->sizes());
  EXPECT_TRUE(to->storage().is_alias_of(from->storage()));
  EXPECT_EQ(to->version_counter().current_version(), 1u);
  EXPECT_EQ(from->version_counter().current_version(), 0u);
}

TEST(TensorImplTest, ViewTypeTakesTheKeySetAsItIs) {
  const auto base = make({2});
  const DispatchKeySet keys(DispatchKey::CPU);
  const auto view = c10::make_intrusive<TensorImpl>(TensorImpl::VIEW, Storage(base->storage()),
                                                    keys, base->dtype());
  EXPECT_EQ(view->key_set(), keys);
  EXPECT_EQ(view->device(), c10::Device(c10::kCPU));
}

TEST(VariableVersionTest, CountsForAllWhoShareIt) {
  VariableVersion version(3);
  VariableVersion shared = version;
  shared.bump();
  EXPECT_EQ(version.current_version(), 4u);
  EXPECT_FALSE(version.unique());
  version.set_version(0);
  EXPECT_EQ(shared.current_version(), 0u);
  EXPECT_THROW_MESSAGE(version.set_version(-1), c10::Error,
                       "Cannot set a version_counter to a value below 0: -1");
}

TEST(VariableVersionTest, InferenceTensorsHaveNone) {
  VariableVersion none;
  EXPECT_FALSE(none.enabled());
  EXPECT_THROW_MESSAGE(none.current_version(), c10::Error,
                       "Inference tensors do not track version counter.");
  EXPECT_THROW_CONTAINS(none.bump(), c10::Error,
                        "Inplace update to inference tensor outside InferenceMode is not allowed.");
  EXPECT_THROW_CONTAINS(none.set_version(1), c10::Error, "does not have a version counter");
  const c10::InferenceMode guard;
  EXPECT_NO_THROW(none.bump());
}

// at::Tensor is above this library: the metadata here hands out references to nothing.
struct FakeMeta : c10::AutogradMetaInterface {
  explicit FakeMeta(int* alive) : alive_(alive) { ++*alive_; }
  ~FakeMeta() override { --*alive_; }
  void set_requires_grad(bool requires_grad, TensorImpl*) override { requires_ = requires_grad; }
  bool requires_grad() const override { return requires_; }
  at::Tensor& mutable_grad() override { return *reinterpret_cast<at::Tensor*>(&grad_); }
  const at::Tensor& grad() const override { return *reinterpret_cast<const at::Tensor*>(&grad_); }
  bool requires_ = false;
  void* grad_ = nullptr;
  int* alive_;
};
struct FakeFactory : c10::impl::AutogradMetaFactory {
  std::unique_ptr<c10::AutogradMetaInterface> make() const override {
    return std::make_unique<FakeMeta>(&alive);
  }
  const at::Tensor& undefined_tensor() const override {
    return *reinterpret_cast<const at::Tensor*>(&nothing);
  }
  mutable int alive = 0;
  void* nothing = nullptr;
};

TEST(AutogradMetaTest, NeedsTheEngine) {
  c10::impl::SetAutogradMetaFactory(nullptr);
  EXPECT_FALSE(make({1})->requires_grad());
  EXPECT_NO_THROW(make({1})->set_requires_grad(false));
  EXPECT_THROW_MESSAGE(
      make({1})->set_requires_grad(true), c10::Error,
      "Support for autograd has not been loaded; have you linked against libtorch.so?");
}

TEST(AutogradMetaTest, IsMadeOnDemandAndOwned) {
  FakeFactory factory;
  c10::impl::SetAutogradMetaFactory(&factory);
  {
    const auto impl = make({1});
    EXPECT_EQ(&impl->grad(), &factory.undefined_tensor());
    EXPECT_FALSE(impl->has_autograd_meta());
    impl->set_requires_grad(true);
    EXPECT_TRUE(impl->requires_grad());
    EXPECT_EQ(factory.alive, 1);
    EXPECT_EQ(&impl->mutable_grad(), &impl->grad());
    impl->set_autograd_meta(factory.make());
    EXPECT_EQ(factory.alive, 1);
    EXPECT_FALSE(impl->requires_grad());
    EXPECT_EQ(impl->shallow_copy_and_detach(VariableVersion(0), true)->autograd_meta(), nullptr);
    impl->set_autograd_meta(nullptr);
    EXPECT_EQ(factory.alive, 0);
    impl->mutable_grad();
    const c10::weak_intrusive_ptr<TensorImpl> weak(impl);
    EXPECT_EQ(factory.alive, 1);
  }
  EXPECT_EQ(factory.alive, 0);
  c10::impl::SetAutogradMetaFactory(nullptr);
}

TEST(UndefinedTensorImplTest, AnswersNothing) {
  const intrusive_ptr<TensorImpl, UndefinedTensorImpl> handle;
  EXPECT_FALSE(handle.defined());
  TensorImpl* undefined = handle.get();
  EXPECT_EQ(undefined, UndefinedTensorImpl::singleton());
  EXPECT_TRUE(undefined->key_set().empty());
  EXPECT_FALSE(undefined->dtype().isScalarType());
  EXPECT_FALSE(undefined->has_storage());
  EXPECT_STREQ(undefined->tensorimpl_type_name(), "UndefinedTensorImpl");
  EXPECT_THROW_MESSAGE(undefined->device(), c10::Error, "tensor does not have a device");
  EXPECT_THROW_MESSAGE(undefined->storage(), c10::NotImplementedError,
                       "Cannot access storage of UndefinedTensorImpl");
  EXPECT_THROW_MESSAGE(undefined->data(), c10::Error,
                       "Cannot access data pointer of Tensor that doesn't have storage");
  EXPECT_THROW_MESSAGE(undefined->shallow_copy_and_detach(VariableVersion(), true), c10::Error,
                       "shallow_copy_and_detach() called on an undefined Tensor");
}

// The Python object: counted by an interpreter that only records.
struct FakeInterpreter : c10::impl::PyInterpreter {
  std::string name() const override { return "fake"; }
  void incref(PyObject*) const override {}
  void decref(PyObject* object, bool) const override { dropped.push_back(object); }
  size_t refcnt(PyObject*) const override { return 1; }
  mutable std::vector<PyObject*> dropped;
};

TEST(PyObjectSlotTest, DropsTheObjectItOwns) {
  FakeInterpreter interpreter;
  int stand_in = 0;
  auto* object = reinterpret_cast<PyObject*>(&stand_in);
  {
    const auto impl = make({1});
    EXPECT_EQ(impl->pyobj_slot()->check_pyobj(), std::nullopt);
    impl->pyobj_slot()->init_pyobj(&interpreter, object);
    EXPECT_EQ(impl->pyobj_slot()->check_pyobj(), object);
    EXPECT_EQ(impl->pyobj_slot()->pyobj_interpreter(), &interpreter);
  }
  EXPECT_TRUE(interpreter.dropped.empty());
  {
    const auto impl = make({1});
    impl->pyobj_slot()->init_pyobj(&interpreter, object);
    impl->pyobj_slot()->set_owns_pyobj(true);
  }
  EXPECT_EQ(interpreter.dropped, std::vector<PyObject*>{object});
}

}  // namespace
