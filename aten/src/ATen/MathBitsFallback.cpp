// What runs when an argument is a conjugate or a negative that is a view.
//
// The kernels below, of backends and of extensions, never see such a tensor. The fallback of the
// keys Conjugate and Negative gives them copies of which the elements are computed, and writes what
// they change in a copy back to the tensor. Views pass through: they keep the bits of the tensor.
// Operators that have a kernel for conjugates are registered below.

#define TORCH_ASSERT_ONLY_METHOD_OPERATORS
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>
#include <ATen/native/LinearAlgebraUtils.h>
#include <ATen/native/TensorShape.h>
#include <ATen/ops/conj_physical.h>
#include <ATen/ops/copy_ops.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/view_as_real.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/util/Exception.h>
#include <torch/library.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace at::native {
namespace {

using c10::DispatchKeySet;
using c10::IValue;

constexpr DispatchKeySet kBelow(DispatchKeySet::FULL_AFTER, DispatchKey::Conjugate);

bool has_math_bits(const TensorBase& tensor) {
  return tensor.defined() && tensor.unsafeGetTensorImpl()->has_math_bits();
}

// A view of the memory as it is.
Tensor without_math_bits(const Tensor& self) {
  const Tensor result = alias_with_sizes_and_strides(self, self.sizes(), self.strides());
  result._set_conj(false);
  result._set_neg(false);
  return result;
}

// A copy has no bits.
Tensor resolved(const Tensor& tensor) { return has_math_bits(tensor) ? tensor.clone() : tensor; }

// ---- copies

// Conjugates, and negates, the elements of a tensor without bits in place.
void change(const Tensor& plain, bool conjugate, bool negate) {
  // Not each device has a kernel that conjugates.
  if (conjugate) at::view_as_real(plain).select(-1, 1).neg_();
  if (negate) plain.neg_();
}

Tensor& copy_(DispatchKeySet ks, Tensor& self, const Tensor& src, bool non_blocking) {
  const AutoDispatchBelowADInplaceOrView guard;
  if (self.is_same(src)) return self;
  const auto copy = [&](Tensor to, const Tensor& from) {
    at::_ops::copy_::redispatch(ks & kBelow, to, from, non_blocking);
  };
  if (self.is_meta() || src.is_meta()) {
    copy(self, src);
    return self;
  }
  Tensor to = without_math_bits(self);
  const Tensor from = without_math_bits(src);
  const bool conjugate = self.is_conj() != src.is_conj();
  const bool negate = self.is_neg() != src.is_neg();
  const bool alike = self.scalar_type() == src.scalar_type() && self.is_cpu() && src.is_cpu();
  if (!conjugate && !negate) {
    copy(to, from);
  } else if (alike && !negate) {
    at::conj_physical_out(to, from.expand(self.sizes()));
  } else if (alike && !conjugate) {
    at::neg_out(to, from.expand(self.sizes()));
  } else {
    // In memory of their own: `to` may name an element twice. On the CPU, if it takes part: not
    // each device has a kernel that conjugates.
    const Device where = src.is_cpu() ? src.device() : self.device();
    const Tensor values = from.to(where, self.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
    change(values, conjugate && values.is_complex(), negate && values.scalar_type() != kBool);
    copy(to, values);
  }
  return self;
}

Tensor clone(DispatchKeySet /*ks*/, const Tensor& self, std::optional<MemoryFormat> memory_format) {
  Tensor result =
      at::empty_like(self, self.options(), memory_format.value_or(MemoryFormat::Preserve));
  return result.copy_(self);
}

// ---- all other operators

// Operators that look at no element, or whose kernels call only operators that come here again.
bool passes(const c10::OperatorHandle& op, DispatchKeySet ks) {
  constexpr std::string_view kOurs = "aten::";
  const c10::FunctionSchema& schema = op.schema();
  if (!std::string_view(schema.name()).starts_with(kOurs)) return false;
  if (op.hasTag(Tag::inplace_view)) return true;
  const auto is_view = [](const c10::Argument& result) {
    return result.alias_info().has_value() && !result.is_write();
  };
  const auto& returns = schema.returns();
  if (std::any_of(returns.begin(), returns.end(), is_view)) return true;
  return op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd) &&
         !op.hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd) &&
         !op.hasKernelForAnyDispatchKey(ks.getBackendKeys());
}

// A tensor that the operator writes to, and the copy that it is given.
struct Written {
  Tensor tensor;
  Tensor copy;
};

// The argument with copies in the place of conjugates and negatives. A list is another one then:
// the caller keeps its own.
IValue without_bits(IValue argument, bool is_write, std::vector<Written>& written) {
  if (argument.isTensor()) {
    if (!has_math_bits(argument.toTensorBase())) return argument;
    Tensor tensor = std::move(argument).toTensor();
    if (!is_write) return resolved(tensor);
    written.push_back({tensor, resolved(tensor)});
    return written.back().copy;
  }
  if (!argument.isList()) return argument;
  const auto& list = argument.toListImpl();
  const auto has_bits = [](const IValue& element) {
    return element.isTensor() && has_math_bits(element.toTensorBase());
  };
  if (std::none_of(list->list.begin(), list->list.end(), has_bits)) return argument;
  std::vector<IValue> elements;
  elements.reserve(list->list.size());
  for (const IValue& element : list->list) {
    elements.push_back(without_bits(element, is_write, written));
  }
  return c10::List<IValue>(
      c10::make_intrusive<c10::detail::ListImpl>(std::move(elements), list->elementType));
}

// The result with the tensors themselves in the place of their copies.
void give_back(IValue& result, const std::vector<Written>& written) {
  if (result.isList()) {
    for (IValue& element : result.toListImpl()->list) give_back(element, written);
  }
  if (!result.isTensor()) return;
  for (const Written& each : written) {
    if (result.toTensorBase().is_same(each.copy)) {
      result = each.tensor;
      return;
    }
  }
}

// Statistics are written, too, though no schema says it.
bool is_written(const c10::Argument& argument) {
  return argument.is_write() || argument.name() == "running_mean" ||
         argument.name() == "running_var";
}

void fallback(const c10::OperatorHandle& op, DispatchKeySet ks, c10::Stack* stack) {
  if (passes(op, ks)) {
    op.redispatchBoxed(ks & kBelow, stack);
    return;
  }
  std::vector<Written> written;
  const auto& arguments = op.schema().arguments();
  const size_t first = stack->size() - arguments.size();
  for (size_t i = 0; i < arguments.size(); ++i) {
    IValue& argument = (*stack)[first + i];
    argument = without_bits(std::move(argument), is_written(arguments[i]), written);
  }
  op.redispatchBoxed(ks & kBelow, stack);
  for (Written& each : written) {
    if (each.tensor.sizes() != each.copy.sizes()) each.tensor.resize_(each.copy.sizes());
    each.tensor.copy_(each.copy);
  }
  if (written.empty()) return;
  for (size_t i = first; i < stack->size(); ++i) give_back((*stack)[i], written);
}

}  // namespace
}  // namespace at::native

namespace {

// Operators that make tensors like another look at none of its elements; _to_copy calls copy_.
void pass_over_factories(torch::Library& m) {
  for (const char* name : {"_to_copy", "empty_like", "full_like", "new_empty", "new_full",
                           "new_ones", "new_zeros", "ones_like", "rand_like", "randint_like",
                           "randint_like.low_dtype", "randn_like", "zeros_like"}) {
    m.impl(name, torch::CppFunction::makeFallthrough());
  }
}

TORCH_LIBRARY_IMPL(_, Conjugate, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&at::native::fallback>());
}

TORCH_LIBRARY_IMPL(_, Negative, m) {
  m.fallback(torch::CppFunction::makeFromBoxedFunction<&at::native::fallback>());
}

TORCH_LIBRARY_IMPL(aten, Conjugate, m) {
  m.impl("copy_", TORCH_FN(at::native::copy_));
  m.impl("clone", TORCH_FN(at::native::clone));
  m.impl("dot", TORCH_FN(at::native::dot_of_conjugates));
  pass_over_factories(m);
}

TORCH_LIBRARY_IMPL(aten, Negative, m) {
  m.impl("copy_", TORCH_FN(at::native::copy_));
  m.impl("clone", TORCH_FN(at::native::clone));
  pass_over_factories(m);
}

}  // namespace
