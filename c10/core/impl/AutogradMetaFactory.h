#pragma once

#include <c10/core/TensorImpl.h>
#include <c10/macros/Macros.h>

#include <memory>

namespace c10::impl {

/// Makes autograd's metadata for tensors of c10, which knows no autograd. The engine registers one;
/// it is never freed.
struct C10_API AutogradMetaFactory {
  virtual ~AutogradMetaFactory() = default;
  virtual std::unique_ptr<AutogradMetaInterface> make() const = 0;
  /// What the gradient of a tensor without metadata is.
  virtual const at::Tensor& undefined_tensor() const = 0;
};

C10_API void SetAutogradMetaFactory(AutogradMetaFactory* factory);
/// Throws when the engine is not linked.
C10_API AutogradMetaFactory* GetAutogradMetaFactory();

struct C10_API AutogradMetaFactoryRegisterer {
  explicit AutogradMetaFactoryRegisterer(AutogradMetaFactory* factory) {
    SetAutogradMetaFactory(factory);
  }
};

}  // namespace c10::impl
