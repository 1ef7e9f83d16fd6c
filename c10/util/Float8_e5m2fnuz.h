#pragma once

#error \
    "c10/util/Float8_e5m2fnuz.h: this version has no 8-bit floating-point types; use c10/util/Half.h or c10/util/BFloat16.h"
