"""What a `SummaryWriter` writes, as the messages of the package tensorboard."""

from __future__ import annotations

import io
import json
import wave
from typing import Any

import numpy as np
import torch
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto
from tensorboard.plugins.custom_scalar import layout_pb2
from tensorboard.plugins.pr_curve.plugin_data_pb2 import PrCurvePluginData
from tensorboard.plugins.text.plugin_data_pb2 import TextPluginData
from torch.utils.tensorboard._arrays import Array, convert_to_hwc, make_np

# Of thresholds in a curve, which TensorBoard shows.
_MOST_THRESHOLDS = 127
# In place of a count of 0 in a divisor.
_FEWEST = 1e-7
_PIXELS = 255


def _value(tag: str, plugin: str = "", content: bytes = b"", **value: Any) -> Any:
    """A summary of one value, for a plugin of TensorBoard."""
    if plugin:
        data = SummaryMetadata.PluginData(plugin_name=plugin, content=content)
        value["metadata"] = SummaryMetadata(plugin_data=data)
    return Summary(value=[Summary.Value(tag=tag, **value)])


def _shape(*sizes: int) -> Any:
    return TensorShapeProto(dim=[TensorShapeProto.Dim(size=size) for size in sizes])


def scalar(name: str, value: Any, new_style: bool = False, double_precision: bool = False) -> Any:
    """A number.

    Args:
        name: its tag.
        value: a number, or an array or tensor with one element.
        new_style: as a tensor of the plugin for scalars, not as a field of the message.
        double_precision: such a tensor keeps 64 bits.

    Raises:
        ValueError: more elements than one.
    """
    array = make_np(value).squeeze()
    if array.ndim != 0:
        raise ValueError(f"A scalar has one element, and not the shape {array.shape}.")
    number = float(array)
    if not new_style:
        return _value(name, simple_value=number)
    if double_precision:
        tensor = TensorProto(double_val=[number], dtype="DT_DOUBLE")
    else:
        tensor = TensorProto(float_val=[number], dtype="DT_FLOAT")
    return _value(name, "scalars", tensor=tensor)


# By dtype: the name of the type, the field of the message and how elements become its numbers.
_TENSOR_TYPES: dict[torch.dtype, tuple[str, str]] = {
    torch.float16: ("DT_HALF", "half_val"),
    torch.bfloat16: ("DT_BFLOAT16", "half_val"),
    torch.float32: ("DT_FLOAT", "float_val"),
    torch.float64: ("DT_DOUBLE", "double_val"),
    torch.int8: ("DT_INT8", "int_val"),
    torch.uint8: ("DT_UINT8", "int_val"),
    torch.int16: ("DT_INT16", "int_val"),
    torch.int32: ("DT_INT32", "int_val"),
    torch.int64: ("DT_INT64", "int64_val"),
    torch.complex64: ("DT_COMPLEX64", "scomplex_val"),
    torch.complex128: ("DT_COMPLEX128", "dcomplex_val"),
    torch.bool: ("DT_BOOL", "bool_val"),
}


def tensor_proto(tag: str, tensor: torch.Tensor) -> Any:
    """A whole tensor.

    Args:
        tag: its name.
        tensor: of less than 2 GiB.

    Raises:
        ValueError: it has more bytes, or a dtype that the message has no name for.
    """
    if tensor.numel() * tensor.itemsize >= 2**31:
        raise ValueError("tensor is bigger than protocol buffer's hard limit of 2GB in size")
    if tensor.dtype not in _TENSOR_TYPES:
        raise ValueError(f"{tag} has unsupported tensor dtype {tensor.dtype}")
    dtype, field = _TENSOR_TYPES[tensor.dtype]
    flat = tensor.detach().cpu().resolve_conj().reshape(-1)
    if flat.is_complex():
        flat = torch.view_as_real(flat).reshape(-1)
    elif field == "half_val":  # The bits of 16 are written as an integer.
        flat = flat.view(torch.int16).to(torch.int32) & 0xFFFF
    proto = TensorProto(dtype=dtype, tensor_shape=_shape(*tensor.shape), **{field: flat.tolist()})
    return _value(tag, "tensor", tensor=proto)


def histogram_raw(
    name: str,
    min: Any,
    max: Any,
    num: Any,
    sum: Any,
    sum_squares: Any,
    bucket_limits: Any,
    bucket_counts: Any,
) -> Any:
    """A histogram whose counts are known.

    Args:
        name: its tag.
        min: the smallest value.
        max: the largest value.
        num: how many there are.
        sum: of the values.
        sum_squares: of their squares.
        bucket_limits: the upper limit of each bucket.
        bucket_counts: how many values it has.
    """
    proto = HistogramProto(
        min=min,
        max=max,
        num=num,
        sum=sum,
        sum_squares=sum_squares,
        bucket_limit=bucket_limits,
        bucket=bucket_counts,
    )
    return _value(name, histo=proto)


def histogram(name: str, values: Any, bins: Any, max_bins: int | None = None) -> Any:
    """A histogram of values.

    Args:
        name: its tag.
        values: an array or tensor of any shape.
        bins: how `numpy.histogram` makes the buckets.
        max_bins: neighbours are joined where there are more.

    Raises:
        ValueError: there are no values.
    """
    values = make_np(values).reshape(-1).astype(np.float64)
    if values.size == 0:
        raise ValueError("The input has no element.")
    counts, limits = np.histogram(values, bins=bins)
    if max_bins is not None and counts.size > max_bins:
        step = counts.size // max_bins
        counts = np.add.reduceat(counts, np.arange(0, counts.size, step))
        limits = np.append(limits[:-1][::step], limits[-1])
    # The buckets with values, and an empty one before them, whose limit is the first one's start.
    filled = np.flatnonzero(counts)
    if filled.size == 0:
        raise ValueError("No value lies inside the buckets.")
    first, last = filled[0], filled[-1]
    before = counts[first - 1 : first] if first > 0 else np.zeros(1, counts.dtype)
    counts = np.concatenate([before, counts[first : last + 1]])
    return histogram_raw(
        name,
        values.min(),
        values.max(),
        values.size,
        values.sum(),
        values.dot(values),
        limits[first : last + 2].tolist(),
        counts.tolist(),
    )


def _encoded(
    pixels: Array, rescale: float = 1, boxes: Array | None = None, labels: Any = None
) -> Any:
    """An image of bytes, as PNG."""
    from PIL import Image, ImageDraw

    height, width, channels = pixels.shape
    image = Image.fromarray(pixels)
    draw = ImageDraw.Draw(image)
    for i, (left, top, right, bottom) in enumerate([] if boxes is None else boxes.tolist()):
        corners = [(left, top), (left, bottom), (right, bottom), (right, top), (left, top)]
        draw.line(corners, width=2, fill="Red")
        if labels is not None:
            box = draw.textbbox((left, bottom), labels[i], anchor="lb")
            draw.rectangle(box, fill="Red")
            draw.text((left, bottom), labels[i], fill="black", anchor="lb")
    if rescale != 1:
        size = (int(width * rescale), int(height * rescale))
        image = image.resize(size, Image.Resampling.LANCZOS)
    file = io.BytesIO()
    image.save(file, format="PNG")
    return Summary.Image(
        height=height, width=width, colorspace=channels, encoded_image_string=file.getvalue()
    )


def _pixels(tensor: Any, dataformats: str) -> Array:
    """Bytes; of other dtypes than uint8, 1 is the brightest."""
    array = make_np(tensor)
    scale = 1 if array.dtype == np.uint8 else _PIXELS
    image = convert_to_hwc(array, dataformats).astype(np.float32) * scale
    return image.clip(0, _PIXELS).astype(np.uint8)


def image(tag: str, tensor: Any, rescale: float = 1, dataformats: str = "NCHW") -> Any:
    """An image, or images side by side.

    Args:
        tag: its name.
        tensor: bytes, or numbers from 0 to 1.
        rescale: factor of its sides.
        dataformats: the letters of its dimensions.

    Raises:
        ValueError: the letters do not fit the shape.
    """
    return _value(tag, image=_encoded(_pixels(tensor, dataformats), rescale))


def image_boxes(
    tag: str,
    tensor_image: Any,
    tensor_boxes: Any,
    rescale: float = 1,
    dataformats: str = "CHW",
    labels: Any = None,
) -> Any:
    """An image with red boxes.

    Args:
        tag: its name.
        tensor_image: as for `image`.
        tensor_boxes: of shape (N, 4): left, top, right and bottom in pixels.
        rescale: factor of its sides.
        dataformats: the letters of its dimensions.
        labels: a text for each box.
    """
    pixels = np.ascontiguousarray(_pixels(tensor_image, dataformats))
    return _value(tag, image=_encoded(pixels, rescale, make_np(tensor_boxes), labels))


def audio(tag: str, tensor: Any, sample_rate: int = 44100) -> Any:
    """A sound of one channel, as a WAVE file with 16 bits a sample.

    Args:
        tag: its name.
        tensor: of shape (L,) or (1, L), from -1 to 1; what is beyond is cut.
        sample_rate: of a second.

    Raises:
        ValueError: more dimensions.
    """
    samples = make_np(tensor).squeeze()
    if samples.ndim != 1:
        raise ValueError(f"A sound has the shape (L,) or (1, L), and not {samples.shape}.")
    if abs(samples).max() > 1:
        print("warning: audio amplitude out of range, auto clipped.")
    data = (samples.clip(-1, 1) * np.iinfo(np.int16).max).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(sample_rate)
        writer.writeframes(data.tobytes())
    sound = Summary.Audio(
        sample_rate=sample_rate,
        num_channels=1,
        length_frames=data.size,
        encoded_audio_string=file.getvalue(),
        content_type="audio/wav",
    )
    return _value(tag, audio=sound)


def text(tag: str, text: str) -> Any:
    """A text, which TensorBoard reads as Markdown.

    Args:
        tag: its name.
        text: the text.
    """
    tensor = TensorProto(dtype="DT_STRING", string_val=[text.encode()], tensor_shape=_shape(1))
    content = TextPluginData(version=0).SerializeToString()
    return _value(f"{tag}/text_summary", "text", content, tensor=tensor)


def custom_scalars(layout: dict[str, dict[str, list[Any]]]) -> Any:
    """Which scalars share a chart.

    Args:
        layout: for each category, for each chart, "Multiline" and a list of tags, or "Margin" and
            the tags of a value and of its lower and upper limits.

    Raises:
        ValueError: a chart with margins has other than three tags.
    """
    categories = []
    for category, charts in layout.items():
        made = []
        for title, (kind, tags) in charts.items():
            if kind != "Margin":
                multiline = layout_pb2.MultilineChartContent(tag=tags)
                made.append(layout_pb2.Chart(title=title, multiline=multiline))
                continue
            if len(tags) != 3:
                raise ValueError(
                    f"A chart with margins has three tags, and not {len(tags)}: {title}."
                )
            value, lower, upper = tags
            series = layout_pb2.MarginChartContent.Series(value=value, lower=lower, upper=upper)
            margin = layout_pb2.MarginChartContent(series=[series])
            made.append(layout_pb2.Chart(title=title, margin=margin))
        categories.append(layout_pb2.Category(title=category, chart=made))
    tensor = TensorProto(
        dtype="DT_STRING",
        string_val=[layout_pb2.Layout(category=categories).SerializeToString()],
        tensor_shape=_shape(),
    )
    return _value("custom_scalars__config__", "custom_scalars", tensor=tensor)


def _curve(tag: str, rows: Array, num_thresholds: int) -> Any:
    content = PrCurvePluginData(version=0, num_thresholds=num_thresholds).SerializeToString()
    tensor = TensorProto(
        dtype="DT_FLOAT", float_val=rows.reshape(-1).tolist(), tensor_shape=_shape(*rows.shape)
    )
    return _value(tag, "pr_curves", content, tensor=tensor)


def pr_curve_raw(
    tag: str,
    tp: Any,
    fp: Any,
    tn: Any,
    fn: Any,
    precision: Any,
    recall: Any,
    num_thresholds: int = _MOST_THRESHOLDS,
    weights: Any = None,
) -> Any:
    """A curve of precision and recall whose numbers are known.

    Args:
        tag: its name.
        tp: true positives, by threshold.
        fp: false positives.
        tn: true negatives.
        fn: false negatives.
        precision: of each threshold.
        recall: of each threshold.
        num_thresholds: how many there are; 127 at most.
        weights: accepted for PyTorch's sake, which does not read them either.
    """
    rows = np.stack([np.asarray(row) for row in (tp, fp, tn, fn, precision, recall)])
    return _curve(tag, rows, min(num_thresholds, _MOST_THRESHOLDS))


def pr_curve(
    tag: str,
    labels: Any,
    predictions: Any,
    num_thresholds: int = _MOST_THRESHOLDS,
    weights: Any = None,
) -> Any:
    """A curve of precision and recall.

    Args:
        tag: its name.
        labels: 0 or 1.
        predictions: how likely 1 is, from 0 to 1.
        num_thresholds: 127 at most, evenly from 0 to 1.
        weights: of each label; 1 by default.
    """
    count = min(num_thresholds, _MOST_THRESHOLDS)
    labels = make_np(labels).reshape(-1).astype(np.float64)
    places = np.floor(make_np(predictions).reshape(-1) * (count - 1)).astype(np.int64)
    weight = np.ones_like(labels) if weights is None else make_np(weights).reshape(-1)

    def above(which: Array) -> Array:
        """By threshold, the weight of predictions that reach it."""
        found, _ = np.histogram(places, bins=count, range=(0, count - 1), weights=which * weight)
        return np.cumsum(found[::-1])[::-1]

    tp, fp = above(labels), above(1.0 - labels)
    tn, fn = fp[0] - fp, tp[0] - tp
    precision = tp / np.maximum(_FEWEST, tp + fp)
    recall = tp / np.maximum(_FEWEST, tp + fn)
    return _curve(tag, np.stack([tp, fp, tn, fn, precision, recall]), count)


def mesh(tag: str, vertices: Any, colors: Any, faces: Any, config_dict: Any) -> Any:
    """Points in space, or triangles.

    Args:
        tag: its name.
        vertices: of shape (B, N, 3).
        colors: of shape (B, N, 3), bytes; None for none.
        faces: of shape (B, F, 3), numbers of vertices; None for points.
        config_dict: names and classes of what JavaScript's library THREE shows; None for its own.
    """
    from tensorboard.plugins.mesh import metadata
    from tensorboard.plugins.mesh.plugin_data_pb2 import MeshPluginData

    config = json.dumps(config_dict or {}, sort_keys=True)
    parts = [
        (vertices, MeshPluginData.VERTEX),
        (faces, MeshPluginData.FACE),
        (colors, MeshPluginData.COLOR),
    ]
    parts = [(make_np(tensor), kind) for tensor, kind in parts if tensor is not None]
    components = metadata.get_components_bitmask([kind for _, kind in parts])
    values = []
    for array, kind in parts:
        value = Summary.Value(
            tag=metadata.get_instance_name(tag, kind),
            tensor=TensorProto(
                dtype="DT_FLOAT",
                float_val=array.reshape(-1).tolist(),
                tensor_shape=_shape(*array.shape),
            ),
            metadata=metadata.create_summary_metadata(
                tag, None, kind, components, array.shape, None, json_config=config
            ),
        )
        values.append(value)
    return Summary(value=values)


def hparams(
    hparam_dict: dict[str, Any],
    metric_dict: dict[str, Any],
    hparam_domain_discrete: dict[str, list[Any]] | None = None,
) -> tuple[Any, Any, Any]:
    """An experiment, and its start and end.

    Args:
        hparam_dict: names and values of hyperparameters: numbers, texts, tensors of one element.
            Those that are None are left out.
        metric_dict: names of metrics.
        hparam_domain_discrete: all values that some of them can have.

    Raises:
        TypeError: an argument is no dict, or a value is of another type than that in `hparam_dict`.
        ValueError: a value of another type.
    """
    from google.protobuf import struct_pb2
    from tensorboard.plugins.hparams import api_pb2, metadata
    from tensorboard.plugins.hparams import plugin_data_pb2 as data

    for name, argument in (("hparam_dict", hparam_dict), ("metric_dict", metric_dict)):
        if not isinstance(argument, dict):
            raise TypeError(f"parameter: {name} should be a dictionary, nothing logged.")
    domains = hparam_domain_discrete or {}
    if not isinstance(domains, dict):
        raise TypeError("parameter: hparam_domain_discrete should be a dictionary, nothing logged.")
    for name, values in domains.items():
        fits = isinstance(values, list) and name in hparam_dict
        if not fits or not all(isinstance(v, type(hparam_dict[name])) for v in values):
            raise TypeError(
                f"parameter: hparam_domain_discrete[{name}] should be a list of same type as hparam_dict[{name}]."
            )
    start = data.SessionStartInfo()
    infos = []
    for name, value in hparam_dict.items():
        if value is None:
            continue
        if isinstance(value, torch.Tensor):
            value = make_np(value).reshape(-1)[0].item()
        if isinstance(value, (int, float)):
            kind, field = "DATA_TYPE_FLOAT64", "number_value"
        elif isinstance(value, str):
            kind, field = "DATA_TYPE_STRING", "string_value"
        else:
            raise ValueError("value should be one of int, float, str, bool, or torch.Tensor")
        setattr(start.hparams[name], field, value)
        domain = None
        if name in domains:
            choices = [struct_pb2.Value(**{field: v}) for v in domains[name]]
            domain = struct_pb2.ListValue(values=choices)
        infos.append(
            api_pb2.HParamInfo(name=name, type=api_pb2.DataType.Value(kind), domain_discrete=domain)
        )
    metrics = [api_pb2.MetricInfo(name=api_pb2.MetricName(tag=name)) for name in metric_dict]
    experiment = api_pb2.Experiment(hparam_infos=infos, metric_infos=metrics)
    end = data.SessionEndInfo(status=api_pb2.Status.Value("STATUS_SUCCESS"))

    def summary(tag: str, **content: Any) -> Any:
        message = data.HParamsPluginData(version=metadata.PLUGIN_DATA_VERSION, **content)
        return _value(tag, metadata.PLUGIN_NAME, message.SerializeToString())

    return (
        summary(metadata.EXPERIMENT_TAG, experiment=experiment),
        summary(metadata.SESSION_START_INFO_TAG, session_start_info=start),
        summary(metadata.SESSION_END_INFO_TAG, session_end_info=end),
    )


__all__ = [
    "audio",
    "custom_scalars",
    "histogram",
    "histogram_raw",
    "hparams",
    "image",
    "image_boxes",
    "mesh",
    "pr_curve",
    "pr_curve_raw",
    "scalar",
    "tensor_proto",
    "text",
]
