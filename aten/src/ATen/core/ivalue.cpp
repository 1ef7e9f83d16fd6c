#include <ATen/core/ivalue.h>

#include <ATen/core/custom_class.h>

#include <ATen/core/Formatting.h>
#include <ATen/core/Tensor.h>

#include <cmath>
#include <ostream>

namespace c10 {

detail::ListImpl::ListImpl(std::vector<IValue> list, TypePtr element_type)
    : list(std::move(list)),
      // Lists of SymInt are lists of int, as their elements are ints.
      elementType(element_type->kind() == TypeKind::SymIntType ? Type::get(TypeKind::IntType)
                                                               : std::move(element_type)) {}
detail::ListImpl::~ListImpl() = default;

ivalue::Tuple::Tuple(std::vector<IValue> elements) : elements_(std::move(elements)) {}
ivalue::Tuple::~Tuple() = default;
intrusive_ptr<ivalue::Tuple> ivalue::Tuple::create(std::vector<IValue> elements) {
  return make_intrusive<Tuple>(std::move(elements));
}
std::vector<IValue> ivalue::Tuple::elements() && { return std::move(elements_); }
void ivalue::Tuple::setElements(std::vector<IValue> elements) { elements_ = std::move(elements); }
size_t ivalue::Tuple::size() const { return elements_.size(); }

ivalue::Object::Object(TypePtr type, intrusive_ptr<CustomClassHolder> holder)
    : type(std::move(type)), holder(std::move(holder)) {}
ivalue::Object::~Object() = default;

IValue IValue::make_capsule(intrusive_ptr<CustomClassHolder> object) {
  return make_intrusive<ivalue::Object>(nullptr, std::move(object));
}

bool IValue::isCapsule() const {
  return is<intrusive_ptr<ivalue::Object>>() &&
         std::get<intrusive_ptr<ivalue::Object>>(value_)->type == nullptr;
}

const intrusive_ptr<ivalue::Object>& IValue::toObject() const {
  if (isCapsule()) throwUnexpectedKind("Object");
  return get<intrusive_ptr<ivalue::Object>>("Object");
}

intrusive_ptr<CustomClassHolder> IValue::toCapsule() const {
  if (!isCapsule()) throwUnexpectedKind("Capsule");
  return std::get<intrusive_ptr<ivalue::Object>>(value_)->holder;
}

intrusive_ptr<CustomClassHolder> IValue::toCustomClassOf(const std::type_info& type) const {
  const ivalue::Object& object = toObjectRef();
  const TypePtr expected = detail::customClassType(type);
  TORCH_CHECK(*object.type == *expected, "Tried to convert an IValue of type ", object.name(),
              " to custom class type ", expected->name());
  return object.holder;
}

IValue::IValue(const Scalar& s) {
  if (s.isBoolean()) {
    value_ = s.to<bool>();
  } else if (s.isIntegral(/*includeBool=*/false)) {
    value_ = s.to<int64_t>();
  } else if (s.isComplex()) {
    value_ = s.to<c10::complex<double>>();
  } else {
    value_ = s.to<double>();
  }
}

Scalar IValue::toScalar() const {
  if (isDouble()) return toDouble();
  if (isInt()) return toInt();
  if (isBool()) return toBool();
  if (isComplexDouble()) return toComplexDouble();
  throwUnexpectedKind("Scalar");
}

at::Tensor IValue::toTensor() const& { return at::Tensor(toTensorBase()); }
at::Tensor IValue::toTensor() && {
  toTensorBase();
  return at::Tensor(std::move(std::get<at::TensorBase>(value_)));
}
std::vector<at::Tensor> IValue::toTensorVector() const { return to<std::vector<at::Tensor>>(); }

at::Tensor detail::IValueTo<at::Tensor>::call(const IValue& v) { return v.toTensor(); }

DimVector IValue::toDimVector() const {
  const std::vector<int64_t> values = toIntVector();
  return DimVector(values.begin(), values.end());
}

TypePtr IValue::type() const {
  static constexpr TypeKind kKinds[] = {
      TypeKind::NoneType,      TypeKind::TensorType,    TypeKind::FloatType,
      TypeKind::IntType,       TypeKind::BoolType,      TypeKind::ComplexType,
      TypeKind::StringType,    TypeKind::DeviceObjType, TypeKind::StreamObjType,
      TypeKind::GeneratorType, TypeKind::StorageType};
  if (value_.index() < std::size(kKinds)) return Type::get(kKinds[value_.index()]);
  if (isList()) return Type::list(toListImpl()->elementType);
  if (isGenericDict()) return Type::dict(toDictImpl()->keyType, toDictImpl()->valueType);
  if (isTuple()) {
    std::vector<TypePtr> types;
    for (const IValue& element : toTupleRef().elements()) types.push_back(element.type());
    return Type::tuple(std::move(types));
  }
  return toObjectRef().type;
}

const void* IValue::pointer() const {
  return std::visit(
      []<typename T>(const T& v) -> const void* {
        if constexpr (std::is_same_v<T, at::TensorBase>) {
          return v.unsafeGetTensorImpl();
        } else if constexpr (std::is_same_v<T, at::Generator>) {
          return v.unsafeGetGeneratorImpl();
        } else if constexpr (std::is_same_v<T, Storage>) {
          return v.unsafeGetStorageImpl();
        } else if constexpr (requires { v.get(); }) {
          return v.get();
        } else {
          return nullptr;
        }
      },
      value_);
}

bool IValue::isPtrType() const {
  if (isTensor()) return toTensorBase().defined();
  return isString() || pointer() != nullptr;
}

size_t IValue::use_count() const noexcept {
  return std::visit(
      []<typename T>(const T& v) -> size_t {
        if constexpr (requires { static_cast<size_t>(v.use_count()); }) {
          return static_cast<size_t>(v.use_count());
        } else {
          return 1;
        }
      },
      value_);
}

bool IValue::is(const IValue& rhs) const {
  if (isNone() && rhs.isTensor()) return !rhs.toTensorBase().defined();
  if (rhs.isNone() && isTensor()) return !toTensorBase().defined();
  if (value_.index() != rhs.value_.index()) return false;
  if (isTensor()) return toTensorBase().is_same(rhs.toTensorBase());
  if (isPtrType() && !isString()) return pointer() == rhs.pointer();
  return *this == rhs;
}

namespace {

bool equalSequences(const std::vector<IValue>& a, const std::vector<IValue>& b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!a[i].is(b[i]) && !(a[i] == b[i])) return false;
  }
  return true;
}

bool equalDicts(const IValue& lhs, const IValue& rhs) {
  const auto a = lhs.toGenericDict();
  const auto b = rhs.toGenericDict();
  if (a.size() != b.size()) return false;
  for (const auto& entry : a) {
    const auto found = b.find(entry.key());
    if (found == b.end()) return false;
    const IValue other = found->value();
    if (!entry.value().is(other) && !(entry.value() == other)) return false;
  }
  return true;
}

}  // namespace

IValue IValue::equals(const IValue& rhs) const {
  if (isTensor() && rhs.isTensor()) {
    const bool defined = toTensorBase().defined();
    if (!defined || !rhs.toTensorBase().defined()) return defined == rhs.toTensorBase().defined();
    return toTensor().eq(rhs.toTensor());
  }
  if (value_.index() != rhs.value_.index()) return false;
  if (isNone()) return true;
  if (isDouble()) return toDouble() == rhs.toDouble();
  if (isInt()) return toInt() == rhs.toInt();
  if (isBool()) return toBool() == rhs.toBool();
  if (isComplexDouble()) return toComplexDouble() == rhs.toComplexDouble();
  if (isString()) return toStringRef() == rhs.toStringRef();
  if (isDevice()) return toDevice() == rhs.toDevice();
  if (isStream()) return toStream() == rhs.toStream();
  if (isList()) return equalSequences(toListRef(), rhs.toListRef());
  if (isTuple()) return equalSequences(toTupleRef().elements(), rhs.toTupleRef().elements());
  if (isGenericDict()) return equalDicts(*this, rhs);
  return pointer() == rhs.pointer();
}

bool operator==(const IValue& lhs, const IValue& rhs) {
  const IValue equal = lhs.equals(rhs);
  return equal.isBool() ? equal.toBool() : equal.toTensor().is_nonzero();
}

bool IValue::isAliasOf(const IValue& rhs) const {
  if (isTensor() && rhs.isTensor()) return toTensorBase().is_alias_of(rhs.toTensorBase());
  return pointer() != nullptr && pointer() == rhs.pointer();
}

IValue IValue::deepcopy() const {
  const auto copy_all = [](const std::vector<IValue>& values) {
    std::vector<IValue> copies;
    copies.reserve(values.size());
    for (const IValue& value : values) copies.push_back(value.deepcopy());
    return copies;
  };
  if (isTensor()) return toTensorBase().defined() ? IValue(toTensor().clone()) : *this;
  if (isList()) {
    return make_intrusive<detail::ListImpl>(copy_all(toListRef()), toListImpl()->elementType);
  }
  if (isTuple()) return ivalue::Tuple::create(copy_all(toTupleRef().elements()));
  if (isGenericDict()) {
    const impl::GenericDict copy(toDictImpl()->keyType, toDictImpl()->valueType);
    for (const auto& entry : toGenericDict()) {
      copy.insert(entry.key().deepcopy(), entry.value().deepcopy());
    }
    return copy;
  }
  TORCH_CHECK(isString() || !isPtrType(), "Can't deepcopy IValue with tag: ", tagKind());
  return *this;
}

std::string IValue::tagKind() const {
  static constexpr const char* kNames[] = {
      "None",   "Tensor",    "Double",  "Int",         "Bool",  "ComplexDouble", "String", "Device",
      "Stream", "Generator", "Storage", "GenericList", "Tuple", "GenericDict",   "Object"};
  if (isCapsule()) return "Capsule";
  return kNames[value_.index()];
}

void IValue::throwUnexpectedKind(const char* expected) const {
  TORCH_CHECK(false, "Expected ", expected, " but got ", tagKind());
}

namespace {

void printSequence(std::ostream& out, const std::vector<IValue>& values, const char* open,
                   const char* close) {
  out << open;
  for (size_t i = 0; i < values.size(); ++i) out << (i > 0 ? ", " : "") << values[i];
  out << close;
}

// Shortest text that reads back as the same number, with a point so that it stays a float.
void printDouble(std::ostream& out, double d) {
  char text[32];
  for (int precision : {6, 9, 12, 15, 17}) {
    std::snprintf(text, sizeof(text), "%.*g", precision, d);
    if (std::strtod(text, nullptr) == d) break;
  }
  out << text;
  if (std::isfinite(d) && std::string_view(text).find_first_of(".e") == std::string_view::npos) {
    out << ".";
  }
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const IValue& v) {
  if (v.isNone()) return out << "None";
  if (v.isTensor()) return out << v.toTensor();
  if (v.isDouble()) {
    printDouble(out, v.toDouble());
    return out;
  }
  if (v.isInt()) return out << v.toInt();
  if (v.isBool()) return out << (v.toBool() ? "True" : "False");
  if (v.isComplexDouble()) {
    const c10::complex<double> z = v.toComplexDouble();
    printDouble(out, z.real());
    if (!std::signbit(z.imag())) out << "+";
    printDouble(out, z.imag());
    return out << "j";
  }
  if (v.isString()) return out << v.toStringRef();
  if (v.isDevice()) return out << v.toDevice();
  if (v.isList()) {
    printSequence(out, v.toListRef(), "[", "]");
    return out;
  }
  if (v.isTuple()) {
    printSequence(out, v.toTupleRef().elements(), "(", v.toTupleRef().size() == 1 ? ",)" : ")");
    return out;
  }
  if (v.isGenericDict()) {
    out << "{";
    const char* separator = "";
    for (const auto& entry : v.toGenericDict()) {
      out << separator << entry.key() << ": " << entry.value();
      separator = ", ";
    }
    return out << "}";
  }
  if (v.isObject()) return out << "<" << v.toObjectRef().name() << " object>";
  return out << "<" << v.tagKind() << ">";
}

}  // namespace c10
