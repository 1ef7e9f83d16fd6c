#include <ATen/core/jit_type.h>

#include <array>
#include <ostream>

namespace c10 {

namespace {

const char* kindName(TypeKind kind) {
  switch (kind) {
    case TypeKind::AnyType:
      return "Any";
    case TypeKind::NoneType:
      return "NoneType";
    case TypeKind::TensorType:
      return "Tensor";
    case TypeKind::NumberType:
      return "Scalar";
    case TypeKind::IntType:
      return "int";
    case TypeKind::SymIntType:
      return "SymInt";
    case TypeKind::FloatType:
      return "float";
    case TypeKind::ComplexType:
      return "complex";
    case TypeKind::BoolType:
      return "bool";
    case TypeKind::StringType:
      return "str";
    case TypeKind::DeviceObjType:
      return "Device";
    case TypeKind::GeneratorType:
      return "Generator";
    case TypeKind::StreamObjType:
      return "Stream";
    case TypeKind::StorageType:
      return "Storage";
    case TypeKind::ScalarTypeType:
      return "ScalarType";
    case TypeKind::LayoutType:
      return "Layout";
    case TypeKind::MemoryFormatType:
      return "MemoryFormat";
    case TypeKind::ListType:
      return "List";
    case TypeKind::OptionalType:
      return "Optional";
    case TypeKind::TupleType:
      return "Tuple";
    case TypeKind::DictType:
      return "Dict";
    case TypeKind::ClassType:
      return "Class";
  }
  return "Unknown";
}

// The kind a value has in C++: symbolic integers and enumerations are integers there.
TypeKind valueKind(TypeKind kind) {
  switch (kind) {
    case TypeKind::SymIntType:
    case TypeKind::ScalarTypeType:
    case TypeKind::LayoutType:
    case TypeKind::MemoryFormatType:
      return TypeKind::IntType;
    default:
      return kind;
  }
}

}  // namespace

TypePtr Type::get(TypeKind kind) {
  static const auto types = [] {
    std::array<TypePtr, static_cast<size_t>(TypeKind::ClassType) + 1> all;
    for (size_t i = 0; i < all.size(); ++i) {
      all[i] = std::make_shared<const Type>(static_cast<TypeKind>(i), std::vector<TypePtr>());
    }
    return all;
  }();
  return types[static_cast<size_t>(kind)];
}

TypePtr Type::list(TypePtr element, std::optional<int32_t> size) {
  return std::make_shared<const Type>(TypeKind::ListType, std::vector<TypePtr>{std::move(element)},
                                      size);
}

TypePtr Type::optional(TypePtr element) {
  return std::make_shared<const Type>(TypeKind::OptionalType,
                                      std::vector<TypePtr>{std::move(element)});
}

TypePtr Type::tuple(std::vector<TypePtr> elements) {
  return std::make_shared<const Type>(TypeKind::TupleType, std::move(elements));
}

TypePtr Type::dict(TypePtr key, TypePtr value) {
  return std::make_shared<const Type>(TypeKind::DictType,
                                      std::vector<TypePtr>{std::move(key), std::move(value)});
}

TypePtr Type::customClass(std::string name) {
  return std::make_shared<const Type>(TypeKind::ClassType, std::vector<TypePtr>(), std::nullopt,
                                      std::move(name));
}

std::string Type::str() const {
  switch (kind_) {
    case TypeKind::DictType:
      return "Dict(" + getKeyType()->str() + ", " + getValueType()->str() + ")";
    case TypeKind::ClassType:
      return name_;
    case TypeKind::ListType:
      return getElementType()->str() + "[" + (size_ ? std::to_string(*size_) : "") + "]";
    case TypeKind::OptionalType:
      return getElementType()->str() + "?";
    case TypeKind::TupleType: {
      std::string out = "(";
      for (size_t i = 0; i < contained_.size(); ++i) {
        if (i > 0) out += ", ";
        out += contained_[i]->str();
      }
      return out + ")";
    }
    default:
      return kindName(kind_);
  }
}

std::string Type::annotation_str() const {
  const auto with_contents = [&](const char* name) {
    std::string out = name;
    for (size_t i = 0; i < contained_.size(); ++i) {
      out += (i == 0 ? "[" : ", ") + contained_[i]->annotation_str();
    }
    return contained_.empty() ? out + "[()]" : out + "]";
  };
  switch (kind_) {
    case TypeKind::ListType:
    case TypeKind::OptionalType:
    case TypeKind::TupleType:
    case TypeKind::DictType:
      return with_contents(kindName(kind_));
    case TypeKind::NumberType:
      return "number";
    default:
      return str();
  }
}

bool Type::isSubtypeOf(const Type& other) const {
  if (*this == other || other.kind() == TypeKind::AnyType) return true;
  if (other.kind() == TypeKind::NumberType) {
    return kind_ == TypeKind::IntType || kind_ == TypeKind::FloatType ||
           kind_ == TypeKind::ComplexType;
  }
  if (other.kind() == TypeKind::OptionalType) {
    return kind_ == TypeKind::NoneType || isSubtypeOf(other.getElementType()) ||
           (kind_ == TypeKind::OptionalType &&
            getElementType()->isSubtypeOf(other.getElementType()));
  }
  if (kind_ != TypeKind::TupleType || other.kind() != kind_ ||
      contained_.size() != other.containedTypes().size()) {
    return false;
  }
  for (size_t i = 0; i < contained_.size(); ++i) {
    if (!contained_[i]->isSubtypeOf(other.containedTypes()[i])) return false;
  }
  return true;
}

bool operator==(const Type& a, const Type& b) {
  if (a.kind() != b.kind() || a.name() != b.name() ||
      a.containedTypes().size() != b.containedTypes().size()) {
    return false;
  }
  for (size_t i = 0; i < a.containedTypes().size(); ++i) {
    if (!(*a.containedTypes()[i] == *b.containedTypes()[i])) return false;
  }
  return true;
}

bool isCompatible(const Type& inferred, const Type& declared) {
  if (valueKind(inferred.kind()) != valueKind(declared.kind()) ||
      inferred.name() != declared.name() ||
      inferred.containedTypes().size() != declared.containedTypes().size()) {
    return false;
  }
  for (size_t i = 0; i < inferred.containedTypes().size(); ++i) {
    if (!isCompatible(*inferred.containedTypes()[i], *declared.containedTypes()[i])) return false;
  }
  return true;
}

std::ostream& operator<<(std::ostream& out, const Type& type) { return out << type.str(); }

}  // namespace c10
