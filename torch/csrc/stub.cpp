#include <Python.h>

// libtorch_python holds everything; this module only enters it.
extern "C" PyObject* initModule();

PyMODINIT_FUNC PyInit__C() { return initModule(); }
