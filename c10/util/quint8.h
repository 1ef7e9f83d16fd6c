#pragma once

#error \
    "c10/util/quint8.h: this version has no quantized tensors; use tensors of uint8_t, int8_t or int32_t and keep the scale beside them"
