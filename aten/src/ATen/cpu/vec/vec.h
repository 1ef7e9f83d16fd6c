#pragma once

// at::vec::Vectorized<T>: a vector register's worth of elements, with the instructions of the
// capability that the file is compiled for.

#include <ATen/cpu/vec/vec_base.h>
#include <ATen/cpu/vec/vec_convert.h>
