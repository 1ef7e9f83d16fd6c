#include <ATen/core/Dict.h>

#include <ATen/core/Tensor.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <unordered_map>

namespace c10 {

namespace {

using detail::DictEntry;

struct Hash {
  size_t operator()(const IValue& key) const {
    if (key.isInt()) return std::hash<int64_t>()(key.toInt());
    if (key.isString()) return std::hash<std::string_view>()(key.toStringView());
    if (key.isDouble()) return std::hash<double>()(key.toDouble());
    if (key.isComplexDouble()) {
      const c10::complex<double> z = key.toComplexDouble();
      return std::hash<double>()(z.real()) * 31 + std::hash<double>()(z.imag());
    }
    if (key.isBool()) return std::hash<bool>()(key.toBool());
    if (key.isTensor()) {
      return std::hash<TensorImpl*>()(key.toTensorBase().unsafeGetTensorImpl());
    }
    if (key.isDevice()) return std::hash<Device>()(key.toDevice());
    TORCH_CHECK(false, "Can't hash IValues with tag '", key.tagKind(), "'");
  }
};

// A NaN is equal to a NaN of the same bits, as hashes are: an entry can always be found again.
bool same_number(double a, double b) {
  return a == b || std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

// Tensors are equal if they are the same one.
struct Equal {
  bool operator()(const IValue& a, const IValue& b) const {
    if (a.isInt()) return b.isInt() && a.toInt() == b.toInt();
    if (a.isString()) return b.isString() && a.toStringView() == b.toStringView();
    if (a.isDouble()) return b.isDouble() && same_number(a.toDouble(), b.toDouble());
    if (a.isComplexDouble()) {
      if (!b.isComplexDouble()) return false;
      const c10::complex<double> x = a.toComplexDouble();
      const c10::complex<double> y = b.toComplexDouble();
      return same_number(x.real(), y.real()) && same_number(x.imag(), y.imag());
    }
    if (a.isBool()) return b.isBool() && a.toBool() == b.toBool();
    if (a.isTensor()) return b.isTensor() && a.toTensorBase().is_same(b.toTensorBase());
    return b.isDevice() && a.toDevice() == b.toDevice();
  }
};

}  // namespace

size_t IValue::hash(const IValue& v) {
  if (v.isNone()) return 0;
  if (!v.isTuple()) return Hash()(v);
  size_t hash = 0;
  for (const IValue& element : v.toTupleRef().elements()) hash = hash * 31 + IValue::hash(element);
  return hash;
}

// The map owns the entries, whose addresses last as long as they.
struct detail::DictImpl::Entries {
  std::unordered_map<IValue, DictEntry, Hash, Equal> map;
  DictEntry* first = nullptr;
  DictEntry* last = nullptr;
};

detail::DictImpl::DictImpl(TypePtr key_type, TypePtr value_type)
    : keyType(std::move(key_type)),
      valueType(std::move(value_type)),
      entries_(std::make_unique<Entries>()) {}
detail::DictImpl::~DictImpl() = default;

size_t detail::DictImpl::size() const { return entries_->map.size(); }

DictEntry* detail::DictImpl::first() const { return entries_->first; }

DictEntry* detail::DictImpl::find(const IValue& key) const {
  const auto found = entries_->map.find(key);
  return found == entries_->map.end() ? nullptr : &found->second;
}

std::pair<DictEntry*, bool> detail::DictImpl::insert(IValue key, IValue value, bool assign) {
  const auto [where, inserted] = entries_->map.try_emplace(key);
  DictEntry* entry = &where->second;
  if (inserted) {
    entry->key = std::move(key);
    entry->previous = entries_->last;
    (entries_->last != nullptr ? entries_->last->next : entries_->first) = entry;
    entries_->last = entry;
  }
  if (inserted || assign) entry->value = std::move(value);
  return {entry, inserted};
}

void detail::DictImpl::erase(DictEntry* entry) {
  (entry->previous != nullptr ? entry->previous->next : entries_->first) = entry->next;
  (entry->next != nullptr ? entry->next->previous : entries_->last) = entry->previous;
  // A copy, for the map destroys the entry's key before it is done with it.
  const IValue key = entry->key;
  entries_->map.erase(key);
}

void detail::DictImpl::clear() {
  entries_->map.clear();
  entries_->first = entries_->last = nullptr;
}

void detail::DictImpl::reserve(size_t count) { entries_->map.reserve(count); }

void detail::throwDictTypes(const DictImpl& dict, const Type& key, const Type& value) {
  const bool keys_differ = !(*dict.keyType == key);
  TORCH_CHECK(false, "Tried to cast a Dict<", *dict.keyType, ", ", *dict.valueType, "> to a Dict<",
              key, ", ", value, ">. ", keys_differ ? "Key" : "Value", " types mismatch.");
}

}  // namespace c10
