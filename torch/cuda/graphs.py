"""Work that is recorded once and launched as one from then on."""

from __future__ import annotations

import gc
from types import TracebackType
from typing import Any

from torch import _absent
from torch.cuda._devices import synchronize
from torch.cuda._runtime import call
from torch.cuda.memory import empty_cache
from torch.cuda.streams import Stream, stream

_MODES = ("global", "thread_local", "relaxed")


def is_current_stream_capturing() -> bool:
    """Whether work of the current stream is being recorded instead of run."""
    return bool(call("isCurrentStreamCapturing"))


class CUDAGraph:
    """A recording: it reads and writes the tensors that it read and wrote when it was made."""

    def __init__(self) -> None:
        self._graph: Any = call("graphCreate")

    def capture_begin(self, pool: None = None, capture_error_mode: str = "global") -> None:
        """Records the work of the current stream, which is not the default one, from now on.

        Args:
          pool: None; graphs do not share memory.
          capture_error_mode: which calls elsewhere spoil the recording: `global`, `thread_local`
            or `relaxed`.
        """
        if pool is not None:
            raise NotImplementedError("graphs that share their memory")
        if capture_error_mode not in _MODES:
            raise RuntimeError(
                "Unknown capture error mode. Expected `global`, `thread_local`, or `relaxed`, got "
                + capture_error_mode
            )
        call("graphCaptureBegin", self._graph, _MODES.index(capture_error_mode))

    def capture_end(self) -> None:
        """Ends the recording."""
        call("graphCaptureEnd", self._graph)

    def replay(self) -> None:
        """Puts the recorded work on the current stream."""
        call("graphReplay", self._graph)

    def reset(self) -> None:
        """Gives the recording and its memory back."""
        call("graphReset", self._graph)


class graph:
    """A block whose work is recorded, on a stream of its own unless one is given."""

    def __init__(
        self,
        cuda_graph: CUDAGraph,
        pool: None = None,
        stream: Stream | None = None,
        capture_error_mode: str = "global",
    ) -> None:
        self.cuda_graph = cuda_graph
        self.pool = pool
        self.capture_stream = Stream() if stream is None else stream
        self.capture_error_mode = capture_error_mode

    def __enter__(self) -> None:
        # Nothing of before may be freed during the recording.
        synchronize()
        gc.collect()
        empty_cache()
        self._context = stream(self.capture_stream)
        self._context.__enter__()
        self.cuda_graph.capture_begin(self.pool, self.capture_error_mode)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self.cuda_graph.capture_end()
        finally:
            self._context.__exit__(kind, error, traceback)


__getattr__ = _absent.explain(__name__)
