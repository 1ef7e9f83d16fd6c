#pragma once

#include <torch/csrc/Layout.h>
