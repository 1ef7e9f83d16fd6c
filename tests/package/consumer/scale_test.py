"""The extension works in the workspace that built it."""

import torch  # isort: skip
import scale

x = torch.ones(2, requires_grad=True)
assert scale.scale(x, 3.0).tolist() == [3.0, 3.0]
assert torch.ops.consumer.scale(x, 3.0).requires_grad
assert torch.ops.consumer.triple(torch.ones(2)).tolist() == [3.0, 3.0]
