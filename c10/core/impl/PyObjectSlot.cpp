#include <c10/core/impl/PyObjectSlot.h>
#include <c10/util/Exception.h>

namespace c10::impl {

void PyObjectSlot::maybe_destroy_pyobj() {
  if (!owns_pyobj_) return;
  PyObject* pyobj = load_pyobj();
  TORCH_INTERNAL_ASSERT(interpreter_ != nullptr && pyobj != nullptr);
  owns_pyobj_ = false;
  clear_pyobj();
  interpreter_->decref(pyobj, /*has_pyobj_slot=*/true);
}

}  // namespace c10::impl
