#pragma once

#include <c10/macros/Macros.h>

// HIDDEN_NAMESPACE_BEGIN(torch, stable) opens namespace torch::stable, whose functions no shared
// library exports. Two extensions that were compiled against different versions of these headers
// thus keep their own functions when both are loaded. One to three names.
#if defined(__GNUC__)
#define C10_HIDDEN_NAMESPACE(name) namespace name __attribute__((__visibility__("hidden"))) {
#else
#define C10_HIDDEN_NAMESPACE(name) namespace name {
#endif
#define C10_HIDDEN_NAMESPACE_BEGIN1(a) C10_HIDDEN_NAMESPACE(a)
#define C10_HIDDEN_NAMESPACE_BEGIN2(a, b) \
  namespace a {                           \
  C10_HIDDEN_NAMESPACE(b)
#define C10_HIDDEN_NAMESPACE_BEGIN3(a, b, c) \
  namespace a {                              \
  namespace b {                              \
  C10_HIDDEN_NAMESPACE(c)
#define C10_HIDDEN_NAMESPACE_END1(a) }
#define C10_HIDDEN_NAMESPACE_END2(a, b) \
  }                                     \
  }
#define C10_HIDDEN_NAMESPACE_END3(a, b, c) \
  }                                        \
  }                                        \
  }
#define C10_FOURTH(a, b, c, macro, ...) macro
#define HIDDEN_NAMESPACE_BEGIN(...)                                                 \
  C10_FOURTH(__VA_ARGS__, C10_HIDDEN_NAMESPACE_BEGIN3, C10_HIDDEN_NAMESPACE_BEGIN2, \
             C10_HIDDEN_NAMESPACE_BEGIN1, )                                         \
  (__VA_ARGS__)
#define HIDDEN_NAMESPACE_END(...)                                               \
  C10_FOURTH(__VA_ARGS__, C10_HIDDEN_NAMESPACE_END3, C10_HIDDEN_NAMESPACE_END2, \
             C10_HIDDEN_NAMESPACE_END1, )                                       \
  (__VA_ARGS__)
