#pragma once

#include <torch/csrc/python_headers.h>

namespace torch::utils {

// What a function, class or attribute of torch._C says of itself. `owner` is a class or module in
// torch._C, or empty.
struct Docstring {
  const char* owner;
  const char* name;
  const char* text;
};

// The generated table; the last entry is of nulls.
extern const Docstring kDocstrings[];

// Gives the docstrings to the members of torch._C. Those that this build lacks are passed over.
void add_docstrings(PyObject* module);

}  // namespace torch::utils
