#pragma once

#include <ATen/cuda/PhiloxState.h>

#include <cstdint>

namespace at {
class TensorBase;

namespace native {

// Blocks of four random numbers that each of these kernels takes of a subsequence.
constexpr uint64_t kRandomBlocks = 2;

// Each writes a random number to every element of a contiguous tensor: element i has numbers of
// subsequence i / 4, whatever the GPU.

// In [from, to).
void fill_uniform(const TensorBase& self, double from, double to, PhiloxCudaState state);
void fill_normal(const TensorBase& self, double mean, double std, PhiloxCudaState state);
// -log(1 - u) / lambda.
void fill_exponential(const TensorBase& self, double lambda, PhiloxCudaState state);
// 1 with probability p, else 0.
void fill_bernoulli(const TensorBase& self, double p, PhiloxCudaState state);
// The same with the probability of each element, of type float, contiguous.
void fill_bernoulli(const TensorBase& self, const TensorBase& p, PhiloxCudaState state);
// base + x % range, with 64 random bits; a range of 0 stands for 2^64.
void fill_integers(const TensorBase& self, uint64_t range, int64_t base, PhiloxCudaState state);

}  // namespace native
}  // namespace at
