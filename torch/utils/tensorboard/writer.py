"""The writers of files for TensorBoard."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn

from tensorboard.compat.proto import event_pb2
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.plugins.projector.projector_config_pb2 import ProjectorConfig
from tensorboard.summary.writer.event_file_writer import EventFileWriter
from torch import _absent
from torch.utils.tensorboard import _embedding, summary
from torch.utils.tensorboard._arrays import figure_to_image, make_np

# The limits of a histogram's buckets grow by this factor.
_GROWTH = 1.1
_SMALLEST, _LARGEST = 1e-12, 1e20


def _default_bins() -> list[float]:
    """Limits that grow by a tenth, for both signs, as TensorFlow has them."""
    positive = []
    limit = _SMALLEST
    while limit < _LARGEST:
        positive.append(limit)
        limit *= _GROWTH
    return [-limit for limit in reversed(positive)] + [0.0] + positive


class FileWriter:
    """Writes events to one file, in a thread of its own.

    Args:
        log_dir: the directory of the file, whose name has the time and the host.
        max_queue: how many events wait at most.
        flush_secs: after how many seconds they are written to the disk.
        filename_suffix: the end of the file's name.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str],
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
    ) -> None:
        self.event_writer = EventFileWriter(str(log_dir), max_queue, flush_secs, filename_suffix)

    def get_logdir(self) -> str:
        """The directory of the file."""
        return str(self.event_writer.get_logdir())

    def add_event(self, event: Any, step: Any = None, walltime: float | None = None) -> None:
        """Writes an event.

        Args:
            event: a message of tensorboard.
            step: its number.
            walltime: seconds since 1970; now by default.
        """
        event.wall_time = time.time() if walltime is None else walltime
        if step is not None:
            event.step = int(step)
        self.event_writer.add_event(event)

    def add_summary(
        self, summary: Any, global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Writes a summary as an event.

        Args:
            summary: a message of tensorboard.
            global_step: its number.
            walltime: seconds since 1970; now by default.
        """
        self.add_event(event_pb2.Event(summary=summary), global_step, walltime)

    def flush(self) -> None:
        """Writes to the disk what waits."""
        self.event_writer.flush()

    def close(self) -> None:
        """Writes what waits and closes the file."""
        self.event_writer.close()

    def reopen(self) -> None:
        """Events can follow after `close`."""
        self.event_writer.reopen()


class SummaryWriter:
    """Writes what happens in a training to files that TensorBoard shows.

    Args:
        log_dir: the directory of the files; `runs/TIME_HOST` and `comment` by default.
        comment: the end of that default.
        purge_step: a run that starts again here: TensorBoard hides what it has of later steps.
        max_queue: how many events wait at most.
        flush_secs: after how many seconds they are written to the disk.
        filename_suffix: the end of the files' names.

    In a `with` statement it closes its files at the end. All `tag` arguments are names by which
    TensorBoard shows something, with groups before a slash; all `global_step` arguments the number
    of the step; all `walltime` arguments seconds since 1970, now by default.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
    ) -> None:
        if not log_dir:
            now = datetime.now().strftime("%b%d_%H-%M-%S")
            log_dir = os.path.join("runs", f"{now}_{socket.gethostname()}{comment}")
        self.log_dir = log_dir
        self.purge_step = purge_step
        self.max_queue = max_queue
        self.flush_secs = flush_secs
        self.filename_suffix = filename_suffix
        self.file_writer: FileWriter | None = None
        self.all_writers: dict[str, FileWriter] | None = None
        self._projector_config = ProjectorConfig()
        self.default_bins = _default_bins()
        self._get_file_writer()

    def _open(self, directory: str | os.PathLike[str]) -> FileWriter:
        return FileWriter(directory, self.max_queue, self.flush_secs, self.filename_suffix)

    def _get_file_writer(self) -> FileWriter:
        """The writer of the run's own directory, anew after `close`."""
        if self.file_writer is None or self.all_writers is None:
            self.file_writer = self._open(self.log_dir)
            self.all_writers = {self.file_writer.get_logdir(): self.file_writer}
            if self.purge_step is not None:
                step, start = self.purge_step, SessionLog(status=SessionLog.START)
                self.file_writer.add_event(Event(step=step, file_version="brain.Event:2"))
                self.file_writer.add_event(Event(step=step, session_log=start))
                self.purge_step = None
        return self.file_writer

    def get_logdir(self) -> str | os.PathLike[str]:
        """The directory of the files."""
        return self.log_dir

    def _add(self, made: Any, global_step: Any, walltime: float | None) -> None:
        self._get_file_writer().add_summary(made, global_step, walltime)

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: Any = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
    ) -> None:
        """Writes a number.

        Args:
            scalar_value: a number, or a tensor of one element.
            new_style: as a tensor of the plugin for scalars.
            double_precision: such a tensor keeps 64 bits.
        """
        made = summary.scalar(
            tag, scalar_value, new_style=new_style, double_precision=double_precision
        )
        self._add(made, global_step, walltime)

    def add_scalars(
        self,
        main_tag: str,
        tag_scalar_dict: Mapping[str, Any],
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Writes numbers that share a chart, each to a file in a directory of its own.

        Args:
            main_tag: the name of the chart.
            tag_scalar_dict: the numbers by name.
        """
        walltime = time.time() if walltime is None else walltime
        directory = self._get_file_writer().get_logdir()
        assert self.all_writers is not None
        for tag, value in tag_scalar_dict.items():
            path = f"{directory}/{main_tag.replace('/', '_')}_{tag}"
            if path not in self.all_writers:
                self.all_writers[path] = self._open(path)
            self.all_writers[path].add_summary(
                summary.scalar(main_tag, value), global_step, walltime
            )

    def add_tensor(
        self, tag: str, tensor: Any, global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Writes a whole tensor.

        Args:
            tag: its name.
            tensor: a tensor or array of any shape.
            global_step: the step that it is of.
            walltime: the time in seconds since 1970; now if None.
        """
        self._add(summary.tensor_proto(tag, tensor), global_step, walltime)

    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: Any = None,
        bins: Any = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Writes a histogram.

        Args:
            values: a tensor or array of any shape.
            bins: "tensorflow" for limits that grow by a tenth, or what `numpy.histogram` takes.
            max_bins: neighbours are joined where there are more.
        """
        if isinstance(bins, str) and bins == "tensorflow":
            bins = self.default_bins
        self._add(summary.histogram(tag, values, bins, max_bins), global_step, walltime)

    def add_histogram_raw(
        self,
        tag: str,
        min: Any,
        max: Any,
        num: Any,
        sum: Any,
        sum_squares: Any,
        bucket_limits: Any,
        bucket_counts: Any,
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Writes a histogram whose counts are known.

        Args:
            min, max, num, sum, sum_squares: of the values.
            bucket_limits: the upper limit of each bucket.
            bucket_counts: how many values it has.

        Raises:
            ValueError: there are not as many limits as counts.
        """
        if len(bucket_limits) != len(bucket_counts):
            raise ValueError("len(bucket_limits) != len(bucket_counts), see the document.")
        made = summary.histogram_raw(
            tag, min, max, num, sum, sum_squares, bucket_limits, bucket_counts
        )
        self._add(made, global_step, walltime)

    def add_image(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Writes an image; it needs the package Pillow, as tensorboard does.

        Args:
            img_tensor: bytes, or numbers from 0 to 1.
            dataformats: the letters of its dimensions, such as "HWC" or "HW".
        """
        self._add(summary.image(tag, img_tensor, dataformats=dataformats), global_step, walltime)

    def add_images(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Writes images side by side, 8 in a row.

        Args:
            img_tensor: bytes, or numbers from 0 to 1; a list of tensors is stacked.
            dataformats: the letters of its dimensions.
        """
        if isinstance(img_tensor, list):
            import numpy as np

            if dataformats.upper() not in ("CHW", "HWC"):
                raise ValueError(
                    "A list of image is passed in, but the dataformat is neither CHW nor HWC."
                )
            dataformats = "N" + dataformats
            img_tensor = np.stack([make_np(image) for image in img_tensor])
        self._add(summary.image(tag, img_tensor, dataformats=dataformats), global_step, walltime)

    def add_image_with_boxes(
        self,
        tag: str,
        img_tensor: Any,
        box_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        rescale: float = 1,
        dataformats: str = "CHW",
        labels: Any = None,
    ) -> None:
        """Writes an image with red boxes.

        Args:
            img_tensor: bytes, or numbers from 0 to 1.
            box_tensor: of shape (N, 4): left, top, right and bottom in pixels.
            rescale: factor of the image's sides.
            dataformats: the letters of its dimensions.
            labels: a text, or one for each box.
        """
        if isinstance(labels, str):
            labels = [labels]
        if labels is not None and len(labels) != len(box_tensor):
            labels = None
        made = summary.image_boxes(tag, img_tensor, box_tensor, rescale, dataformats, labels)
        self._add(made, global_step, walltime)

    def add_figure(
        self,
        tag: str,
        figure: Any,
        global_step: Any = None,
        close: bool = True,
        walltime: float | None = None,
    ) -> None:
        """Writes a figure of matplotlib as an image.

        Args:
            figure: one, or a list of them.
            close: whether nobody needs them any more.
        """
        if isinstance(figure, (list, tuple)):
            self.add_images(tag, figure_to_image(figure, close), global_step, walltime)
        else:
            self.add_image(tag, figure_to_image(figure, close), global_step, walltime)

    def add_video(
        self,
        tag: str,
        vid_tensor: Any,
        global_step: Any = None,
        fps: float = 4,
        walltime: float | None = None,
    ) -> NoReturn:
        """Refuses: nothing here encodes videos.

        Raises:
            NotImplementedError: always.
        """
        _absent.VIDEO.refuse("torch.utils.tensorboard.SummaryWriter.add_video")

    def add_audio(
        self,
        tag: str,
        snd_tensor: Any,
        global_step: Any = None,
        sample_rate: int = 44100,
        walltime: float | None = None,
    ) -> None:
        """Writes a sound of one channel.

        Args:
            snd_tensor: of shape (L,) or (1, L), from -1 to 1.
            sample_rate: samples of a second.
        """
        self._add(summary.audio(tag, snd_tensor, sample_rate), global_step, walltime)

    def add_text(
        self, tag: str, text_string: str, global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Writes a text, which TensorBoard reads as Markdown.

        Args:
            tag: its name.
            text_string: the text.
            global_step: the step that it is of.
            walltime: the time in seconds since 1970; now if None.
        """
        self._add(summary.text(tag, text_string), global_step, walltime)

    def add_graph(
        self,
        model: Any,
        input_to_model: Any = None,
        verbose: bool = False,
        use_strict_trace: bool = True,
    ) -> NoReturn:
        """Refuses: nothing here records the graph of a module.

        Raises:
            NotImplementedError: always.
        """
        _absent.GRAPHS.refuse("torch.utils.tensorboard.SummaryWriter.add_graph")

    def add_onnx_graph(self, prototxt: Any) -> NoReturn:
        """Refuses: nothing here reads ONNX.

        Raises:
            NotImplementedError: always.
        """
        _absent.GRAPHS.refuse("torch.utils.tensorboard.SummaryWriter.add_onnx_graph")

    @staticmethod
    def _encode(rawstr: str) -> str:
        """A tag as the name of a directory."""
        return rawstr.replace("%", "%25").replace("/", "%2f").replace("\\", "%5c")

    def add_embedding(
        self,
        mat: Any,
        metadata: Any = None,
        label_img: Any = None,
        global_step: Any = None,
        tag: str = "default",
        metadata_header: Any = None,
    ) -> None:
        """Writes points for TensorBoard's projector.

        Args:
            mat: of shape (N, D).
            metadata: a text for each point; or several, whose names are in `metadata_header`.
            label_img: images of shape (N, C, H, W).
            metadata_header: names of the columns of `metadata`.

        Raises:
            ValueError: the shapes do not fit.
        """
        step = str(0 if global_step is None else global_step).zfill(5)
        _embedding.write(
            Path(self._get_file_writer().get_logdir()),
            f"{step}/{self._encode(tag)}",
            self._projector_config,
            make_np(mat),
            f"{tag}:{step}",
            metadata,
            label_img,
            metadata_header,
        )

    def add_pr_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Writes a curve of precision and recall.

        Args:
            labels: 0 or 1.
            predictions: how likely 1 is, from 0 to 1.
            num_thresholds: 127 at most, evenly from 0 to 1.
            weights: of each label; 1 by default.
        """
        made = summary.pr_curve(tag, labels, predictions, num_thresholds, weights)
        self._add(made, global_step, walltime)

    def add_pr_curve_raw(
        self,
        tag: str,
        true_positive_counts: Any,
        false_positive_counts: Any,
        true_negative_counts: Any,
        false_negative_counts: Any,
        precision: Any,
        recall: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Writes a curve of precision and recall whose numbers are known.

        Args:
            true_positive_counts: one number for each threshold, as in each of the next five.
            false_positive_counts: of samples that are 0 and were taken for 1.
            true_negative_counts: of samples that are 0 and were taken for 0.
            false_negative_counts: of samples that are 1 and were taken for 0.
            precision: true positives, of all that were taken for 1.
            recall: true positives, of all that are 1.
            num_thresholds: how many there are, 127 at most.
            weights: kept for PyTorch's signature.
        """
        made = summary.pr_curve_raw(
            tag,
            true_positive_counts,
            false_positive_counts,
            true_negative_counts,
            false_negative_counts,
            precision,
            recall,
            num_thresholds,
            weights,
        )
        self._add(made, global_step, walltime)

    def add_custom_scalars_multilinechart(
        self, tags: list[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Puts scalars into one chart: `add_custom_scalars` for it alone.

        Args:
            tags: of the scalars.
            category: the group of the chart.
            title: of the chart.
        """
        self._add(summary.custom_scalars({category: {title: ["Multiline", tags]}}), None, None)

    def add_custom_scalars_marginchart(
        self, tags: list[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Draws a scalar between two others: `add_custom_scalars` for it alone.

        Args:
            tags: of the scalar, its lower and its upper limit.
            category: the group of the chart.
            title: of the chart.

        Raises:
            ValueError: other than three tags.
        """
        self._add(summary.custom_scalars({category: {title: ["Margin", tags]}}), None, None)

    def add_custom_scalars(self, layout: dict[str, dict[str, list[Any]]]) -> None:
        """Says which scalars share a chart.

        Args:
            layout: for each category, for each chart, "Multiline" and a list of tags, or "Margin"
                and the tags of a scalar, its lower and its upper limit.
        """
        self._add(summary.custom_scalars(layout), None, None)

    def add_mesh(
        self,
        tag: str,
        vertices: Any,
        colors: Any = None,
        faces: Any = None,
        config_dict: Any = None,
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Writes points in space, or triangles.

        Args:
            vertices: of shape (B, N, 3).
            colors: of shape (B, N, 3), bytes.
            faces: of shape (B, F, 3), numbers of vertices.
            config_dict: settings of THREE, the library that shows it.
        """
        made = summary.mesh(tag, vertices, colors, faces, config_dict)
        self._add(made, global_step, walltime)

    def add_hparams(
        self,
        hparam_dict: dict[str, Any],
        metric_dict: dict[str, Any],
        hparam_domain_discrete: dict[str, list[Any]] | None = None,
        run_name: str | None = None,
        global_step: Any = None,
    ) -> None:
        """Writes hyperparameters with the metrics that they led to, to a directory of their own.

        Args:
            hparam_dict: names and values: numbers, texts, tensors of one element.
            metric_dict: names and numbers.
            hparam_domain_discrete: all values that some hyperparameters can have.
            run_name: the directory below that of the run; the time by default.

        Raises:
            TypeError: an argument is no dict.
            ValueError: a value of another type.
        """
        if type(hparam_dict) is not dict or type(metric_dict) is not dict:
            raise TypeError("hparam_dict and metric_dict should be dictionary.")
        made = summary.hparams(hparam_dict, metric_dict, hparam_domain_discrete)
        directory = os.path.join(self._get_file_writer().get_logdir(), run_name or str(time.time()))
        with SummaryWriter(directory) as writer:
            for part in made:
                writer._add(part, global_step, None)
            for name, value in metric_dict.items():
                writer.add_scalar(name, value, global_step)

    def flush(self) -> None:
        """Writes to the disk what waits."""
        for writer in (self.all_writers or {}).values():
            writer.flush()

    def close(self) -> None:
        """Writes what waits and closes the files; what is added later opens new ones."""
        for writer in (self.all_writers or {}).values():
            writer.flush()
            writer.close()
        self.file_writer = self.all_writers = None

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


__all__ = ["FileWriter", "SummaryWriter"]
