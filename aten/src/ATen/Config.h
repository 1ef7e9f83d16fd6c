#pragma once

// How this build was configured, as numbers for #if. Fourier transforms are Eigen's.

#define AT_MKL_ENABLED() 0
#define AT_MKL_SEQUENTIAL() 0
#define AT_POCKETFFT_ENABLED() 0
#define AT_NNPACK_ENABLED() 0
#define AT_MKLDNN_ACL_ENABLED() 0
#define AT_KLEIDIAI_ENABLED() 0
#define AT_BUILD_WITH_BLAS() 1
#define AT_BUILD_WITH_LAPACK() 1
#define CAFFE2_STATIC_LINK_CUDA() 0
