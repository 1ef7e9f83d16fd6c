#include <c10/util/StringUtil.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Point {
  int x, y;
};
std::ostream& operator<<(std::ostream& out, const Point& p) {
  return out << "(" << p.x << "," << p.y << ")";
}

enum class Color { kRed };
std::ostream& operator<<(std::ostream& out, Color) { return out << "red"; }
enum Old { kSeven = 7 };

TEST(StrTest, NoArgumentsGiveAnEmptyString) { EXPECT_EQ(c10::str(), ""); }

TEST(StrTest, MixesKinds) {
  const std::string owned = "owned";
  const char* pointer = "ptr";
  EXPECT_EQ(c10::str("a ", 1, ' ', owned, std::string_view(" view "), pointer, Point{1, 2},
                     Color::kRed, kSeven, true),
            "a 1 owned view ptr(1,2)red71");
}

TEST(StrTest, NullTextIsShown) {
  const char* null = nullptr;
  EXPECT_EQ(c10::str(null), "(null)");
}

TEST(StrTest, ListsAreBracketed) {
  EXPECT_EQ(c10::str(std::vector<int64_t>{1, 2, 3}), "[1, 2, 3]");
  EXPECT_EQ(c10::str(std::vector<Point>{}), "[]");
  EXPECT_EQ(c10::str(std::vector<std::string>{"a"}), "[a]");
}

template <class T>
std::string streamed(T value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(StrTest, NumbersPrintAsStreamsPrintThem) {
  for (const double value : {0.0, -0.0, 1.0, 0.1, 1e-7, 1e6, 123456789.0, 1e300,
                             std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(c10::str(value), streamed(value));
  }
  EXPECT_EQ(c10::str(1.5f), streamed(1.5f));
  EXPECT_EQ(c10::str(std::numeric_limits<int64_t>::min()),
            streamed(std::numeric_limits<int64_t>::min()));
  EXPECT_EQ(c10::str(std::numeric_limits<uint64_t>::max()),
            streamed(std::numeric_limits<uint64_t>::max()));
  EXPECT_EQ(c10::str(static_cast<int8_t>(-5)), "-5");
  const int object = 0;
  EXPECT_EQ(c10::str(&object), streamed(&object));
}

TEST(StringUtilTest, Join) {
  EXPECT_EQ(c10::Join(", ", std::vector<int>{1, 2}), "1, 2");
  EXPECT_EQ(c10::Join(", ", std::vector<int>{}), "");
}

TEST(StringUtilTest, ReplaceAllDoesNotLookAtReplacedText) {
  std::string text = "aXbXX";
  EXPECT_EQ(c10::ReplaceAll(text, "X", "XX"), 3u);
  EXPECT_EQ(text, "aXXbXXXX");
  EXPECT_EQ(c10::ReplaceAll(text, "Q", "!"), 0u);
  EXPECT_EQ(c10::ReplaceAll(text, "", "!"), 0u);
  EXPECT_EQ(text, "aXXbXXXX");
}

TEST(StringUtilTest, StripBasename) {
  EXPECT_EQ(c10::StripBasename("/a/b/file.cpp"), "file.cpp");
  EXPECT_EQ(c10::StripBasename("file.cpp"), "file.cpp");
}

}  // namespace
