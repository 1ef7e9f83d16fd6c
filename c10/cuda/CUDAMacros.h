#pragma once

// C10_CUDA_API, and how many devices of one kind a table has room for.
#include <c10/macros/Export.h>

#ifndef C10_COMPILE_TIME_MAX_GPUS
#define C10_COMPILE_TIME_MAX_GPUS 120
#endif
