#include <ATen/native/DispatchStub.h>

#include <c10/util/Exception.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

namespace at::native {

const char* toString(CPUCapability capability) {
  switch (capability) {
    case CPUCapability::DEFAULT:
      return "DEFAULT";
    case CPUCapability::AVX2:
      return "AVX2";
    case CPUCapability::AVX512:
      return "AVX512";
    case CPUCapability::NUM_OPTIONS:
      break;
  }
  return "UNKNOWN";
}

namespace detail {

CPUCapability supported_cpu_capability() {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma")) {
    return CPUCapability::AVX512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
    return CPUCapability::AVX2;
  }
#endif
  return CPUCapability::DEFAULT;
}

CPUCapability parse_cpu_capability(const char* value, CPUCapability supported) {
  std::string wanted(value);
  std::transform(wanted.begin(), wanted.end(), wanted.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  CPUCapability capability = CPUCapability::DEFAULT;
  if (wanted == "avx2") {
    capability = CPUCapability::AVX2;
  } else if (wanted == "avx512") {
    capability = CPUCapability::AVX512;
  } else {
    TORCH_CHECK_VALUE(wanted == "default", "ATEN_CPU_CAPABILITY is '", value,
                      "', which is no capability. Set it to default, avx2 or avx512, or unset it.");
  }
  TORCH_CHECK_VALUE(capability <= supported, "ATEN_CPU_CAPABILITY is '", value,
                    "', but this processor supports at most ", toString(supported),
                    ". Set it to a lower capability, or unset it.");
  return capability;
}

void* choose_cpu_impl(void* const* impls, const char* stub_name) {
  for (int c = static_cast<int>(get_cpu_capability()); c >= 0; --c) {
    if (impls[c] != nullptr) return impls[c];
  }
  throw_missing_kernel(stub_name, c10::DeviceType::CPU);
}

void throw_missing_kernel(const char* stub_name, c10::DeviceType device_type) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "DispatchStub: missing kernel for ", device_type, " of ",
                              stub_name);
}

}  // namespace detail

CPUCapability get_cpu_capability() {
  static const CPUCapability capability = [] {
    const CPUCapability supported = detail::supported_cpu_capability();
    const char* value = std::getenv("ATEN_CPU_CAPABILITY");
    return value == nullptr || *value == '\0' ? supported
                                              : detail::parse_cpu_capability(value, supported);
  }();
  return capability;
}

}  // namespace at::native
