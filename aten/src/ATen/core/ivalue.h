#pragma once

// The value of any type that a schema knows. Boxed kernels get their arguments and give their
// results as a stack of these.

#include <ATen/core/Generator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/core/jit_type.h>
#include <c10/core/Scalar.h>
#include <c10/core/Storage.h>
#include <c10/core/Stream.h>
#include <c10/core/SymInt.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/DimVector.h>
#include <c10/util/Exception.h>
#include <c10/util/Logging.h>
#include <c10/util/complex_type.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/string_view.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace torch {
// The base of the classes of torch::class_ (torch/custom_class.h).
struct CustomClassHolder : c10::intrusive_ptr_target {};
}  // namespace torch

namespace c10 {

using torch::CustomClassHolder;

class IValue;
template <typename T>
class List;
template <typename Key, typename Value>
class Dict;

namespace detail {
// The shared contents of a list.
struct TORCH_API ListImpl final : intrusive_ptr_target {
  ListImpl(std::vector<IValue> list, TypePtr element_type);
  ~ListImpl() override;
  std::vector<IValue> list;
  TypePtr elementType;
};

struct DictEntry;
// The shared contents of a dict, in the order of insertion. ATen/core/Dict.h has the classes for
// users.
struct TORCH_API DictImpl final : intrusive_ptr_target {
  DictImpl(TypePtr key_type, TypePtr value_type);
  ~DictImpl() override;
  size_t size() const;
  // Null if there is none.
  DictEntry* first() const;
  // Throws c10::Error for a key that cannot be hashed: a list, a tuple, None.
  DictEntry* find(const IValue& key) const;
  // The entry of the key, and whether it is new; an older one keeps its value unless `assign`.
  std::pair<DictEntry*, bool> insert(IValue key, IValue value, bool assign);
  void erase(DictEntry* entry);
  void clear();
  void reserve(size_t count);

  TypePtr keyType;
  TypePtr valueType;

 private:
  struct Entries;
  std::unique_ptr<Entries> entries_;
};
}  // namespace detail

namespace ivalue {
// The elements of a tuple. Copies of an IValue share them: `setElements` changes all of them.
struct TORCH_API Tuple final : intrusive_ptr_target {
  explicit Tuple(std::vector<IValue> elements);
  ~Tuple() override;
  static intrusive_ptr<Tuple> create(std::vector<IValue> elements);
  template <typename... Args>
    requires(sizeof...(Args) > 0 && (std::is_constructible_v<IValue, Args> && ...))
  static intrusive_ptr<Tuple> create(Args&&... elements);
  const std::vector<IValue>& elements() const& { return elements_; }
  // Moves the elements out; all values that share them see an empty tuple.
  std::vector<IValue> elements() &&;
  void setElements(std::vector<IValue> elements);
  size_t size() const;

 private:
  std::vector<IValue> elements_;
};

// What IValue::toString gives: a string behind a pointer.
struct TORCH_API ConstantString final : intrusive_ptr_target {
  explicit ConstantString(std::string text) : text_(std::move(text)) {}
  static intrusive_ptr<ConstantString> create(std::string text) {
    return make_intrusive<ConstantString>(std::move(text));
  }
  const std::string& string() const { return text_; }
  std::string_view string_view() const { return text_; }
  operator const std::string&() const { return text_; }

 private:
  std::string text_;
};

// An object of a class of torch::class_, or, without a type, of any class: a capsule.
struct TORCH_API Object final : intrusive_ptr_target {
  Object(TypePtr type, intrusive_ptr<CustomClassHolder> holder);
  ~Object() override;
  // Whole name of the class: `__torch__.torch.classes.ns.Name`.
  const std::string& name() const { return type->name(); }
  TypePtr type;
  intrusive_ptr<CustomClassHolder> holder;
};
}  // namespace ivalue

namespace detail {
// The schema type of a class that torch::class_ registered. Throws c10::Error for another one.
TORCH_API TypePtr customClassType(const std::type_info& type);
}  // namespace detail

// The schema type of a C++ type: `getTypePtr<std::optional<double>>()` is `float?`.
template <typename T>
struct TypePtrOf;
template <typename T>
TypePtr getTypePtr() {
  return TypePtrOf<std::decay_t<T>>::get();
}

// A value of any schema type: None, tensor, number, string, list, ... A copy shares what is behind
// a tensor, list, dict, tuple, object, generator or storage. ScalarType, Layout, MemoryFormat and
// SymInt are stored as int.
//
//   c10::IValue v = 2.5;
//   v.isDouble();  // true
//   v.toInt();     // throws: "Expected Int but got Double"
class TORCH_API IValue final {
 public:
  IValue() = default;

  IValue(at::TensorBase t) : value_(std::move(t)) {}
  IValue(double d) : value_(d) {}
  IValue(int64_t i) : value_(i) {}
  IValue(int32_t i) : value_(static_cast<int64_t>(i)) {}
  IValue(bool b) : value_(b) {}
  IValue(c10::complex<double> c) : value_(c) {}
  IValue(SymInt i) : IValue(i.expect_int()) {}
  IValue(SymFloat f) : IValue(f.expect_float()) {}
  IValue(SymBool b) : IValue(b.expect_bool()) {}
  IValue(std::string s) : value_(std::make_shared<const std::string>(std::move(s))) {}
  IValue(std::string_view s) : IValue(std::string(s)) {}
  IValue(const char* s) : IValue(std::string(s)) {}
  IValue(const Scalar& s);
  IValue(Device d) : value_(d) {}
  IValue(Stream s) : value_(s) {}
  IValue(at::Generator g) : value_(std::move(g)) {}
  IValue(Storage s) : value_(std::move(s)) {}
  IValue(ScalarType t) : value_(static_cast<int64_t>(t)) {}
  IValue(Layout l) : value_(static_cast<int64_t>(l)) {}
  IValue(MemoryFormat m) : value_(static_cast<int64_t>(m)) {}
  IValue(std::nullopt_t) {}
  IValue(intrusive_ptr<detail::ListImpl> list) : value_(std::move(list)) {}
  IValue(intrusive_ptr<ivalue::Tuple> tuple) : value_(std::move(tuple)) {}
  IValue(intrusive_ptr<detail::DictImpl> dict) : value_(std::move(dict)) {}
  IValue(intrusive_ptr<ivalue::Object> object) : value_(std::move(object)) {}
  // An object of a class of torch::class_; None for a null pointer. Throws c10::Error for another
  // class.
  template <typename T>
    requires std::is_base_of_v<CustomClassHolder, T>
  IValue(intrusive_ptr<T> object) {
    if (object) {
      value_ =
          make_intrusive<ivalue::Object>(detail::customClassType(typeid(T)), std::move(object));
    }
  }
  // An object of any class, for code that knows which.
  static IValue make_capsule(intrusive_ptr<CustomClassHolder> object);
  template <typename T>
  IValue(std::optional<T> v) {
    if (v.has_value()) *this = IValue(*std::move(v));
  }
  template <typename T>
  IValue(ArrayRef<T> v) {
    std::vector<IValue> list;
    list.reserve(v.size());
    for (const T& x : v) list.emplace_back(x);
    value_ = make_intrusive<detail::ListImpl>(std::move(list), getTypePtr<T>());
  }
  template <typename T>
  IValue(const OptionalArrayRef<T>& v) {
    if (v.has_value()) *this = IValue(*v);
  }
  template <typename T>
  IValue(const std::vector<T>& v) {
    std::vector<IValue> list;
    list.reserve(v.size());
    for (const auto& x : v) list.emplace_back(static_cast<const T&>(x));
    value_ = make_intrusive<detail::ListImpl>(std::move(list), getTypePtr<T>());
  }
  template <typename T, size_t N>
  IValue(const std::array<T, N>& v) : IValue(ArrayRef<T>(v.data(), N)) {}
  template <typename T>
  IValue(const List<T>& list) : value_(list.impl()) {}
  template <typename K, typename V>
  IValue(const Dict<K, V>& dict) : value_(dict.impl()) {}
  // A dict with the entries of a map, in the map's order.
  template <typename K, typename V>
  IValue(const std::unordered_map<K, V>& map);
  template <typename... Ts>
  IValue(std::tuple<Ts...> t) {
    value_ = std::apply(
        [](auto&&... xs) {
          std::vector<IValue> elements;
          elements.reserve(sizeof...(xs));
          (elements.emplace_back(std::forward<decltype(xs)>(xs)), ...);
          return make_intrusive<ivalue::Tuple>(std::move(elements));
        },
        std::move(t));
  }
  // A pointer would otherwise become a bool.
  IValue(const void*) = delete;

  bool isNone() const { return is<std::monostate>(); }
  bool isTensor() const { return is<at::TensorBase>(); }
  bool isDouble() const { return is<double>(); }
  bool isInt() const { return is<int64_t>(); }
  bool isBool() const { return is<bool>(); }
  bool isComplexDouble() const { return is<c10::complex<double>>(); }
  bool isScalar() const { return isDouble() || isInt() || isBool() || isComplexDouble(); }
  bool isString() const { return is<std::shared_ptr<const std::string>>(); }
  bool isDevice() const { return is<Device>(); }
  bool isStream() const { return is<Stream>(); }
  bool isGenerator() const { return is<at::Generator>(); }
  bool isStorage() const { return is<Storage>(); }
  bool isList() const { return is<intrusive_ptr<detail::ListImpl>>(); }
  bool isTuple() const { return is<intrusive_ptr<ivalue::Tuple>>(); }
  bool isGenericDict() const { return is<intrusive_ptr<detail::DictImpl>>(); }
  // An object of a class of torch::class_; a capsule has none.
  bool isObject() const { return is<intrusive_ptr<ivalue::Object>>() && !isCapsule(); }
  bool isCapsule() const;
  bool isCustomClass() const { return isObject(); }
  bool isSymInt() const { return isInt(); }
  bool isSymFloat() const { return isDouble(); }
  bool isSymBool() const { return isBool(); }
  // Of lists by their element type, which an empty list has too.
  bool isComplexDoubleList() const { return isListOf(TypeKind::ComplexType); }
  bool isOptionalTensorList() const {
    return isListOf(TypeKind::OptionalType) &&
           toListImpl()->elementType->getElementType()->kind() == TypeKind::TensorType;
  }
  bool isTensorList() const { return isListOf(TypeKind::TensorType); }
  bool isIntList() const { return isListOf(TypeKind::IntType); }
  bool isDoubleList() const { return isListOf(TypeKind::FloatType); }
  bool isBoolList() const { return isListOf(TypeKind::BoolType); }
  bool isSymIntList() const { return isIntList(); }

  // The value as a C++ type. Throw c10::Error, which names both types, if it is of another type.
  // References are valid as long as this IValue.
  at::Tensor toTensor() const&;
  at::Tensor toTensor() &&;
  const at::TensorBase& toTensorBase() const { return get<at::TensorBase>("Tensor"); }
  double toDouble() const { return get<double>("Double"); }
  int64_t toInt() const { return get<int64_t>("Int"); }
  bool toBool() const { return get<bool>("Bool"); }
  c10::complex<double> toComplexDouble() const {
    return get<c10::complex<double>>("ComplexDouble");
  }
  Scalar toScalar() const;
  const std::string& toStringRef() const {
    return *get<std::shared_ptr<const std::string>>("String");
  }
  std::string_view toStringView() const { return toStringRef(); }
  // None for None.
  std::optional<std::reference_wrapper<const std::string>> toOptionalStringRef() const {
    if (isNone()) return std::nullopt;
    return std::cref(toStringRef());
  }
  // A copy.
  intrusive_ptr<ivalue::ConstantString> toString() const {
    return ivalue::ConstantString::create(toStringRef());
  }
  Device toDevice() const { return get<Device>("Device"); }
  Stream toStream() const { return get<Stream>("Stream"); }
  at::Generator toGenerator() const { return get<at::Generator>("Generator"); }
  Storage toStorage() const { return get<Storage>("Storage"); }
  ScalarType toScalarType() const { return static_cast<ScalarType>(toInt()); }
  Layout toLayout() const { return static_cast<Layout>(toInt()); }
  MemoryFormat toMemoryFormat() const { return static_cast<MemoryFormat>(toInt()); }
  const std::vector<IValue>& toListRef() const { return toListImpl()->list; }
  ArrayRef<IValue> toListArrayRef() const { return toListRef(); }
  const intrusive_ptr<detail::ListImpl>& toListImpl() const {
    return get<intrusive_ptr<detail::ListImpl>>("GenericList");
  }
  const ivalue::Tuple& toTupleRef() const { return *toTuple(); }
  const intrusive_ptr<ivalue::Tuple>& toTuple() const {
    return get<intrusive_ptr<ivalue::Tuple>>("Tuple");
  }
  // Copies of a list. Throw c10::Error if an element is of another type.
  std::vector<int64_t> toIntVector() const { return to<std::vector<int64_t>>(); }
  DimVector toDimVector() const;
  std::vector<double> toDoubleVector() const { return to<std::vector<double>>(); }
  std::vector<c10::complex<double>> toComplexDoubleVector() const {
    return to<std::vector<c10::complex<double>>>();
  }
  std::vector<at::Tensor> toTensorVector() const;
  // Lists that share their elements with this value: a change of one is seen in the other.
  List<IValue> toList() const;
  List<at::Tensor> toTensorList() const;
  List<int64_t> toIntList() const;
  List<double> toDoubleList() const;
  List<c10::complex<double>> toComplexDoubleList() const;
  List<std::optional<at::Tensor>> toOptionalTensorList() const;
  List<bool> toBoolList() const;
  Dict<IValue, IValue> toGenericDict() const;
  SymInt toSymInt() const { return toInt(); }
  SymFloat toSymFloat() const { return toDouble(); }
  SymBool toSymBool() const { return toBool(); }
  std::vector<SymInt> toSymIntVector() const { return to<std::vector<SymInt>>(); }
  List<SymInt> toSymIntList() const;
  const intrusive_ptr<detail::DictImpl>& toDictImpl() const {
    return get<intrusive_ptr<detail::DictImpl>>("GenericDict");
  }
  const intrusive_ptr<ivalue::Object>& toObject() const;
  ivalue::Object& toObjectRef() const { return *toObject(); }
  intrusive_ptr<CustomClassHolder> toCapsule() const;
  // Throws c10::Error if the object is of another class.
  template <typename T>
  intrusive_ptr<T> toCustomClass() const {
    return static_intrusive_pointer_cast<T>(toCustomClassOf(typeid(T)));
  }

  // The value as a C++ type: `to<std::optional<double>>()`.
  template <typename T>
  T to() const;
  template <typename T>
  std::optional<T> toOptional() const {
    return to<std::optional<T>>();
  }

  // The schema type of the value: `int[]`, `(int, Tensor)`.
  TypePtr type() const;

  // Whether both are the same object, or equal where there is nothing behind a pointer.
  bool is(const IValue& rhs) const;
  // Whether both have one type and one value; of tensors, a tensor that says where they are equal.
  IValue equals(const IValue& rhs) const;
  // The same as a bool: tensors must have one element, where `==` asks the contents of lists,
  // tuples and dicts.
  friend TORCH_API bool operator==(const IValue& lhs, const IValue& rhs);
  // Throws c10::Error for what has no hash, such as a list.
  static size_t hash(const IValue& v);
  size_t hash() const { return hash(*this); }

  // Whether the value is behind a pointer, and how many values share it; 1 for others.
  bool isPtrType() const;
  size_t use_count() const noexcept;
  // Whether a change of one can be seen in the other.
  bool isAliasOf(const IValue& rhs) const;
  // A value that shares nothing with this one. Throws c10::Error for an object of a class.
  IValue deepcopy() const;
  void swap(IValue& rhs) noexcept { value_.swap(rhs.value_); }

  // The name of the stored type: "Int", "GenericList".
  std::string tagKind() const;

 private:
  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(value_);
  }
  template <typename T>
  const T& get(const char* expected) const {
    const T* v = std::get_if<T>(&value_);
    if (v == nullptr) throwUnexpectedKind(expected);
    return *v;
  }
  // The object behind the value; null if there is none.
  const void* pointer() const;
  bool isListOf(TypeKind kind) const {
    return isList() && toListImpl()->elementType->kind() == kind;
  }
  [[noreturn]] void throwUnexpectedKind(const char* expected) const;
  intrusive_ptr<CustomClassHolder> toCustomClassOf(const std::type_info& type) const;

  std::variant<std::monostate, at::TensorBase, double, int64_t, bool, c10::complex<double>,
               std::shared_ptr<const std::string>, Device, Stream, at::Generator, Storage,
               intrusive_ptr<detail::ListImpl>, intrusive_ptr<ivalue::Tuple>,
               intrusive_ptr<detail::DictImpl>, intrusive_ptr<ivalue::Object>>
      value_;
};

TORCH_API std::ostream& operator<<(std::ostream& out, const IValue& v);

template <typename T, bool Const>
class ListIterator;

// An element of a list: reads as a T, and what is assigned to it is written into the list.
template <typename T>
class ListElementReference final {
 public:
  operator T() const { return element().template to<T>(); }
  const ListElementReference& operator=(T value) const {
    element() = IValue(std::move(value));
    return *this;
  }
  const ListElementReference& operator=(const ListElementReference& other) const {
    element() = IValue(other.element());
    return *this;
  }
  const IValue& get() const { return element(); }

  friend void swap(const ListElementReference& a, const ListElementReference& b) {
    std::swap(a.element(), b.element());
  }
  friend bool operator==(const ListElementReference& a, const T& b) { return T(a) == b; }

 private:
  friend class List<T>;
  friend class ListIterator<T, false>;
  ListElementReference(detail::ListImpl* list, size_t pos) : list_(list), pos_(pos) {}
  ListElementReference(const ListElementReference&) = default;
  IValue& element() const { return list_->list.at(pos_); }

  detail::ListImpl* list_;
  size_t pos_;
};

// A position in a list, as a random access iterator.
template <typename T, bool Const>
class ListIterator final {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = std::conditional_t<Const, T, ListElementReference<T>>;

  ListIterator() = default;
  ListIterator(detail::ListImpl* list, size_t pos)
      : list_(list), pos_(static_cast<difference_type>(pos)) {}
  operator ListIterator<T, true>() const { return {list_, static_cast<size_t>(pos_)}; }

  reference operator*() const { return (*this)[0]; }
  reference operator[](difference_type n) const {
    const auto pos = static_cast<size_t>(pos_ + n);
    if constexpr (Const) {
      return list_->list.at(pos).template to<T>();
    } else {
      return ListElementReference<T>(list_, pos);
    }
  }
  ListIterator& operator+=(difference_type n) {
    pos_ += n;
    return *this;
  }
  ListIterator& operator-=(difference_type n) { return *this += -n; }
  ListIterator& operator++() { return *this += 1; }
  ListIterator& operator--() { return *this -= 1; }
  ListIterator operator++(int) { return std::exchange(*this, *this + 1); }
  ListIterator operator--(int) { return std::exchange(*this, *this - 1); }
  friend ListIterator operator+(ListIterator a, difference_type n) { return a += n; }
  friend ListIterator operator+(difference_type n, ListIterator a) { return a += n; }
  friend ListIterator operator-(ListIterator a, difference_type n) { return a -= n; }
  friend difference_type operator-(const ListIterator& a, const ListIterator& b) {
    return a.pos_ - b.pos_;
  }
  friend bool operator==(const ListIterator& a, const ListIterator& b) { return a.pos_ == b.pos_; }
  friend auto operator<=>(const ListIterator& a, const ListIterator& b) {
    return a.pos_ <=> b.pos_;
  }

 private:
  friend class List<T>;
  detail::ListImpl* list_ = nullptr;
  difference_type pos_ = 0;
};

// A list that shares its contents with its copies and with the IValue it came from. Moving one
// copies it, so that no list is without contents. Positions outside throw std::out_of_range.
template <typename T>
class List final {
 public:
  using value_type = T;
  using size_type = size_t;
  using iterator = ListIterator<T, false>;
  using const_iterator = ListIterator<T, true>;

  List() : List(std::vector<IValue>()) {}
  List(std::initializer_list<T> values) : List() {
    for (const T& v : values) push_back(v);
  }
  explicit List(ArrayRef<T> values) : List() {
    for (const T& v : values) push_back(v);
  }
  // An empty list whose element type is known at run time only.
  explicit List(TypePtr elementType)
      : impl_(make_intrusive<detail::ListImpl>(std::vector<IValue>(), std::move(elementType))) {
    static_assert(std::is_same_v<T, IValue>, "only List<IValue> takes a type; others have theirs");
  }
  explicit List(intrusive_ptr<detail::ListImpl> impl) : impl_(std::move(impl)) {}

  List(const List&) = default;
  List& operator=(const List&) = default;
  ~List() = default;

  // The list is passed as `const List&` and yet has reference semantics, hence const.
  size_t size() const { return impl_->list.size(); }
  bool empty() const { return impl_->list.empty(); }
  void reserve(size_t n) const { impl_->list.reserve(n); }
  T get(size_t pos) const { return impl_->list.at(pos).template to<T>(); }
  void set(size_t pos, T value) const { impl_->list.at(pos) = IValue(std::move(value)); }
  // The element, which is a T{} in the list from then on.
  T extract(size_t pos) const {
    return std::exchange(impl_->list.at(pos), IValue(T{})).template to<T>();
  }
  T operator[](size_t pos) const { return get(pos); }
  ListElementReference<T> operator[](size_t pos) {
    (void)impl_->list.at(pos);
    return {impl_.get(), pos};
  }
  iterator begin() { return {impl_.get(), 0}; }
  iterator end() { return {impl_.get(), size()}; }
  const_iterator begin() const { return {impl_.get(), 0}; }
  const_iterator end() const { return {impl_.get(), size()}; }

  void push_back(T value) const { impl_->list.emplace_back(std::move(value)); }
  template <typename... Args>
  void emplace_back(Args&&... args) const {
    push_back(T(std::forward<Args>(args)...));
  }
  // Adds the elements of another list, or once more its own.
  void append(const List& other) const {
    const std::vector<IValue> values = other.impl_->list;
    impl_->list.insert(impl_->list.end(), values.begin(), values.end());
  }
  // Inserts in front of `where`, and returns the place of the new element.
  iterator insert(iterator where, T value) const {
    impl_->list.insert(impl_->list.begin() + where.pos_, IValue(std::move(value)));
    return where;
  }
  template <typename... Args>
  iterator emplace(iterator where, Args&&... args) const {
    return insert(where, T(std::forward<Args>(args)...));
  }
  // Returns the place of the first element behind those removed.
  iterator erase(iterator where) const { return erase(where, where + 1); }
  iterator erase(iterator first, iterator last) const {
    impl_->list.erase(impl_->list.begin() + first.pos_, impl_->list.begin() + last.pos_);
    return first;
  }
  // Throws std::out_of_range for an empty list.
  void pop_back() const {
    (void)impl_->list.at(0);
    impl_->list.pop_back();
  }
  void clear() const { impl_->list.clear(); }
  void resize(size_t n) const { resize(n, T{}); }
  void resize(size_t n, const T& value) const { impl_->list.resize(n, IValue(value)); }

  // A list of its own. What is behind an element, such as a tensor, is shared.
  List copy() const {
    return List(make_intrusive<detail::ListImpl>(impl_->list, impl_->elementType));
  }
  // The elements, copied.
  std::vector<T> vec() const {
    std::vector<T> out;
    out.reserve(size());
    for (size_t i = 0; i < size(); ++i) out.push_back(get(i));
    return out;
  }
  // Whether both share their contents.
  bool is(const List& other) const { return impl_ == other.impl_; }
  size_t use_count() const { return impl_.use_count(); }
  TypePtr elementType() const { return impl_->elementType; }
  const intrusive_ptr<detail::ListImpl>& impl() const { return impl_; }

  friend bool operator==(const List& a, const List& b) { return a.is(b) || a.vec() == b.vec(); }

 private:
  explicit List(std::vector<IValue> list)
      : impl_(make_intrusive<detail::ListImpl>(std::move(list), getTypePtr<T>())) {}
  intrusive_ptr<detail::ListImpl> impl_;
};

#define C10_TYPE_PTR_OF(cpp_type, kind_name)                        \
  template <>                                                       \
  struct TypePtrOf<cpp_type> {                                      \
    static TypePtr get() { return Type::get(TypeKind::kind_name); } \
  };
C10_TYPE_PTR_OF(at::Tensor, TensorType)
C10_TYPE_PTR_OF(at::TensorBase, TensorType)
C10_TYPE_PTR_OF(double, FloatType)
C10_TYPE_PTR_OF(int64_t, IntType)
C10_TYPE_PTR_OF(SymInt, SymIntType)
C10_TYPE_PTR_OF(bool, BoolType)
C10_TYPE_PTR_OF(c10::complex<double>, ComplexType)
C10_TYPE_PTR_OF(Scalar, NumberType)
C10_TYPE_PTR_OF(std::string, StringType)
C10_TYPE_PTR_OF(std::string_view, StringType)
C10_TYPE_PTR_OF(Device, DeviceObjType)
C10_TYPE_PTR_OF(Stream, StreamObjType)
C10_TYPE_PTR_OF(at::Generator, GeneratorType)
C10_TYPE_PTR_OF(Storage, StorageType)
C10_TYPE_PTR_OF(ScalarType, ScalarTypeType)
C10_TYPE_PTR_OF(Layout, LayoutType)
C10_TYPE_PTR_OF(MemoryFormat, MemoryFormatType)
C10_TYPE_PTR_OF(IValue, AnyType)
#undef C10_TYPE_PTR_OF

template <typename T>
struct TypePtrOf<std::optional<T>> {
  static TypePtr get() { return Type::optional(getTypePtr<T>()); }
};
template <typename T>
struct TypePtrOf<ArrayRef<T>> {
  static TypePtr get() { return Type::list(getTypePtr<T>()); }
};
template <typename T>
struct TypePtrOf<OptionalArrayRef<T>> {
  static TypePtr get() { return Type::optional(Type::list(getTypePtr<T>())); }
};
template <typename T>
struct TypePtrOf<std::vector<T>> {
  static TypePtr get() { return Type::list(getTypePtr<T>()); }
};
template <typename T>
struct TypePtrOf<List<T>> {
  static TypePtr get() { return Type::list(getTypePtr<T>()); }
};
template <typename T, size_t N>
struct TypePtrOf<std::array<T, N>> {
  static TypePtr get() { return Type::list(getTypePtr<T>(), static_cast<int32_t>(N)); }
};
template <typename... Ts>
struct TypePtrOf<std::tuple<Ts...>> {
  static TypePtr get() { return Type::tuple({getTypePtr<Ts>()...}); }
};

template <typename T>
  requires std::is_base_of_v<CustomClassHolder, T>
struct TypePtrOf<intrusive_ptr<T>> {
  static TypePtr get() { return detail::customClassType(typeid(T)); }
};

namespace detail {

// Converts to one C++ type. The primary template covers the types with a `toX` member.
template <typename T>
struct IValueTo;

#define C10_IVALUE_TO(cpp_type, expr)                        \
  template <>                                                \
  struct IValueTo<cpp_type> {                                \
    static cpp_type call(const IValue& v) { return (expr); } \
  };
C10_IVALUE_TO(at::TensorBase, v.toTensorBase())
C10_IVALUE_TO(double, v.isInt() ? static_cast<double>(v.toInt()) : v.toDouble())
C10_IVALUE_TO(int64_t, v.toInt())
C10_IVALUE_TO(SymInt, v.toInt())
C10_IVALUE_TO(bool, v.toBool())
C10_IVALUE_TO(c10::complex<double>, v.toComplexDouble())
C10_IVALUE_TO(Scalar, v.toScalar())
C10_IVALUE_TO(std::string, v.toStringRef())
C10_IVALUE_TO(std::string_view, v.toStringView())
C10_IVALUE_TO(Device, v.toDevice())
C10_IVALUE_TO(Stream, v.toStream())
C10_IVALUE_TO(at::Generator, v.toGenerator())
C10_IVALUE_TO(Storage, v.toStorage())
C10_IVALUE_TO(ScalarType, v.toScalarType())
C10_IVALUE_TO(Layout, v.toLayout())
C10_IVALUE_TO(MemoryFormat, v.toMemoryFormat())
C10_IVALUE_TO(IValue, v)
#undef C10_IVALUE_TO

// Class Tensor may be incomplete here; its conversion needs no more than the declaration.
template <>
struct TORCH_API IValueTo<at::Tensor> {
  static at::Tensor call(const IValue& v);
};
template <typename T>
struct IValueTo<std::optional<T>> {
  static std::optional<T> call(const IValue& v) {
    if (v.isNone()) return std::nullopt;
    return IValueTo<T>::call(v);
  }
};
template <typename T>
struct IValueTo<std::vector<T>> {
  static std::vector<T> call(const IValue& v) {
    std::vector<T> out;
    out.reserve(v.toListRef().size());
    for (const IValue& x : v.toListRef()) out.push_back(IValueTo<T>::call(x));
    return out;
  }
};
template <typename T>
struct IValueTo<List<T>> {
  static List<T> call(const IValue& v) { return List<T>(v.toListImpl()); }
};
template <typename T>
  requires std::is_base_of_v<CustomClassHolder, T>
struct IValueTo<intrusive_ptr<T>> {
  static intrusive_ptr<T> call(const IValue& v) { return v.toCustomClass<T>(); }
};
template <typename T, size_t N>
struct IValueTo<std::array<T, N>> {
  static std::array<T, N> call(const IValue& v) {
    const auto& list = v.toListRef();
    TORCH_CHECK(list.size() == N, "Expected a list of ", N, " elements but got ", list.size());
    std::array<T, N> out;
    for (size_t i = 0; i < N; ++i) out[i] = IValueTo<T>::call(list[i]);
    return out;
  }
};
template <typename... Ts>
struct IValueTo<std::tuple<Ts...>> {
  static std::tuple<Ts...> call(const IValue& v) {
    return unpack(v.toTupleRef().elements(), std::index_sequence_for<Ts...>());
  }
  template <size_t... I>
  static std::tuple<Ts...> unpack(const std::vector<IValue>& elements, std::index_sequence<I...>) {
    TORCH_CHECK(elements.size() == sizeof...(Ts), "Expected a tuple of ", sizeof...(Ts),
                " elements but got ", elements.size());
    return std::tuple<Ts...>(IValueTo<Ts>::call(elements[I])...);
  }
};

}  // namespace detail

template <typename T>
T IValue::to() const {
  return detail::IValueTo<T>::call(*this);
}
inline List<IValue> IValue::toList() const { return to<List<IValue>>(); }
inline List<at::Tensor> IValue::toTensorList() const { return to<List<at::Tensor>>(); }
inline List<int64_t> IValue::toIntList() const { return to<List<int64_t>>(); }
inline List<double> IValue::toDoubleList() const { return to<List<double>>(); }
inline List<bool> IValue::toBoolList() const { return to<List<bool>>(); }
inline List<SymInt> IValue::toSymIntList() const { return to<List<SymInt>>(); }
inline List<c10::complex<double>> IValue::toComplexDoubleList() const {
  return to<List<c10::complex<double>>>();
}
inline List<std::optional<at::Tensor>> IValue::toOptionalTensorList() const {
  return to<List<std::optional<at::Tensor>>>();
}

template <typename... Args>
  requires(sizeof...(Args) > 0 && (std::is_constructible_v<IValue, Args> && ...))
intrusive_ptr<ivalue::Tuple> ivalue::Tuple::create(Args&&... elements) {
  std::vector<IValue> values;
  values.reserve(sizeof...(elements));
  (values.emplace_back(std::forward<Args>(elements)), ...);
  return create(std::move(values));
}

}  // namespace c10

namespace at {
using c10::IValue;
}  // namespace at

#include <ATen/core/Dict.h>
