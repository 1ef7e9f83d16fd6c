"""What packages ask functorch's own modules. `torch.func` needs none of them: `vmap` calls a
function once for each entry of a batch, and derivatives are recorded, so that no tensor wraps
another.
"""
