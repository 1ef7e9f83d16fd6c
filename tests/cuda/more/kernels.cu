// Another source of this name.

__global__ void nothing() {}
