#include <torch/version.h>

// One definition for each version: what extensions of another one look for is not here.
const int TORCH_COMPILED_FOR = 1;
