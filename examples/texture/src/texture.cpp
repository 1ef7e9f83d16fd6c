// Operators for textures: schemas, CPU kernels, shapes for the Meta device, derivatives.

#include <torch/extension.h>

#include <cmath>
#include <cstdint>

#include "texture.h"

namespace {

void check_rgb(const torch::Tensor& rgb) {
  TORCH_CHECK(rgb.dim() == 3 && rgb.size(0) == 3,
              "rgb_to_lab: wanted a tensor of shape [3, H, W], got ", rgb.sizes());
}
void check_image(const torch::Tensor& image) {
  TORCH_CHECK(image.dim() == 2, "sobel: wanted a tensor of shape [H, W], got ", image.sizes());
}

torch::Tensor rgb_to_lab_cpu(const torch::Tensor& rgb) {
  check_rgb(rgb);
  const torch::Tensor input = rgb.contiguous();
  torch::Tensor output = torch::empty_like(input);
  const int64_t pixels = input.size(1) * input.size(2);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "rgb_to_lab", [&] {
    const scalar_t* in = input.const_data_ptr<scalar_t>();
    scalar_t* out = output.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, pixels, 4096, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const auto lab = texture::rgb_to_lab<scalar_t>({in[i], in[i + pixels], in[i + 2 * pixels]});
        for (int c = 0; c < 3; ++c) out[i + c * pixels] = lab.value[c];
      }
    });
  });
  return output;
}

torch::Tensor rgb_to_lab_backward_cpu(const torch::Tensor& grad, const torch::Tensor& rgb) {
  const torch::Tensor input = rgb.contiguous();
  const torch::Tensor by_output = grad.contiguous();
  torch::Tensor result = torch::empty_like(input);
  const int64_t pixels = input.size(1) * input.size(2);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "rgb_to_lab_backward", [&] {
    const scalar_t* in = input.const_data_ptr<scalar_t>();
    const scalar_t* by = by_output.const_data_ptr<scalar_t>();
    scalar_t* out = result.mutable_data_ptr<scalar_t>();
    for (int64_t i = 0; i < pixels; ++i) {
      const auto lab = texture::rgb_to_lab<scalar_t>({in[i], in[i + pixels], in[i + 2 * pixels]});
      for (int c = 0; c < 3; ++c) {
        scalar_t sum = 0;
        for (int k = 0; k < 3; ++k) sum += by[i + k * pixels] * lab.derivative[k][c];
        out[i + c * pixels] = sum;
      }
    }
  });
  return result;
}

torch::Tensor sobel_cpu(const torch::Tensor& image) {
  check_image(image);
  const torch::Tensor input = image.contiguous();
  torch::Tensor output = torch::empty_like(input);
  const int64_t height = input.size(0);
  const int64_t width = input.size(1);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "sobel", [&] {
    const scalar_t* in = input.const_data_ptr<scalar_t>();
    scalar_t* out = output.mutable_data_ptr<scalar_t>();
    at::parallel_for(0, height, 16, [&](int64_t begin, int64_t end) {
      for (int64_t y = begin; y < end; ++y) {
        for (int64_t x = 0; x < width; ++x) {
          scalar_t along_y;
          scalar_t along_x;
          texture::sobel_at(in, height, width, y, x, &along_y, &along_x);
          out[y * width + x] = std::sqrt((along_y * along_y + along_x * along_x) / 2);
        }
      }
    });
  });
  return output;
}

torch::Tensor sobel_backward_cpu(const torch::Tensor& grad, const torch::Tensor& image) {
  const torch::Tensor input = image.contiguous();
  const torch::Tensor by_output = grad.contiguous();
  torch::Tensor result = torch::zeros_like(input);
  const int64_t height = input.size(0);
  const int64_t width = input.size(1);
  AT_DISPATCH_FLOATING_TYPES(input.scalar_type(), "sobel_backward", [&] {
    const scalar_t* in = input.const_data_ptr<scalar_t>();
    const scalar_t* by = by_output.const_data_ptr<scalar_t>();
    scalar_t* out = result.mutable_data_ptr<scalar_t>();
    for (int64_t y = 0; y < height; ++y) {
      for (int64_t x = 0; x < width; ++x) {
        scalar_t along_y;
        scalar_t along_x;
        texture::sobel_at(in, height, width, y, x, &along_y, &along_x);
        const scalar_t size = std::sqrt((along_y * along_y + along_x * along_x) / 2);
        if (size == 0) continue;  // The derivative of sqrt at 0 is taken as 0.
        const scalar_t factor = by[y * width + x] / (2 * size);
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx) {
            const int64_t at =
                texture::mirrored(y + dy, height) * width + texture::mirrored(x + dx, width);
            out[at] += factor * (along_y * scalar_t(texture::sobel_weight(dy, dx)) +
                                 along_x * scalar_t(texture::sobel_weight(dx, dy)));
          }
        }
      }
    }
  });
  return result;
}

torch::Tensor rgb_to_lab_meta(const torch::Tensor& rgb) {
  check_rgb(rgb);
  return torch::empty_like(rgb);
}
torch::Tensor sobel_meta(const torch::Tensor& image) {
  check_image(image);
  return torch::empty_like(image);
}
torch::Tensor backward_meta(const torch::Tensor& /*grad*/, const torch::Tensor& input) {
  return torch::empty_like(input);
}

// Calls of the operators through the dispatcher.
torch::Tensor call(const char* name, const torch::Tensor& x) {
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow(name, "")
      .typed<torch::Tensor(const torch::Tensor&)>()
      .call(x);
}
torch::Tensor call(const char* name, const torch::Tensor& x, const torch::Tensor& y) {
  return c10::Dispatcher::singleton()
      .findSchemaOrThrow(name, "")
      .typed<torch::Tensor(const torch::Tensor&, const torch::Tensor&)>()
      .call(x, y);
}

struct RgbToLab : public torch::autograd::Function<RgbToLab> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, const torch::Tensor& rgb) {
    at::AutoDispatchBelowADInplaceOrView guard;
    ctx->save_for_backward({rgb});
    return call("texture::rgb_to_lab", rgb);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    return {call("texture::rgb_to_lab_backward", grads[0], ctx->get_saved_variables()[0])};
  }
};

struct Sobel : public torch::autograd::Function<Sobel> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, const torch::Tensor& image) {
    at::AutoDispatchBelowADInplaceOrView guard;
    ctx->save_for_backward({image});
    return call("texture::sobel", image);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    return {call("texture::sobel_backward", grads[0], ctx->get_saved_variables()[0])};
  }
};

torch::Tensor rgb_to_lab_autograd(const torch::Tensor& rgb) { return RgbToLab::apply(rgb); }
torch::Tensor sobel_autograd(const torch::Tensor& image) { return Sobel::apply(image); }

}  // namespace

TORCH_LIBRARY(texture, m) {
  m.def("rgb_to_lab(Tensor rgb) -> Tensor");
  m.def("rgb_to_lab_backward(Tensor grad, Tensor rgb) -> Tensor");
  m.def("sobel(Tensor image) -> Tensor");
  m.def("sobel_backward(Tensor grad, Tensor image) -> Tensor");
}

TORCH_LIBRARY_IMPL(texture, CPU, m) {
  m.impl("rgb_to_lab", TORCH_FN(rgb_to_lab_cpu));
  m.impl("rgb_to_lab_backward", TORCH_FN(rgb_to_lab_backward_cpu));
  m.impl("sobel", TORCH_FN(sobel_cpu));
  m.impl("sobel_backward", TORCH_FN(sobel_backward_cpu));
}

TORCH_LIBRARY_IMPL(texture, Meta, m) {
  m.impl("rgb_to_lab", TORCH_FN(rgb_to_lab_meta));
  m.impl("rgb_to_lab_backward", TORCH_FN(backward_meta));
  m.impl("sobel", TORCH_FN(sobel_meta));
  m.impl("sobel_backward", TORCH_FN(backward_meta));
}

TORCH_LIBRARY_IMPL(texture, Autograd, m) {
  m.impl("rgb_to_lab", TORCH_FN(rgb_to_lab_autograd));
  m.impl("sobel", TORCH_FN(sobel_autograd));
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.doc() = "The operators are torch.ops.texture; these call them.";
  m.def("rgb_to_lab", [](const torch::Tensor& rgb) { return call("texture::rgb_to_lab", rgb); });
  m.def("sobel", [](const torch::Tensor& image) { return call("texture::sobel", image); });
}
