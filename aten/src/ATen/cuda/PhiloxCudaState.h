#pragma once

#include <ATen/cuda/PhiloxState.h>
