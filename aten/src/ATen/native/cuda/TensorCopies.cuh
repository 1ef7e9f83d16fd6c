#pragma once

// Hopper's tensor copies (TMA) and the barriers that count their bytes: cp.async.bulk.tensor and
// mbarrier of the PTX ISA. One thread starts the copy of a box. Elements outside of the tensor
// arrive as zeros, and rows in the swizzle that wgmma reads.

#include <ATen/native/cuda/TensorMap.h>
#include <c10/macros/Macros.h>

#include <cstdint>

namespace at::native::tensor_copies {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

C10_DEVICE inline uint32_t address_of(const void* shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

// A phase ends after `arrivals` arrivals and all bytes that they announced.
class Barrier {
 public:
  C10_DEVICE void start(uint32_t arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(&word_)), "r"(arrivals)
                 : "memory");
  }
  C10_DEVICE void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(&word_)) : "memory");
  }
  C10_DEVICE void arrive_and_expect(uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(&word_)),
                 "r"(bytes)
                 : "memory");
  }
  // Waits for the end of phase number `phase`, the current or the previous one.
  C10_DEVICE void wait(int phase) {
    uint32_t done = 0;
    while (done == 0) {
      asm volatile(
          "{\n.reg .pred p;\n"
          "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
          "selp.u32 %0, 1, 0, p;\n}"
          : "=r"(done)
          : "r"(address_of(&word_)), "r"(static_cast<uint32_t>(phase) & 1)
          : "memory");
    }
  }
  C10_DEVICE uint32_t address() const { return address_of(&word_); }

 private:
  uint64_t word_;
};

// Makes the barriers that this thread initialised visible to the copy engine.
C10_DEVICE inline void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Starts the copy of a box to `to`, a multiple of 1024, which counts its bytes at the barrier.
C10_DEVICE inline void copy_box(uint32_t to, const TensorMap& from, int feature, int position,
                                int head, int batch, const Barrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(to),
      "l"(&from.map), "r"(feature), "r"(position), "r"(head * from.head_step),
      "r"(batch * from.batch_step), "r"(barrier.address())
      : "memory");
}

#endif

}  // namespace at::native::tensor_copies
