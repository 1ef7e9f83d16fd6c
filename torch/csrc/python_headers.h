#pragma once

// The one way to reach Python.h: the macro must precede it, and Python.h must precede the C++
// library.
#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
#include <Python.h>
#include <structmember.h>
