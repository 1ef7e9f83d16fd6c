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

ivalue::Tuple::Tuple(std::vector<IValue> elements) : elements(std::move(elements)) {}
ivalue::Tuple::~Tuple() = default;

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
  if (v.isComplexDouble()) return out << v.toComplexDouble();
  if (v.isString()) return out << v.toStringRef();
  if (v.isDevice()) return out << v.toDevice();
  if (v.isList()) {
    printSequence(out, v.toListRef(), "[", "]");
    return out;
  }
  if (v.isTuple()) {
    printSequence(out, v.toTupleRef(), "(", v.toTupleRef().size() == 1 ? ",)" : ")");
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
