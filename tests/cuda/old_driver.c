// A driver for CUDA 12.4, as the runtime asks for one: it has a version and no GPU.

#include <stddef.h>
#include <string.h>

int cuInit(unsigned int flags) { return 0; }

int cuDriverGetVersion(int* version) {
  *version = 12040;
  return 0;
}

// The runtime takes every other function from here.
int cuGetProcAddress_v2(const char* symbol, void** function, int version, unsigned long long flags,
                        int* status) {
  *function = NULL;
  if (strcmp(symbol, "") == 0) return 0;
  if (strcmp(symbol, "cuGetProcAddress") == 0) *function = (void*)cuGetProcAddress_v2;
  if (strcmp(symbol, "cuDriverGetVersion") == 0) *function = (void*)cuDriverGetVersion;
  return *function == NULL ? 500 : 0;
}

int cuGetProcAddress(const char* symbol, void** function, int version, unsigned long long flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}
