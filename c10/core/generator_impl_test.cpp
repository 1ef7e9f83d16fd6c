#include <c10/core/GeneratorImpl.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <mutex>
#include <set>

namespace {

struct Counter final : c10::GeneratorImpl {
  Counter() : GeneratorImpl(c10::kCPU, c10::DispatchKeySet(c10::DispatchKey::CPU)) {}
  void set_current_seed(uint64_t seed) override { seed_ = seed; }
  void set_offset(uint64_t) override {}
  uint64_t get_offset() const override { return 0; }
  uint64_t current_seed() const override { return seed_; }
  uint64_t seed() override { return seed_ = c10::detail::getNonDeterministicRandom(); }
  Counter* clone_impl() const override {
    auto* copy = new Counter;
    copy->seed_ = seed_;
    return copy;
  }
  uint64_t seed_ = c10::default_rng_seed_val;
};

TEST(GeneratorImplTest, ClonesHaveTheirOwnState) {
  const auto generator = c10::make_intrusive<Counter>();
  generator->set_current_seed(5);
  const auto copy = generator->clone();
  EXPECT_EQ(copy->current_seed(), 5u);
  EXPECT_EQ(copy.use_count(), 1u);
  copy->set_current_seed(6);
  EXPECT_EQ(generator->current_seed(), 5u);
  EXPECT_EQ(copy->device(), c10::Device(c10::kCPU));
  EXPECT_TRUE(copy->key_set().has(c10::DispatchKey::CPU));
  const std::lock_guard<std::mutex> lock(copy->mutex_);
}

TEST(GeneratorImplTest, SystemSeedsDiffer) {
  std::set<uint64_t> seeds;
  for (int i = 0; i < 16; ++i) {
    const uint64_t seed = c10::detail::getNonDeterministicRandom(/*is_cuda=*/true);
    EXPECT_LT(seed, uint64_t{1} << 53);
    seeds.insert(seed);
  }
  EXPECT_GT(seeds.size(), 14u);
}

}  // namespace
