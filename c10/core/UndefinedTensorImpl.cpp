#include <c10/core/UndefinedTensorImpl.h>
#include <c10/util/Exception.h>

namespace c10 {

UndefinedTensorImpl::UndefinedTensorImpl()
    : TensorImpl(DispatchKeySet(), caffe2::TypeMeta(), std::nullopt) {
  set_storage_access_should_throw();
}

const char* UndefinedTensorImpl::tensorimpl_type_name() const { return "UndefinedTensorImpl"; }

intrusive_ptr<TensorImpl> UndefinedTensorImpl::shallow_copy_and_detach(const VariableVersion&,
                                                                       bool) const {
  TORCH_CHECK(false, "shallow_copy_and_detach() called on an undefined Tensor");
}

UndefinedTensorImpl UndefinedTensorImpl::_singleton;

}  // namespace c10
