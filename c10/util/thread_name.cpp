#include <c10/util/thread_name.h>

#ifndef _WIN32
#include <pthread.h>
#endif

namespace c10 {

void setThreadName(std::string name) {
#if defined(__linux__)
  constexpr size_t kLongest = 15;
  if (name.size() > kLongest) name.resize(kLongest);
  pthread_setname_np(pthread_self(), name.c_str());
#elif defined(__APPLE__)
  pthread_setname_np(name.c_str());
#else
  static_cast<void>(name);
#endif
}

std::string getThreadName() {
#ifndef _WIN32
  char name[64] = "";
  if (pthread_getname_np(pthread_self(), name, sizeof(name)) == 0) return name;
#endif
  return "";
}

}  // namespace c10
