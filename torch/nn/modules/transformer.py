"""The Transformer (Vaswani et al., 2017)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, ClassVar

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.activation import GELU, MultiheadAttention, ReLU
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
    """What the layers of encoder and decoder have in common.

    Classes that derive from them may define `_sa_block`, `_mha_block` and `_ff_block`.

    Args:
        d_model: E, the features of a position.
        nhead: the heads, which divide E.
        dim_feedforward: the features between the two linear layers.
        dropout: the probability of zeros, while training.
        activation: "relu", "gelu" or a function, between the two linear layers.
        layer_norm_eps: the eps of the layer norms.
        batch_first: whether tensors are (N, length, E) instead of (length, N, E).
        norm_first: whether the layer norms come before attention and linear layers.
        bias: whether linear layers and layer norms have biases.
        device, dtype: of the parameters.

    Shape:
        Source or target: (T, N, E). Memory: (S, N, E). Output: that of source or target. Masks: (T,
            T), (T, S), and of padding (N, T), (N, S); attention ignores what is True.

    Raises:
        RuntimeError: `activation` is another text.
    """

    # The names of the attentions; a layer has one more normalization and dropout.
    _attentions: ClassVar[tuple[str, ...]]
    __constants__: ClassVar[list[str]] = ["norm_first"]

    def __init__(
        self,
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
        for name in self._attentions:
            attention = MultiheadAttention(
                d_model, nhead, dropout, bias=bias, batch_first=batch_first, **options
            )
            self.add_module(name, attention)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **options)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **options)
        self.norm_first = norm_first
        parts = len(self._attentions) + 1
        for number in range(1, parts + 1):
            norm = LayerNorm(d_model, layer_norm_eps, bias=bias, **options)
            self.add_module(f"norm{number}", norm)
        for number in range(1, parts + 1):
            self.add_module(f"dropout{number}", Dropout(dropout))
        self.activation = _activation(activation)

    def _sa_block(
        self,
        x: Tensor,
        attn_mask: Tensor | None,
        key_padding_mask: Tensor | None,
        is_causal: bool = False,
    ) -> Tensor:
        """Attention of x to itself, with dropout."""
        mixed = self.self_attn(
            x,
            x,
            x,
            attn_mask=attn_mask,
            key_padding_mask=key_padding_mask,
            is_causal=is_causal,
            need_weights=False,
        )[0]
        return self.dropout1(mixed)

    def _ff_block(self, x: Tensor) -> Tensor:
        """The two linear layers, with dropout."""
        y = self.linear2(self.dropout(self.activation(self.linear1(x))))
        return self._last("dropout")(y)

    def _last(self, kind: str) -> Module:
        found = self._modules[f"{kind}{len(self._attentions) + 1}"]
        assert found is not None
        return found

    def _residual(self, norm: Module, x: Tensor, block: Callable[[Tensor], Tensor]) -> Tensor:
        """x plus a block of it, normalised before or after."""
        return x + block(norm(x)) if self.norm_first else norm(x + block(x))


@documented_by(_Layer)
class TransformerEncoderLayer(_Layer):
    """Self-attention and two linear layers, each with a residual connection and a layer norm
    (Vaswani et al. 2017, arXiv:1706.03762).

    Example::

        >>> layer = torch.nn.TransformerEncoderLayer(d_model=8, nhead=2, batch_first=True)
        >>> layer(torch.ones(3, 5, 8)).shape
        torch.Size([3, 5, 8])
    """

    _attentions = ("self_attn",)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        def attend(x: Tensor) -> Tensor:
            return self._sa_block(x, src_mask, src_key_padding_mask, is_causal=is_causal)

        x = self._residual(self.norm1, src, attend)
        return self._residual(self.norm2, x, self._ff_block)


@documented_by(_Layer)
class TransformerDecoderLayer(_Layer):
    """Self-attention of the target, attention to the memory and two linear layers, each with a
    residual connection and a layer norm (Vaswani et al. 2017, arXiv:1706.03762).

    Example::

        >>> layer = torch.nn.TransformerDecoderLayer(d_model=8, nhead=2, batch_first=True)
        >>> layer(torch.ones(3, 4, 8), memory=torch.ones(3, 5, 8)).shape
        torch.Size([3, 4, 8])
    """

    _attentions = ("self_attn", "multihead_attn")

    def _mha_block(
        self,
        x: Tensor,
        mem: Tensor,
        attn_mask: Tensor | None,
        key_padding_mask: Tensor | None,
        is_causal: bool = False,
    ) -> Tensor:
        """Attention of x to the memory, with dropout."""
        mixed = self.multihead_attn(
            x,
            mem,
            mem,
            attn_mask=attn_mask,
            key_padding_mask=key_padding_mask,
            is_causal=is_causal,
            need_weights=False,
        )[0]
        return self.dropout2(mixed)

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
            return self._sa_block(x, tgt_mask, tgt_key_padding_mask, tgt_is_causal)

        def look(x: Tensor) -> Tensor:
            return self._mha_block(
                x, memory, memory_mask, memory_key_padding_mask, memory_is_causal
            )

        x = self._residual(self.norm1, tgt, attend)
        x = self._residual(self.norm2, x, look)
        return self._residual(self.norm3, x, self._ff_block)


def _may_leave_out_padding(layer: Module) -> bool:
    """Whether PyTorch has a faster way for an encoder of such layers."""
    return (
        isinstance(layer, TransformerEncoderLayer)
        and not layer.norm_first
        and layer.self_attn.batch_first
        and layer.self_attn._qkv_same_embed_dim
        and layer.self_attn.in_proj_bias is not None
        and (layer.activation in (F.relu, F.gelu) or isinstance(layer.activation, (ReLU, GELU)))
        and layer.norm1.eps == layer.norm2.eps
        and layer.self_attn.num_heads % 2 == 0
    )


class TransformerEncoder(Module):
    """Copies of a layer one after the other.

    Args:
        encoder_layer: what is copied; each copy has parameters of its own, which start equal.
        num_layers: how many copies there are.
        norm: what is done with the last output; nothing if None.
        enable_nested_tensor: whether positions of padding become 0 before `norm` where PyTorch
            leaves them out. That is in evaluation and without gradients, for a layer with
            `batch_first`, biases, an even number of heads and without `norm_first`, and for padding
            at the ends alone.
        mask_check: False promises that padding is at the ends.

    Shape:
        Input and output: those of the layer.

    Example::

        >>> layer = torch.nn.TransformerEncoderLayer(d_model=8, nhead=2)
        >>> torch.nn.TransformerEncoder(layer, num_layers=2)(torch.ones(5, 3, 8)).shape
        torch.Size([5, 3, 8])
    """

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
        self.enable_nested_tensor = enable_nested_tensor
        self.use_nested_tensor = enable_nested_tensor and _may_leave_out_padding(encoder_layer)
        self.mask_check = mask_check

    def _leaves_out_padding(self, src: Tensor, mask: Tensor | None, padding: Tensor) -> bool:
        """Whether PyTorch computes nothing at positions of padding, which are 0 then."""
        first = self.layers[0]
        return (
            getattr(self, "use_nested_tensor", False)
            and not first.training
            and mask is None
            and src.dim() == 3
            and not torch.is_autocast_enabled()
            and not (torch.is_grad_enabled() and any(p.requires_grad for p in first.parameters()))
            and not (torch.is_grad_enabled() and src.requires_grad)
            # No position follows one of padding.
            and (not self.mask_check or not bool((padding[:, :-1] & ~padding[:, 1:]).any()))
        )

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        causal = _is_causal(mask, is_causal)
        output = src
        for layer in self.layers:
            output = layer(output, mask, src_key_padding_mask, causal)
        if src_key_padding_mask is not None:
            padding = src_key_padding_mask
            # A mask that is added counts where it is not 0, as PyTorch's logical_not has it.
            padding = padding if padding.dtype == torch.bool else padding != 0
            if self._leaves_out_padding(src, mask, padding):
                output = output.masked_fill(padding.unsqueeze(-1), 0)
        return output if self.norm is None else self.norm(output)


class TransformerDecoder(Module):
    """Copies of a layer one after the other.

    Args:
        decoder_layer: what is copied; each copy has parameters of its own, which start equal.
        num_layers: how many copies there are.
        norm: what is done with the last output; nothing if None.

    Shape:
        Target and output: (T, N, E); memory: (S, N, E); with `batch_first` layers the batch comes
            first.

    Example::

        >>> layer = torch.nn.TransformerDecoderLayer(d_model=8, nhead=2)
        >>> decoder = torch.nn.TransformerDecoder(layer, num_layers=2)
        >>> decoder(torch.ones(4, 3, 8), memory=torch.ones(5, 3, 8)).shape
        torch.Size([4, 3, 8])
    """

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
    """An encoder and a decoder (Vaswani et al. 2017, Attention is all you need, arXiv:1706.03762).

    There are no embeddings, no positions and no last linear layer.

    Args:
        d_model: E, the features of a position.
        nhead: the heads, which divide E.
        num_encoder_layers, num_decoder_layers: how many layers there are.
        dim_feedforward: the features between the two linear layers.
        dropout: the probability of zeros, while training.
        activation: "relu", "gelu" or a function, between the two linear layers.
        custom_encoder, custom_decoder: modules that take the place of encoder and decoder.
        layer_norm_eps: the eps of the layer norms.
        batch_first: whether tensors are (N, length, E) instead of (length, N, E).
        norm_first: whether the layer norms come before attention and linear layers.
        bias: whether linear layers and layer norms have biases.
        device, dtype: of the parameters.

    Shape:
        Source: (S, N, E). Target and output: (T, N, E).

    Raises:
        RuntimeError: source and target differ in N, or their last size is not E.

    Example::

        >>> model = torch.nn.Transformer(8, 2, 1, 1, dim_feedforward=16)
        >>> model(torch.ones(5, 3, 8), torch.ones(4, 3, 8)).shape
        torch.Size([4, 3, 8])
    """

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
        """A mask that hides the future: 0 where position i may see position j <= i, -inf above the
        diagonal.

        Args:
            sz: the length of the sequence.
            device: of the mask.
            dtype: of the mask, floating point.

        Returns:
            A tensor of the shape (sz, sz), which is added to the scores.

        Example::

            >>> torch.nn.Transformer.generate_square_subsequent_mask(3)
            tensor([[0., -inf, -inf],
                    [0., 0., -inf],
                    [0., 0., 0.]])
        """
        full = torch.full((sz, sz), float("-inf"), dtype=dtype, device=device)
        return torch.triu(full, diagonal=1)
