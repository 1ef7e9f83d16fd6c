"""Recurrent layers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch._docstrings import documented_by
from torch._tensor import Tensor
from torch.nn import functional as F
from torch.nn import init
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter
from torch.nn.utils.rnn import PackedSequence

# How many gates the weights of a kind have.
_GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "LSTM": 4, "GRU": 3}
# The numbers that torch.mkldnn_rnn_layer has for them.
_MODES = {"RNN_RELU": 0, "RNN_TANH": 1, "LSTM": 2, "GRU": 3}


def _rnn_step(mode: str, gates: Tensor, recurrent: Tensor) -> Tensor:
    total = gates + recurrent
    return torch.relu(total) if mode == "RNN_RELU" else torch.tanh(total)


def _gru_step(gates: Tensor, recurrent: Tensor, hidden: Tensor) -> Tensor:
    """Cho et al. (2014), with the reset gate behind the recurrent weights."""
    reset_in, update_in, new_in = gates.chunk(3, -1)
    reset_rec, update_rec, new_rec = recurrent.chunk(3, -1)
    reset = torch.sigmoid(reset_in + reset_rec)
    update = torch.sigmoid(update_in + update_rec)
    new = torch.tanh(new_in + reset * new_rec)
    return new + update * (hidden - new)


def _lstm_step(gates: Tensor, recurrent: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """Hochreiter and Schmidhuber (1997), with forget gates: the output and the cell."""
    dtype = gates.dtype
    if (
        dtype in (torch.float32, torch.float64)
        and gates.is_cpu
        and gates.dim() == 2
        and dtype == recurrent.dtype == cell.dtype
    ):
        output, cell, _ = torch._thnn_fused_lstm_cell(gates, recurrent, cell)
        return output, cell
    into, forget, new, out = (gates + recurrent).chunk(4, -1)
    cell = torch.sigmoid(forget) * cell + torch.sigmoid(into) * torch.tanh(new)
    return torch.sigmoid(out) * torch.tanh(cell), cell


class _VaryingBatch:
    """The states of sequences of different lengths, the longest first: those that have ended wait
    while the others go on; on the way back, sequences join at their ends."""

    def __init__(self, states: list[Tensor], reverse: bool) -> None:
        self.initial = states
        self.reverse = reverse
        self.ended: list[list[Tensor]] = [[] for _ in states]
        self.running = False

    def resized(self, states: list[Tensor], size: int) -> list[Tensor]:
        """The states of the `size` sequences that have this step."""
        if self.reverse:
            if not self.running:
                self.running = True
                return [s[:size] for s in self.initial]
            if size > len(states[0]):
                joining = slice(len(states[0]), size)
                states = [
                    torch.cat([s, first[joining]])
                    for s, first in zip(states, self.initial, strict=True)
                ]
        elif size < len(states[0]):
            for ended, state in zip(self.ended, states, strict=True):
                ended.append(state[size:])
            states = [s[:size] for s in states]
        return states

    def finished(self, states: list[Tensor]) -> list[Tensor]:
        """The last states of all sequences."""
        return [
            torch.cat([state, *reversed(ended)]) if ended else state
            for state, ended in zip(states, self.ended, strict=True)
        ]


# What the constructors of RNN, GRU and LSTM have in common.
_LAYERS = """
Args:
    input_size: I, the features of a step.
    hidden_size: H, the features of the hidden state.
    num_layers: how many layers there are; each takes the output of the one before.
    bias: whether there are biases.
    batch_first: whether tensors are (N, T, I) instead of (T, N, I).
    dropout: the probability of zeros between layers, while training.
    bidirectional: whether a second network reads the steps backwards; outputs stand side by side.
    device, dtype: of the parameters.

Attributes:
    weight_ih_l0: (gates * H, I); (gates * H, directions * H) in later layers. `_l1`, ..., and
        `_reverse` for the way back.
    weight_hh_l0: (gates * H, H).
    bias_ih_l0, bias_hh_l0: (gates * H,). All are uniform in [-k, k] with k = 1 / sqrt(H).

Shape:
    Input: (T, N, I), (N, T, I) with `batch_first`, (T, I), or a PackedSequence. Hidden state:
        (layers * directions, N, H), zeros if not given. Output: (T, N, directions * H).

Raises:
    ValueError: a size that is not positive, or a `dropout` that is not in [0, 1].
    RuntimeError: an input or a state of another size.
"""

# What the cells have in common.
_CELL = """
Args:
    input_size: I, the features of the input.
    hidden_size: H, the features of the hidden state.
    bias: whether there are biases.
    device, dtype: of the parameters.

Attributes:
    weight_ih: (gates * H, I), uniform in [-k, k] with k = 1 / sqrt(H).
    weight_hh: (gates * H, H), alike.
    bias_ih, bias_hh: (gates * H,), alike; None without.

Shape:
    Input: (N, I) or (I,). Hidden state: (N, H) or (H,), zeros if not given. Output: as the state.

Raises:
    ValueError: the input has another number of dimensions.
"""


class RNNBase(Module):
    """Layers of recurrent cells, in one direction or in both.

    The parameters of layer k are `weight_ih_lk`, `weight_hh_lk`, `bias_ih_lk`, `bias_hh_lk` and,
    for an LSTM with projections, `weight_hr_lk`; `_reverse` behind them for the way back.
    """

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        for name, size in (("input_size", input_size), ("hidden_size", hidden_size)):
            if not isinstance(size, int):
                raise TypeError(f"{name} should be of type int, got: {type(size).__name__}")
            if size <= 0:
                raise ValueError(f"{name} must be greater than zero")
        if num_layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout > 0 and num_layers == 1:
            import warnings

            warnings.warn(
                f"dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers greater than 1, but got dropout={dropout} and num_layers={num_layers}",
                stacklevel=3,
            )
        if proj_size < 0:
            raise ValueError(
                "proj_size should be a positive integer or zero to disable projections"
            )
        if proj_size >= hidden_size:
            raise ValueError("proj_size has to be smaller than hidden_size")
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        directions = 2 if bidirectional else 1
        rows = _GATES[mode] * hidden_size
        output = proj_size or hidden_size
        for layer in range(num_layers):
            for direction in range(directions):
                suffix = self._suffix(layer, direction)
                columns = input_size if layer == 0 else output * directions
                shapes: dict[str, tuple[int, ...]] = {
                    "weight_ih": (rows, columns),
                    "weight_hh": (rows, output),
                }
                if bias:
                    shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                for name, shape in shapes.items():
                    values = torch.empty(shape, device=device, dtype=dtype)
                    self.register_parameter(name + suffix, Parameter(values))
        self.reset_parameters()

    @staticmethod
    def _suffix(layer: int, direction: int) -> str:
        return f"_l{layer}" + ("_reverse" if direction else "")

    def reset_parameters(self) -> None:
        """Uniform in +-1/sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self) -> None:
        """Does nothing: cuDNN's recurrent layers, which want their parameters in one piece, are not
        used.
        """

    @property
    def _all_weights(self) -> list[list[str]]:
        names = ["weight_ih", "weight_hh"]
        names += ["bias_ih", "bias_hh"] if self.bias else []
        names += ["weight_hr"] if self.proj_size else []
        return [
            [name + self._suffix(layer, direction) for name in names]
            for layer in range(self.num_layers)
            for direction in range(2 if self.bidirectional else 1)
        ]

    @property
    def all_weights(self) -> list[list[Parameter]]:
        """The parameters: a list for each layer and direction.

        Example::

            >>> rnn = torch.nn.GRU(2, 3, num_layers=2, bidirectional=True)
            >>> [len(weights) for weights in rnn.all_weights]
            [4, 4, 4, 4]
        """
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    @property
    def _flat_weights_names(self) -> list[str]:
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self) -> list[Any]:
        return [getattr(self, name, None) for name in self._flat_weights_names]

    # PyTorch keeps these in its modules and reads them from files of whole modules.
    _IN_FILES = ("_all_weights", "_flat_weights_names", "_flat_weights")

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {name: getattr(self, name) for name in self._IN_FILES}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({k: v for k, v in state.items() if k not in self._IN_FILES})

    def _weight(self, name: str, suffix: str) -> Any:
        # An attribute: it may be computed, by weight_norm or a parametrization.
        return getattr(self, name + suffix, None)

    def _scan(
        self,
        input: Tensor,
        suffix: str,
        reverse: bool,
        hidden: Tensor,
        cell: Tensor | None,
        batch_sizes: list[int] | None,
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """One layer in one direction over (length, batch, features), or over packed data."""
        weight, bias = self._weight("weight_hh", suffix), self._weight("bias_hh", suffix)
        input_bias = self._weight("bias_ih", suffix)
        tensors = [input, self._weight("weight_ih", suffix), weight, hidden]
        tensors += [t for t in (input_bias, bias, cell) if t is not None]
        if self._in_one_call(tensors):
            output, hidden, last, _ = torch.mkldnn_rnn_layer(
                input,
                self._weight("weight_ih", suffix),
                weight,
                weight if input_bias is None else input_bias,
                weight if bias is None else bias,
                hidden,
                hidden if cell is None else cell,
                reverse,
                batch_sizes or [],
                _MODES[self.mode],
                self.hidden_size,
                1,
                bias is not None,
                False,
                False,
                torch.is_grad_enabled(),
            )
            return output, hidden, None if cell is None else last
        # Only a GRU scales the recurrent part, bias and all, before both parts are added.
        if bias is not None and self.mode != "GRU":
            input_bias, bias = input_bias + bias, None
        # The inputs of all steps at once.
        gates = F.linear(input, self._weight("weight_ih", suffix), input_bias)
        projection = self._weight("weight_hr", suffix)
        steps = list(gates.unbind(0) if batch_sizes is None else gates.split(batch_sizes))
        states = [hidden] if cell is None else [hidden, cell]
        varying = None if batch_sizes is None else _VaryingBatch(states, reverse)
        outputs = []
        for gate in reversed(steps) if reverse else steps:
            if varying is not None:
                hidden, *cells = varying.resized(
                    [hidden] if cell is None else [hidden, cell], len(gate)
                )
                cell = cells[0] if cells else None
            recurrent = F.linear(hidden, weight, bias)
            if self.mode == "LSTM":
                assert cell is not None
                hidden, cell = _lstm_step(gate, recurrent, cell)
                if projection is not None:
                    hidden = F.linear(hidden, projection)
            elif self.mode == "GRU":
                hidden = _gru_step(gate, recurrent, hidden)
            else:
                hidden = _rnn_step(self.mode, gate, recurrent)
            outputs.append(hidden)
        if reverse:
            outputs.reverse()
        if varying is None:
            return torch.stack(outputs), hidden, cell
        hidden, *cells = varying.finished([hidden] if cell is None else [hidden, cell])
        return torch.cat(outputs), hidden, cells[0] if cells else None

    def _in_one_call(self, tensors: list[Tensor]) -> bool:
        """Whether an operator computes all steps: it has floats and doubles on the CPU."""
        dtype = tensors[0].dtype
        return (
            dtype in (torch.float32, torch.float64)
            and not self.proj_size
            and not torch.is_autocast_enabled("cpu")
            and all(t.is_cpu and t.dtype == dtype and t.numel() for t in tensors)
        )

    def _check_dims(self, dims: int, hidden: Tensor | None, cell: Tensor | None) -> None:
        """States have as many dimensions as the input."""
        given = [state.dim() for state in (hidden, cell) if state is not None]
        if all(count == dims for count in given):
            return
        kind = "batched" if dims == 3 else "unbatched"
        wanted = f"For {kind} {dims}-D input, {' and '.join(['hx', 'cx'][: len(given)])} should "
        if len(given) == 1:
            raise RuntimeError(f"{wanted}also be {dims}-D but got {given[0]}-D tensor")
        found = ", ".join(f"{count}-D" for count in given)
        raise RuntimeError(f"{wanted}also be {dims}-D but got ({found}) tensors")

    def check_input(self, input: Tensor, batch_sizes: Tensor | Sequence[int] | None) -> None:
        """Checks the input's dtype, number of dimensions and features.

        Args:
            input: (length, batch, features), (batch, length, features) if `batch_first`, or packed
                data of (elements, features).
            batch_sizes: those of a `PackedSequence`; None for the other inputs.

        Raises:
            ValueError: the dtype is not that of the weights.
            RuntimeError: the number of dimensions or of features is wrong.

        Example::

            >>> torch.nn.RNN(3, 4).check_input(torch.ones(5, 2, 3), None)
        """
        weight_dtype = self._weight("weight_ih", "_l0").dtype
        if input.dtype != weight_dtype and not torch.is_autocast_enabled(input.device.type):
            raise ValueError(
                f"RNN input dtype ({input.dtype}) does not match weight dtype ({weight_dtype}). "
                f"Convert input: input.to({weight_dtype}), or convert model: "
                f"model.to({input.dtype})"
            )
        expected = 3 if batch_sizes is None else 2
        if input.dim() != expected:
            raise RuntimeError(f"input must have {expected} dimensions, got {input.dim()}")
        if input.size(-1) != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.size(-1)}"
            )

    def get_expected_hidden_size(
        self, input: Tensor, batch_sizes: Tensor | None
    ) -> tuple[int, int, int]:
        """The shape of the hidden state for an input: (layers * directions, batch, size).

        Args:
            input: as for `check_input`.
            batch_sizes: those of a `PackedSequence`, or None.

        Returns:
            Three sizes; the last is `proj_size` if it is not 0, else `hidden_size`.

        Example::

            >>> torch.nn.RNN(3, 4).get_expected_hidden_size(torch.ones(5, 2, 3), None)
            (1, 2, 4)
        """
        if batch_sizes is None:
            batch = input.size(0 if self.batch_first else 1)
        else:
            batch = int(batch_sizes[0])
        return self._state_size(batch, self.proj_size or self.hidden_size)

    def _state_size(self, batch: int, size: int) -> tuple[int, int, int]:
        return (self.num_layers * (2 if self.bidirectional else 1), batch, size)

    def check_hidden_size(
        self,
        hx: Tensor,
        expected_hidden_size: tuple[int, int, int],
        msg: str = "Expected hidden size {}, got {}",
    ) -> None:
        """Checks the shape of a state.

        Args:
            hx: the state.
            expected_hidden_size: the shape that it should have.
            msg: the error's text, with places for the shape that was wanted and the one given.

        Raises:
            RuntimeError: the shape is another one.

        Example::

            >>> torch.nn.RNN(3, 4).check_hidden_size(torch.ones(1, 2, 4), (1, 2, 4))
        """
        if tuple(hx.shape) != tuple(expected_hidden_size):
            raise RuntimeError(msg.format(expected_hidden_size, list(hx.shape)))

    def check_forward_args(self, input: Tensor, hidden: Any, batch_sizes: Tensor | None) -> None:
        """Checks an input and its states, as `forward` does.

        Args:
            input: as for `check_input`.
            hidden: the state; of an LSTM the pair of the hidden state and the cell.
            batch_sizes: those of a `PackedSequence`, or None.

        Raises:
            ValueError: the dtype is not that of the weights.
            RuntimeError: a shape is wrong.

        Example::

            >>> layer = torch.nn.RNN(3, 4)
            >>> layer.check_forward_args(torch.ones(5, 2, 3), torch.ones(1, 2, 4), None)
        """
        self.check_input(input, batch_sizes)
        self.check_hidden_size(hidden, self.get_expected_hidden_size(input, batch_sizes))

    def permute_hidden(self, hx: Any, permutation: Tensor | None) -> Any:
        """A state, of an LSTM a pair of states, with the samples of its batch in another order.

        Args:
            hx: (layers * directions, batch, size).
            permutation: the place of each sample in `hx`; None returns `hx` itself.

        Returns:
            New tensors.

        Example::

            >>> state = torch.tensor([[[1.0], [2.0]]])
            >>> torch.nn.RNN(1, 1).permute_hidden(state, torch.tensor([1, 0]))
            tensor([[[2.],
                     [1.]]])
        """
        return hx if permutation is None else hx.index_select(1, permutation)

    def _run(
        self,
        input: Tensor,
        hidden: Tensor | None,
        cell: Tensor | None,
        batch_sizes: list[int] | None = None,
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """All layers over (length, batch, features), or over packed data of (elements, features);
        states are (layers * directions, batch, n)."""
        self.check_input(input, batch_sizes)
        if batch_sizes is None and input.size(0) == 0:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        directions = 2 if self.bidirectional else 1
        batch = input.size(1) if batch_sizes is None else batch_sizes[0]
        expected = self._state_size(batch, self.proj_size or self.hidden_size)
        if hidden is None:
            hidden = input.new_zeros(expected)
        which = "" if cell is None else "[0]"
        self.check_hidden_size(hidden, expected, f"Expected hidden{which} size {{}}, got {{}}")
        if self.mode == "LSTM":
            expected = self._state_size(batch, self.hidden_size)
            if cell is None:
                cell = input.new_zeros(expected)
            self.check_hidden_size(cell, expected, "Expected hidden[1] size {}, got {}")
        last_hidden, last_cell = [], []
        for layer in range(self.num_layers):
            outputs = []
            for direction in range(directions):
                index = layer * directions + direction
                output, h, c = self._scan(
                    input,
                    self._suffix(layer, direction),
                    direction == 1,
                    hidden[index],
                    None if cell is None else cell[index],
                    batch_sizes,
                )
                outputs.append(output)
                last_hidden.append(h)
                if c is not None:
                    last_cell.append(c)
            input = outputs[0] if directions == 1 else torch.cat(outputs, -1)
            if self.dropout > 0 and layer < self.num_layers - 1:
                input = F.dropout(input, self.dropout, self.training)
        return input, torch.stack(last_hidden), torch.stack(last_cell) if last_cell else None

    def _forward_packed(
        self, input: PackedSequence, hidden: Tensor | None, cell: Tensor | None
    ) -> tuple[PackedSequence, Tensor, Tensor | None]:
        """Over packed sequences; states are in the order in which the sequences were given."""
        order, back = input.sorted_indices, input.unsorted_indices
        if order is not None:
            hidden = None if hidden is None else hidden.index_select(1, order)
            cell = None if cell is None else cell.index_select(1, order)
        data, hidden, cell = self._run(input.data, hidden, cell, input.batch_sizes.tolist())
        if back is not None:
            hidden = hidden.index_select(1, back)
            cell = None if cell is None else cell.index_select(1, back)
        return PackedSequence(data, input.batch_sizes, order, back), hidden, cell

    def _forward(
        self, input: Any, hidden: Tensor | None, cell: Tensor | None
    ) -> tuple[Any, Tensor, Tensor | None]:
        """With the batch where it belongs, or without one."""
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hidden, cell)
        if input.dim() not in (2, 3):
            raise ValueError(
                f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.dim()}D instead"
            )
        unbatched = input.dim() == 2
        self._check_dims(input.dim(), hidden, cell)
        if unbatched:
            input = input.unsqueeze(1)
            hidden = None if hidden is None else hidden.unsqueeze(1)
            cell = None if cell is None else cell.unsqueeze(1)
        elif self.batch_first:
            input = input.transpose(0, 1)
        output, hidden, cell = self._run(input, hidden, cell)
        if unbatched:
            return output.squeeze(1), hidden.squeeze(1), None if cell is None else cell.squeeze(1)
        return output.transpose(0, 1) if self.batch_first else output, hidden, cell

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.proj_size:
            text += f", proj_size={self.proj_size}"
        if self.num_layers != 1:
            text += f", num_layers={self.num_layers}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if self.batch_first:
            text += f", batch_first={self.batch_first}"
        if self.dropout:
            text += f", dropout={self.dropout}"
        if self.bidirectional:
            text += f", bidirectional={self.bidirectional}"
        return text


@documented_by(_LAYERS)
class RNN(RNNBase):
    """A recurrent network (Elman 1990): h_t = tanh(W_ih x_t + b_ih + W_hh h_{t-1} + b_hh).

    Args:
        nonlinearity: "tanh" or "relu"; the fourth argument.

    Example::

        >>> output, hidden = torch.nn.RNN(2, 3)(torch.ones(5, 1, 2))
        >>> output.shape, hidden.shape
        (torch.Size([5, 1, 3]), torch.Size([1, 1, 3]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        # The fourth argument, where PyTorch's other recurrent layers have the bias.
        if len(args) > 3:
            if "nonlinearity" in kwargs:
                raise TypeError("RNN got multiple values for argument 'nonlinearity'")
            kwargs["nonlinearity"] = args[3]
            args = args[:3] + args[4:]
        nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        self_mode = "RNN_" + nonlinearity.upper()
        super().__init__(self_mode, *args, **kwargs)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        output, hidden, _ = self._forward(input, hx, None)
        return output, hidden


@documented_by(_LAYERS)
class GRU(RNNBase):
    """Gated recurrent units (Cho et al. 2014, arXiv:1406.1078).

    With r = sigmoid(W_ir x + b_ir + W_hr h + b_hr), z = sigmoid(W_iz x + b_iz + W_hz h + b_hz) and
    n = tanh(W_in x + b_in + r (W_hn h + b_hn)) the next h is (1 - z) n + z h. Weights and biases
    hold r, z and n one after the other.

    Example::

        >>> output, hidden = torch.nn.GRU(2, 3, num_layers=2)(torch.ones(5, 1, 2))
        >>> output.shape, hidden.shape
        (torch.Size([5, 1, 3]), torch.Size([2, 1, 3]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "proj_size" in kwargs:
            raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input: Any, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        output, hidden, _ = self._forward(input, hx, None)
        return output, hidden


@documented_by(_LAYERS)
class LSTM(RNNBase):
    """Long short-term memory (Hochreiter and Schmidhuber 1997), with forget gates.

    With i, f, o = sigmoid(W x + U h + b) and g = tanh(W x + U h + b), each with weights of
    its own, the next cell is f c + i g and the next h is o tanh(c). Weights and biases hold i, f, g
    and o one after the other.

    Args:
        proj_size: P, if not 0: the output is h times `weight_hr`, (P, H).

    Shape:
        Input: (T, N, I), (N, T, I) with `batch_first`, (T, I), or a PackedSequence. States h and c:
            (layers * directions, N, H), P instead of H for h with projections. Output: (T, N,
            directions * H).

    Example::

        >>> output, (hidden, cell) = torch.nn.LSTM(2, 3, bidirectional=True)(torch.ones(5, 1, 2))
        >>> output.shape, hidden.shape, cell.shape
        (torch.Size([5, 1, 6]), torch.Size([2, 1, 3]), torch.Size([2, 1, 3]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def get_expected_cell_size(
        self, input: Tensor, batch_sizes: Tensor | None
    ) -> tuple[int, int, int]:
        """The shape of the cell for an input: (layers * directions, batch, hidden_size).

        Args:
            input: as for `check_input`.
            batch_sizes: those of a `PackedSequence`, or None.

        Returns:
            Three sizes.

        Example::

            >>> torch.nn.LSTM(3, 4, proj_size=2).get_expected_cell_size(torch.ones(5, 2, 3), None)
            (1, 2, 4)
        """
        _, batch, _ = self.get_expected_hidden_size(input, batch_sizes)
        return self._state_size(batch, self.hidden_size)

    def check_forward_args(self, input: Tensor, hidden: Any, batch_sizes: Tensor | None) -> None:
        """Checks an input and the pair of its states; see `RNNBase.check_forward_args`.

        Args:
            input: as for `check_input`.
            hidden: the hidden state and the cell.
            batch_sizes: those of a `PackedSequence`, or None.
        """
        self.check_input(input, batch_sizes)
        self.check_hidden_size(
            hidden[0],
            self.get_expected_hidden_size(input, batch_sizes),
            "Expected hidden[0] size {}, got {}",
        )
        self.check_hidden_size(
            hidden[1],
            self.get_expected_cell_size(input, batch_sizes),
            "Expected hidden[1] size {}, got {}",
        )

    def permute_hidden(self, hx: Any, permutation: Tensor | None) -> Any:
        """The pair of states with the samples in another order; see `RNNBase.permute_hidden`.

        Args:
            hx: the hidden state and the cell.
            permutation: the place of each sample in them; None leaves them as they are.

        Returns:
            A pair.
        """
        return tuple(RNNBase.permute_hidden(self, state, permutation) for state in hx)

    def forward(
        self, input: Any, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Any, tuple[Tensor, Tensor]]:
        hidden, cell = (None, None) if hx is None else hx
        output, hidden, cell = self._forward(input, hidden, cell)
        assert cell is not None
        return output, (hidden, cell)


class RNNCellBase(Module):
    """One step of one layer: the base of RNNCell, LSTMCell and GRUCell.

    Args:
        input_size: I, the features of a step.
        hidden_size: H, the features of the hidden state.
        bias: whether there are biases.
        num_chunks: how many gates there are.
        device, dtype: of the parameters.

    Attributes:
        weight_ih: (num_chunks * H, I).
        weight_hh: (num_chunks * H, H).
        bias_ih, bias_hh: (num_chunks * H,). All are uniform in [-k, k] with k = 1 / sqrt(H).
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        rows = num_chunks * hidden_size
        shapes = {"weight_ih": (rows, input_size), "weight_hh": (rows, hidden_size)}
        for name, shape in shapes.items():
            values = torch.empty(shape, device=device, dtype=dtype)
            self.register_parameter(name, Parameter(values))
        for name in ("bias_ih", "bias_hh"):
            vector = torch.empty(rows, device=device, dtype=dtype)
            self.register_parameter(name, Parameter(vector) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform in +-1/sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _check_state(self, input: Tensor, state: Tensor, number: int) -> None:
        if input.dim() == 2 and state.dim() == 2 and state.size(0) != input.size(0):
            raise RuntimeError(
                f"Input batch size {input.size(0)} doesn't match hidden{number} batch size {state.size(0)}"
            )
        if state.dim() != input.dim() or state.size(-1) != self.hidden_size:
            # Without a batch the state's first size is taken for its features.
            found = state.size(-1) if state.dim() == input.dim() else state.size(0)
            raise RuntimeError(
                f"hidden{number} has inconsistent hidden_size: got {found}, expected {self.hidden_size}"
            )

    def _gates(self, input: Tensor, hidden: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
        """The input's part, the recurrent part, and the hidden state."""
        if input.dim() not in (1, 2):
            raise ValueError(
                f"{type(self).__name__}: Expected input to be 1D or 2D, got {input.dim()}D instead"
            )
        if input.size(-1) != self.input_size:
            raise RuntimeError(
                f"input has inconsistent input_size: got {input.size(-1)} expected {self.input_size}"
            )
        if hidden is None:
            hidden = input.new_zeros((*input.shape[:-1], self.hidden_size))
        self._check_state(input, hidden, 0)
        gates = F.linear(input, self.weight_ih, self.bias_ih)
        return gates, F.linear(hidden, self.weight_hh, self.bias_hh), hidden

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if not self.bias:
            text += f", bias={self.bias}"
        nonlinearity = self.__dict__.get("nonlinearity", "tanh")
        return text if nonlinearity == "tanh" else f"{text}, nonlinearity={nonlinearity}"


@documented_by(_CELL)
class RNNCell(RNNCellBase):
    """One step of an `RNN`: h' = tanh(W_ih x + b_ih + W_hh h + b_hh).

    Args:
        nonlinearity: "tanh" or "relu".

    Raises:
        RuntimeError: another nonlinearity, or sizes that do not fit.

    Example::

        >>> torch.nn.RNNCell(2, 3)(torch.ones(4, 2)).shape
        torch.Size([4, 3])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        gates, recurrent, _ = self._gates(input, hx)
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return _rnn_step("RNN_" + self.nonlinearity.upper(), gates, recurrent)


@documented_by(_CELL)
class GRUCell(RNNCellBase):
    """One step of a `GRU`, which has the formula.

    Example::

        >>> torch.nn.GRUCell(2, 3)(torch.ones(4, 2)).shape
        torch.Size([4, 3])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return _gru_step(*self._gates(input, hx))


@documented_by(_CELL)
class LSTMCell(RNNCellBase):
    """One step of an `LSTM`, which has the formula; hidden state and cell go in and come out as a
    pair.

    Example::

        >>> hidden, cell = torch.nn.LSTMCell(2, 3)(torch.ones(4, 2))
        >>> hidden.shape, cell.shape
        (torch.Size([4, 3]), torch.Size([4, 3]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        hidden, cell = (None, None) if hx is None else hx
        gates, recurrent, start = self._gates(input, hidden)
        if cell is None:
            cell = torch.zeros_like(start)
        self._check_state(input, cell, 1)
        return _lstm_step(gates, recurrent, cell)
