#include <c10/util/intrusive_ptr.h>
#include <gtest/gtest.h>

#include <thread>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

namespace {

using c10::intrusive_ptr;
using c10::make_intrusive;
using c10::weak_intrusive_ptr;

struct Probe : c10::intrusive_ptr_target {
  explicit Probe(int* destroyed = nullptr, int* released = nullptr)
      : destroyed_(destroyed), released_(released) {}
  ~Probe() override {
    if (destroyed_ != nullptr) ++*destroyed_;
  }
  void release_resources() override {
    if (released_ != nullptr) ++*released_;
  }
  int* destroyed_;
  int* released_;
};
struct Derived : Probe {
  using Probe::Probe;
};
// What a handle holds instead of null.
struct Sentinel : Probe {
  static Sentinel* singleton() {
    static Sentinel sentinel;
    return &sentinel;
  }
};
struct SentinelType {
  static Probe* singleton() { return Sentinel::singleton(); }
};

TEST(IntrusivePtrTest, CountsAndDestroysOnce) {
  int destroyed = 0;
  {
    auto first = make_intrusive<Probe>(&destroyed);
    EXPECT_EQ(first.use_count(), 1u);
    EXPECT_EQ(first.weak_use_count(), 1u);
    EXPECT_TRUE(first.unique());
    intrusive_ptr<Probe> second = first;
    EXPECT_EQ(first.use_count(), 2u);
    first = std::move(second);
    EXPECT_EQ(first.use_count(), 1u);
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
}

TEST(IntrusivePtrTest, SelfAssignmentKeepsTheObject) {
  int destroyed = 0;
  auto ptr = make_intrusive<Probe>(&destroyed);
  auto& alias = ptr;
  ptr = alias;
  ptr = std::move(alias);
  EXPECT_TRUE(ptr.defined());
  EXPECT_EQ(destroyed, 0);
}

TEST(IntrusivePtrTest, ConvertsToTheBase) {
  int destroyed = 0;
  auto derived = make_intrusive<Derived>(&destroyed);
  intrusive_ptr<Probe> base = derived;
  EXPECT_EQ(base.use_count(), 2u);
  EXPECT_TRUE(base == derived);
  intrusive_ptr<Probe> moved = std::move(derived);
  EXPECT_FALSE(derived.defined());  // NOLINT
  base.reset();
  moved.reset();
  EXPECT_EQ(destroyed, 1);
}

TEST(IntrusivePtrTest, ReleaseAndReclaimPassAReference) {
  int destroyed = 0;
  auto ptr = make_intrusive<Probe>(&destroyed);
  Probe* raw = ptr.release();
  EXPECT_FALSE(ptr.defined());
  EXPECT_EQ(destroyed, 0);
  auto copy = intrusive_ptr<Probe>::reclaim_copy(raw);
  EXPECT_EQ(copy.use_count(), 2u);
  auto back = intrusive_ptr<Probe>::reclaim(raw);
  EXPECT_EQ(back.use_count(), 2u);
  copy.reset();
  back.reset();
  EXPECT_EQ(destroyed, 1);
}

TEST(IntrusivePtrTest, RawCounting) {
  auto ptr = make_intrusive<Probe>();
  c10::raw::intrusive_ptr::incref(ptr.get());
  EXPECT_EQ(c10::raw::intrusive_ptr::use_count(ptr.get()), 2u);
  c10::raw::intrusive_ptr::decref(ptr.get());
  EXPECT_EQ(ptr.use_count(), 1u);
}

TEST(IntrusivePtrTest, SentinelIsUndefinedAndNeverCounted) {
  using Handle = intrusive_ptr<Probe, SentinelType>;
  Handle handle;
  EXPECT_FALSE(handle.defined());
  EXPECT_EQ(handle.get(), Sentinel::singleton());
  Handle copy = handle;
  EXPECT_EQ(copy.use_count(), 0u);
  // Null in one handle is the sentinel in the other.
  Handle converted = intrusive_ptr<Probe>();
  EXPECT_EQ(converted.get(), Sentinel::singleton());
}

TEST(IntrusivePtrTest, WeakReferencesKeepMemoryNotResources) {
  int destroyed = 0;
  int released = 0;
  auto ptr = make_intrusive<Probe>(&destroyed, &released);
  weak_intrusive_ptr<Probe> weak(ptr);
  EXPECT_EQ(ptr.weak_use_count(), 2u);
  EXPECT_FALSE(weak.expired());
  EXPECT_TRUE(weak.lock() == ptr);
  EXPECT_EQ(ptr.use_count(), 1u);
  ptr.reset();
  EXPECT_EQ(released, 1);
  EXPECT_EQ(destroyed, 0);
  EXPECT_TRUE(weak.expired());
  EXPECT_FALSE(weak.lock().defined());
  weak.reset();
  EXPECT_EQ(destroyed, 1);
}

TEST(IntrusivePtrTest, WithoutWeakReferencesOnlyTheDestructorRuns) {
  int destroyed = 0;
  int released = 0;
  make_intrusive<Probe>(&destroyed, &released).reset();
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(released, 0);
}

TEST(IntrusivePtrTest, HashAndOrderAreByAddress) {
  auto a = make_intrusive<Probe>();
  auto b = make_intrusive<Probe>();
  std::unordered_set<intrusive_ptr<Probe>> set{a, b, a};
  EXPECT_EQ(set.size(), 2u);
  EXPECT_TRUE((a < b) != (b < a));
}

TEST(IntrusivePtrTest, CopiesOfTheObjectStartUncounted) {
  auto ptr = make_intrusive<Probe>();
  auto copy = make_intrusive<Probe>(*ptr);
  EXPECT_EQ(copy.use_count(), 1u);
}

TEST(IntrusivePtrTest, ManyThreadsCopyLockAndDrop) {
  int destroyed = 0;
  {
    auto ptr = make_intrusive<Probe>(&destroyed);
    weak_intrusive_ptr<Probe> weak(ptr);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([ptr, weak] {
        for (int i = 0; i < 20000; ++i) {
          intrusive_ptr<Probe> copy = ptr;
          weak_intrusive_ptr<Probe> other = weak;
          ASSERT_TRUE(other.lock().defined());
        }
      });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(ptr.use_count(), 1u);
  }
  EXPECT_EQ(destroyed, 1);
}

TEST(IntrusivePtrTest, LastStrongAgainstLock) {
  for (int round = 0; round < 300; ++round) {
    int destroyed = 0;
    int released = 0;
    auto ptr = make_intrusive<Probe>(&destroyed, &released);
    weak_intrusive_ptr<Probe> weak(ptr);
    std::thread other([&weak] { weak.lock(); });
    ptr.reset();
    other.join();
    EXPECT_EQ(released, 1);
    weak.reset();
    EXPECT_EQ(destroyed, 1);
  }
}

}  // namespace
