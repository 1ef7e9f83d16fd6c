"""Forecasts of series with probabilities."""

from __future__ import annotations

import logging
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from gluonts.dataset.common import ListDataset
from gluonts.model.predictor import Predictor
from gluonts.torch import distributions
from gluonts.torch.model.d_linear import DLinearEstimator
from gluonts.torch.model.deepar import DeepAREstimator
from gluonts.torch.model.lag_tst import LagTSTEstimator
from gluonts.torch.model.patch_tst import PatchTSTEstimator
from gluonts.torch.model.simple_feedforward import SimpleFeedForwardEstimator
from gluonts.torch.model.tft import TemporalFusionTransformerEstimator
from gluonts.torch.model.tide import TiDEEstimator
from gluonts.torch.model.wavenet import WaveNetEstimator
from inputs import numbers

_SIZES = {"prediction_length": 4, "context_length": 8, "batch_size": 4}
ESTIMATORS: list[Any] = [
    (DeepAREstimator, {"freq": "D", "hidden_size": 8, "lags_seq": [1, 2, 7], "dropout_rate": 0.0}),
    (SimpleFeedForwardEstimator, {"hidden_dimensions": [8]}),
    (SimpleFeedForwardEstimator, {"distr_output": distributions.NormalOutput()}),
    (SimpleFeedForwardEstimator, {"distr_output": distributions.LaplaceOutput()}),
    (DLinearEstimator, {"hidden_dimension": 8}),
    (
        LagTSTEstimator,
        {"freq": "D", "d_model": 8, "nhead": 2, "dim_feedforward": 8, "dropout": 0.0},
    ),
    (PatchTSTEstimator, {"patch_len": 4, "d_model": 8, "nhead": 2, "dropout": 0.0}),
    (TemporalFusionTransformerEstimator, {"freq": "D", "hidden_dim": 8, "dropout_rate": 0.0}),
    (TiDEEstimator, {"freq": "D", "encoder_hidden_dim": 8, "decoder_hidden_dim": 8}),
    (WaveNetEstimator, {"freq": "D", "num_residual_channels": 4, "num_skip_channels": 4}),
]


def run() -> Any:
    """The weights after some steps, and forecasts before and after a file."""
    logging.disable(logging.WARNING)
    found: dict[str, Any] = {}
    wave = np.sin(np.arange(60) / 3) + 2
    series = [wave + 0.1 * numbers(f"noise{index}", 60).numpy() for index in range(3)]
    data = ListDataset([{"start": "2020-01-01", "target": one} for one in series], freq="D")
    quiet = {"max_epochs": 2, "enable_progress_bar": False, "enable_model_summary": False}
    for index, (kind, options) in enumerate(ESTIMATORS):
        name = f"{index}.{kind.__name__}"
        with tempfile.TemporaryDirectory() as directory:
            sizes = dict(_SIZES)
            if kind is WaveNetEstimator:
                sizes.pop("context_length")
            trainer = {
                **quiet,
                "logger": False,
                "default_root_dir": directory,
                "accelerator": "cpu",
            }
            estimator = kind(**sizes, **options, num_batches_per_epoch=3, trainer_kwargs=trainer)
            trained = estimator.train_model(data)
            weights = trained.trained_net.state_dict()
            # The biases of keys have no gradient but rounding errors, which Adam makes large.
            keys = [key for key in weights if "in_proj_bias" not in key]
            found |= {f"{name}.{key}": weights[key] for key in keys}
            predictor = trained.predictor
            (Path(directory) / "saved").mkdir()
            predictor.serialize(Path(directory) / "saved")
            again = Predictor.deserialize(Path(directory) / "saved")
            for who, one in (("one", predictor), ("again", again)):
                for number, forecast in enumerate(one.predict(data)):
                    found[f"{name}.{who}.{number}"] = np.asarray(forecast.mean)
    return found
