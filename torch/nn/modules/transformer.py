"""The Transformer (Vaswani et al., 2017)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.attention import MultiheadAttention
from torch.nn.modules.container import ModuleList
from torch.nn.modules.dropout import Dropout
from torch.nn.modules.linear import Linear
from torch.nn.modules.module import Module
from torch.nn.modules.normalization import LayerNorm

_Activation = str | Callable[[Tensor], Tensor]


def _activation(activation: _Activation) -> Callable[[Tensor], Tensor]:
    if callable(activation):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return F.relu if activation == "relu" else F.gelu


class _Layer(Module):
    """What the layers of encoder and decoder share: attention, and two linear layers."""

    def __init__(
        self,
        attentions: int,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: _Activation = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        options = {"device": device, "dtype": dtype}
        for name in ("self_attn", "multihead_attn")[:attentions]:
            attention = MultiheadAttention(
                d_model, nhead, dropout, bias=bias, batch_first=batch_first, **options
            )
            self.add_module(name, attention)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **options)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **options)
        self.norm_first = norm_first
        parts = attentions + 1
        for number in range(1, parts + 1):
            norm = LayerNorm(d_model, layer_norm_eps, bias=bias, **options)
            self.add_module(f"norm{number}", norm)
        for number in range(1, parts + 1):
            self.add_module(f"dropout{number}", Dropout(dropout))
        self.activation = _activation(activation)

    def _feed_forward(self, x: Tensor) -> Tensor:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

    def _residual(self, number: int, x: Tensor, block: Callable[[Tensor], Tensor]) -> Tensor:
        """x plus a block of it, normalised before or after."""
        norm = self._modules[f"norm{number}"]
        drop = self._modules[f"dropout{number}"]
        assert norm is not None and drop is not None
        if self.norm_first:
            return x + drop(block(norm(x)))
        return norm(x + drop(block(x)))


class TransformerEncoderLayer(_Layer):
    """Attention of the input to itself, then two linear layers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(1, *args, **kwargs)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        def attend(x: Tensor) -> Tensor:
            return self.self_attn(
                x,
                x,
                x,
                attn_mask=src_mask,
                key_padding_mask=src_key_padding_mask,
                need_weights=False,
                is_causal=is_causal,
            )[0]

        return self._residual(2, self._residual(1, src, attend), self._feed_forward)


class TransformerDecoderLayer(_Layer):
    """Attention of the target to itself and to the memory, then two linear layers."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(2, *args, **kwargs)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        def attend(x: Tensor) -> Tensor:
            return self.self_attn(
                x,
                x,
                x,
                attn_mask=tgt_mask,
                key_padding_mask=tgt_key_padding_mask,
                need_weights=False,
                is_causal=tgt_is_causal,
            )[0]

        def look(x: Tensor) -> Tensor:
            return self.multihead_attn(
                x,
                memory,
                memory,
                attn_mask=memory_mask,
                key_padding_mask=memory_key_padding_mask,
                need_weights=False,
                is_causal=memory_is_causal,
            )[0]

        x = self._residual(1, tgt, attend)
        return self._residual(3, self._residual(2, x, look), self._feed_forward)


class TransformerEncoder(Module):
    """Copies of a layer one after the other."""

    def __init__(
        self,
        encoder_layer: TransformerEncoderLayer,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        causal = _is_causal(mask, is_causal)
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask, causal)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Module):
    """Copies of a layer one after the other."""

    def __init__(
        self, decoder_layer: TransformerDecoderLayer, num_layers: int, norm: Module | None = None
    ) -> None:
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(decoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        causal = _is_causal(tgt_mask, tgt_is_causal)
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask,
                memory_mask,
                tgt_key_padding_mask,
                memory_key_padding_mask,
                causal,
                memory_is_causal,
            )
        return tgt if self.norm is None else self.norm(tgt)


def _is_causal(mask: Tensor | None, hint: bool | None) -> bool:
    """Whether a mask hides exactly the future."""
    if hint is not None or mask is None:
        return bool(hint)
    if mask.dim() != 2 or mask.size(0) != mask.size(1):
        return False
    future = torch.ones_like(mask, dtype=torch.bool).triu(1)
    hidden = mask if mask.dtype is torch.bool else mask == float("-inf")
    if not bool((hidden == future).all()):
        return False
    return mask.dtype is torch.bool or bool((mask.masked_fill(future, 0) == 0).all())


class Transformer(Module):
    """Encoder and decoder."""

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: _Activation = F.relu,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        sizes = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps)
        flags = (batch_first, norm_first, bias, device, dtype)

        def norm() -> LayerNorm:
            return LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype)

        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            encoder_layer = TransformerEncoderLayer(*sizes, *flags)
            self.encoder = TransformerEncoder(encoder_layer, num_encoder_layers, norm())
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            decoder_layer = TransformerDecoderLayer(*sizes, *flags)
            self.decoder = TransformerDecoder(decoder_layer, num_decoder_layers, norm())
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        batch_dim = 0 if self.batch_first else 1
        if src.dim() == 3 and src.size(batch_dim) != tgt.size(batch_dim):
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        return self.decoder(
            tgt,
            memory,
            tgt_mask,
            memory_mask,
            tgt_key_padding_mask,
            memory_key_padding_mask,
            tgt_is_causal,
            memory_is_causal,
        )

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """A mask to add that hides the future: -inf above the diagonal."""
        full = torch.full((sz, sz), float("-inf"), dtype=dtype, device=device)
        return torch.triu(full, diagonal=1)
