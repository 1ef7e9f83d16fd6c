#pragma once

// The stub that fills a tensor with one value.

#include <ATen/native/DispatchStub.h>

namespace c10 {
class Scalar;
}  // namespace c10

namespace at {
struct TensorIterator;

namespace native {

DECLARE_DISPATCH(void (*)(TensorIterator&, const c10::Scalar&), fill_stub)

}  // namespace native
}  // namespace at
