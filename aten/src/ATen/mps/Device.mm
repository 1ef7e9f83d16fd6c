// Devices that Metal computes on. Their memory is shared with the processor, so that a tensor's
// pointer is an address that the host can read once the device is idle.

#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

#include <ATen/mps/Metallib.h>
#include <ATen/shaders/Device.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace at::mps {
namespace {

using shaders::Binding;
using shaders::kBindings;
using shaders::Place;
using shaders::Shader;

// A command buffer is submitted when it has so many dispatches, so that the device works meanwhile.
constexpr int kDispatches = 64;
// What Metal copies into a command buffer by itself.
constexpr size_t kMostArgumentBytes = 4096;
constexpr size_t kErrorBytes = 4 * sizeof(uint32_t);

std::string reason(NSError* error) {
  return error == nil ? std::string("Metal gives no reason") : error.localizedDescription.UTF8String;
}

// `MemoryBlock::buffer`.
struct Buffer {
  id<MTLBuffer> buffer = nil;
};

id<MTLBuffer> buffer_of(const Place& place) { return static_cast<Buffer*>(place.buffer)->buffer; }

class MPSDevice final : public shaders::ComputeDevice {
 public:
  MPSDevice(id<MTLDevice> device, c10::DeviceIndex index);
  void dispatch(const Shader& shader, c10::ArrayRef<Binding> bindings, const void* arguments,
                size_t argument_bytes, std::array<uint32_t, 3> groups) override;
  void copy_from_host(void* to, const void* from, size_t bytes) override;
  void copy_to_host(void* to, const void* from, size_t bytes) override;
  void copy_on_device(void* to, const void* from, size_t bytes) override;
  void synchronize() override;
  bool is_idle() override;
  shaders::MemoryBlock make_block(size_t bytes) override;

 private:
  id<MTLComputePipelineState> pipeline(const Shader& shader);
  id<MTLCommandBuffer> recording();
  id<MTLComputeCommandEncoder> compute();
  void end_encoder();
  void copy(id<MTLBuffer> to, size_t to_offset, id<MTLBuffer> from, size_t from_offset,
            size_t bytes);
  void submit();
  void wait_for_all();

  id<MTLDevice> device_;
  id<MTLCommandQueue> queue_;
  id<MTLLibrary> library_;
  // Where a shader reports a wrong index.
  id<MTLBuffer> errors_;
  std::mutex mutex_;
  id<MTLCommandBuffer> commands_ = nil;
  id<MTLComputeCommandEncoder> encoder_ = nil;
  int dispatches_ = 0;
  // Submitted, in order.
  std::vector<id<MTLCommandBuffer>> pending_;
  std::map<std::pair<std::string, std::vector<uint32_t>>, id<MTLComputePipelineState>> pipelines_;
};

MPSDevice::MPSDevice(id<MTLDevice> device, c10::DeviceIndex device_index)
    : shaders::ComputeDevice(c10::DeviceType::MPS, device_index), device_(device) {
  @autoreleasepool {
    model = device.name.UTF8String;
    queue_ = [device newCommandQueue];
    TORCH_CHECK(queue_ != nil, "Metal makes no command queue for ", name(), ".");
    NSError* error = nil;
    dispatch_data_t data = dispatch_data_create(kMetallib, kMetallibSize, nullptr,
                                                DISPATCH_DATA_DESTRUCTOR_DEFAULT);
    library_ = [device newLibraryWithData:data error:&error];
    TORCH_CHECK(library_ != nil, "Metal does not load this build's shaders on ", name(), ": ",
                reason(error), ". They were compiled for a later macOS than this machine's: build ",
                "with --macos_minimum_os=<its version>.");
    errors_ = [device newBufferWithLength:kErrorBytes options:MTLResourceStorageModeShared];
    TORCH_CHECK(errors_ != nil, "Metal has no memory on ", name(), ".");
    std::memset(errors_.contents, 0, kErrorBytes);
  }
  // Every device of Metal has these types.
  capabilities.float16 = true;
  capabilities.int64 = true;
  capabilities.int8 = true;
  capabilities.int16 = true;
  capabilities.max_invocations =
      static_cast<uint32_t>(device.maxThreadsPerThreadgroup.width);
  capabilities.max_tensor_bytes = device.maxBufferLength;
  memory = std::make_unique<shaders::Memory>(
      *this, shaders::memory_limit("TORCH_MPS_MEMORY_MIB", device.recommendedMaxWorkingSetSize));
}

shaders::MemoryBlock MPSDevice::make_block(size_t bytes) {
  auto block = std::make_shared<Buffer>();
  block->buffer = [device_ newBufferWithLength:bytes options:MTLResourceStorageModeShared];
  if (block->buffer == nil) return {};
  void* address = block->buffer.contents;
  return {address, std::move(block)};
}

id<MTLComputePipelineState> MPSDevice::pipeline(const Shader& shader) {
  auto key = std::pair(shader.name, shader.constants);
  const auto known = pipelines_.find(key);
  if (known != pipelines_.end()) return known->second;
  NSString* function_name = [NSString stringWithUTF8String:shader.name.c_str()];
  id<MTLFunction> general = [library_ newFunctionWithName:function_name];
  TORCH_INTERNAL_ASSERT(general != nil, "there is no shader ", shader.name);
  MTLFunctionConstantValues* values = [[MTLFunctionConstantValues alloc] init];
  // The function states the type of each constant that it uses.
  for (MTLFunctionConstant* constant in general.functionConstantsDictionary.allValues) {
    if (constant.index >= shader.constants.size()) continue;
    [values setConstantValue:&shader.constants[constant.index]
                        type:constant.type
                     atIndex:constant.index];
  }
  NSError* error = nil;
  id<MTLFunction> function = [library_ newFunctionWithName:function_name
                                            constantValues:values
                                                     error:&error];
  TORCH_CHECK(function != nil, "Metal does not specialise the shader ", shader.name, " on ", name(),
              ": ", reason(error));
  id<MTLComputePipelineState> made = [device_ newComputePipelineStateWithFunction:function
                                                                            error:&error];
  TORCH_CHECK(made != nil, "Metal does not compile the shader ", shader.name, " for ", name(), ": ",
              reason(error));
  TORCH_CHECK(shader.constants[0] <= made.maxTotalThreadsPerThreadgroup, "the shader ", shader.name,
              " wants groups of ", shader.constants[0], " threads, and ", name(), " runs it with ",
              made.maxTotalThreadsPerThreadgroup, " at most");
  pipelines_.emplace(std::move(key), made);
  return made;
}

id<MTLCommandBuffer> MPSDevice::recording() {
  if (commands_ == nil) {
    commands_ = [queue_ commandBuffer];
    TORCH_CHECK(commands_ != nil, "Metal makes no command buffer for ", name(), ".");
  }
  return commands_;
}

// Dispatches of one encoder run one after the other, since buffers are tracked.
id<MTLComputeCommandEncoder> MPSDevice::compute() {
  if (encoder_ == nil) {
    encoder_ = [recording() computeCommandEncoder];
    TORCH_CHECK(encoder_ != nil, "Metal makes no command encoder for ", name(), ".");
  }
  return encoder_;
}

void MPSDevice::end_encoder() {
  if (encoder_ != nil) [encoder_ endEncoding];
  encoder_ = nil;
}

void MPSDevice::submit() {
  if (commands_ == nil) return;
  end_encoder();
  // What has ended well need not be waited for.
  std::erase_if(pending_, [](id<MTLCommandBuffer> commands) {
    return commands.status == MTLCommandBufferStatusCompleted;
  });
  [commands_ commit];
  pending_.push_back(commands_);
  commands_ = nil;
  dispatches_ = 0;
}

void MPSDevice::wait_for_all() {
  submit();
  std::vector<id<MTLCommandBuffer>> finished;
  finished.swap(pending_);
  for (id<MTLCommandBuffer> commands : finished) {
    [commands waitUntilCompleted];
    TORCH_CHECK(commands.status == MTLCommandBufferStatusCompleted, "MPS device ", name(),
                " did not finish its work: ", reason(commands.error));
  }
  uint32_t words[4];
  std::memcpy(words, errors_.contents, sizeof(words));
  std::memset(errors_.contents, 0, kErrorBytes);
  const std::string wrong = shaders::index_error(words);
  TORCH_CHECK_INDEX(wrong.empty(), wrong, " (on ", name(),
                    ", noticed when the program waited for it)");
}

void MPSDevice::dispatch(const Shader& shader, c10::ArrayRef<Binding> bindings,
                         const void* arguments, size_t argument_bytes,
                         std::array<uint32_t, 3> groups) {
  TORCH_INTERNAL_ASSERT(argument_bytes <= kMostArgumentBytes && bindings.size() < kBindings);
  const std::lock_guard<std::mutex> lock(mutex_);
  @autoreleasepool {
    id<MTLComputePipelineState> state = pipeline(shader);
    id<MTLComputeCommandEncoder> encoder = compute();
    [encoder setComputePipelineState:state];
    // The numbers of first elements stay 0: Metal binds a buffer at any element.
    [encoder setBytes:arguments length:argument_bytes atIndex:0];
    for (size_t i = 1; i < kBindings; ++i) {
      // What a shader does not use, or what has no elements, is bound to something all the same.
      const Binding* binding = i <= bindings.size() ? &bindings[i - 1] : nullptr;
      if (binding == nullptr || binding->address == nullptr) {
        [encoder setBuffer:errors_ offset:0 atIndex:i];
        continue;
      }
      const Place place = memory->find(binding->address);
      [encoder setBuffer:buffer_of(place) offset:place.offset atIndex:i];
    }
    [encoder dispatchThreadgroups:MTLSizeMake(groups[0], groups[1], groups[2])
            threadsPerThreadgroup:MTLSizeMake(shader.constants[0], 1, 1)];
    if (++dispatches_ == kDispatches) submit();
  }
}

void MPSDevice::copy(id<MTLBuffer> to, size_t to_offset, id<MTLBuffer> from, size_t from_offset,
                     size_t bytes) {
  end_encoder();
  id<MTLBlitCommandEncoder> encoder = [recording() blitCommandEncoder];
  TORCH_CHECK(encoder != nil, "Metal makes no command encoder for ", name(), ".");
  [encoder copyFromBuffer:from
             sourceOffset:from_offset
                 toBuffer:to
        destinationOffset:to_offset
                     size:bytes];
  [encoder endEncoding];
}

void MPSDevice::copy_from_host(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  @autoreleasepool {
    // Work that was submitted may still read what lies there: the copy takes its turn.
    id<MTLBuffer> staged = [device_ newBufferWithBytes:from
                                                length:bytes
                                               options:MTLResourceStorageModeShared];
    TORCH_CHECK_WITH(OutOfMemoryError, staged != nil, "MPS out of memory on ", name(),
                     ": no room for ", bytes, " bytes on their way to the device.");
    const Place place = memory->find(to);
    copy(buffer_of(place), place.offset, staged, 0, bytes);
    submit();
  }
}

void MPSDevice::copy_to_host(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  @autoreleasepool {
    wait_for_all();
    std::memcpy(to, from, bytes);
  }
}

void MPSDevice::copy_on_device(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  @autoreleasepool {
    const Place target = memory->find(to);
    const Place source = memory->find(from);
    copy(buffer_of(target), target.offset, buffer_of(source), source.offset, bytes);
  }
}

void MPSDevice::synchronize() {
  const std::lock_guard<std::mutex> lock(mutex_);
  @autoreleasepool {
    wait_for_all();
  }
}

bool MPSDevice::is_idle() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return commands_ == nil &&
         std::all_of(pending_.begin(), pending_.end(), [](id<MTLCommandBuffer> commands) {
           return commands.status >= MTLCommandBufferStatusCompleted;
         });
}

struct Devices {
  std::vector<id<MTLDevice>> found;
  std::string problem;
};

Devices find_devices() {
  Devices result;
  @autoreleasepool {
    if (@available(macOS 12.3, *)) {
      for (id<MTLDevice> device in MTLCopyAllDevices()) {
        if ([device supportsFamily:MTLGPUFamilyMac2]) result.found.push_back(device);
      }
      if (result.found.empty()) {
        result.problem =
            "MPS finds no device: this machine has no GPU that Metal computes on. Tensors stay on the CPU.";
      }
    } else {
      result.problem = "MPS needs macOS 12.3 or later.";
    }
  }
  // A processor's own GPU comes after one with memory of its own.
  std::stable_sort(result.found.begin(), result.found.end(),
                   [](id<MTLDevice> a, id<MTLDevice> b) { return a.lowPower < b.lowPower; });
  return result;
}

const Devices& devices() {
  static const Devices& result = *new Devices(find_devices());
  return result;
}

}  // namespace
}  // namespace at::mps

namespace at::shaders {

const Backend& backend() {
  static const Backend result{
      c10::DeviceType::MPS,
      "MPS",
      mps::devices().found.size(),
      mps::devices().problem,
      [](c10::DeviceIndex index) -> std::unique_ptr<ComputeDevice> {
        return std::make_unique<mps::MPSDevice>(mps::devices().found[static_cast<size_t>(index)],
                                                index);
      },
  };
  return result;
}

}  // namespace at::shaders
