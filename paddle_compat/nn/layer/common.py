"""Linear, embedding, dropout, padding and other everyday layers."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import convert_dtype, default, dtype_name
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_3, called, paddle3, placed
from paddle_compat.nn.functional.common import bilinear, cosine_similarity, interpolate, linear
from paddle_compat.nn.functional.input import embedding
from paddle_compat.nn.layer import _pads
from paddle_compat.nn.layer._calls import CallLayer, make, reading, shown
from paddle_compat.nn.layer._pads import Pad1D, Pad2D, Pad3D, ZeroPad2D
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.tensor import flatten, unflatten


class Identity(Layer):
    """What comes in goes out.

    Args:
        args, kwargs: ignored.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Identity()
        >>> layer(paddle.to_tensor([1.0, 2.0])).tolist()
        [1.0, 2.0]

    Follows Paddle 2.6.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        """Return the input.

        Args:
            input: anything.
        Returns:
            The same.
        """
        return input


class Linear(Layer):
    """x W + b, with W of shape [in_features, out_features].

    Args:
        in_features, out_features: sizes of the last dimension before and after.
        weight_attr, bias_attr: ParamAttr; bias_attr False for no bias.
        name: prefix of the parameters' names.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Linear(3, 4)
        >>> layer(paddle.ones([2, 3])).shape
        [2, 4]

    Follows Paddle 2.6.
    """

    def __init__(
        self, in_features: int, out_features: int, weight_attr: Any = None, bias_attr: Any = None, name: str | None = None
    ) -> None:
        super().__init__(dtype=dtype_name(default()))
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        self.weight = self.create_parameter(shape=[in_features, out_features], attr=weight_attr, is_bias=False)
        self.bias = self.create_parameter(shape=[out_features], attr=bias_attr, is_bias=True)
        self.name = name

    def forward(self, input: Any) -> Any:
        """Apply it.

        Args:
            input: [..., in_features].
        Returns:
            [..., out_features].
        """
        return linear(input, self.weight, self.bias, self.name)

    def extra_repr(self) -> str:
        """The settings."""
        name = f", name={self.name}" if self.name else ""
        return f"in_features={self.weight.shape[0]}, out_features={self.weight.shape[1]}, dtype={self._dtype}{name}"


@placed("max_norm norm_type", SINCE_3_3)
class Embedding(Layer):
    """Rows of a learned table, by id.

    Args:
        num_embeddings, embedding_dim: rows and columns of the table.
        padding_idx: the id whose row is zeros and stays so; negative from the end.
        sparse: the gradient is SelectedRows.
        weight_attr: ParamAttr of the table.
        name: kept.
        max_norm, norm_type, scale_grad_by_freq: as of `paddle.nn.functional.embedding`.
        _weight, _freeze: the table, where it is there already, and whether it stays as it is.
        device, dtype: where the table lives, and its data type.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Embedding(10, 4)
        >>> layer(paddle.to_tensor([[1, 2]])).shape
        [1, 2, 4]

    Follows Paddle 2.6.
    """

    padding_idx = reading("_padding_idx")

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        sparse: bool = False,
        weight_attr: Any = None,
        name: str | None = None,
        *,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        _weight: Any = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(dtype=dtype_name(default() if dtype is None else convert_dtype(dtype)))
        if num_embeddings <= 0 or embedding_dim <= 0:
            raise invalid_argument("num_embeddings, embedding_dim", "positive sizes", (num_embeddings, embedding_dim), "Embedding")
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise invalid_argument("padding_idx", f"{-num_embeddings} to {num_embeddings - 1}", padding_idx, "Embedding")
        self._num_embeddings, self._embedding_dim, self._sparse, self._name = num_embeddings, embedding_dim, sparse, name
        self._size = [num_embeddings, embedding_dim]
        self._padding_idx = padding_idx
        self._weight_attr = weight_attr
        self._max_norm, self._norm_type, self._scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        if _weight is not None and list(_weight.shape) != [num_embeddings, embedding_dim]:
            raise failed_assertion("_weight", f"the shape {[num_embeddings, embedding_dim]}", list(_weight.shape), "Embedding")
        made = self.create_parameter(shape=[num_embeddings, embedding_dim], attr=weight_attr, dtype=dtype) if _weight is None else _weight
        self.weight = made
        if _freeze or _weight is not None:
            made.stop_gradient = _freeze
        if device is not None:
            self.to(device=device)
        if padding_idx is not None and hasattr(self.weight, "_t"):
            self.weight._t.data[padding_idx] = 0.0

    @called(input="x")
    def forward(self, x: Any) -> Any:
        """Look the ids up.

        Args:
            x: ids, int32 or int64.
        Returns:
            [..., embedding_dim].
        """
        if self._max_norm or self._scale_grad_by_freq:
            return embedding(
                x, self.weight, self._padding_idx, sparse=self._sparse, name=self._name,
                max_norm=self._max_norm, norm_type=self._norm_type, scale_grad_by_freq=self._scale_grad_by_freq,
            )  # fmt: skip
        return embedding(x, self.weight, self._padding_idx, sparse=self._sparse, name=self._name)

    def extra_repr(self) -> str:
        """The settings."""
        text = f"{self._num_embeddings}, {self._embedding_dim}"
        if self._padding_idx is not None:
            text += f", padding_idx={self._padding_idx}"
        text += f", sparse={self._sparse}" + (f", scale_grad_by_freq={self._scale_grad_by_freq}" if SINCE_3 else "")
        return text + (f", name={self._name}" if self._name else "")


class Bilinear(Layer):
    """x1 W x2 + b for every output.

    Args:
        in1_features, in2_features, out_features: sizes of the last dimensions.
        weight_attr, bias_attr: ParamAttr; bias_attr False for no bias.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Bilinear(3, 4, 5)
        >>> layer(paddle.ones([2, 3]), paddle.ones([2, 4])).shape
        [2, 5]

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        weight_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(dtype=dtype_name(default()))
        self._name = name
        self._in1_features, self._in2_features, self._out_features = in1_features, in2_features, out_features
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        self.weight = self.create_parameter(shape=[out_features, in1_features, in2_features], attr=weight_attr, is_bias=False)
        self.bias = self.create_parameter(shape=[1, out_features], attr=bias_attr, is_bias=True)

    def forward(self, x1: Any, x2: Any) -> Any:
        """Apply it.

        Args:
            x1, x2: [N, in1_features] and [N, in2_features].
        Returns:
            [batch, out_features].
        """
        return bilinear(x1, x2, self.weight, self.bias, self._name)

    def extra_repr(self) -> str:
        """The settings."""
        sizes = {"in1_features": self._in1_features, "in2_features": self._in2_features, "out_features": self._out_features}
        return shown(**sizes, dtype=self._dtype, name=self._name)


class Flatten(Layer):
    """Several dimensions as one.

    Args:
        start_axis, stop_axis: the first and the last of them.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Flatten()
        >>> layer(paddle.ones([2, 3, 4])).shape
        [2, 12]

    Follows Paddle 2.6.
    """

    def __init__(self, start_axis: int = 1, stop_axis: int = -1) -> None:
        super().__init__()
        self.start_axis, self.stop_axis = start_axis, stop_axis

    def forward(self, input: Any) -> Any:
        """Apply it.

        Args:
            input: a tensor.
        Returns:
            A tensor with those dimensions made one.
        """
        return flatten(input, start_axis=self.start_axis, stop_axis=self.stop_axis)


class Unflatten(Layer):
    """One dimension as several.

    Args:
        axis: the dimension.
        shape: what it becomes.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Unflatten(1, [2, 3])
        >>> layer(paddle.ones([4, 6])).shape
        [4, 2, 3]

    Follows Paddle 2.6.
    """

    def __init__(self, axis: int, shape: Any, name: str | None = None) -> None:
        super().__init__()
        self.axis, self.shape, self.name = axis, shape, name

    def forward(self, input: Any) -> Any:
        """Apply it.

        Args:
            input: a tensor.
        Returns:
            A tensor with one dimension made several.
        """
        return unflatten(input, self.axis, self.shape, self.name)

    def extra_repr(self) -> str:
        """The settings."""
        return shown(axis=self.axis, shape=self.shape, name=self.name)


class _Training(CallLayer):
    """A layer whose function is told whether it trains."""

    _also = ("training=self.training",)


@paddle3(dim="axis")
class CosineSimilarity(Layer):
    """Cosine of the angle between vectors.

    Args:
        axis: where the vectors lie.
        eps: keeps the division finite.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.CosineSimilarity()
        >>> layer(paddle.to_tensor([[1.0, 0.0]]), paddle.to_tensor([[0.0, 1.0]])).tolist()
        [0.0]

    Follows Paddle 2.6.
    """

    dim = reading("_axis")

    def __init__(self, axis: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self._axis, self._eps = axis, eps

    def forward(self, x1: Any, x2: Any) -> Any:
        """Apply it.

        Args:
            x1, x2: two tensors.
        Returns:
            A tensor without the dimension that is compared along.
        """
        return cosine_similarity(x1, x2, axis=self._axis, eps=self._eps)

    def extra_repr(self) -> str:
        """The settings."""
        return shown(axis=self._axis, eps=self._eps)


@placed("recompute_scale_factor name")
class Upsample(Layer):
    """Resizes sequences, images or volumes.

    Args:
        size, scale_factor: the new size, or a factor.
        mode: nearest, linear, bilinear, trilinear, bicubic or area.
        align_corners, align_mode: where pixels lie.
        data_format: where the channels are.
        name: kept.
        recompute_scale_factor: as of `paddle.nn.functional.interpolate`.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Upsample(scale_factor=2)
        >>> layer(paddle.ones([1, 1, 2, 2])).shape
        [1, 1, 4, 4]

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool = False,
        align_mode: int = 0,
        data_format: str | None = None if SINCE_3 else "NCHW",
        name: str | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        self.recompute_scale_factor = recompute_scale_factor
        self.size, self.scale_factor, self.mode, self.name = size, scale_factor, mode.lower(), name
        self.align_corners, self.align_mode, self.data_format = align_corners, align_mode, data_format

    @called(input="x")
    def forward(self, x: Any) -> Any:
        """Resize.

        Args:
            x: a tensor.
        Returns:
            A tensor of the new size.
        """
        return interpolate(
            x, self.size, self.scale_factor, self.mode, self.align_corners, self.align_mode, self.data_format,
            name=self.name, recompute_scale_factor=self.recompute_scale_factor,
        )  # fmt: skip

    def _size(self) -> dict[str, Any]:
        return {"size": self.size} if self.scale_factor is None else {"scale_factor": self.scale_factor}

    def extra_repr(self) -> str:
        """The settings."""
        corners = {"align_corners": self.align_corners, "align_mode": self.align_mode}
        return shown(**self._size(), mode=self.mode, **corners, data_format=self.data_format, name=self.name)


class UpsamplingNearest2D(Upsample):
    """Resizes images, each new pixel taking its nearest old one.

    Args:
        size, scale_factor: the new size, or a factor.
        data_format: NCHW or NHWC.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.UpsamplingNearest2D(scale_factor=2)
        >>> layer(paddle.ones([1, 1, 2, 2])).shape
        [1, 1, 4, 4]

    Follows Paddle 2.6.
    """

    def __init__(self, size: Any = None, scale_factor: Any = None, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(size, scale_factor, "nearest", False, 0, data_format, name)

    def extra_repr(self) -> str:
        """The settings."""
        return shown(**self._size(), data_format=self.data_format, name=self.name)


class UpsamplingBilinear2D(Upsample):
    """Resizes images, new pixels interpolated between old ones, corners kept.

    Args:
        size, scale_factor: the new size, or a factor.
        data_format: NCHW or NHWC.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.UpsamplingBilinear2D(scale_factor=2)
        >>> layer(paddle.ones([1, 1, 2, 2])).shape
        [1, 1, 4, 4]

    Follows Paddle 2.6.
    """

    def __init__(self, size: Any = None, scale_factor: Any = None, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(size, scale_factor, "bilinear", True, 0, data_format, name)

    def extra_repr(self) -> str:
        """The settings."""
        return shown(**self._size(), data_format=self.data_format, name=self.name)


_DROPS: dict[str, tuple[str, dict[str, Any], str]] = {
    "Dropout": ("dropout", {"p": 0.5, "axis": None, "mode": "upscale_in_train"}, "Drops elements at random while training."),
    "Dropout2D": ("dropout2d", {"p": 0.5, "data_format": "NCHW"}, "Drops channels at random while training."),
    "Dropout3D": ("dropout3d", {"p": 0.5, "data_format": "NCDHW"}, "Drops channels at random while training."),
    "AlphaDropout": ("alpha_dropout", {"p": 0.5}, "Drops elements at random while training, mean and variance kept."),
    "FeatureAlphaDropout": ("feature_alpha_dropout", {"p": 0.5}, "Drops channels at random while training, mean and variance kept."),
}


def _unchanged(name: str) -> tuple[str, str]:
    """The example of a dropout: nothing happens in inference."""
    shape = ", ".join(["1"] * int(name[-2]) + ["2", "2"]) if name.endswith("D") else "2, 2"
    call = f"layer = paddle.nn.{name}(0.25)\n        >>> _ = layer.eval()\n        >>> paddle.equal_all(layer(x), x).item()"
    return f"x = paddle.ones([{shape}])\n        >>> {call}", "True"


Dropout, Dropout2D, Dropout3D, AlphaDropout, FeatureAlphaDropout = (
    make(
        __name__, name, function, dict(settings), what, _unchanged(name), base=_Training,
        further={"inplace": False} if name == "Dropout" else None,
    )  # fmt: skip
    for name, (function, settings, what) in _DROPS.items()
)

globals().update(_pads.MADE)

# Paddle 3's names: the same layers, spelled otherwise
_UPPER = ("UpsamplingBilinear2D", "UpsamplingNearest2D", "ZeroPad1D", "ZeroPad2D", "ZeroPad3D")
_TORCHS = {f"{name[:-1]}d": globals()[name] for name in _UPPER}
globals().update(_TORCHS)

__all__ = [
    "AlphaDropout", "Bilinear", "CosineSimilarity", "Dropout", "Dropout2D", "Dropout3D", "Embedding", "FeatureAlphaDropout", "Flatten",
    "Identity", "Linear", "Pad1D", "Pad2D", "Pad3D", "Unflatten", "Upsample", "UpsamplingBilinear2D", "UpsamplingNearest2D", "ZeroPad2D",
    *_pads.MADE, *_TORCHS,
]  # fmt: skip

__getattr__ = missing(__name__)
