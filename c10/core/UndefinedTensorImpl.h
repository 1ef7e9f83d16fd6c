#pragma once

#include <c10/core/TensorImpl.h>
#include <c10/macros/Macros.h>

namespace c10 {

/// What a tensor handle without a tensor points to: one object that is never counted, so that
/// handles need no null check. It has no sizes, type or device: asking throws.
struct C10_API UndefinedTensorImpl final : public TensorImpl {
  static constexpr TensorImpl* singleton() { return &_singleton; }

  bool has_storage() const override { return false; }
  const char* tensorimpl_type_name() const override;
  intrusive_ptr<TensorImpl> shallow_copy_and_detach(const VariableVersion&, bool) const override;

 private:
  UndefinedTensorImpl();
  static UndefinedTensorImpl _singleton;
};

}  // namespace c10
