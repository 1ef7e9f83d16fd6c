#include <c10/core/impl/PyInterpreter.h>

#include <atomic>

namespace c10::impl {
namespace {
std::atomic<PyInterpreter*> global_interpreter{nullptr};
}

PyInterpreter::~PyInterpreter() = default;
PyInterpreter* getGlobalPyInterpreter() { return global_interpreter; }
void setGlobalPyInterpreter(PyInterpreter* interpreter) { global_interpreter = interpreter; }

}  // namespace c10::impl
