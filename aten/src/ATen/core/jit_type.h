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

// What a type is, before its contents: ListType for `int[]`.
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
  // `element?`, `(a, b)` and `Dict(key, value)`.
  static TypePtr optional(TypePtr element);
  static TypePtr tuple(std::vector<TypePtr> elements);
  static TypePtr dict(TypePtr key, TypePtr value);
  // A class of torch::class_, by its whole name: `__torch__.torch.classes.ns.Name`. Schemas may
  // name registered ones alone; see ATen/core/custom_class.h.
  static TypePtr customClass(std::string name);

  TypeKind kind() const { return kind_; }
  // The types inside: one of a list or an optional, two of a dict, all of a tuple.
  const std::vector<TypePtr>& containedTypes() const { return contained_; }
  // The element type of a list or an optional. These throw std::out_of_range for a
  // type without one.
  const TypePtr& getElementType() const { return contained_.at(0); }
  // The number of elements of `int[2]`; nullopt for `int[]` and for what is no list.
  std::optional<int32_t> size() const { return size_; }
  // The types of a dict.
  const TypePtr& getKeyType() const { return contained_.at(0); }
  const TypePtr& getValueType() const { return contained_.at(1); }
  // The name of a class; empty for other types.
  const std::string& name() const { return name_; }
  // As schemas write it: `Tensor?[]`, `Dict(str, int)`.
  std::string str() const;
  // As Python writes it: `List[Optional[Tensor]]`, `Dict[str, int]`.
  std::string annotation_str() const;
  std::string repr_str() const { return annotation_str(); }
  // Whether each value of this type is one of `other`: Any has all, an optional its contents and
  // None, Scalar the numbers.
  bool isSubtypeOf(const Type& other) const;
  bool isSubtypeOf(const TypePtr& other) const { return isSubtypeOf(*other); }

  // Use the functions above: they check nothing, but share what can be shared.
  Type(TypeKind kind, std::vector<TypePtr> contained, std::optional<int32_t> size = std::nullopt,
       std::string name = "")
      : kind_(kind), contained_(std::move(contained)), size_(size), name_(std::move(name)) {}

 private:
  TypeKind kind_;
  std::vector<TypePtr> contained_;
  std::optional<int32_t> size_;
  std::string name_;
};

// PyTorch's classes of types, for their `get` and `create`.
#define C10_TYPE_CLASS(name)                                   \
  struct name {                                                \
    static TypePtr get() { return Type::get(TypeKind::name); } \
  };
C10_TYPE_CLASS(AnyType)
C10_TYPE_CLASS(NoneType)
C10_TYPE_CLASS(TensorType)
C10_TYPE_CLASS(NumberType)
C10_TYPE_CLASS(IntType)
C10_TYPE_CLASS(SymIntType)
C10_TYPE_CLASS(FloatType)
C10_TYPE_CLASS(ComplexType)
C10_TYPE_CLASS(BoolType)
C10_TYPE_CLASS(StringType)
C10_TYPE_CLASS(DeviceObjType)
C10_TYPE_CLASS(GeneratorType)
C10_TYPE_CLASS(StreamObjType)
C10_TYPE_CLASS(StorageType)
#undef C10_TYPE_CLASS
struct OptionalType {
  static TypePtr create(TypePtr element) { return Type::optional(std::move(element)); }
  static TypePtr ofTensor() { return create(TensorType::get()); }
};
struct ListType {
  static TypePtr create(TypePtr element) { return Type::list(std::move(element)); }
  static TypePtr ofTensors() { return create(TensorType::get()); }
  static TypePtr ofOptionalTensors() { return create(OptionalType::ofTensor()); }
  static TypePtr ofInts() { return create(IntType::get()); }
  static TypePtr ofFloats() { return create(FloatType::get()); }
  static TypePtr ofComplexDoubles() { return create(ComplexType::get()); }
  static TypePtr ofBools() { return create(BoolType::get()); }
  static TypePtr ofStrings() { return create(StringType::get()); }
  static TypePtr ofNumbers() { return create(NumberType::get()); }
};
struct TupleType {
  static TypePtr create(std::vector<TypePtr> elements) { return Type::tuple(std::move(elements)); }
};
struct DictType {
  static TypePtr create(TypePtr key, TypePtr value) {
    return Type::dict(std::move(key), std::move(value));
  }
};

// Structural equality; the fixed size of a list does not take part.
TORCH_API bool operator==(const Type& a, const Type& b);
TORCH_API std::ostream& operator<<(std::ostream& out, const Type& type);
// Whether a C++ value of type `inferred` can stand for a schema's `declared`: equal up to the types
// that C++ passes as integers.
TORCH_API bool isCompatible(const Type& inferred, const Type& declared);

}  // namespace c10
