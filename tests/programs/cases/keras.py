"""Keras with PyTorch as its backend."""

from __future__ import annotations

import tempfile
from typing import Any

import keras
import numpy as np
from inputs import classes, numbers
from keras import layers


def _filled(model: Any) -> Any:
    model.set_weights(
        [
            (0.2 * numbers(f"{index}", *w.shape).numpy()).astype(w.dtype)
            if "var" not in w.path
            else np.ones(w.shape)
            for index, w in enumerate(model.weights)
        ]
    )
    return model


def _images() -> Any:
    x = start = keras.Input((8, 8, 3))
    x = layers.Conv2D(8, 3, padding="same", activation="relu")(x)
    x = layers.BatchNormalization()(x)
    x = layers.SeparableConv2D(8, 3, strides=2, padding="same")(x)
    x = layers.Add()([x, layers.AveragePooling2D(2)(layers.Conv2D(8, 1)(start))])
    x = layers.Conv2DTranspose(6, 3, strides=2, padding="same")(x)
    x = layers.GroupNormalization(3)(x)
    x = layers.MaxPooling2D(3, padding="same")(layers.ELU()(x))
    x = layers.Concatenate()([layers.GlobalAveragePooling2D()(x), layers.GlobalMaxPooling2D()(x)])
    return keras.Model(start, layers.Dense(4, activation="softmax")(layers.UnitNormalization()(x)))


def _words() -> Any:
    x = start = keras.Input((7,), dtype="int32")
    x = layers.Embedding(20, 8, mask_zero=True)(x)
    y = layers.Bidirectional(layers.LSTM(5, return_sequences=True))(x)
    y = layers.GRU(6, return_sequences=True)(y)
    z = layers.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True)
    z = layers.LayerNormalization()(layers.Add()([x, z]))
    x = layers.Concatenate()([y, z, layers.Conv1D(4, 3, padding="causal")(z)])
    x = layers.SimpleRNN(5)(x)
    return keras.Model(start, layers.Dense(4, activation="softmax")(x))


def run() -> Any:
    """Two epochs of fit, its history, and predictions before and after a file."""
    found: dict[str, Any] = {}
    keras.utils.set_random_seed(0)
    target = classes("target", 4, 20).numpy()
    data = {
        "images": numbers("images", 20, 8, 8, 3).numpy(),
        "words": classes("w", 20, 20, 7).numpy(),
    }
    optimizers = {
        "images": keras.optimizers.AdamW(keras.optimizers.schedules.CosineDecay(1e-2, 10)),
        "words": keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True, clipnorm=1.0),
    }
    for name, make in (("images", _images), ("words", _words)):
        model = _filled(make())
        model.compile(optimizers[name], "sparse_categorical_crossentropy", metrics=["accuracy"])
        found[f"{name}.before"] = model.predict(data[name], verbose=0)
        history = model.fit(
            data[name],
            target,
            batch_size=8,
            epochs=2,
            verbose=0,
            shuffle=False,
            validation_split=0.2,
        )
        found |= {f"{name}.{key}": np.array(value) for key, value in history.history.items()}
        found |= {f"{name}.weight{i}": w for i, w in enumerate(model.get_weights())}
        found[f"{name}.evaluated"] = np.array(model.evaluate(data[name], target, verbose=0))
        with tempfile.TemporaryDirectory() as directory:
            model.save(f"{directory}/model.keras")
            again = keras.models.load_model(f"{directory}/model.keras")
        found[f"{name}.again"] = again.predict(data[name], verbose=0)
    return found
