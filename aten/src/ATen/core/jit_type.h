#pragma once

// The types of schemas: enough to parse, print and compare them, and to check boxed values.

#include <c10/macros/Export.h>

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace c10 {

enum class TypeKind : uint8_t {
  AnyType,
  NoneType,
  TensorType,
  NumberType,  // `Scalar`
  IntType,
  SymIntType,
  FloatType,
  ComplexType,
  BoolType,
  StringType,
  DeviceObjType,
  GeneratorType,
  StreamObjType,
  StorageType,
  ScalarTypeType,
  LayoutType,
  MemoryFormatType,
  ListType,
  OptionalType,
  TupleType,
  DictType,
  ClassType,
};

class Type;
using TypePtr = std::shared_ptr<const Type>;

// An immutable type. Types without contents are shared; compare with operator==, not by pointer.
class TORCH_API Type {
 public:
  // A type without contents.
  static TypePtr get(TypeKind kind);
  // A list, of `size` elements when given (`int[2]`).
  static TypePtr list(TypePtr element, std::optional<int32_t> size = std::nullopt);
  static TypePtr optional(TypePtr element);
  static TypePtr tuple(std::vector<TypePtr> elements);
  static TypePtr dict(TypePtr key, TypePtr value);
  // A class of torch::class_, by its whole name: `__torch__.torch.classes.ns.Name`. Schemas may
  // name registered ones alone; see ATen/core/custom_class.h.
  static TypePtr customClass(std::string name);

  TypeKind kind() const { return kind_; }
  const std::vector<TypePtr>& containedTypes() const { return contained_; }
  // The element type of a list or an optional.
  const TypePtr& getElementType() const { return contained_.at(0); }
  std::optional<int32_t> size() const { return size_; }
  // The types of a dict.
  const TypePtr& getKeyType() const { return contained_.at(0); }
  const TypePtr& getValueType() const { return contained_.at(1); }
  // The name of a class; empty for other types.
  const std::string& name() const { return name_; }
  // As schemas write it: `Tensor?[]`, `Dict(str, int)`.
  std::string str() const;

  Type(TypeKind kind, std::vector<TypePtr> contained, std::optional<int32_t> size = std::nullopt,
       std::string name = "")
      : kind_(kind), contained_(std::move(contained)), size_(size), name_(std::move(name)) {}

 private:
  TypeKind kind_;
  std::vector<TypePtr> contained_;
  std::optional<int32_t> size_;
  std::string name_;
};

// Structural equality; the fixed size of a list does not take part.
TORCH_API bool operator==(const Type& a, const Type& b);
TORCH_API std::ostream& operator<<(std::ostream& out, const Type& type);
// Whether a C++ value of type `inferred` can stand for a schema's `declared`: equal up to the types
// that C++ passes as integers.
TORCH_API bool isCompatible(const Type& inferred, const Type& declared);

}  // namespace c10
