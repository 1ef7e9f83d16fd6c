#pragma once

#include <c10/util/complex_type.h>
