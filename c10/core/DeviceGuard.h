#pragma once

#include <c10/core/Device.h>
#include <c10/core/impl/InlineDeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace c10 {

/// Makes a device current for a scope and restores the previous one at its end. A device without an
/// index, or on the CPU, changes nothing.
///
///   c10::DeviceGuard guard(tensor.device());
using DeviceGuard = impl::InlineDeviceGuard<impl::VirtualGuardImpl>;
/// The same for an optional device; nullopt changes nothing.
using OptionalDeviceGuard = impl::InlineOptionalDeviceGuard<impl::VirtualGuardImpl>;

}  // namespace c10
