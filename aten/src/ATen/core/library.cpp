#include <torch/library.h>

#include <c10/util/Exception.h>

#include <string>
#include <utility>

namespace torch {

CppFunction::CppFunction(CppFunction&&) noexcept = default;
CppFunction::~CppFunction() = default;

CppFunction dispatch(c10::DispatchKey key, CppFunction&& raw_f) {
  CppFunction f(std::move(raw_f));
  f.dispatch_key_ = key == c10::DispatchKey::CatchAll ? std::nullopt : std::make_optional(key);
  return f;
}

namespace {

const char* kindName(Library::Kind kind) {
  switch (kind) {
    case Library::DEF:
      return "TORCH_LIBRARY";
    case Library::IMPL:
      return "TORCH_LIBRARY_IMPL";
    case Library::FRAGMENT:
      return "TORCH_LIBRARY_FRAGMENT";
  }
  return "(unknown)";
}

}  // namespace

Library::Library(Kind kind, std::string ns, std::optional<c10::DispatchKey> k, const char* file,
                 uint32_t line)
    : kind_(kind),
      ns_(ns == "_" ? std::nullopt : std::make_optional(std::move(ns))),
      dispatch_key_(k == c10::DispatchKey::CatchAll ? std::nullopt : k),
      file_(file),
      line_(line) {
  if (kind_ == IMPL) return;
  TORCH_CHECK(
      ns_.has_value(), kindName(kind_), ": cannot define ", kindName(kind_),
      " with the wildcard namespace _ (every ", kindName(kind_),
      " defines operators for a distinct namespace!) Did you mean to use TORCH_LIBRARY_IMPL instead?  "
      "(Error occurred while processing ",
      kindName(kind_), " block at ", file_, ":", line_, ")");
  if (kind_ == DEF) {
    registrations_.push_back(c10::Dispatcher::singleton().registerLibrary(*ns_, place()));
  }
}

Library::~Library() = default;
Library::Library(Library&&) noexcept = default;

std::string Library::place() const { return c10::str("registered at ", file_, ":", line_); }

void Library::reset() { registrations_.clear(); }

const std::string& Library::classNamespace(const std::string& name) const {
  TORCH_CHECK(
      kind_ != IMPL && ns_.has_value(), "class_(\"", name,
      "\"): Cannot define a class inside of a TORCH_LIBRARY_IMPL block.  "
      "All class_()s should be placed in the (unique) TORCH_LIBRARY block for their namespace.  (Error occurred at ",
      file_, ":", line_, ")");
  return *ns_;
}

c10::FunctionSchema detail::namedMethodSchema(const c10::FunctionSchema& schema,
                                              const std::string& name, size_t first,
                                              std::initializer_list<arg> arguments) {
  const size_t takes = schema.arguments().size();
  TORCH_CHECK(takes >= first, "the method ", name,
              " has to take the object first, as const c10::intrusive_ptr<Class>&");
  TORCH_CHECK(arguments.size() == 0 || arguments.size() == takes - first, "the method ", name,
              " takes ", takes - first, " arguments, and ", arguments.size(),
              " are named: Default values must be specified for none or all arguments");
  std::vector<c10::Argument> named(schema.arguments().begin(),
                                   schema.arguments().begin() + static_cast<ptrdiff_t>(first));
  for (size_t i = first; i < takes; ++i) {
    const c10::Argument& inferred = schema.arguments()[i];
    if (arguments.size() == 0) {
      named.push_back(inferred);
    } else {
      const arg& given = arguments.begin()[i - first];
      named.emplace_back(given.name_, inferred.type(), given.value_);
    }
  }
  return c10::FunctionSchema(name, "", std::move(named), schema.returns());
}

void detail::checkPickleMethods(const c10::CustomClass& custom_class) {
  const c10::FunctionSchema& get = custom_class.findMethod("__getstate__")->schema;
  const c10::FunctionSchema& set = custom_class.findMethod("__setstate__")->schema;
  TORCH_CHECK(get.arguments().size() == 1,
              "__getstate__ should take exactly one argument: self. Got: ", get);
  TORCH_CHECK(*get.arguments()[0].type() == *custom_class.type,
              "self argument of __getstate__ must be the custom class type. Got ",
              *get.arguments()[0].type());
  TORCH_CHECK(get.returns().size() == 1,
              "__getstate__ should return exactly one value for serialization. Got: ", get);
  TORCH_CHECK(set.arguments().size() == 1,
              "__setstate__ should take exactly one argument. Got: ", set);
  TORCH_CHECK(*get.returns()[0].type() == *set.arguments()[0].type(),
              "__getstate__'s return type should be a subtype of input argument of __setstate__. "
              "Got ",
              *get.returns()[0].type(), " but expected ", *set.arguments()[0].type());
  TORCH_CHECK(set.returns().size() == 1 && *set.returns()[0].type() == *custom_class.type,
              "__setstate__ should return a new object. Got: ", set);
}

c10::OperatorName Library::qualifiedName(const char* name) const {
  c10::OperatorName op_name = jit::parseName(name);
  if (!ns_.has_value()) return op_name;
  if (!op_name.setNamespaceIfNotSet(*ns_)) {
    TORCH_CHECK(
        op_name.getNamespace() == *ns_, "Explicitly provided namespace (",
        std::string(*op_name.getNamespace()),
        ") in operator name does not match namespace of enclosing ", kindName(kind_), " block (",
        *ns_, ").  Move this definition to the ", kindName(kind_),
        " block corresponding to this namespace (and consider deleting the namespace from your schema string.)  (Error occurred while processing ",
        kindName(kind_), " block at ", file_, ":", line_, ")");
  }
  return op_name;
}

Library& Library::def(const char* schema, const std::vector<at::Tag>& tags) & {
  return def(jit::parseSchema(schema), tags);
}

Library& Library::def(c10::FunctionSchema&& schema, const std::vector<at::Tag>& tags) & {
  TORCH_CHECK(
      kind_ != IMPL, "def(\"", toString(schema.operator_name()),
      "\"): Cannot define an operator inside of a ", kindName(kind_),
      " block.  "
      "All def()s should be placed in the (unique) TORCH_LIBRARY block for their namespace.  "
      "(Error occurred at ",
      file_, ":", line_, ")");
  const c10::OperatorName name = qualifiedName(toString(schema.operator_name()).c_str());
  if (python_module_.has_value()) {
    registrations_.push_back(c10::Dispatcher::singleton().registerPythonModule(
        name, python_module_->first, python_module_->second));
  }
  registrations_.push_back(c10::Dispatcher::singleton().registerDef(
      schema.cloneWithName(name.name, name.overload_name), place(), tags));
  return *this;
}

Library& Library::defWithKernel(const char* name_or_schema, CppFunction&& f) {
  auto parsed = jit::parseSchemaOrName(name_or_schema);
  const bool is_schema = std::holds_alternative<c10::FunctionSchema>(parsed);
  const c10::OperatorName name = is_schema ? std::get<c10::FunctionSchema>(parsed).operator_name()
                                           : std::get<c10::OperatorName>(parsed);
  if (is_schema) {
    def(std::get<c10::FunctionSchema>(std::move(parsed)));
  } else {
    TORCH_CHECK(f.schema_ != nullptr, "def(\"", name_or_schema,
                "\"): Full schema string was not specified, and we couldn't infer schema either.  "
                "Please explicitly provide a schema string.  "
                "(Error occurred at ",
                file_, ":", line_, ")");
    def(f.schema_->cloneWithName(name.name, name.overload_name));
  }
  const auto key = f.dispatch_key_.has_value() ? f.dispatch_key_ : dispatch_key_;
  registrations_.push_back(c10::Dispatcher::singleton().registerImpl(
      qualifiedName(toString(name).c_str()), key, std::move(f.func_), f.cpp_signature_,
      std::move(f.schema_), place()));
  return *this;
}

Library& Library::implKernel(const char* name, CppFunction&& f) {
  if (f.dispatch_key_.has_value() && dispatch_key_.has_value()) {
    TORCH_CHECK(*f.dispatch_key_ == *dispatch_key_, "impl(\"", name,
                "\", ...): Explicitly provided dispatch key (", toString(*f.dispatch_key_),
                ") is inconsistent with the dispatch key of the enclosing ", kindName(kind_),
                " block (", toString(*dispatch_key_), ").  Please declare a separate ",
                kindName(kind_),
                " block for this dispatch key and move your impl() there.  "
                "(Error occurred while processing ",
                kindName(kind_), " block at ", file_, ":", line_, ")");
  }
  const auto key = f.dispatch_key_.has_value() ? f.dispatch_key_ : dispatch_key_;
  registrations_.push_back(
      c10::Dispatcher::singleton().registerImpl(qualifiedName(name), key, std::move(f.func_),
                                                f.cpp_signature_, std::move(f.schema_), place()));
  return *this;
}

Library& Library::fallbackKernel(CppFunction&& f) {
  TORCH_CHECK(kind_ == IMPL, "fallback(...): Cannot define a fallback inside of a ",
              kindName(kind_),
              " block.  "
              "Did you mean to call this function inside a TORCH_LIBRARY_IMPL block?  "
              "(Error occurred at ",
              file_, ":", line_, ")");
  const auto key = f.dispatch_key_.has_value() ? f.dispatch_key_ : dispatch_key_;
  TORCH_CHECK(key.has_value(), "fallback(...): a fallback needs a dispatch key; name one in the ",
              kindName(kind_), " block at ", file_, ":", line_);
  TORCH_CHECK(
      !ns_.has_value(),
      "fallback(...): Fallback functions which apply to only a single namespace (you specified ",
      ns_.value_or(""),
      ") are not supported.  "
      "If you intended to apply this fallback function globally, please define a separate block:\n\n    TORCH_LIBRARY_IMPL(_, ",
      toString(*key), ", m) { m.fallback(...); }\n\n  (Error occurred at ", file_, ":", line_, ")");
  registrations_.push_back(
      c10::Dispatcher::singleton().registerFallback(*key, std::move(f.func_), place()));
  return *this;
}

}  // namespace torch
