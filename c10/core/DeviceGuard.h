#pragma once

#include <c10/core/Device.h>
#include <c10/core/impl/InlineDeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace c10 {

/// Makes a device current for a scope, and the former one again at its end. A device without an
/// index changes nothing.
using DeviceGuard = impl::InlineDeviceGuard<impl::VirtualGuardImpl>;
/// The same for a device that may be none.
using OptionalDeviceGuard = impl::InlineOptionalDeviceGuard<impl::VirtualGuardImpl>;

}  // namespace c10
