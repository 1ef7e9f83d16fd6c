#include <ATen/core/custom_class.h>

#include <c10/util/Exception.h>

#include <cctype>
#include <memory>
#include <mutex>
#include <typeindex>
#include <unordered_map>
#include <utility>

#ifdef __GNUG__
#include <cxxabi.h>

#include <cstdlib>
#endif

namespace c10 {

namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<CustomClass>, std::less<>> classes;
  std::unordered_map<std::type_index, TypePtr> types;
};

Registry& registry() {
  // Never destroyed: other libraries' static objects may outlive this one's.
  static auto* const instance = new Registry();
  return *instance;
}

bool isIdentifier(const std::string& name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  for (const char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  }
  return true;
}

std::string readable(const std::type_info& type) {
#ifdef __GNUG__
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  if (text != nullptr) {
    std::string name = text;
    std::free(text);
    return name;
  }
#endif
  return type.name();
}

}  // namespace

const CustomClassMethod* CustomClass::findMethod(std::string_view name) const {
  const auto found = methods.find(name);
  return found == methods.end() ? nullptr : &found->second;
}

void CustomClass::addMethod(const std::string& name, CustomClassMethod method) {
  TORCH_CHECK(!methods.contains(name) && !properties.contains(name), "Method or property ",
              this->name(), ".", name, " is defined twice");
  methods.emplace(name, std::move(method));
}

void CustomClass::addProperty(const std::string& name, CustomClassProperty property) {
  TORCH_CHECK(!methods.contains(name) && !properties.contains(name), "Method or property ",
              this->name(), ".", name, " is defined twice");
  properties.emplace(name, std::move(property));
}

CustomClass& registerCustomClass(const std::string& ns, const std::string& name,
                                 const std::type_info& type, std::string doc) {
  TORCH_CHECK(
      isIdentifier(ns),
      "Namespace name must be a valid identifier: letters, digits and underscores, and no digit first; got '",
      ns, "'");
  TORCH_CHECK(
      isIdentifier(name),
      "Class name must be a valid identifier: letters, digits and underscores, and no digit first; got '",
      name, "'");
  std::string whole = "__torch__.torch.classes." + ns + "." + name;
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  TORCH_CHECK(
      !all.classes.contains(whole), "Custom class with name ", whole,
      " is already registered. Ensure that registration with torch::class_ is only called once.");
  const TypePtr schema_type = Type::customClass(whole);
  const auto [known, is_new] = all.types.emplace(type, schema_type);
  TORCH_CHECK(is_new, "the C++ class ", readable(type), " is registered already, as ",
              known->second->name());
  auto added = std::make_unique<CustomClass>();
  added->type = schema_type;
  added->doc = std::move(doc);
  CustomClass& result = *added;
  all.classes[std::move(whole)] = std::move(added);
  return result;
}

const CustomClass* findCustomClass(std::string_view name) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.classes.find(name);
  return found == all.classes.end() ? nullptr : found->second.get();
}

const CustomClass& customClassOf(const ivalue::Object& object) {
  const CustomClass* found = findCustomClass(object.name());
  TORCH_INTERNAL_ASSERT(found != nullptr, object.name());
  return *found;
}

TypePtr detail::customClassType(const std::type_info& type) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.types.find(type);
  TORCH_CHECK(found != all.types.end(), "Can't find class id in custom class type map for ",
              readable(type), ": register it first, with m.class_<", readable(type),
              ">(\"Name\") in a TORCH_LIBRARY block that comes before its use.");
  return found->second;
}

}  // namespace c10

namespace torch {

c10::TypePtr getCustomClass(const std::string& name) {
  const c10::CustomClass* found = c10::findCustomClass(name);
  return found == nullptr ? nullptr : found->type;
}

bool isCustomClass(const c10::IValue& value) { return value.isCustomClass(); }

}  // namespace torch
