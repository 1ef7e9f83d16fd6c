#pragma once

#include <c10/core/CPUAllocator.h>
