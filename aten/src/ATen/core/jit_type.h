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

  TypeKind kind() const { return kind_; }
  const std::vector<TypePtr>& containedTypes() const { return contained_; }
  // The element type of a list or an optional.
  const TypePtr& getElementType() const { return contained_.at(0); }
  std::optional<int32_t> size() const { return size_; }
  // As schemas write it: `Tensor?[]`.
  std::string str() const;

  Type(TypeKind kind, std::vector<TypePtr> contained, std::optional<int32_t> size = std::nullopt)
      : kind_(kind), contained_(std::move(contained)), size_(size) {}

 private:
  TypeKind kind_;
  std::vector<TypePtr> contained_;
  std::optional<int32_t> size_;
};

// Structural equality; the fixed size of a list does not take part.
TORCH_API bool operator==(const Type& a, const Type& b);
TORCH_API std::ostream& operator<<(std::ostream& out, const Type& type);
// Whether a C++ value of type `inferred` can stand for a schema's `declared`: equal up to the types
// that C++ passes as integers.
TORCH_API bool isCompatible(const Type& inferred, const Type& declared);

}  // namespace c10
