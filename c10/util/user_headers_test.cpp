// What extensions use of this folder and the tree does not.

#include <c10/util/Array.h>
#include <c10/util/BFloat16-math.h>
#include <c10/util/Bitset.h>
#include <c10/util/C++17.h>
#include <c10/util/CallOnce.h>
#include <c10/util/ConstexprCrc.h>
#include <c10/util/Deprecated.h>
#include <c10/util/ExclusivelyOwned.h>
#include <c10/util/Flags.h>
#include <c10/util/Lazy.h>
#include <c10/util/LeftRight.h>
#include <c10/util/Load.h>
#include <c10/util/MathConstants.h>
#include <c10/util/Metaprogramming.h>
#include <c10/util/Registry.h>
#include <c10/util/ScopeExit.h>
#include <c10/util/Synchronized.h>
#include <c10/util/ThreadLocal.h>
#include <c10/util/TypeIndex.h>
#include <c10/util/TypeList.h>
#include <c10/util/TypeSafeSignMath.h>
#include <c10/util/TypeTraits.h>
#include <c10/util/copysign.h>
#include <c10/util/error.h>
#include <c10/util/flat_hash_map.h>
#include <c10/util/generic_math.h>
#include <c10/util/hash.h>
#include <c10/util/llvmMathExtras.h>
#include <c10/util/overloaded.h>
#include <c10/util/safe_numerics.h>
#include <c10/util/ssize.h>
#include <c10/util/strides.h>
#include <c10/util/thread_name.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>
#include <vector>

class Shape {
 public:
  explicit Shape(int sides) : sides(sides) {}
  virtual ~Shape() = default;
  virtual std::string name() const = 0;
  int sides;
};
C10_DECLARE_REGISTRY(ShapeRegistry, Shape, int);
C10_DEFINE_REGISTRY(ShapeRegistry, Shape, int)

class Square : public Shape {
 public:
  using Shape::Shape;
  std::string name() const override { return "square"; }
};
C10_REGISTER_CLASS(ShapeRegistry, square, Square);

C10_DEFINE_int(test_count, 3, "how many") C10_DEFINE_bool(test_fast, false, "whether to hurry")
    C10_DEFINE_string(test_name, "none", "a name") C10_DEFINE_double(test_rate, 0.5, "a rate")

        namespace {
  TEST(Registry, CreatesByKey) {
    const std::unique_ptr<Shape> shape = ShapeRegistry()->Create("square", 4);
    ASSERT_NE(shape, nullptr);
    EXPECT_EQ(shape->name(), "square");
    EXPECT_EQ(shape->sides, 4);
    EXPECT_EQ(ShapeRegistry()->Create("circle", 1), nullptr);
    EXPECT_TRUE(ShapeRegistry()->Has("square"));
    EXPECT_EQ(ShapeRegistry()->Keys(), std::vector<std::string>{"square"});
  }

  TEST(Registry, RefusesASecondFactoryOfOnePriority) {
    c10::Registry<std::string, std::unique_ptr<int>> registry;
    registry.Register("one", [] { return std::make_unique<int>(1); });
    EXPECT_THROW(registry.Register("one", [] { return std::make_unique<int>(2); }), c10::Error);
    registry.Register("one", [] { return std::make_unique<int>(3); }, c10::REGISTRY_PREFERRED);
    EXPECT_EQ(*registry.Create("one"), 3);
    registry.Register("one", [] { return std::make_unique<int>(4); }, c10::REGISTRY_FALLBACK);
    EXPECT_EQ(*registry.Create("one"), 3);
    registry.SetTerminate(false);
    EXPECT_THROW(registry.Register(
                     "one", [] { return std::make_unique<int>(5); }, c10::REGISTRY_PREFERRED),
                 std::runtime_error);
  }

  // Runs the parser on a command line and gives what it left.
  std::vector<std::string> parsed(std::vector<std::string> line, bool* success) {
    std::vector<char*> argv;
    for (std::string& word : line) argv.push_back(word.data());
    int argc = static_cast<int>(argv.size());
    char** pointer = argv.data();
    *success = c10::ParseCommandLineFlags(&argc, &pointer);
    return {pointer, pointer + argc};
  }

  TEST(TypeSafeSignMath, ComparesAcrossTypes) {
    EXPECT_TRUE(c10::is_negative(-1) && !c10::is_negative(0u) && !c10::is_negative(-0.0));
    EXPECT_EQ(c10::signum(-2.5), -1);
    EXPECT_EQ(c10::signum(0), 0);
    EXPECT_EQ(c10::signum(7u), 1);
    EXPECT_TRUE(c10::signs_differ(-1, 3u));
    EXPECT_TRUE(c10::greater_than_max<uint8_t>(256) && !c10::greater_than_max<uint8_t>(-1));
    EXPECT_TRUE(c10::less_than_lowest<uint8_t>(-1) && !c10::less_than_lowest<int8_t>(255u));
    EXPECT_TRUE(c10::greater_than_max<int32_t>(3e9) && c10::less_than_lowest<int32_t>(-3e9));
  }

  TEST(SafeNumerics, SayWhetherTheyOverflow) {
    uint64_t product = 0;
    EXPECT_FALSE(c10::safe_multiplies_u64(std::vector<int64_t>{3, 5}, &product));
    EXPECT_EQ(product, 15);
    EXPECT_TRUE(c10::safe_multiplies_u64(std::vector<uint64_t>{1ull << 40, 1ull << 40}, &product));
    int8_t sum = 0;
    EXPECT_TRUE(c10::add_overflows<int8_t>(100, 100, &sum));
    EXPECT_EQ(c10::ssize(std::vector<int>{1, 2}), 2);
  }

  TEST(Flags, AreSetAndTakenOut) {
    bool success = false;
    const auto rest = parsed({"program", "--test_count=7", "file", "--test_name", "x",
                              "--test_fast", "--test_rate=1e-3"},
                             &success);
    EXPECT_TRUE(success);
    EXPECT_EQ(rest, (std::vector<std::string>{"program", "file"}));
    EXPECT_EQ(FLAGS_test_count, 7);
    EXPECT_EQ(FLAGS_test_name, "x");
    EXPECT_TRUE(FLAGS_test_fast);
    EXPECT_EQ(FLAGS_test_rate, 1e-3);
  }

  TEST(Flags, SayWhatIsWrong) {
    bool success = true;
    for (const auto& [word, said] : std::map<std::string, std::string>{
             {"--test_cuont=7", "there is no --test_cuont"},
             {"--test_count=seven", "--test_count cannot be \"seven\""},
             {"--test_count=99999999999", "--test_count cannot be"},
             {"--test_fast=maybe", "--test_fast cannot be \"maybe\""},
             {"--test_name", "--test_name has no value"}}) {
      testing::internal::CaptureStderr();
      parsed({"program", word}, &success);
      EXPECT_FALSE(success) << word;
      EXPECT_NE(testing::internal::GetCapturedStderr().find(said), std::string::npos) << word;
    }
  }

  TEST(LeftRight, ReadersSeeWholeWrites) {
    c10::LeftRight<std::pair<int, int>> value(0, 0);
    std::atomic<bool> stop{false};
    std::atomic<int> torn{0};
    std::thread reader([&] {
      while (!stop) {
        torn += value.read([](const auto& pair) { return pair.first != pair.second; });
      }
    });
    for (int i = 1; i <= 2000; ++i) {
      value.write([i](auto& pair) {
        pair.first = i;
        pair.second = i;
      });
    }
    stop = true;
    reader.join();
    EXPECT_EQ(torn, 0);
    EXPECT_EQ(value.read([](const auto& pair) { return pair.second; }), 2000);
  }

  TEST(LeftRight, AFailedWriteChangesNothing) {
    c10::LeftRight<int> value(1);
    EXPECT_THROW(value.write([](int& v) {
      v = 2;
      throw std::runtime_error("no");
    }),
                 std::runtime_error);
    EXPECT_EQ(value.read([](int v) { return v; }), 1);
  }

  namespace types = c10::guts::typelist;
  using Numbers = types::typelist<int, float, double>;
  static_assert(types::size<Numbers>::value == 3);
  static_assert(std::is_same_v<types::head_t<Numbers>, int>);
  static_assert(std::is_same_v<types::last_t<Numbers>, double>);
  static_assert(std::is_same_v<types::drop_t<Numbers, 1>, types::typelist<float, double>>);
  static_assert(std::is_same_v<types::take_t<Numbers, 5>, Numbers>);
  static_assert(std::is_same_v<types::reverse_t<Numbers>, types::typelist<double, float, int>>);
  static_assert(std::is_same_v<types::map_t<std::add_pointer_t, Numbers>,
                               types::typelist<int*, float*, double*>>);
  static_assert(std::is_same_v<types::filter_t<std::is_integral, Numbers>, types::typelist<int>>);
  static_assert(types::contains<Numbers, float>::value && !types::contains<Numbers, char>::value);
  static_assert(std::is_same_v<types::to_tuple_t<Numbers>, std::tuple<int, float, double>>);

  TEST(Metaprogramming, TakesFunctionsAndTuplesApart) {
    const auto function = [](int, float) { return std::string(); };
    using Traits = c10::guts::infer_function_traits_t<decltype(function)>;
    static_assert(std::is_same_v<Traits::return_type, std::string>);
    static_assert(Traits::number_of_parameters == 2);
    static_assert(c10::guts::is_stateless_lambda<decltype(function)>::value);
    static_assert(c10::guts::is_instantiation_of<std::vector, std::vector<int>>::value);
    struct Functor {
      int operator()(int a) const { return a; }
    };
    static_assert(!c10::guts::is_stateless_lambda<Functor>::value);
    const auto tuple = std::make_tuple(1, 2.5, std::string("x"));
    using Tuple = std::tuple<int, double, std::string>;
    EXPECT_EQ((c10::guts::tuple_take<Tuple, 2>(tuple)), std::make_tuple(1, 2.5));
    EXPECT_EQ((c10::guts::tuple_take<Tuple, -1>(tuple)), std::make_tuple(std::string("x")));
    EXPECT_EQ((c10::guts::tuple_slice<Tuple, 1, 2>(tuple)), std::make_tuple(2.5, std::string("x")));
    EXPECT_EQ(c10::guts::tuple_map(std::make_tuple(1, 2), [](int i) { return i + 0.5; }),
              std::make_tuple(1.5, 2.5));
  }

  static_assert(types::find_if<Numbers, std::is_floating_point>::value == 1);
  static_assert(std::is_same_v<types::head_with_default_t<bool, types::typelist<>>, bool>);
  static_assert(c10::guts::is_type_condition<std::is_reference>::value);
  static_assert(!c10::guts::is_type_condition<std::vector>::value);
  static_assert(c10::util::crc64("123456789") == c10::util::crc64_t(0xe9c6d914c4b8d9ca));
  static_assert(c10::util::get_type_index<int>() == c10::util::get_type_index<const int&>());
  static_assert(c10::util::get_type_index<int>() != c10::util::get_type_index<int*>());
  static_assert(c10::util::get_fully_qualified_type_name<Shape>() == "Shape");

  TEST(TypeList, MapsTypesToValues) {
    const auto sizes = types::map_types_to_values<Numbers>(
        [](auto t) { return sizeof(typename decltype(t)::type); });
    EXPECT_EQ(sizes, std::make_tuple(sizeof(int), sizeof(float), sizeof(double)));
  }

  TEST(GenericMath, DividesAsPythonDoes) {
    EXPECT_EQ(c10::div_floor_integer(-7, 2), -4);
    EXPECT_EQ(c10::div_floor_integer(7u, 2u), 3u);
    EXPECT_EQ(c10::div_floor_integer(std::numeric_limits<int>::min(), -1),
              std::numeric_limits<int>::min());
    EXPECT_EQ(c10::div_floor_integer(5, 0), 0);
    EXPECT_EQ(c10::div_floor_floating(-7.0, 2.0), -4.0);
    EXPECT_TRUE(std::signbit(c10::div_floor_floating(-0.0, 2.0)));
    EXPECT_TRUE(std::isinf(c10::div_floor_floating(5.0, 0.0)));
    EXPECT_EQ(c10::div_mod(-7, 2), 1);
    EXPECT_EQ(c10::div_mod(7.0, -2.0), -1.0);
    EXPECT_TRUE(std::isnan(c10::div_mod(7.0, 0.0)));
  }

  TEST(ReducedMath, RoundsWhatFloatComputes) {
    const c10::BFloat16 one(1.0f);
    EXPECT_EQ(std::exp(one), c10::BFloat16(std::exp(1.0f)));
    EXPECT_EQ(std::pow(c10::Half(3.0f), 2.0), c10::Half(9.0f));
    EXPECT_EQ(std::nextafter(one, c10::BFloat16(2.0f)).x, one.x + 1);
    EXPECT_EQ(std::nextafter(one, c10::BFloat16(0.0f)).x, one.x - 1);
    EXPECT_EQ(std::nextafter(c10::Half(0.0f), c10::Half(-1.0f)).x, 0x8001);
    EXPECT_TRUE(std::isnan(static_cast<float>(std::nextafter(one, c10::BFloat16(NAN)))));
  }

  TEST(Small, PartsDoWhatTheySay) {
    c10::utils::bitset bits;
    bits.set(3);
    bits.set(63);
    bits.unset(3);
    std::vector<size_t> set;
    bits.for_each_set_bit([&](size_t bit) { set.push_back(bit); });
    EXPECT_EQ(set, std::vector<size_t>{63});

    int runs = 0;
    {
      auto end = c10::make_scope_exit([&] { ++runs; });
      auto released = c10::make_scope_exit([&] { runs += 10; });
      released.release();
    }
    EXPECT_EQ(runs, 1);

    c10::Synchronized<std::vector<int>> list;
    list.withLock([](auto& v) { v.push_back(2); });
    EXPECT_EQ(list.withLock([](const auto& v) { return v.size(); }), 1U);

    c10::OptimisticLazy<int> lazy;
    EXPECT_EQ(lazy.ensure([&] { return ++runs; }), 2);
    EXPECT_EQ(lazy.ensure([&] { return ++runs; }), 2);
    c10::OptimisticLazy<int> copy = lazy;
    EXPECT_EQ(copy.ensure([&] { return ++runs; }), 2);
    c10::OptimisticLazy<int> moved = std::move(lazy);
    EXPECT_EQ(moved.ensure([&] { return ++runs; }), 2);
    EXPECT_EQ(lazy.ensure([&] { return ++runs; }), 3);  // NOLINT: a moved-from object has no value

    c10::once_flag once;
    for (int i = 0; i < 3; ++i) c10::call_once(once, [&] { runs = 7; });
    EXPECT_EQ(runs, 7);

    const std::variant<int, std::string> variant = std::string("text");
    EXPECT_EQ(
        std::visit(c10::overloaded([](int) { return 0; },
                                   [](const std::string& s) { return static_cast<int>(s.size()); }),
                   variant),
        4);

    EXPECT_EQ(c10::array_of<int>(1, 2)[1], 2);
    EXPECT_EQ(c10::utils::str_error(ENOENT), "No such file or directory");
    EXPECT_EQ(c10::contiguous_strides({2, 0, 3}), (c10::DimVector{3, 3, 1}));
    EXPECT_EQ(*c10::ExclusivelyOwned<int>(5), 5);
    EXPECT_EQ(c10::util::get_fully_qualified_type_name<int>(), "int");
    const unsigned char two = 2;
    EXPECT_TRUE(c10::load<bool>(&two));
    EXPECT_EQ(std::signbit(static_cast<float>(c10::copysign(c10::Half(1.0f), c10::Half(-0.0f)))),
              true);
    EXPECT_DOUBLE_EQ(c10::pi<double>, std::acos(-1.0));
    EXPECT_EQ(c10::llvm::PowerOf2Ceil(17), 32U);
    EXPECT_EQ(c10::llvm::Log2_64(1025), 10U);
    EXPECT_EQ(c10::llvm::countTrailingZeros(8U), 3U);
  }

  TEST(Hash, DependsOnValuesAndOrder) {
    EXPECT_EQ(c10::get_hash(1, std::string("a")), c10::get_hash(1, std::string("a")));
    EXPECT_NE(c10::get_hash(1, 2), c10::get_hash(2, 1));
    using Sizes = std::vector<int64_t>;
    ska::flat_hash_map<Sizes, int, c10::hash<Sizes>> table;
    table[{1, 2}] = 3;
    EXPECT_EQ(table.count({2, 1}), 0U);
    EXPECT_EQ(table.at({1, 2}), 3);
  }

  TEST(Threads, HaveValuesAndNamesOfTheirOwn) {
    C10_DEFINE_TLS_static(int, number);
    *number = 1;
    std::string name;
    int other = -1;
    std::thread([&] {
      other = *number;
      c10::setThreadName("a name longer than Linux keeps");
      name = c10::getThreadName();
    }).join();
    EXPECT_EQ(other, 0);
    EXPECT_EQ(*number, 1);
#ifdef __linux__
    EXPECT_EQ(name, "a name longer t");
#endif
  }

}  // namespace
