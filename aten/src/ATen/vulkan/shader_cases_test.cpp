#include <ATen/vulkan/Device.h>
#include <ATen/vulkan/ShaderCases.h>
#include <ATen/vulkan/ShaderTable.h>

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace at::vulkan {
namespace {

using Code = std::vector<uint32_t>;

// Of unary.comp and the like.
constexpr size_t kOp = 2;

c10::ArrayRef<uint32_t> code_of(const ShaderBinary& shader) { return {shader.code, shader.words}; }

Code with_operation(const ShaderBinary& shader, uint32_t op) {
  return chosen_cases(code_of(shader), {128, 0, op});
}

/// A module that is written down word by word.
class Writer {
 public:
  Writer() : code_{0x07230203, 0x00010500, 0, 100, 0} {}
  Writer& add(uint32_t op, const Code& operands) {
    code_.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | op);
    code_.insert(code_.end(), operands.begin(), operands.end());
    return *this;
  }
  const Code& code() const { return code_; }

 private:
  Code code_;
};

struct Contents {
  std::set<uint32_t> functions;
  std::set<uint32_t> called;
  std::set<uint32_t> labels;
  std::set<uint32_t> targets;
  std::map<uint32_t, Code> phis;
  std::set<uint32_t> decorated;
  std::vector<size_t> switches;
};

Contents contents_of(const Code& code) {
  Contents result;
  for (size_t at = 5; at < code.size(); at += code[at] >> 16) {
    const uint32_t* w = code.data() + at;
    const size_t words = w[0] >> 16;
    switch (w[0] & 0xffff) {
      case 54:
        result.functions.insert(w[2]);
        break;
      case 57:
        result.called.insert(w[3]);
        break;
      case 71:
        result.decorated.insert(w[1]);
        break;
      case 245:
        result.phis[w[2]] = Code(w + 3, w + words);
        break;
      case 246:
        result.targets.insert({w[1], w[2]});
        break;
      case 247:
      case 249:
        result.targets.insert(w[1]);
        break;
      case 248:
        result.labels.insert(w[1]);
        break;
      case 250:
        result.targets.insert({w[2], w[3]});
        break;
      case 251:
        result.switches.push_back(words);
        result.targets.insert(w[2]);
        for (size_t i = 4; i < words; i += 2) result.targets.insert(w[i]);
        break;
      default:
        break;
    }
  }
  return result;
}

TEST(ShaderCases, OneCaseIsLeftWithWhatItCalls) {
  // switch (constant 2) { case 5: f(); break; case 6: g(); break; default: } and a value of each.
  Writer module;
  module
      .add(15, {5, 10, 0x6e69616d, 0})  // main
      .add(71, {20, 1, 2})              // %20 is the constant 2
      .add(71, {41, 42})                // in f
      .add(71, {46, 42})                // in g
      .add(71, {31, 0})                 // a variable of the module
      .add(19, {1})
      .add(21, {2, 32, 1})
      .add(33, {3, 1})
      .add(50, {2, 20, 0})
      .add(43, {2, 21, 7})
      .add(32, {4, 6, 2})
      .add(59, {4, 31, 6})
      .add(54, {1, 10, 0, 3})
      .add(248, {11})
      .add(247, {14, 0})
      .add(251, {20, 14, 5, 12, 6, 13})
      .add(248, {12})
      .add(57, {1, 15, 40})
      .add(249, {14})
      .add(248, {13})
      .add(57, {1, 16, 45})
      .add(62, {31, 31})
      .add(249, {14})
      .add(248, {14})
      .add(245, {2, 17, 21, 11, 21, 12, 20, 13})
      .add(253, {})
      .add(56, {})
      .add(54, {1, 40, 0, 3})
      .add(248, {42})
      .add(128, {2, 41, 21, 21})
      .add(253, {})
      .add(56, {})
      .add(54, {1, 45, 0, 3})
      .add(248, {47})
      .add(128, {2, 46, 21, 21})
      .add(253, {})
      .add(56, {});
  const Contents first = contents_of(chosen_cases(module.code(), {0, 0, 5}));
  EXPECT_EQ(first.functions, (std::set<uint32_t>{10, 40}));
  EXPECT_EQ(first.labels, (std::set<uint32_t>{11, 12, 14, 42}));
  EXPECT_EQ(first.phis.at(17), (Code{21, 11, 21, 12}));
  EXPECT_EQ(first.decorated, (std::set<uint32_t>{20, 31, 41}));
  EXPECT_EQ(first.switches, (std::vector<size_t>{3}));
  const Contents second = contents_of(chosen_cases(module.code(), {0, 0, 6}));
  EXPECT_EQ(second.functions, (std::set<uint32_t>{10, 45}));
  EXPECT_EQ(second.decorated, (std::set<uint32_t>{20, 31, 46}));
  const Contents neither = contents_of(chosen_cases(module.code(), {0, 0, 7}));
  EXPECT_EQ(neither.functions, (std::set<uint32_t>{10}));
  // Nobody says what the constant is.
  EXPECT_EQ(chosen_cases(module.code(), {0, 0}), module.code());
}

TEST(ShaderCases, NothingThatIsLeftIsMissing) {
  size_t smaller = 0;
  for (size_t i = 0; i < kShaderCount; ++i) {
    for (uint32_t op = 0; op < 50; ++op) {
      const Code code = with_operation(kShaders[i], op);
      const Contents left = contents_of(code);
      for (const uint32_t called : left.called) {
        EXPECT_EQ(left.functions.count(called), 1) << kShaders[i].name << ", " << op;
      }
      for (const uint32_t target : left.targets) {
        EXPECT_EQ(left.labels.count(target), 1) << kShaders[i].name << ", " << op;
      }
      EXPECT_EQ(chosen_cases(code, {128, 0, op}), code) << kShaders[i].name << ", " << op;
      smaller += code.size() < kShaders[i].words / 2 ? 1 : 0;
    }
  }
  EXPECT_GT(smaller, 100);
}

TEST(ShaderCases, TheValidationLayerAcceptsWhatIsLeft) {
  if (shaders::device_count() == 0) GTEST_SKIP() << shaders::why_unavailable();
  const DeviceState& device = device_state(0);
  for (size_t i = 0; i < kShaderCount; ++i) {
    for (uint32_t op = 0; op < 50; ++op) {
      const Code code = with_operation(kShaders[i], op);
      if (op > 0 && code == with_operation(kShaders[i], op - 1)) continue;
      VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
      info.codeSize = code.size() * sizeof(uint32_t);
      info.pCode = code.data();
      VkShaderModule module = VK_NULL_HANDLE;
      device.check(device.vk().vkCreateShaderModule(device.handle, &info, nullptr, &module),
                   kShaders[i].name);
      device.vk().vkDestroyShaderModule(device.handle, module, nullptr);
    }
  }
}

}  // namespace
}  // namespace at::vulkan
