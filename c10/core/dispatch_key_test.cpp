#include <c10/core/DispatchKey.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;

std::vector<DispatchKey> runtime_keys() {
  std::vector<DispatchKey> keys;
  for (uint16_t k = 1; k < c10::num_runtime_entries; ++k)
    keys.push_back(static_cast<DispatchKey>(k));
  return keys;
}

TEST(DispatchKeyTest, NamesRoundTrip) {
  for (const DispatchKey key : runtime_keys()) {
    EXPECT_EQ(c10::parseDispatchKey(c10::toString(key)), key);
  }
  for (const DispatchKey alias : {DispatchKey::Autograd, DispatchKey::CompositeImplicitAutograd,
                                  DispatchKey::CompositeExplicitAutograd,
                                  DispatchKey::CompositeExplicitAutogradNonFunctional}) {
    EXPECT_TRUE(c10::isAliasDispatchKey(alias));
    EXPECT_EQ(c10::parseDispatchKey(c10::toString(alias)), alias);
  }
  EXPECT_EQ(c10::parseDispatchKey("Undefined"), DispatchKey::Undefined);
  EXPECT_EQ(c10::parseDispatchKey("CatchAll"), DispatchKey::CatchAll);
  EXPECT_STREQ(c10::toString(static_cast<DispatchKey>(9999)), "UNKNOWN_TENSOR_TYPE_ID");
}

TEST(DispatchKeyTest, UnknownNamesAreAnsweredWithTheNearest) {
  EXPECT_THROW_MESSAGE(c10::parseDispatchKey("AutogradCpu"), c10::Error,
                       "could not parse dispatch key: AutogradCpu. Did you mean AutogradCPU?");
  EXPECT_THROW_MESSAGE(c10::parseDispatchKey("CDUA"), c10::Error,
                       "could not parse dispatch key: CDUA. Did you mean CPU?");
  EXPECT_THROW_CONTAINS(c10::parseDispatchKey("CompositeImplicit"), c10::Error,
                        "Did you mean CompositeImplicitAutograd?");
}

TEST(DispatchKeyTest, BackendsHaveAutogradKeys) {
  EXPECT_EQ(c10::getAutogradKeyFromBackend(DispatchKey::CPU), DispatchKey::AutogradCPU);
  EXPECT_EQ(c10::getAutogradKeyFromBackend(DispatchKey::Vulkan), DispatchKey::AutogradOther);
  EXPECT_EQ(c10::getAutogradKeyFromBackend(DispatchKey::Undefined), DispatchKey::Undefined);
  for (const DispatchKey backend : c10::backend_dispatch_keyset) {
    EXPECT_TRUE(c10::isBackendDispatchKey(backend));
    const DispatchKey autograd = c10::getAutogradKeyFromBackend(backend);
    EXPECT_TRUE(c10::isAutogradDispatchKey(autograd)) << backend;
    EXPECT_TRUE(c10::getBackendKeySetFromAutograd(autograd).has(backend)) << backend;
  }
}

TEST(DispatchKeyTest, DevicesRoundTrip) {
  for (const DispatchKey backend : c10::backend_dispatch_keyset) {
    EXPECT_EQ(c10::toBackendDispatchKey(c10::dispatchKeyToDeviceType(backend)), backend);
  }
  EXPECT_EQ(c10::dispatchKeyToDeviceType(DispatchKey::AutogradCUDA), c10::kCUDA);
  EXPECT_THROW_MESSAGE(c10::dispatchKeyToDeviceType(DispatchKey::Tracer), c10::Error,
                       "DispatchKey Tracer doesn't correspond to a device");
  EXPECT_THROW_MESSAGE(c10::toBackendDispatchKey(c10::kFPGA), c10::NotImplementedError,
                       "Unsupported device type for dense layout: fpga");
}

TEST(DispatchKeySetTest, HighestKeyWins) {
  const DispatchKeySet cpu(
      {DispatchKey::CPU, DispatchKey::AutogradCPU, DispatchKey::ADInplaceOrView});
  EXPECT_EQ(cpu.highestPriorityTypeId(), DispatchKey::AutogradCPU);
  EXPECT_EQ((cpu & c10::after_autograd_keyset).highestPriorityTypeId(),
            DispatchKey::ADInplaceOrView);
  EXPECT_EQ((cpu & c10::after_ADInplaceOrView_keyset).highestPriorityTypeId(), DispatchKey::CPU);
  EXPECT_EQ(DispatchKeySet().highestPriorityTypeId(), DispatchKey::Undefined);
  EXPECT_EQ(cpu.highestBackendKey(), DispatchKey::CPU);
  EXPECT_EQ(c10::legacyExtractDispatchKey(cpu), DispatchKey::CPU);
}

TEST(DispatchKeySetTest, BitsComeAfterAutogradAndBeforeBackends) {
  const DispatchKeySet both({DispatchKey::CPU, DispatchKey::Conjugate, DispatchKey::Negative,
                             DispatchKey::ADInplaceOrView, DispatchKey::AutogradCPU});
  const DispatchKeySet below = both & c10::after_ADInplaceOrView_keyset;
  EXPECT_EQ(below.highestPriorityTypeId(), DispatchKey::Negative);
  EXPECT_EQ((below - c10::math_bits_keyset).highestPriorityTypeId(), DispatchKey::CPU);
  EXPECT_EQ(c10::legacyExtractDispatchKey(both), DispatchKey::CPU);
  EXPECT_EQ(both.highestBackendKey(), DispatchKey::CPU);
}

TEST(DispatchKeySetTest, EveryRuntimeKeyIsAnEntryOfItsOwn) {
  std::set<int> indices{DispatchKeySet().getDispatchTableIndexForDispatchKeySet()};
  for (const DispatchKey key : runtime_keys()) {
    const DispatchKeySet set(key);
    EXPECT_EQ(set.highestPriorityTypeId(), key);
    const int index = set.getDispatchTableIndexForDispatchKeySet();
    EXPECT_GE(index, 0);
    EXPECT_LT(index, c10::num_runtime_entries);
    EXPECT_TRUE(indices.insert(index).second) << key;
  }
}

TEST(DispatchKeySetTest, AliasesAndUndefinedAreNoMembers) {
  EXPECT_TRUE(DispatchKeySet(DispatchKey::Undefined).empty());
  EXPECT_TRUE(DispatchKeySet(DispatchKey::CompositeImplicitAutograd).empty());
  EXPECT_FALSE(DispatchKeySet(DispatchKeySet::FULL).has(DispatchKey::Autograd));
}

// Against std::set.
TEST(DispatchKeySetTest, AlgebraAgreesWithSets) {
  std::mt19937_64 random{std::random_device()()};
  const uint64_t mask = DispatchKeySet(DispatchKeySet::FULL).raw_repr();
  const auto members = [](DispatchKeySet s) { return std::set<DispatchKey>(s.begin(), s.end()); };
  for (int i = 0; i < 200; ++i) {
    const DispatchKeySet a(DispatchKeySet::RAW, random() & mask);
    const DispatchKeySet b(DispatchKeySet::RAW, random() & mask);
    for (const DispatchKey key : runtime_keys()) {
      const bool in_a = members(a).count(key) != 0;
      const bool in_b = members(b).count(key) != 0;
      ASSERT_EQ(a.has(key), in_a);
      ASSERT_EQ((a | b).has(key), in_a || in_b);
      ASSERT_EQ((a & b).has(key), in_a && in_b);
      ASSERT_EQ((a - b).has(key), in_a && !in_b);
      ASSERT_TRUE(a.add(key).has(key));
      ASSERT_FALSE(a.remove(key).has(key));
      ASSERT_EQ(DispatchKeySet(DispatchKeySet::FULL_AFTER, key).has(key), false);
    }
    ASSERT_EQ(a.has_any(b), !(a & b).empty());
    ASSERT_EQ(a.has_all(b), (b - a).empty());
    if (!a.empty()) {
      ASSERT_EQ(a.highestPriorityTypeId(), *members(a).rbegin());
    }
  }
}

TEST(DispatchKeySetTest, FullHasEveryRuntimeKey) {
  for (const DispatchKey key : runtime_keys()) {
    EXPECT_TRUE(DispatchKeySet(DispatchKeySet::FULL).has(key)) << key;
  }
}

TEST(DispatchKeySetTest, AliasesStandForTheirKeys) {
  EXPECT_EQ(c10::getRuntimeDispatchKeySet(DispatchKey::Autograd), c10::autograd_dispatch_keyset);
  EXPECT_EQ(c10::getRuntimeDispatchKeySet(DispatchKey::CPU), DispatchKeySet(DispatchKey::CPU));
  EXPECT_TRUE(c10::isIncludedInAlias(DispatchKey::CPU, DispatchKey::CompositeImplicitAutograd));
  EXPECT_TRUE(
      c10::isIncludedInAlias(DispatchKey::AutogradCPU, DispatchKey::CompositeImplicitAutograd));
  EXPECT_FALSE(
      c10::isIncludedInAlias(DispatchKey::AutogradCPU, DispatchKey::CompositeExplicitAutograd));
  EXPECT_FALSE(
      c10::isIncludedInAlias(DispatchKey::Undefined, DispatchKey::CompositeImplicitAutograd));
  for (const DispatchKey key : runtime_keys()) {
    EXPECT_EQ(c10::autograd_dispatch_keyset.has(key), c10::isAutogradDispatchKey(key)) << key;
    EXPECT_EQ(c10::backend_dispatch_keyset.has(key), c10::isBackendDispatchKey(key)) << key;
  }
}

TEST(DispatchKeySetTest, PrintsFromLowToHigh) {
  std::ostringstream out;
  out << DispatchKeySet({DispatchKey::AutocastCPU, DispatchKey::AutogradCPU,
                         DispatchKey::ADInplaceOrView, DispatchKey::CPU});
  EXPECT_EQ(out.str(), "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)");
  EXPECT_EQ(c10::toString(DispatchKeySet()), "DispatchKeySet()");
}

}  // namespace
