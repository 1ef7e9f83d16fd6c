"""The name that torch.hub's downloads had before."""

from torch.hub import load_state_dict_from_url as load_url

__all__ = ["load_url"]
