"""Names of the recorder of programs below tensors; see `torch.fx`."""
