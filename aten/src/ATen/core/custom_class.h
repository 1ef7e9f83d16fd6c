#pragma once

// What torch::class_ registers: classes of C++ that operators take and return, and that Python
// makes as torch.classes.ns.Name. torch/custom_class.h is the interface.

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>
#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/intrusive_ptr.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace c10 {

// A method, a static method or a constructor. The first argument of the schema is the object,
// unless `is_static`, which constructors are too.
struct TORCH_API CustomClassMethod {
  FunctionSchema schema;
  std::function<IValue(ArrayRef<IValue> arguments)> call;
  std::string doc;
  bool is_static;
};

// An attribute of objects; it can be written if there is `set`, which takes the object and the
// value.
struct TORCH_API CustomClassProperty {
  CustomClassMethod get;
  std::optional<CustomClassMethod> set;
};

// A class that torch::class_ registered.
struct TORCH_API CustomClass {
  TypePtr type;
  std::string doc;
  std::map<std::string, CustomClassMethod, std::less<>> methods;
  std::map<std::string, CustomClassProperty, std::less<>> properties;

  const std::string& name() const { return type->name(); }
  // Borrowed; null if there is none.
  const CustomClassMethod* findMethod(std::string_view name) const;
  // Throw c10::Error if the class has a method or a property of the name.
  void addMethod(const std::string& name, CustomClassMethod method);
  void addProperty(const std::string& name, CustomClassProperty property);
};

// Registers a class: `__torch__.torch.classes.ns.Name`. Throws c10::Error for a name that is taken
// or is no identifier. Registrations last as long as the process.
TORCH_API CustomClass& registerCustomClass(const std::string& ns, const std::string& name,
                                           const std::type_info& type, std::string doc);
// The class of the whole name. Null if nobody registered it.
TORCH_API const CustomClass* findCustomClass(std::string_view name);
// The class of an object that an IValue holds.
TORCH_API const CustomClass& customClassOf(const ivalue::Object& object);

}  // namespace c10

namespace torch {
// The schema type of a class, by its whole name; null if nobody registered it.
TORCH_API c10::TypePtr getCustomClass(const std::string& name);
TORCH_API bool isCustomClass(const c10::IValue& value);
}  // namespace torch
