"""Networks for tables."""

from __future__ import annotations

import tempfile
from typing import Any

import pandas
import torch
from inputs import classes, numbers
from pytorch_tabular import TabularModel, models
from pytorch_tabular.config import DataConfig, OptimizerConfig, TrainerConfig

CONFIGS: list[Any] = [
    (models.CategoryEmbeddingModelConfig, {"layers": "16-8"}),
    (models.FTTransformerConfig, {"input_embed_dim": 8, "num_heads": 2, "num_attn_blocks": 1}),
    (models.TabTransformerConfig, {"input_embed_dim": 8, "num_heads": 2, "num_attn_blocks": 1}),
    (models.GANDALFConfig, {"gflu_stages": 2}),
    (models.AutoIntConfig, {"attn_embed_dim": 8, "embedding_dim": 4}),
]


def run() -> Any:
    """Two epochs of each network, and predictions before and after a file."""
    load = torch.load
    torch.load = lambda *args, **options: load(*args, **{**options, "weights_only": False})
    found: dict[str, Any] = {}
    table = pandas.DataFrame(numbers("table", 64, 4).numpy(), columns=list("abcd"))
    table["kind"] = classes("kind", 3, 64).numpy().astype(str)
    table["target"] = (table.a + table.b > 0).astype(int)
    with tempfile.TemporaryDirectory() as directory:
        for kind, options in CONFIGS:
            name = kind.__name__
            model = TabularModel(
                data_config=DataConfig(
                    target=["target"], continuous_cols=list("abcd"), categorical_cols=["kind"]
                ),
                model_config=kind(task="classification", seed=3, **options),
                optimizer_config=OptimizerConfig(optimizer="AdamW"),
                trainer_config=TrainerConfig(
                    batch_size=16,
                    max_epochs=2,
                    accelerator="cpu",
                    progress_bar="none",
                    checkpoints=None,
                    load_best=False,
                    early_stopping=None,
                    seed=3,
                ),
                verbose=False,
                suppress_lightning_logger=True,
            )
            model.fit(train=table[:48], validation=table[48:])
            found |= {f"{name}.{key}": value for key, value in model.model.state_dict().items()}
            model.save_model(f"{directory}/{name}")
            again = TabularModel.load_model(f"{directory}/{name}")
            for who, one in (("one", model), ("again", again)):
                result = one.predict(table[48:])
                columns = [key for key in result.columns if "probability" in key]
                found[f"{name}.{who}"] = result[columns].to_numpy()
    torch.load = load
    return found
