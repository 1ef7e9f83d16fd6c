#pragma once

#include <cstdint>

// DLPack 1.0, the memory layout in which array libraries hand tensors to each other:
// https://dmlc.github.io/dlpack/latest/c_api.html. The names and the order of the fields are the
// interface; nothing here may change.

constexpr uint32_t DLPACK_MAJOR_VERSION = 1;
constexpr uint32_t DLPACK_MINOR_VERSION = 0;

constexpr uint64_t DLPACK_FLAG_BITMASK_READ_ONLY = 1;
constexpr uint64_t DLPACK_FLAG_BITMASK_IS_COPIED = 2;

extern "C" {

typedef struct {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;

typedef enum : int32_t {
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3,
  kDLROCM = 10,
} DLDeviceType;

typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;

typedef enum {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLBfloat = 4,
  kDLComplex = 5,
  kDLBool = 6,
} DLDataTypeCode;

typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;

typedef struct {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  // In elements; null for contiguous.
  int64_t* strides;
  uint64_t byte_offset;
} DLTensor;

// What a capsule named "dltensor" holds.
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensor* self);
} DLManagedTensor;

// What a capsule named "dltensor_versioned" holds.
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned* self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

}  // extern "C"
