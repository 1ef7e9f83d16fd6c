#include <ATen/vulkan/Device.h>

#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>

namespace at::vulkan {

using shaders::Binding;
using shaders::kBindings;
using shaders::Place;

namespace {

// The buffer of a place in memory that the device gave.
VkBuffer buffer_of(const Place& place) { return static_cast<Buffer*>(place.buffer)->buffer; }

// What a batch has room for; it is submitted before it is full, so that the device works meanwhile.
constexpr size_t kArgumentBytes = size_t{128} << 10;
constexpr int kDispatches = 64;
constexpr size_t kStagedBytes = size_t{64} << 20;
constexpr size_t kBatches = 4;
// The word that says which index was wrong, and its fellows, at the beginning of the arguments.
constexpr size_t kErrorBytes = 256;

}  // namespace

Queue::Queue(DeviceState& device) : device_(device) {
  VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  info.queueFamilyIndex = device.queue_family;
  check(device.vk().vkCreateCommandPool(device.handle, &info, nullptr, &pool_),
        "vkCreateCommandPool");
}

void Queue::check(VkResult result, const char* function) {
  if (result == VK_ERROR_DEVICE_LOST) lost_ = true;
  device_.check(result, function);
}

HostBuffer Queue::make_host_buffer(size_t bytes) {
  HostBuffer result;
  try {
    fill_host_buffer(result, bytes);
  } catch (...) {
    if (!lost_) destroy(result);
    throw;
  }
  return result;
}

void Queue::fill_host_buffer(HostBuffer& result, size_t bytes) {
  result.size = bytes;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = bytes;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  check(device_.vk().vkCreateBuffer(device_.handle, &info, nullptr, &result.buffer),
        "vkCreateBuffer");
  VkMemoryRequirements needs{};
  device_.vk().vkGetBufferMemoryRequirements(device_.handle, result.buffer, &needs);
  VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  allocate.allocationSize = needs.size;
  allocate.memoryTypeIndex = device_.memory_type(
      needs.memoryTypeBits,
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
      VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
  check(device_.vk().vkAllocateMemory(device_.handle, &allocate, nullptr, &result.memory),
        "vkAllocateMemory");
  check(device_.vk().vkBindBufferMemory(device_.handle, result.buffer, result.memory, 0),
        "vkBindBufferMemory");
  void* data = nullptr;
  check(device_.vk().vkMapMemory(device_.handle, result.memory, 0, bytes, 0, &data), "vkMapMemory");
  result.data = static_cast<std::byte*>(data);
}

void Queue::destroy(HostBuffer& buffer) noexcept {
  device_.vk().vkDestroyBuffer(device_.handle, buffer.buffer, nullptr);
  device_.vk().vkFreeMemory(device_.handle, buffer.memory, nullptr);
  buffer = {};
}

void Queue::destroy(const Retired& block) noexcept {
  device_.vk().vkDestroyBuffer(device_.handle, block.buffer, nullptr);
  device_.vk().vkFreeMemory(device_.handle, block.memory, nullptr);
  if (block.address != nullptr) munmap(block.address, block.size);
}

void Queue::retire(VkBuffer buffer, VkDeviceMemory memory, void* address, size_t size) noexcept {
  const std::lock_guard<std::mutex> lock(retired_mutex_);
  retired_.push_back({buffer, memory, address, size});
}

// The batch that is being recorded, begun if there is none.
Queue::Batch& Queue::recording() {
  TORCH_CHECK(!lost_, "Vulkan device ", device_.name(),
              " was lost: its tensors are gone; start the program again.");
  if (current_ != nullptr) return *current_;
  if (batches_.size() < kBatches) {
    auto batch = std::make_unique<Batch>();
    VkCommandBufferAllocateInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    commands.commandPool = pool_;
    commands.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    commands.commandBufferCount = 1;
    check(device_.vk().vkAllocateCommandBuffers(device_.handle, &commands, &batch->commands),
          "vkAllocateCommandBuffers");
    VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    check(device_.vk().vkCreateFence(device_.handle, &fence, nullptr, &batch->fence),
          "vkCreateFence");
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                    static_cast<uint32_t>(kDispatches * kBindings)};
    VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    pool.maxSets = kDispatches;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    check(device_.vk().vkCreateDescriptorPool(device_.handle, &pool, nullptr, &batch->descriptors),
          "vkCreateDescriptorPool");
    batch->arguments = make_host_buffer(kErrorBytes + kArgumentBytes);
    batches_.push_back(std::move(batch));
    current_ = batches_.back().get();
  } else {
    Batch& oldest = *batches_[next_];
    next_ = (next_ + 1) % batches_.size();
    wait(oldest);
    current_ = &oldest;
  }
  std::memset(current_->arguments.data, 0, kErrorBytes);
  current_->used = kErrorBytes;
  current_->dispatches = 0;
  VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(device_.vk().vkBeginCommandBuffer(current_->commands, &begin), "vkBeginCommandBuffer");
  return *current_;
}

// What follows sees what went before.
void Queue::order() {
  VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT |
                          VK_ACCESS_HOST_READ_BIT;
  constexpr VkPipelineStageFlags kWork =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  device_.vk().vkCmdPipelineBarrier(current_->commands, kWork, kWork | VK_PIPELINE_STAGE_HOST_BIT,
                                    0, 1, &barrier, 0, nullptr, 0, nullptr);
}

void Queue::submit() {
  if (current_ == nullptr) return;
  Batch& batch = *current_;
  current_ = nullptr;
  check(device_.vk().vkEndCommandBuffer(batch.commands), "vkEndCommandBuffer");
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &batch.commands;
  check(device_.vk().vkQueueSubmit(device_.queue_handle, 1, &info, batch.fence), "vkQueueSubmit");
  batch.pending = true;
}

void Queue::wait(Batch& batch) {
  if (!batch.pending) return;
  check(device_.vk().vkWaitForFences(device_.handle, 1, &batch.fence, VK_TRUE, UINT64_MAX),
        "vkWaitForFences");
  batch.pending = false;
  check(device_.vk().vkResetFences(device_.handle, 1, &batch.fence), "vkResetFences");
  check(device_.vk().vkResetDescriptorPool(device_.handle, batch.descriptors, 0),
        "vkResetDescriptorPool");
  check(device_.vk().vkResetCommandBuffer(batch.commands, 0), "vkResetCommandBuffer");
  for (HostBuffer& buffer : batch.staging) destroy(buffer);
  batch.staging.clear();
  uint32_t error[4];
  std::memcpy(error, batch.arguments.data, sizeof(error));
  if (index_error_.empty()) index_error_ = shaders::index_error(error);
}

void Queue::wait_for_all() {
  std::vector<Retired> retired;
  {
    const std::lock_guard<std::mutex> lock(retired_mutex_);
    retired.swap(retired_);
  }
  submit();
  for (auto& batch : batches_) wait(*batch);
  for (const Retired& block : retired) destroy(block);
  std::string wrong;
  wrong.swap(index_error_);
  TORCH_CHECK_INDEX(wrong.empty(), wrong, " (on ", device_.name(),
                    ", noticed when the program waited for it)");
}

HostBuffer& Queue::stage(Batch& batch, size_t bytes) {
  batch.staging.push_back(make_host_buffer(std::max<size_t>(bytes, 4)));
  return batch.staging.back();
}

void Queue::dispatch(const shaders::Shader& shader, c10::ArrayRef<Binding> bindings,
                     const void* arguments, size_t argument_bytes, std::array<uint32_t, 3> groups) {
  const VkPipeline pipeline = device_.pipelines->get(shader);
  const std::lock_guard<std::mutex> lock(mutex_);
  const size_t alignment = device_.offset_alignment;
  const size_t room = (argument_bytes + alignment - 1) / alignment * alignment;
  {
    Batch& open = recording();
    if (open.used + room > open.arguments.size || open.dispatches == kDispatches) submit();
  }
  Batch& batch = recording();

  VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  const VkDescriptorSetLayout layout = device_.pipelines->set_layout();
  allocate.descriptorPool = batch.descriptors;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &layout;
  VkDescriptorSet set = VK_NULL_HANDLE;
  check(device_.vk().vkAllocateDescriptorSets(device_.handle, &allocate, &set),
        "vkAllocateDescriptorSets");

  std::array<VkDescriptorBufferInfo, kBindings> buffers{};
  std::array<VkWriteDescriptorSet, kBindings> writes{};
  std::array<uint32_t, kBindings> starts{};
  buffers[0] = {batch.arguments.buffer, batch.used, room};
  for (size_t i = 0; i < kBindings; ++i) {
    if (i > 0) {
      // What a shader does not use, or what has no elements, is bound to something all the same.
      const Binding* binding = i <= bindings.size() ? &bindings[i - 1] : nullptr;
      if (binding == nullptr || binding->address == nullptr) {
        buffers[i] = {batch.arguments.buffer, 0, kErrorBytes};
      } else {
        const Place place = device_.memory->find(binding->address);
        const size_t rest = place.offset % alignment;
        buffers[i] = {buffer_of(place), place.offset - rest, VK_WHOLE_SIZE};
        starts[i] = static_cast<uint32_t>(rest / binding->element_size);
      }
    }
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = static_cast<uint32_t>(i);
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[i].pBufferInfo = &buffers[i];
  }
  device_.vk().vkUpdateDescriptorSets(device_.handle, kBindings, writes.data(), 0, nullptr);
  std::memcpy(batch.arguments.data + batch.used, arguments, argument_bytes);
  std::memcpy(batch.arguments.data + batch.used, starts.data(), sizeof(starts));
  batch.used += room;
  ++batch.dispatches;

  const VkPipelineLayout pipeline_layout = device_.pipelines->layout();
  device_.vk().vkCmdBindPipeline(batch.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  device_.vk().vkCmdBindDescriptorSets(batch.commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                       pipeline_layout, 0, 1, &set, 0, nullptr);
  device_.vk().vkCmdDispatch(batch.commands, groups[0], groups[1], groups[2]);
  order();
  throw_validation_errors();
}

void Queue::copy_from_host(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const Place place = device_.memory->find(to);
  Batch& batch = recording();
  HostBuffer& buffer = stage(batch, bytes);
  std::memcpy(buffer.data, from, bytes);
  const VkBufferCopy region{0, place.offset, bytes};
  device_.vk().vkCmdCopyBuffer(batch.commands, buffer.buffer, buffer_of(place), 1, &region);
  order();
  size_t staged = 0;
  for (const HostBuffer& each : batch.staging) staged += each.size;
  if (staged > kStagedBytes || batch.staging.size() >= kDispatches) submit();
}

void Queue::copy_to_host(void* to, const void* from, size_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const Place place = device_.memory->find(from);
  Batch& batch = recording();
  HostBuffer buffer = make_host_buffer(std::max<size_t>(bytes, 4));
  const VkBufferCopy region{place.offset, 0, bytes};
  device_.vk().vkCmdCopyBuffer(batch.commands, buffer_of(place), buffer.buffer, 1, &region);
  order();
  try {
    wait_for_all();
  } catch (...) {
    // After a loss nothing may be freed that the device may still hold.
    if (!lost_) destroy(buffer);
    throw;
  }
  std::memcpy(to, buffer.data, bytes);
  destroy(buffer);
  device_.pipelines->save();
}

void Queue::copy_on_device(void* to, const void* from, size_t bytes) {
  if (bytes == 0 || to == from) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const Place target = device_.memory->find(to);
  const Place source = device_.memory->find(from);
  Batch& batch = recording();
  const VkBufferCopy region{source.offset, target.offset, bytes};
  device_.vk().vkCmdCopyBuffer(batch.commands, buffer_of(source), buffer_of(target), 1, &region);
  order();
}

void Queue::synchronize() {
  const std::lock_guard<std::mutex> lock(mutex_);
  wait_for_all();
  device_.pipelines->save();
}

bool Queue::is_idle() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (current_ != nullptr) return false;
  return std::all_of(batches_.begin(), batches_.end(), [this](const auto& batch) {
    return !batch->pending ||
           device_.vk().vkGetFenceStatus(device_.handle, batch->fence) == VK_SUCCESS;
  });
}

}  // namespace at::vulkan
