#include <c10/core/CPUAllocator.h>
#include <c10/core/Storage.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <utility>

namespace {

using c10::Storage;
using c10::StorageImpl;

Storage make(size_t nbytes, bool resizable = true) {
  return Storage(StorageImpl::use_byte_size_t(), nbytes, c10::GetCPUAllocator(), resizable);
}

TEST(StorageTest, NullByDefault) {
  const Storage storage;
  EXPECT_FALSE(static_cast<bool>(storage));
  EXPECT_EQ(storage.use_count(), 0u);
}

TEST(StorageTest, CopiesShareTheMemory) {
  const Storage storage = make(16);
  const Storage copy = storage;
  EXPECT_TRUE(copy.is_alias_of(storage));
  EXPECT_EQ(copy.data(), storage.data());
  EXPECT_EQ(storage.use_count(), 2u);
  EXPECT_FALSE(make(16).is_alias_of(storage));
  EXPECT_EQ(storage.nbytes(), 16u);
  EXPECT_EQ(storage.device(), c10::Device(c10::kCPU));
}

int freed = 0;
void count_free(void*) { ++freed; }

TEST(StorageTest, FreesWithTheLastStrongReference) {
  freed = 0;
  char memory[4];
  Storage storage(StorageImpl::use_byte_size_t(), 4,
                  c10::DataPtr(memory, memory, &count_free, c10::kCPU));
  const auto weak = storage.getWeakStorageImpl();
  storage = Storage();
  EXPECT_EQ(freed, 1);
  EXPECT_TRUE(weak.expired());
}

TEST(StorageTest, ReplacesItsMemory) {
  const Storage storage = make(4);
  const void* before = storage.data();
  const c10::DataPtr old = storage.set_data_ptr(c10::GetCPUAllocator()->allocate(8));
  EXPECT_EQ(old.get(), before);
  EXPECT_NE(storage.data(), before);
  storage.set_nbytes(8);
  EXPECT_EQ(storage.nbytes(), 8u);
}

TEST(StorageTest, ResizableNeedsAnAllocator) {
  EXPECT_THROW_CONTAINS(
      c10::make_intrusive<StorageImpl>(StorageImpl::use_byte_size_t(), size_t{0}, c10::DataPtr(),
                                       nullptr, /*resizable=*/true),
      c10::Error, "For resizable storage, allocator must be provided");
  EXPECT_TRUE(make(1, true).resizable());
  EXPECT_FALSE(make(1, false).resizable());
}

TEST(StorageTest, ExternalMemoryNeedsASoleOwner) {
  freed = 0;
  char memory[4];
  Storage storage = make(4);
  {
    const Storage second = storage;
    EXPECT_THROW_MESSAGE(
        storage.UniqueStorageShareExternalPointer(memory, 4, &count_free), c10::Error,
        "UniqueStorageShareExternalPointer can only be called when use_count == 1");
  }
  storage.UniqueStorageShareExternalPointer(memory, 4, &count_free);
  EXPECT_EQ(storage.data(), memory);
  EXPECT_FALSE(storage.resizable());
  EXPECT_EQ(storage.allocator(), nullptr);
  storage = Storage();
  EXPECT_EQ(freed, 1);
}

}  // namespace
