#pragma once

// c10::List is declared beside c10::IValue, whose elements it holds.
#include <ATen/core/ivalue.h>
