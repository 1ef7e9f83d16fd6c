"""What the machine and the build offer, by backend."""

from torch.backends import cpu as cpu
from torch.backends import cudnn as cudnn
from torch.backends import mkldnn as mkldnn

__all__ = ["cpu", "cudnn", "mkldnn"]
