"""torch.utils.tensorboard: what tensorboard reads of the files, and imports without it."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import wave
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
import torch
from matplotlib import pyplot
from PIL import Image
from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.plugins.custom_scalar.layout_pb2 import Layout
from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData
from tensorboard.util.tensor_util import make_ndarray
from torch.utils.tensorboard import FileWriter, SummaryWriter
from torch.utils.tensorboard._arrays import make_grid


def events(directory: Path) -> list[Any]:
    """All events of the files right in a directory, without those that begin a file."""
    files = sorted(directory.glob("*tfevents*"))
    found = [
        Event.FromString(raw) for file in files for raw in RawEventFileLoader(str(file)).Load()
    ]
    return [event for event in found if not event.file_version]


def values(directory: Path) -> dict[str, Any]:
    """The values of these events by tag."""
    return {v.tag: v for event in events(directory) for v in event.summary.value}


def pixels(value: Any) -> Any:
    return np.asarray(Image.open(io.BytesIO(value.image.encoded_image_string)))


def test_import_without_the_package_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "tensorboard.py").write_text("raise ModuleNotFoundError('no')", encoding="utf-8")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "import torch.utils\n"
        "import torch.utils.tensorboard"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert "ImportError: torch.utils.tensorboard needs the package tensorboard" in done.stderr
    assert "pip install tensorboard" in done.stderr


def test_scalars_have_their_step_and_time(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("train/loss", torch.tensor([2.5], requires_grad=True), 7, walltime=100.0)
        writer.add_scalar("a number", 3)
    first, second = events(tmp_path)
    assert (first.step, first.wall_time) == (7, 100.0)
    assert first.summary.value[0].tag == "train/loss"
    assert first.summary.value[0].simple_value == 2.5
    assert second.step == 0 and second.wall_time > 1e9
    with pytest.raises(ValueError, match=r"A scalar has one element, and not the shape \(2,\)."):
        writer.add_scalar("two", torch.ones(2))


def test_scalars_of_the_new_style_are_tensors(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("single", 0.1, new_style=True)
        writer.add_scalar("double", 0.1, new_style=True, double_precision=True)
    found = values(tmp_path)
    assert make_ndarray(found["single"].tensor) == np.float32(0.1)
    assert make_ndarray(found["double"].tensor) == 0.1
    assert found["double"].metadata.plugin_data.plugin_name == "scalars"


def test_add_scalars_writes_a_directory_for_each(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        for step in range(2):
            writer.add_scalars("a/loss", {"train": step, "test": 2.0}, step)
    train = events(tmp_path / "a_loss_train")
    assert [(e.step, e.summary.value[0].simple_value) for e in train] == [(0, 0), (1, 1)]
    assert values(tmp_path / "a_loss_test")["a/loss"].simple_value == 2.0


@pytest.mark.parametrize(
    "dtype",
    [
        torch.float16,
        torch.float32,
        torch.float64,
        torch.uint8,
        torch.int8,
        torch.int64,
        torch.bool,
        torch.complex64,
    ],
)
def test_tensors_come_back(tmp_path: Path, dtype: torch.dtype) -> None:
    tensor = (torch.rand(2, 3) * 4).to(dtype)
    with SummaryWriter(tmp_path) as writer:
        writer.add_tensor("t", tensor)
    read = make_ndarray(values(tmp_path)["t"].tensor)
    np.testing.assert_array_equal(read, tensor.numpy())


def test_histograms(tmp_path: Path) -> None:
    data = torch.randn(1000, dtype=torch.float64)
    with SummaryWriter(tmp_path) as writer:
        writer.add_histogram("growing", data)
        writer.add_histogram("joined", data, bins=50, max_bins=5)
        writer.add_histogram(
            "limits", torch.tensor([0.1, 0.1, 0.7]), bins=[0.0, 0.2, 0.5, 1.0, 2.0]
        )
        writer.add_histogram_raw("raw", 0, 3, 3, 4, 5, [1, 2], [2, 1])
        with pytest.raises(ValueError, match="The input has no element."):
            writer.add_histogram("empty", torch.empty(0))
        with pytest.raises(ValueError, match=r"len\(bucket_limits\) != len\(bucket_counts\)"):
            writer.add_histogram_raw("raw", 0, 3, 3, 4, 5, [1, 2], [2])
    found = {tag: value.histo for tag, value in values(tmp_path).items()}
    for histo in (found["growing"], found["joined"]):
        limits, counts = list(histo.bucket_limit), list(histo.bucket)
        assert len(limits) == len(counts) and sum(counts) == histo.num == 1000
        assert histo.sum == pytest.approx(data.sum().item())
        assert histo.sum_squares == pytest.approx(data.square().sum().item())
        assert (histo.min, histo.max) == (data.min().item(), data.max().item())
        for low, high, count in zip(limits, limits[1:], counts[1:], strict=False):
            inside = ((data >= low) & (data < high)).sum().item()
            assert count - inside in (0, 1)  # The last bucket has its upper limit.
    assert len(found["joined"].bucket) == 6
    assert list(found["limits"].bucket_limit) == [0.0, 0.2, 0.5, 1.0]
    assert list(found["limits"].bucket) == [0, 2, 0, 1]
    assert list(found["raw"].bucket) == [2, 1]


def test_images(tmp_path: Path) -> None:
    floats, image = torch.rand(3, 4, 5), torch.randint(0, 256, (4, 5), dtype=torch.uint8)
    batch = torch.randint(0, 256, (9, 3, 2, 2), dtype=torch.uint8)
    with SummaryWriter(tmp_path) as writer:
        writer.add_image("chw", floats)
        writer.add_image("hw", image, dataformats="HW")
        writer.add_image("bright", floats + 1, dataformats="CHW")
        writer.add_images("many", batch)
        writer.add_images("last", batch.permute(0, 2, 3, 1), dataformats="NHWC")
        writer.add_images("list", list(batch), dataformats="CHW")
        writer.add_image_with_boxes("boxes", torch.zeros(3, 20, 20), torch.tensor([[2, 3, 9, 9]]))
        for wrong, letters, text in (
            (floats, "HW", "size of input tensor and input format are different"),
            (floats, "CHH", "You can not use the same dimension shorthand twice"),
            (floats, "CHX", "dataformats has the letters of HW, CHW or NCHW"),
        ):
            with pytest.raises(ValueError, match=text):
                writer.add_image("wrong", wrong, dataformats=letters)
        with pytest.raises(ValueError, match=r"Images have the shape \(N, 1 or 3, H, W\)"):
            writer.add_images("wrong", torch.zeros(2, 2, 4, 4))
        with pytest.raises(ValueError, match="neither CHW nor HWC"):
            writer.add_images("wrong", list(batch))
    found = values(tmp_path)
    assert (found["chw"].image.height, found["chw"].image.width) == (4, 5)
    expected = (floats * 255).to(torch.uint8).permute(1, 2, 0).numpy()
    np.testing.assert_array_equal(pixels(found["chw"]), expected)
    np.testing.assert_array_equal(pixels(found["hw"])[..., 1], image.numpy())
    assert (pixels(found["bright"]) == 255).all()
    grid = make_grid(batch.numpy()).transpose(1, 2, 0)
    assert grid.shape == (4, 16, 3)
    np.testing.assert_array_equal(grid[2:, :2], batch[8].permute(1, 2, 0).numpy())
    for tag in ("many", "last", "list"):
        np.testing.assert_array_equal(pixels(found[tag]), grid)
    assert pixels(found["boxes"])[3, 2].tolist() == [255, 0, 0]
    assert pixels(found["boxes"])[15, 15].tolist() == [0, 0, 0]


def test_figures(tmp_path: Path) -> None:
    matplotlib.use("agg")
    figures = [pyplot.figure(figsize=(1, 2), dpi=50) for _ in range(2)]
    with SummaryWriter(tmp_path) as writer:
        writer.add_figure("kept", figures, close=False)
        assert len(pyplot.get_fignums()) == 2
        writer.add_figure("closed", figures[0])
        assert len(pyplot.get_fignums()) == 1
        writer.add_figure("closed", figures[1])
    found = values(tmp_path)
    assert pixels(found["kept"]).shape == (100, 100, 3)
    assert pixels(found["closed"]).shape == (100, 50, 3)


def test_text_sound_and_layout(tmp_path: Path) -> None:
    sound = torch.tensor([0.0, 0.5, -1.0])
    with SummaryWriter(tmp_path) as writer:
        writer.add_text("note", "**bold** ü")
        writer.add_audio("sound", sound, sample_rate=8000)
        writer.add_custom_scalars({"C": {"lines": ["Multiline", ["a", "b"]]}})
        with pytest.raises(ValueError, match=r"A sound has the shape \(L,\) or \(1, L\)"):
            writer.add_audio("sound", torch.zeros(2, 3))
        with pytest.raises(ValueError, match="A chart with margins has three tags, and not 2: x."):
            writer.add_custom_scalars_marginchart(["a", "b"], title="x")
    found = values(tmp_path)
    assert make_ndarray(found["note/text_summary"].tensor)[0].decode() == "**bold** ü"
    with wave.open(io.BytesIO(found["sound"].audio.encoded_audio_string)) as file:
        assert file.getframerate() == 8000
        read = np.frombuffer(file.readframes(3), "<i2")
    assert read.tolist() == [0, 16383, -32767]
    layout = Layout.FromString(found["custom_scalars__config__"].tensor.string_val[0])
    assert list(layout.category[0].chart[0].multiline.tag) == ["a", "b"]


def test_curve_of_precision_and_recall(tmp_path: Path) -> None:
    labels, predictions = torch.randint(0, 2, (100,)), torch.rand(100, dtype=torch.float64)
    labels[:2] = torch.tensor([0, 1])
    with SummaryWriter(tmp_path) as writer:
        writer.add_pr_curve("curve", labels, predictions, num_thresholds=11)
        writer.add_pr_curve_raw("raw", [1], [2], [3], [4], [0.5], [0.25], num_thresholds=1)
    curve = make_ndarray(values(tmp_path)["curve"].tensor)
    assert curve.shape == (6, 11)
    for i, (tp, fp, tn, fn, precision, recall) in enumerate(curve.T):
        positive = torch.floor(predictions * 10) >= i
        assert tp == (positive & (labels == 1)).sum() and fp == (positive & (labels == 0)).sum()
        assert tn == (~positive & (labels == 0)).sum() and fn == (~positive & (labels == 1)).sum()
        assert precision == pytest.approx(tp / max(tp + fp, 1e-7))
        assert recall == pytest.approx(tp / (tp + fn))
    raw = make_ndarray(values(tmp_path)["raw"].tensor)
    assert raw[:, 0].tolist() == [1, 2, 3, 4, 0.5, 0.25]


def test_hyperparameters(tmp_path: Path) -> None:
    parameters = {"lr": 0.1, "name": "adam", "size": torch.tensor(3.0), "none": None}
    with SummaryWriter(tmp_path) as writer:
        writer.add_hparams(parameters, {"accuracy": 0.5}, {"name": ["adam", "sgd"]}, "run", 4)
        for wrong in ([], {"a": []}):
            with pytest.raises((TypeError, ValueError), match="dictionary|value should be one of"):
                writer.add_hparams(wrong, {}, run_name="wrong")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"hparam_domain_discrete\[lr\] should be a list"):
            writer.add_hparams({"lr": 0.1}, {}, {"lr": ["a"]}, "wrong")
    found = values(tmp_path / "run")
    assert found["accuracy"].simple_value == 0.5

    def data(tag: str) -> Any:
        return HParamsPluginData.FromString(found[f"_hparams_/{tag}"].metadata.plugin_data.content)

    start = data("session_start_info").session_start_info.hparams
    assert {name: value.number_value or value.string_value for name, value in start.items()} == {
        "lr": 0.1,
        "name": "adam",
        "size": 3.0,
    }
    infos = data("experiment").experiment.hparam_infos
    assert [v.string_value for v in infos[1].domain_discrete.values] == ["adam", "sgd"]


def test_embeddings(tmp_path: Path) -> None:
    points = torch.rand(3, 2)
    with SummaryWriter(tmp_path) as writer:
        writer.add_embedding(points, ["a", "b", "c"], torch.rand(3, 3, 4, 5), 2, "a/b")
        writer.add_embedding(points, [["a", 1], ["b", 2], ["c", 3]], metadata_header=["x", "y"])
        with pytest.raises(ValueError, match="There are 3 points and 1 labels."):
            writer.add_embedding(points, ["a"])
        with pytest.raises(ValueError, match="There are 3 points and 2 images."):
            writer.add_embedding(points, label_img=torch.rand(2, 3, 4, 5))
        with pytest.raises(
            ValueError, match="metadata_header has 1 names, and metadata 2 columns."
        ):
            writer.add_embedding(points, [["a", 1]] * 3, metadata_header=["x"])
        with pytest.raises(ValueError, match=r"An embedding has the shape \(N, D\)"):
            writer.add_embedding(points[0])
    read = np.loadtxt(tmp_path / "00002/a%2fb/tensors.tsv", delimiter="\t")
    np.testing.assert_allclose(read, points.numpy())
    assert (tmp_path / "00002/a%2fb/metadata.tsv").read_text() == "a\nb\nc\n"
    assert (tmp_path / "00000/default/metadata.tsv").read_text() == "x\ty\na\t1\nb\t2\nc\t3\n"
    config = (tmp_path / "projector_config.pbtxt").read_text()
    assert config.count("embeddings {") == 2 and '"00002/a%2fb/sprite.png"' in config


def test_meshes(tmp_path: Path) -> None:
    vertices, faces = torch.rand(1, 3, 3), torch.tensor([[[0, 1, 2]]])
    with SummaryWriter(tmp_path) as writer:
        writer.add_mesh("m", vertices, faces=faces)
    found = values(tmp_path)
    np.testing.assert_array_equal(make_ndarray(found["m_VERTEX"].tensor), vertices.numpy())
    np.testing.assert_array_equal(make_ndarray(found["m_FACE"].tensor), faces.numpy())


def test_files_open_again_after_close(tmp_path: Path) -> None:
    writer = SummaryWriter(tmp_path, filename_suffix=".one", purge_step=3)
    writer.add_scalar("x", 1.0, 4)
    writer.flush()
    assert values(tmp_path)["x"].simple_value == 1.0
    assert events(tmp_path)[0].session_log.status == 1 and events(tmp_path)[0].step == 3
    writer.close()
    writer.close()
    writer.add_scalar("y", 2.0)
    writer.close()
    assert all(re.search(r"\.one$", file.name) for file in tmp_path.glob("*tfevents*"))
    assert set(values(tmp_path)) == {"", "x", "y"} - {""}


def test_the_default_directory_has_time_host_and_comment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with SummaryWriter(comment="_lr_0.1") as writer:
        writer.add_scalar("x", 1.0)
    assert re.fullmatch(r"runs/\w{3}\d\d_\d\d-\d\d-\d\d_.*_lr_0.1", str(writer.get_logdir()))
    assert set(values(tmp_path / writer.get_logdir())) == {"x"}
    file = FileWriter(tmp_path / "single")
    assert file.get_logdir() == str(tmp_path / "single")
    file.close()


def test_what_needs_a_recorder_of_graphs_or_videos_refuses(tmp_path: Path) -> None:
    with SummaryWriter(tmp_path) as writer:
        with pytest.raises(NotImplementedError, match="add_graph: .*graphs of modules"):
            writer.add_graph(torch.nn.Linear(1, 1), torch.ones(1, 1))
        with pytest.raises(NotImplementedError, match="add_onnx_graph"):
            writer.add_onnx_graph("x")
        with pytest.raises(NotImplementedError, match="add_video: .*an encoder of videos"):
            writer.add_video("v", torch.zeros(1, 2, 3, 4, 4))
