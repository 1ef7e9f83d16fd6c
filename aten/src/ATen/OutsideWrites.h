#pragma once

// Writes of a function to tensors that it did not make, while `torch.func.vmap` calls it once for
// each entry of a batch.
//
// Such a write takes place once for the whole batch: before each entry the memory is what it was
// before the first, and all entries have to leave the same values. If they do not, the tensor would
// have to have the batch as a dimension, which it lacks; this is an error.

#include <c10/macros/Export.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <memory>

namespace at {

class Tensor;

/// Follows the calls of this thread from its construction on. Those of a thread nest.
class TORCH_API OutsideWrites {
 public:
  /// `size`: of the batch.
  explicit OutsideWrites(int64_t size);
  OutsideWrites(const OutsideWrites&) = delete;
  OutsideWrites& operator=(const OutsideWrites&) = delete;
  ~OutsideWrites();

  /// The function is called next for an entry of the batch, which is `tensors`: writes to them are
  /// its own. Memory that was written before is what it was.
  void begin(c10::ArrayRef<Tensor> tensors);
  /// The function has returned. Throws c10::Error if this entry left other values than the first,
  /// and leaves the memory as it was before the first.
  void end();

  struct Calls;

 private:
  std::unique_ptr<Calls> calls_;
};

/// Counts tensors that another thread made for the function, such as gradients, as its own.
TORCH_API void adopt_results(c10::ArrayRef<Tensor> tensors);

}  // namespace at
