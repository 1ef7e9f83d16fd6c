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
    """Whether work on the current stream is recorded into a graph instead of run.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.
    """
    return bool(call("_cuda_isCurrentStreamCapturing"))


class CUDAGraph:
    """A recorded sequence of kernels, which one call launches again.

    A replay reads and writes the memory that the recording used: copy new inputs into the same
    tensors before it. Use `torch.cuda.graph` to record.

    Raises:
        AssertionError: in a build without CUDA.
        RuntimeError: if there is no GPU, with the reason.

    Example::

        >>> if torch.cuda.is_available():
        ...     x = torch.zeros(3, device="cuda")
        ...     recorded = torch.cuda.CUDAGraph()
        ...     with torch.cuda.graph(recorded):
        ...         y = x + 1
        ...     x.fill_(4)
        ...     recorded.replay()  # y is 5 now
    """

    def __init__(self) -> None:
        self._graph: Any = call("_cuda_graphCreate")

    def capture_begin(self, pool: None = None, capture_error_mode: str = "global") -> None:
        """Starts to record the work of the current stream, which may not be the default one.

        Args:
            pool: None; graphs do not share memory.
            capture_error_mode: which unsafe calls, such as cudaMalloc, end the recording with an
                error: those of any thread ("global"), of this one ("thread_local") or none
                ("relaxed").

        Raises:
            NotImplementedError: if `pool` is not None.
            RuntimeError: for another mode, or on the default stream.
        """
        if pool is not None:
            raise NotImplementedError("graphs that share their memory")
        if capture_error_mode not in _MODES:
            raise RuntimeError(
                "Unknown capture error mode. Expected `global`, `thread_local`, or `relaxed`, got "
                + capture_error_mode
            )
        call("_cuda_graphCaptureBegin", self._graph, _MODES.index(capture_error_mode))

    def capture_end(self) -> None:
        """Ends the recording, on the stream where it began."""
        call("_cuda_graphCaptureEnd", self._graph)

    def replay(self) -> None:
        """Launches the recorded work on the current stream. Does not wait for it."""
        call("_cuda_graphReplay", self._graph)

    def reset(self) -> None:
        """Frees the recording and its memory."""
        call("_cuda_graphReset", self._graph)


class graph:
    """A context manager that records the work of its block into a graph.

    It waits for the GPU, frees unused memory and makes `stream` current before it starts.

    Args:
        cuda_graph: the graph to record into.
        pool: None; graphs do not share memory.
        stream: the stream to record on; a new one if None.
        capture_error_mode: see `CUDAGraph.capture_begin`.
    """

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
