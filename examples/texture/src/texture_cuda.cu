// The same operators on CUDA.

#include <cuda_runtime.h>
#include <torch/library.h>
#include <torch/types.h>

#include <cstdint>

#include "texture.h"

namespace {

constexpr int kThreads = 256;

template <typename scalar_t>
__global__ void rgb_to_lab_kernel(const scalar_t* in, scalar_t* out, int64_t pixels) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i >= pixels) return;
  const scalar_t rgb[3] = {in[i], in[i + pixels], in[i + 2 * pixels]};
  const auto lab = texture::rgb_to_lab<scalar_t>(rgb);
  for (int c = 0; c < 3; ++c) out[i + c * pixels] = lab.value[c];
}

template <typename scalar_t>
__global__ void rgb_to_lab_backward_kernel(const scalar_t* by, const scalar_t* in, scalar_t* out,
                                           int64_t pixels) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i >= pixels) return;
  const scalar_t rgb[3] = {in[i], in[i + pixels], in[i + 2 * pixels]};
  const auto lab = texture::rgb_to_lab<scalar_t>(rgb);
  for (int c = 0; c < 3; ++c) {
    scalar_t sum = 0;
    for (int k = 0; k < 3; ++k) sum += by[i + k * pixels] * lab.derivative[k][c];
    out[i + c * pixels] = sum;
  }
}

template <typename scalar_t>
__global__ void sobel_kernel(const scalar_t* in, scalar_t* out, int64_t height, int64_t width) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i >= height * width) return;
  scalar_t along_y;
  scalar_t along_x;
  texture::sobel_at(in, height, width, i / width, i % width, &along_y, &along_x);
  out[i] = sqrt((along_y * along_y + along_x * along_x) / 2);
}

// Each output pixel adds its share to its neighbours, which several threads may do at a time.
template <typename scalar_t>
__global__ void sobel_backward_kernel(const scalar_t* by, const scalar_t* in, scalar_t* out,
                                      int64_t height, int64_t width) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i >= height * width) return;
  const int64_t y = i / width;
  const int64_t x = i % width;
  scalar_t along_y;
  scalar_t along_x;
  texture::sobel_at(in, height, width, y, x, &along_y, &along_x);
  const scalar_t size = sqrt((along_y * along_y + along_x * along_x) / 2);
  if (size == 0) return;  // The derivative of sqrt at 0 is taken as 0.
  const scalar_t factor = by[i] / (2 * size);
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int64_t at =
          texture::mirrored(y + dy, height) * width + texture::mirrored(x + dx, width);
      atomicAdd(out + at, factor * (along_y * scalar_t(texture::sobel_weight(dy, dx)) +
                                    along_x * scalar_t(texture::sobel_weight(dx, dy))));
    }
  }
}

unsigned blocks(int64_t count) { return static_cast<unsigned>((count + kThreads - 1) / kThreads); }

torch::Tensor rgb_to_lab_cuda(const torch::Tensor& rgb) {
  const torch::Tensor input = rgb.contiguous();
  torch::Tensor output = torch::empty_like(input);
  const int64_t pixels = input.size(1) * input.size(2);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "rgb_to_lab", [&] {
    rgb_to_lab_kernel<scalar_t><<<blocks(pixels), kThreads>>>(
        input.const_data_ptr<scalar_t>(), output.mutable_data_ptr<scalar_t>(), pixels);
  });
  return output;
}

torch::Tensor sobel_cuda(const torch::Tensor& image) {
  const torch::Tensor input = image.contiguous();
  torch::Tensor output = torch::empty_like(input);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "sobel", [&] {
    sobel_kernel<scalar_t><<<blocks(input.numel()), kThreads>>>(input.const_data_ptr<scalar_t>(),
                                                                output.mutable_data_ptr<scalar_t>(),
                                                                input.size(0), input.size(1));
  });
  return output;
}

torch::Tensor rgb_to_lab_backward_cuda(const torch::Tensor& grad, const torch::Tensor& rgb) {
  const torch::Tensor input = rgb.contiguous();
  const torch::Tensor by_output = grad.contiguous();
  torch::Tensor result = torch::empty_like(input);
  const int64_t pixels = input.size(1) * input.size(2);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "rgb_to_lab_backward", [&] {
    rgb_to_lab_backward_kernel<scalar_t><<<blocks(pixels), kThreads>>>(
        by_output.const_data_ptr<scalar_t>(), input.const_data_ptr<scalar_t>(),
        result.mutable_data_ptr<scalar_t>(), pixels);
  });
  return result;
}

torch::Tensor sobel_backward_cuda(const torch::Tensor& grad, const torch::Tensor& image) {
  const torch::Tensor input = image.contiguous();
  const torch::Tensor by_output = grad.contiguous();
  torch::Tensor result = torch::zeros_like(input);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "sobel_backward", [&] {
    sobel_backward_kernel<scalar_t><<<blocks(input.numel()), kThreads>>>(
        by_output.const_data_ptr<scalar_t>(), input.const_data_ptr<scalar_t>(),
        result.mutable_data_ptr<scalar_t>(), input.size(0), input.size(1));
  });
  return result;
}

}  // namespace

TORCH_LIBRARY_IMPL(texture, CUDA, m) {
  m.impl("rgb_to_lab", TORCH_FN(rgb_to_lab_cuda));
  m.impl("rgb_to_lab_backward", TORCH_FN(rgb_to_lab_backward_cuda));
  m.impl("sobel", TORCH_FN(sobel_cuda));
  m.impl("sobel_backward", TORCH_FN(sobel_backward_cuda));
}
