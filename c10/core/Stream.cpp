#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <ostream>

namespace c10 {

bool Stream::query() const { return impl::VirtualGuardImpl(device_type()).queryStream(*this); }

void Stream::synchronize() const { impl::VirtualGuardImpl(device_type()).synchronizeStream(*this); }

std::ostream& operator<<(std::ostream& stream, const Stream& s) {
  return stream << "stream " << s.id() << " on device " << s.device();
}

}  // namespace c10
