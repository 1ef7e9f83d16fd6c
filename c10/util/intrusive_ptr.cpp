#include <c10/util/intrusive_ptr.h>

namespace c10 {

intrusive_ptr_target::~intrusive_ptr_target() = default;

void intrusive_ptr_target::last_strong_gone() const noexcept {
  // No weak reference but the one that the strong ones held together: nobody can look.
  auto* self = const_cast<intrusive_ptr_target*>(this);
  if (weakcount_.load_acquire() == 1) {
    weakcount_.store_relaxed(0);
    delete self;
    return;
  }
  self->release_resources();
  drop_weak();
}

}  // namespace c10
