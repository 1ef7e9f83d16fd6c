#include <c10/util/SmallVector.h>
#include <c10/util/expect_throw.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using c10::SmallVector;
using Strings = SmallVector<std::string, 2>;

template <class T>
std::vector<T> contents(const c10::SmallVectorImpl<T>& list) {
  return std::vector<T>(list.begin(), list.end());
}

TEST(SmallVectorTest, InlineUntilFullThenOnTheHeap) {
  SmallVector<int, 3> list{1, 2, 3};
  const auto* object = reinterpret_cast<const char*>(&list);
  const auto inside = [&] {
    const auto* data = reinterpret_cast<const char*>(list.data());
    return data >= object && data < object + sizeof(list);
  };
  EXPECT_TRUE(inside());
  list.push_back(4);
  EXPECT_FALSE(inside());
  EXPECT_EQ(contents(list), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_GE(list.capacity(), 4u);
}

TEST(SmallVectorTest, PushingAnOwnElementSurvivesGrowth) {
  Strings list{"a long enough string to be allocated", "b"};
  list.push_back(list[0]);
  EXPECT_EQ(list[2], "a long enough string to be allocated");
  EXPECT_EQ(list[0], list[2]);
}

TEST(SmallVectorTest, MovesTakeOverTheHeapAndEmptyTheSource) {
  for (const size_t count : {0u, 1u, 2u, 9u}) {
    Strings source;
    for (size_t i = 0; i < count; ++i) source.push_back(std::string(40, 'x'));
    const std::vector<std::string> expected = contents(source);
    Strings target(std::move(source));
    EXPECT_EQ(contents(target), expected);
    EXPECT_TRUE(source.empty());  // NOLINT: what a moved-from list is, is the point
    source.push_back("again");
    source.push_back("and");
    source.push_back("again");
    EXPECT_EQ(source.size(), 3u);
    source = std::move(target);
    EXPECT_EQ(contents(source), expected);
    EXPECT_TRUE(target.empty());  // NOLINT
  }
}

TEST(SmallVectorTest, HoldsMoveOnlyTypes) {
  SmallVector<std::unique_ptr<int>, 1> list;
  list.push_back(std::make_unique<int>(1));
  list.push_back(std::make_unique<int>(2));
  list.erase(list.begin());
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(*list[0], 2);
  EXPECT_EQ(*list.pop_back_val(), 2);
}

TEST(SmallVectorTest, ResizeAssignsAndCuts) {
  SmallVector<int, 2> list;
  list.resize(3);
  EXPECT_EQ(contents(list), (std::vector<int>{0, 0, 0}));
  list.resize(5, 7);
  EXPECT_EQ(contents(list), (std::vector<int>{0, 0, 0, 7, 7}));
  list.resize(1);
  EXPECT_EQ(contents(list), (std::vector<int>{0}));
  list.assign(2, 9);
  EXPECT_EQ(contents(list), (std::vector<int>{9, 9}));
  list = {1, 2};
  EXPECT_EQ(contents(list), (std::vector<int>{1, 2}));
  list = std::vector<int>{4, 5, 6};
  EXPECT_EQ(contents(list), (std::vector<int>{4, 5, 6}));
}

TEST(SmallVectorTest, RefusesOutOfRange) {
  SmallVector<int, 2> list{1};
  EXPECT_THROW_MESSAGE(list.at(1), c10::IndexError,
                       "SmallVector: index 1 is out of range for size 1");
}

TEST(SmallVectorTest, CapacityHasALimit) {
  EXPECT_THROW_CONTAINS(c10::detail::smallVectorGrowth(4, SIZE_MAX / 2), c10::Error,
                        "SmallVector unable to grow. Requested capacity (");
}

// An element with memory of its own. `budget` constructors succeed, then one throws. `alive` counts
// the objects that there are.
struct Limited {
  static inline int budget = 0;
  static inline int alive = 0;
  static void spend() {
    if (budget-- == 0) throw std::runtime_error("no more");
  }

  Limited() : memory((spend(), std::make_unique<int>(7))) { ++alive; }
  Limited(const Limited&) : Limited() {}
  Limited(Limited&& other) noexcept : memory(std::move(other.memory)) { ++alive; }
  Limited& operator=(const Limited&) = delete;
  ~Limited() { --alive; }

  std::unique_ptr<int> memory;
};

// A way to add elements to a list until a constructor throws.
struct Addition {
  const char* name;
  void (*add)(c10::SmallVectorImpl<Limited>& list);
};

TEST(SmallVectorTest, AnElementThatThrowsIsNotCounted) {
  Limited::budget = 3;
  const std::vector<Limited> three(3);
  static const std::vector<Limited>* const source = &three;
  const Addition additions[] = {
      {"emplace_back",
       [](auto& list) {
         while (true) list.emplace_back();
       }},
      {"push_back",
       [](auto& list) {
         while (true) list.push_back(source->front());
       }},
      {"resize", [](auto& list) { list.resize(9); }},
      {"resize to a value", [](auto& list) { list.resize(9, source->front()); }},
      {"append a value", [](auto& list) { list.append(9, source->front()); }},
      {"append a range",
       [](auto& list) {
         while (true) list.append(source->begin(), source->end());
       }},
  };
  for (const auto& [name, add] : additions) {
    // Inside the object, at the change to the heap, and on the heap.
    for (int budget = 0; budget < 8; ++budget) {
      SCOPED_TRACE(std::string(name) + " with " + std::to_string(budget));
      {
        SmallVector<Limited, 3> list;
        Limited::budget = budget;
        EXPECT_THROW(add(list), std::runtime_error);
        EXPECT_LE(list.size(), static_cast<size_t>(budget));
        EXPECT_EQ(Limited::alive, 3 + static_cast<int>(list.size()));
        for (const Limited& element : list) EXPECT_EQ(*element.memory, 7);
      }
      EXPECT_EQ(Limited::alive, 3);
    }
  }
  Limited::budget = 1;
  EXPECT_THROW((SmallVector<Limited, 3>(2)), std::runtime_error);
  EXPECT_EQ(Limited::alive, 3);
}

TEST(SmallVectorTest, ComparesAndPrints) {
  const SmallVector<int, 2> a{1, 2};
  const SmallVector<int, 2> b{1, 3};
  EXPECT_TRUE(a == a);
  EXPECT_FALSE(a == b);
  std::ostringstream out;
  out << a;
  EXPECT_EQ(out.str(), "[1, 2]");
}

// The same random operations on a std::vector must leave the same contents.
TEST(SmallVectorTest, AgreesWithStdVector) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  Strings list;
  std::vector<std::string> reference;
  const auto position = [&](size_t bound) { return bound == 0 ? 0 : random() % (bound + 1); };
  for (int step = 0; step < 3000; ++step) {
    const std::string value = std::to_string(random());
    switch (random() % 8) {
      case 0:
      case 1:
        list.push_back(value);
        reference.push_back(value);
        break;
      case 2: {
        const auto at = static_cast<ptrdiff_t>(position(reference.size()));
        list.insert(list.begin() + at, value);
        reference.insert(reference.begin() + at, value);
        break;
      }
      case 3: {
        const auto at = static_cast<ptrdiff_t>(position(reference.size()));
        const std::vector<std::string> more{value, "x", "y"};
        list.insert(list.begin() + at, more.begin(), more.end());
        reference.insert(reference.begin() + at, more.begin(), more.end());
        break;
      }
      case 4:
        if (!reference.empty()) {
          const auto first = static_cast<ptrdiff_t>(position(reference.size() - 1));
          const auto last = first + static_cast<ptrdiff_t>(
                                        position(reference.size() - static_cast<size_t>(first)));
          list.erase(list.begin() + first, list.begin() + last);
          reference.erase(reference.begin() + first, reference.begin() + last);
        }
        break;
      case 5: {
        const size_t size = random() % 6;
        list.resize(size, value);
        reference.resize(size, value);
        break;
      }
      case 6: {
        Strings copy(list);
        list = copy;
        break;
      }
      default:
        list.append(2, value);
        reference.insert(reference.end(), 2, value);
    }
    ASSERT_EQ(contents(list), reference) << "after step " << step;
  }
}

}  // namespace
