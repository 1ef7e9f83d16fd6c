"""What the machine and the build offer, by backend."""

from torch import _absent
from torch.backends import cpu as cpu
from torch.backends import cuda as cuda
from torch.backends import cudnn as cudnn
from torch.backends import cusparselt as cusparselt
from torch.backends import mkl as mkl
from torch.backends import mkldnn as mkldnn
from torch.backends import mps as mps
from torch.backends import openmp as openmp
from torch.backends import opt_einsum as opt_einsum
from torch.backends import vulkan as vulkan

__getattr__ = _absent.explain(__name__)

__all__ = [
    "cpu",
    "cuda",
    "cudnn",
    "cusparselt",
    "mkl",
    "mkldnn",
    "mps",
    "openmp",
    "opt_einsum",
    "vulkan",
]
