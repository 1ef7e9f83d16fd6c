#pragma once

// Factories that files register by a key, and others call by it.
//
//   class Parser { public: virtual ~Parser() = default; };
//   C10_DECLARE_REGISTRY(ParserRegistry, Parser, int);          // in a header
//   C10_DEFINE_REGISTRY(ParserRegistry, Parser, int);           // in one source
//   C10_REGISTER_CLASS(ParserRegistry, json, JsonParser);       // anywhere
//   std::unique_ptr<Parser> parser = ParserRegistry()->Create("json", 4);   // null if unknown

#include <c10/macros/Macros.h>
#include <c10/util/Exception.h>
#include <c10/util/Type.h>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace c10 {

template <typename KeyType>
inline std::string KeyStrRepr(const KeyType& /*key*/) {
  return "[key type printing not supported]";
}
template <>
inline std::string KeyStrRepr(const std::string& key) {
  return key;
}

/// Of two factories of one key the one with the higher priority counts.
enum RegistryPriority { REGISTRY_FALLBACK = 1, REGISTRY_DEFAULT = 2, REGISTRY_PREFERRED = 3 };

/// A table of factories by key. Any thread may register and create.
template <class SrcType, class ObjectPtrType, class... Args>
class Registry {
 public:
  typedef std::function<ObjectPtrType(Args...)> Creator;

  /// `warning`: whether a factory that takes the place of one of lower priority warns.
  explicit Registry(bool warning = true) : warning_(warning) {}

  /// Throws c10::Error if the key has a factory of this priority already; std::runtime_error after
  /// `SetTerminate(false)`, as PyTorch does. A factory of lower priority is ignored.
  void Register(const SrcType& key, Creator creator, RegistryPriority priority = REGISTRY_DEFAULT) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = entries_.find(key);
    if (known != entries_.end()) {
      if (known->second.priority == priority) {
        const std::string message =
            c10::str("Key ", KeyStrRepr(key), " is registered twice with the same priority");
        TORCH_CHECK(!terminate_, message);
        throw std::runtime_error(message);
      }
      if (known->second.priority > priority) return;
      if (warning_) {
        TORCH_WARN("Key ", KeyStrRepr(key), " is registered twice; the higher priority counts");
      }
    }
    std::string help = known == entries_.end() ? std::string() : known->second.help;
    entries_[key] = Entry{std::move(creator), priority, std::move(help)};
  }
  void Register(const SrcType& key, Creator creator, const std::string& help,
                RegistryPriority priority = REGISTRY_DEFAULT) {
    Register(key, std::move(creator), priority);
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_[key].help = help;
  }

  /// Whether the key has a factory.
  bool Has(const SrcType& key) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return entries_.count(key) != 0;
  }

  /// The factory's object; null if the key is not registered.
  ObjectPtrType Create(const SrcType& key, Args... args) const {
    Creator creator;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      const auto known = entries_.find(key);
      if (known == entries_.end()) return nullptr;
      creator = known->second.creator;
    }
    return creator(args...);
  }

  /// All keys, in no order.
  std::vector<SrcType> Keys() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<SrcType> keys;
    for (const auto& entry : entries_) keys.push_back(entry.first);
    return keys;
  }
  /// The help texts that were registered, by key.
  std::unordered_map<SrcType, std::string> HelpMessage() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::unordered_map<SrcType, std::string> texts;
    for (const auto& entry : entries_) texts[entry.first] = entry.second.help;
    return texts;
  }
  /// The help text of a key, owned by the registry; null if the key is not registered.
  const char* HelpMessage(const SrcType& key) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = entries_.find(key);
    return known == entries_.end() ? nullptr : known->second.help.c_str();
  }
  /// Whether a second factory of one key and priority throws c10::Error, which ends a program that
  /// starts, or std::runtime_error.
  void SetTerminate(bool terminate) { terminate_ = terminate; }

  C10_DISABLE_COPY_AND_ASSIGN(Registry);

 private:
  struct Entry {
    Creator creator;
    RegistryPriority priority;
    std::string help;
  };
  mutable std::mutex mutex_;
  std::unordered_map<SrcType, Entry> entries_;
  bool terminate_ = true;
  const bool warning_;
};

/// Registers while the program starts.
template <class SrcType, class ObjectPtrType, class... Args>
class Registerer {
 public:
  using Table = Registry<SrcType, ObjectPtrType, Args...>;

  Registerer(const SrcType& key, Table* registry, typename Table::Creator creator,
             const std::string& help = "") {
    registry->Register(key, std::move(creator), help);
  }
  Registerer(const SrcType& key, RegistryPriority priority, Table* registry,
             typename Table::Creator creator, const std::string& help = "") {
    registry->Register(key, std::move(creator), help, priority);
  }

  template <class DerivedType>
  static ObjectPtrType DefaultCreator(Args... args) {
    return ObjectPtrType(new DerivedType(args...));
  }
};

}  // namespace c10

#define C10_DECLARE_TYPED_REGISTRY(RegistryName, SrcType, ObjectType, PtrType, ...)     \
  C10_API ::c10::Registry<SrcType, PtrType<ObjectType>, ##__VA_ARGS__>* RegistryName(); \
  typedef ::c10::Registerer<SrcType, PtrType<ObjectType>, ##__VA_ARGS__> Registerer##RegistryName
#define TORCH_DECLARE_TYPED_REGISTRY(...) C10_DECLARE_TYPED_REGISTRY(__VA_ARGS__)

#define C10_DEFINE_TYPED_REGISTRY(RegistryName, SrcType, ObjectType, PtrType, ...)              \
  C10_EXPORT ::c10::Registry<SrcType, PtrType<ObjectType>, ##__VA_ARGS__>* RegistryName() {     \
    static auto* registry = new ::c10::Registry<SrcType, PtrType<ObjectType>, ##__VA_ARGS__>(); \
    return registry;                                                                            \
  }

#define C10_REGISTER_TYPED_CREATOR(RegistryName, key, ...)                  \
  static Registerer##RegistryName C10_ANONYMOUS_VARIABLE(g_##RegistryName)( \
      key, RegistryName(), ##__VA_ARGS__)
#define C10_REGISTER_TYPED_CLASS(RegistryName, key, ...)                          \
  static Registerer##RegistryName C10_ANONYMOUS_VARIABLE(g_##RegistryName)(       \
      key, RegistryName(), Registerer##RegistryName::DefaultCreator<__VA_ARGS__>, \
      ::c10::demangle_type<__VA_ARGS__>())

#define C10_REGISTER_TYPED_CREATOR_WITH_PRIORITY(RegistryName, key, priority, ...) \
  static Registerer##RegistryName C10_ANONYMOUS_VARIABLE(g_##RegistryName)(        \
      key, priority, RegistryName(), ##__VA_ARGS__)
#define C10_REGISTER_TYPED_CLASS_WITH_PRIORITY(RegistryName, key, priority, ...)            \
  static Registerer##RegistryName C10_ANONYMOUS_VARIABLE(g_##RegistryName)(                 \
      key, priority, RegistryName(), Registerer##RegistryName::DefaultCreator<__VA_ARGS__>, \
      ::c10::demangle_type<__VA_ARGS__>())

#define C10_DECLARE_REGISTRY(RegistryName, ObjectType, ...) \
  C10_DECLARE_TYPED_REGISTRY(RegistryName, std::string, ObjectType, std::unique_ptr, ##__VA_ARGS__)
#define TORCH_DECLARE_REGISTRY(...) C10_DECLARE_REGISTRY(__VA_ARGS__)
#define C10_DEFINE_REGISTRY(RegistryName, ObjectType, ...) \
  C10_DEFINE_TYPED_REGISTRY(RegistryName, std::string, ObjectType, std::unique_ptr, ##__VA_ARGS__)
#define C10_DECLARE_SHARED_REGISTRY(RegistryName, ObjectType, ...) \
  C10_DECLARE_TYPED_REGISTRY(RegistryName, std::string, ObjectType, std::shared_ptr, ##__VA_ARGS__)
#define TORCH_DECLARE_SHARED_REGISTRY(...) C10_DECLARE_SHARED_REGISTRY(__VA_ARGS__)
#define C10_DEFINE_SHARED_REGISTRY(RegistryName, ObjectType, ...) \
  C10_DEFINE_TYPED_REGISTRY(RegistryName, std::string, ObjectType, std::shared_ptr, ##__VA_ARGS__)

#define C10_REGISTER_CREATOR(RegistryName, key, ...) \
  C10_REGISTER_TYPED_CREATOR(RegistryName, #key, __VA_ARGS__)
#define C10_REGISTER_CLASS(RegistryName, key, ...) \
  C10_REGISTER_TYPED_CLASS(RegistryName, #key, __VA_ARGS__)
#define C10_REGISTER_CREATOR_WITH_PRIORITY(RegistryName, key, priority, ...) \
  C10_REGISTER_TYPED_CREATOR_WITH_PRIORITY(RegistryName, #key, priority, __VA_ARGS__)
#define C10_REGISTER_CLASS_WITH_PRIORITY(RegistryName, key, priority, ...) \
  C10_REGISTER_TYPED_CLASS_WITH_PRIORITY(RegistryName, #key, priority, __VA_ARGS__)
