#pragma once

#include <ATen/core/ivalue.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/python_headers.h>

// torch.ScriptObject: an object of a class of torch::class_. torch/_classes.py gives it its
// methods.
struct THPScriptObject {
  PyObject_HEAD c10::intrusive_ptr<c10::ivalue::Object> cdata;
};

bool THPScriptObject_Check(PyObject* obj);
// A new reference.
PyObject* THPScriptObject_New(c10::intrusive_ptr<c10::ivalue::Object> object);
void THPScriptObject_init(PyObject* module);
