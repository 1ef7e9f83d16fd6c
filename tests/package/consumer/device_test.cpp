// The smallest library of torch, linked and run in a workspace that depends on it.

#include <c10/core/Device.h>

int main() { return c10::Device("cuda:1").index() == 1 ? 0 : 1; }
