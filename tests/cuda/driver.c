// A driver without a GPU, as far as the runtime asks one before it wants proof that it is NVIDIA's.
//
// The environment says what it answers: DRIVER_VERSION, 12040 for CUDA 12.4, and DRIVER_INIT, the
// error of cuInit, 0 for none.

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int setting(const char* name) {
  const char* value = getenv(name);
  return value == NULL ? 0 : atoi(value);
}

int cuInit(unsigned int flags) { return setting("DRIVER_INIT"); }

int cuDriverGetVersion(int* version) {
  *version = setting("DRIVER_VERSION");
  return 0;
}

static int nothing(void) { return 0; }

// Tables of functions; the first entry is the size.
int cuGetExportTable(const void** table, const void* id) {
  static void* functions[64];
  for (size_t i = 1; i < 64; ++i) functions[i] = (void*)nothing;
  functions[0] = (void*)sizeof(functions);
  *table = functions;
  return 0;
}

// The runtime takes every other function from here.
int cuGetProcAddress_v2(const char* symbol, void** function, int version, unsigned long long flags,
                        int* status) {
  *function = (void*)nothing;
  if (status != NULL) *status = 0;
  if (strcmp(symbol, "") == 0) *function = NULL;
  if (strcmp(symbol, "cuGetProcAddress") == 0) *function = (void*)cuGetProcAddress_v2;
  if (strcmp(symbol, "cuGetExportTable") == 0) *function = (void*)cuGetExportTable;
  if (strcmp(symbol, "cuDriverGetVersion") == 0) *function = (void*)cuDriverGetVersion;
  if (strcmp(symbol, "cuInit") == 0) *function = (void*)cuInit;
  return 0;
}

int cuGetProcAddress(const char* symbol, void** function, int version, unsigned long long flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, NULL);
}
