#pragma once

// Generated from config/backends.bzl by `./bazelw run //tools:update`; do not edit.

// Each kind of device, with its name.
#define C10_FORALL_DEVICE_TYPES(_) \
  _(CPU, "CPU")                    \
  _(CUDA, "CUDA")                  \
  _(IPU, "IPU")                    \
  _(XPU, "XPU")                    \
  _(MKLDNN, "MKLDNN")              \
  _(OPENGL, "OPENGL")              \
  _(OPENCL, "OPENCL")              \
  _(IDEEP, "IDEEP")                \
  _(HIP, "HIP")                    \
  _(VE, "VE")                      \
  _(FPGA, "FPGA")                  \
  _(MAIA, "MAIA")                  \
  _(XLA, "XLA")                    \
  _(Lazy, "LAZY")                  \
  _(Vulkan, "VULKAN")              \
  _(MPS, "MPS")                    \
  _(Meta, "META")                  \
  _(HPU, "HPU")                    \
  _(MTIA, "MTIA")                  \
  _(Metal, "METAL")                \
  _(PrivateUse1, "PRIVATEUSEONE")

// The devices that a string may name, in the order of PyTorch's message.
#define C10_FORALL_NAMED_DEVICE_TYPES(_) \
  _(CPU)                                 \
  _(CUDA)                                \
  _(IPU)                                 \
  _(XPU)                                 \
  _(MKLDNN)                              \
  _(OPENGL)                              \
  _(OPENCL)                              \
  _(IDEEP)                               \
  _(HIP)                                 \
  _(VE)                                  \
  _(FPGA)                                \
  _(MAIA)                                \
  _(XLA)                                 \
  _(Lazy)                                \
  _(Vulkan)                              \
  _(MPS)                                 \
  _(Meta)                                \
  _(HPU)                                 \
  _(MTIA)

// The dispatch key of each backend, the device of its tensors, its keys of autograd and autocast.
#define C10_FORALL_BACKENDS(_)                \
  _(CPU, CPU, AutogradCPU, AutocastCPU)       \
  _(CUDA, CUDA, AutogradCUDA, AutocastCUDA)   \
  _(HIP, HIP, AutogradHIP, AutocastCUDA)      \
  _(XPU, XPU, AutogradXPU, AutocastXPU)       \
  _(MPS, MPS, AutogradMPS, AutocastMPS)       \
  _(Vulkan, Vulkan, AutogradOther, Undefined) \
  _(Meta, Meta, AutogradMeta, Undefined)      \
  _(PrivateUse1, PrivateUse1, AutogradPrivateUse1, AutocastPrivateUse1)
