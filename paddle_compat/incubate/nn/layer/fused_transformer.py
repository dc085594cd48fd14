"""The blocks of transformers that `paddle.incubate.nn` has as layers; Paddle itself computes these on GPUs only."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.incubate.nn.functional.fused_transformer import (
    fused_bias_dropout_residual_layer_norm,
    fused_feedforward,
    fused_multi_head_attention,
    fused_multi_transformer,
)
from paddle_compat.nn.initializer import Constant
from paddle_compat.nn.layer._calls import shown
from paddle_compat.nn.layer.layers import Layer


def _positive(api: str, **sizes: int) -> None:
    for name, size in sizes.items():
        if size <= 0:
            raise failed_assertion(name, "a size above 0", size, api)


def _alone(api: str, nranks: int, ring_id: int) -> None:
    for name, given, usual in (("nranks", nranks, 1), ("ring_id", ring_id, -1)):
        if given != usual:
            raise UnsupportedError(f"paddle.incubate.nn.{api}", name)


class FusedBiasDropoutResidualLayerNorm(Layer):
    """`layer_norm` of residual + dropout(x + bias).

    Args:
        embed_dim: the width.
        dropout_rate: the probability.
        weight_attr: not read, as in Paddle; bias_attr: of the bias and of the normalization's shift, False for none.
        epsilon: added to the variance.
        name: kept.
    Raises:
        AssertionError: embed_dim is not above 0.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.nn.FusedBiasDropoutResidualLayerNorm(4)
        >>> layer(paddle.rand([2, 3, 4]), paddle.rand([2, 3, 4])).shape
        [2, 3, 4]

    Follows Paddle 2.6.
    """

    def __init__(
        self, embed_dim: int, dropout_rate: float = 0.5, weight_attr: Any = None, bias_attr: Any = None, epsilon: float = 1e-5,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        _positive("FusedBiasDropoutResidualLayerNorm", embed_dim=embed_dim)
        self.linear_bias = self.create_parameter(shape=[embed_dim], attr=bias_attr, is_bias=True)
        self.ln_scale = self.create_parameter(shape=[embed_dim], default_initializer=Constant(1.0))
        self.ln_bias = self.create_parameter(shape=[embed_dim], attr=bias_attr, is_bias=True)
        self.embed_dim, self.dropout_rate, self.name, self._epsilon = embed_dim, dropout_rate, name, epsilon

    def forward(self, x: Any, residual: Any) -> Any:
        """Apply it.

        Args:
            x: [..., embed_dim].
            residual: what is added, of x's shape.
        Returns:
            A tensor like `x`.
        """
        return fused_bias_dropout_residual_layer_norm(
            x, residual, self.linear_bias, self.ln_scale, self.ln_bias, self.dropout_rate, self._epsilon, self.training, name=self.name
        )

    def extra_repr(self) -> str:
        """The settings."""
        return shown(embed_dim=self.embed_dim, dropout_rate=self.dropout_rate, epsilon=self._epsilon, name=self.name)


class FusedMultiHeadAttention(Layer):
    """The block of a transformer in which positions attend to each other, with its dropout, its residual and its normalization.

    Args:
        embed_dim, num_heads: the width, and into how many heads it is cut.
        dropout_rate, attn_dropout_rate: probabilities, behind the last product and on the weights of attention.
        kdim, vdim: kept: key and value are query.
        normalize_before: the input is normalized; else the result is.
        need_weights: False only.
        qkv_weight_attr, qkv_bias_attr, linear_weight_attr, linear_bias_attr: of the two products; a bias's False for none.
        pre_ln_scale_attr, pre_ln_bias_attr, ln_scale_attr, ln_bias_attr: of the normalization before or behind.
        epsilon: added to the variance.
        nranks, ring_id: of tensor parallelism, which is not there.
        transpose_qkv_wb: the first product's weight is a matrix, [embed_dim, 3 embed_dim], instead of [3, heads, head's width, embed_dim].
        name: kept.
    Raises:
        AssertionError: a size is not above 0, num_heads no divisor of embed_dim, or need_weights True.
        UnsupportedError: nranks or ring_id is given.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.nn.FusedMultiHeadAttention(8, 2)
        >>> layer(paddle.rand([2, 3, 8])).shape
        [2, 3, 8]

    Follows Paddle 2.6.
    """

    def __init__(
        self, embed_dim: int, num_heads: int, dropout_rate: float = 0.5, attn_dropout_rate: float = 0.5, kdim: Any = None,
        vdim: Any = None, normalize_before: bool = False, need_weights: bool = False, qkv_weight_attr: Any = None,
        qkv_bias_attr: Any = None, linear_weight_attr: Any = None, linear_bias_attr: Any = None, pre_ln_scale_attr: Any = None,
        pre_ln_bias_attr: Any = None, ln_scale_attr: Any = None, ln_bias_attr: Any = None, epsilon: float = 1e-5, nranks: int = 1,
        ring_id: int = -1, transpose_qkv_wb: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        api = "FusedMultiHeadAttention"
        _positive(api, embed_dim=embed_dim, num_heads=num_heads)
        _alone(api, nranks, ring_id)
        if embed_dim % num_heads:
            raise failed_assertion("num_heads", f"a divisor of embed_dim, {embed_dim}", num_heads, api)
        if need_weights:
            raise failed_assertion("need_weights", "False", need_weights, api)
        self.normalize_before, self._epsilon = normalize_before, epsilon
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim, self.vdim, self.need_weights, self.transpose_qkv_wb = kdim, vdim, need_weights, transpose_qkv_wb
        weight, bias = [3, num_heads, self.head_dim, embed_dim], [3, num_heads, self.head_dim]
        if transpose_qkv_wb:
            weight, bias = [embed_dim, 3 * embed_dim], [3 * embed_dim]
        self.qkv_weight = self.create_parameter(shape=weight, attr=qkv_weight_attr)
        self.qkv_bias = self.create_parameter(shape=bias, attr=qkv_bias_attr, is_bias=True)
        self.linear_weight = self.create_parameter(shape=[embed_dim, embed_dim], attr=linear_weight_attr)
        self.linear_bias = self.create_parameter(shape=[embed_dim], attr=linear_bias_attr, is_bias=True)
        self.pre_ln_scale = self.pre_ln_bias = self.ln_scale = self.ln_bias = None
        prefix, attrs = ("pre_ln", (pre_ln_scale_attr, pre_ln_bias_attr)) if normalize_before else ("ln", (ln_scale_attr, ln_bias_attr))
        setattr(self, f"{prefix}_scale", self.create_parameter(shape=[embed_dim], attr=attrs[0], default_initializer=Constant(1.0)))
        setattr(self, f"{prefix}_bias", self.create_parameter(shape=[embed_dim], attr=attrs[1], is_bias=True))
        self.dropout_rate, self.attn_dropout_rate, self.name = dropout_rate, attn_dropout_rate, name

    def forward(self, query: Any, key: Any = None, value: Any = None, attn_mask: Any = None, cache: Any = None) -> Any:
        """Apply it.

        Args:
            query: [N, length, embed_dim].
            key, value: kept: they are query.
            attn_mask: added to the scores, [N, heads, length, length] or what becomes that by broadcasting; None for none.
            cache: keys and values of earlier positions, [2, N, heads, earlier length, head's width]; None for none.
        Returns:
            A tensor like `query`; with a cache a tuple of it and the longer cache.
        """
        return fused_multi_head_attention(
            query, self.qkv_weight, self.linear_weight, self.normalize_before, self.pre_ln_scale, self.pre_ln_bias, self.ln_scale,
            self.ln_bias, self._epsilon, self.qkv_bias, self.linear_bias, cache, attn_mask, self.dropout_rate, self.attn_dropout_rate,
            self._epsilon, self.training, num_heads=self.num_heads, transpose_qkv_wb=self.transpose_qkv_wb, name=self.name,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """The settings."""
        return shown(
            embed_dim=self.embed_dim, num_heads=self.num_heads, dropout_rate=self.dropout_rate, attn_dropout_rate=self.attn_dropout_rate,
            epsilon=self._epsilon, kdim=self.kdim, vdim=self.vdim, normalize_before=self.normalize_before, need_weights=self.need_weights,
            dtype=self._dtype, name=self.name,
        )  # fmt: skip


class FusedFeedForward(Layer):
    """The block of a transformer that looks at each position for itself, with its dropout, its residual and its normalization.

    Args:
        d_model, dim_feedforward: the width, and that between the two products.
        dropout_rate: the probability behind the second product.
        epsilon: added to the variance.
        activation: "relu" or "gelu".
        act_dropout_rate: the probability behind the activation; None: dropout_rate.
        normalize_before: the input is normalized; else the result is.
        linear1_weight_attr, linear1_bias_attr, linear2_weight_attr, linear2_bias_attr: of the two products; a bias's False for none.
        ln1_scale_attr, ln1_bias_attr, ln2_scale_attr, ln2_bias_attr: of the normalization before or behind.
        nranks, ring_id: of tensor parallelism, which is not there.
        name: kept.
    Raises:
        AssertionError: a size is not above 0.
        UnsupportedError: nranks or ring_id is given.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.nn.FusedFeedForward(8, 16)
        >>> layer(paddle.rand([2, 3, 8])).shape
        [2, 3, 8]

    Follows Paddle 2.6.
    """

    def __init__(
        self, d_model: int, dim_feedforward: int, dropout_rate: float = 0.1, epsilon: float = 1e-5, activation: str = "relu",
        act_dropout_rate: float | None = None, normalize_before: bool = False, linear1_weight_attr: Any = None,
        linear1_bias_attr: Any = None, linear2_weight_attr: Any = None, linear2_bias_attr: Any = None, ln1_scale_attr: Any = None,
        ln1_bias_attr: Any = None, ln2_scale_attr: Any = None, ln2_bias_attr: Any = None, nranks: int = 1, ring_id: int = -1,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        _positive("FusedFeedForward", d_model=d_model, dim_feedforward=dim_feedforward)
        _alone("FusedFeedForward", nranks, ring_id)
        self._d_model, self._dim_feedforward, self._epsilon = d_model, dim_feedforward, epsilon
        self._dropout_rate, self._act_dropout_rate = dropout_rate, dropout_rate if act_dropout_rate is None else act_dropout_rate
        self._act_method, self._normalize_before = activation, normalize_before
        self._linear1_weight = self.create_parameter(shape=[d_model, dim_feedforward], attr=linear1_weight_attr)
        self._linear1_bias = self.create_parameter(shape=[dim_feedforward], attr=linear1_bias_attr, is_bias=True)
        self._linear2_weight = self.create_parameter(shape=[dim_feedforward, d_model], attr=linear2_weight_attr)
        self._linear2_bias = self.create_parameter(shape=[d_model], attr=linear2_bias_attr, is_bias=True)
        self._ln1_scale = self._ln1_bias = self._ln2_scale = self._ln2_bias = None
        prefix, attrs = ("_ln1", (ln1_scale_attr, ln1_bias_attr)) if normalize_before else ("_ln2", (ln2_scale_attr, ln2_bias_attr))
        setattr(self, f"{prefix}_scale", self.create_parameter(shape=[d_model], attr=attrs[0], default_initializer=Constant(1.0)))
        setattr(self, f"{prefix}_bias", self.create_parameter(shape=[d_model], attr=attrs[1], is_bias=True))
        self.name = name

    def forward(self, src: Any, cache: Any = None) -> Any:
        """Apply it.

        Args:
            src: [N, length, d_model].
            cache: kept.
        Returns:
            A tensor like `src`.
        """
        return fused_feedforward(
            src, self._linear1_weight, self._linear2_weight, self._linear1_bias, self._linear2_bias, self._ln1_scale, self._ln1_bias,
            self._ln2_scale, self._ln2_bias, self._act_dropout_rate, self._dropout_rate, self._act_method, self._epsilon, self._epsilon,
            self._normalize_before, self.training, name=self.name,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """The settings."""
        return shown(
            d_model=self._d_model, dim_feedforward=self._dim_feedforward, dropout_rate=self._dropout_rate, epsilon=self._epsilon,
            activation=self._act_method, act_dropout_rate=self._act_dropout_rate, normalize_before=self._normalize_before,
            dtype=self._dtype, name=self.name,
        )  # fmt: skip


def _two(attr: Any) -> Any:
    """Of attention, and of what comes behind it."""
    return attr if isinstance(attr, (list, tuple)) else [attr] * 2


class FusedTransformerEncoderLayer(Layer):
    """A layer of a transformer's encoder: `FusedMultiHeadAttention`, then `FusedFeedForward`.

    Args:
        d_model, nhead, dim_feedforward: the width, how many heads, and the width between the two products.
        dropout_rate: the probability of dropout.
        activation: "relu" or "gelu".
        attn_dropout_rate, act_dropout_rate: those on the weights of attention and behind the activation; None: dropout_rate.
        normalize_before: inputs are normalized; else results are.
        weight_attr, bias_attr: of both blocks, or a list of two; a bias's False for none.
    Raises:
        AssertionError: a size is not above 0.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.nn.FusedTransformerEncoderLayer(8, 2, 16)
        >>> layer(paddle.rand([2, 3, 8])).shape
        [2, 3, 8]

    Follows Paddle 2.6.
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int, dropout_rate: float = 0.1, activation: str = "relu",
        attn_dropout_rate: float | None = None, act_dropout_rate: float | None = None, normalize_before: bool = False,
        weight_attr: Any = None, bias_attr: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        _positive("FusedTransformerEncoderLayer", d_model=d_model, nhead=nhead, dim_feedforward=dim_feedforward)
        self.normalize_before = normalize_before
        weights, biases = _two(weight_attr), _two(bias_attr)
        self.fused_attn = FusedMultiHeadAttention(
            d_model, nhead, dropout_rate, dropout_rate if attn_dropout_rate is None else attn_dropout_rate,
            normalize_before=normalize_before, qkv_weight_attr=weights[0], qkv_bias_attr=biases[0], linear_weight_attr=weights[0],
            linear_bias_attr=biases[0], pre_ln_scale_attr=weights[0], pre_ln_bias_attr=biases[0], ln_scale_attr=weights[0],
            ln_bias_attr=biases[0],
        )  # fmt: skip
        self.ffn = FusedFeedForward(
            d_model, dim_feedforward, dropout_rate, 1e-5, activation, act_dropout_rate, normalize_before, weights[1], biases[1],
            weights[1], biases[1],
        )  # fmt: skip

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """Apply it.

        Args:
            src: [N, length, d_model].
            src_mask: as `attn_mask` of `FusedMultiHeadAttention`.
            cache: as of `FusedMultiHeadAttention`.
        Returns:
            A tensor like `src`; with a cache a tuple of it and the longer cache.
        """
        out = self.fused_attn(src, attn_mask=src_mask, cache=cache)
        if cache is None:
            return self.ffn(out)
        return self.ffn(out[0]), out[1]


class FusedMultiTransformer(Layer):
    """Layers of a transformer one after the other, for writing position after position.

    Their parameters stand in lists, as in Paddle: `parameters()` and `state_dict()` have none of them. Arguments that end in attrs are
    an attribute for all layers, or a list with one for each; a bias's False for none.

    Args:
        embed_dim, num_heads, dim_feedforward: the width, how many heads, and the width between the two products.
        dropout_rate: the probability, behind both blocks of a layer.
        activation: "gelu", "relu" or "geglu".
        normalize_before: what goes into a block is normalized; else what comes out.
        ln_scale_attrs, ln_bias_attrs, ffn_ln_scale_attrs, ffn_ln_bias_attrs: of the normalizations.
        qkv_weight_attrs, qkv_bias_attrs, linear_weight_attrs, linear_bias_attrs: of the products of attention.
        ffn1_weight_attrs, ffn1_bias_attrs, ffn2_weight_attrs, ffn2_bias_attrs: of the products of the second block.
        epsilon: added to variances.
        num_layers: how many layers there are; -1: as many as qkv_weight_attrs has elements.
        nranks, ring_id: of tensor parallelism, which is not there.
        trans_qkvw: a layer's first weight is [3, heads, head's width, embed_dim]; else [embed_dim, 3, heads, head's width].
        name: kept.
    Raises:
        AssertionError: a size is not above 0, num_heads no divisor of embed_dim, or a list has another length.
        UnsupportedError: nranks or ring_id is given.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.nn.FusedMultiTransformer(8, 2, 16, num_layers=2)
        >>> layer(paddle.rand([2, 3, 8])).shape, len(layer.qkv_weights)
        ([2, 3, 8], 2)

    Follows Paddle 2.6.
    """

    def __init__(
        self, embed_dim: int, num_heads: int, dim_feedforward: int, dropout_rate: float = 0.0, activation: str = "gelu",
        normalize_before: bool = True, ln_scale_attrs: Any = None, ln_bias_attrs: Any = None, qkv_weight_attrs: Any = None,
        qkv_bias_attrs: Any = None, linear_weight_attrs: Any = None, linear_bias_attrs: Any = None, ffn_ln_scale_attrs: Any = None,
        ffn_ln_bias_attrs: Any = None, ffn1_weight_attrs: Any = None, ffn1_bias_attrs: Any = None, ffn2_weight_attrs: Any = None,
        ffn2_bias_attrs: Any = None, epsilon: float = 1e-05, num_layers: int = -1, nranks: int = 1, trans_qkvw: bool = True,
        ring_id: int = -1, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        api = "FusedMultiTransformer"
        _positive(api, embed_dim=embed_dim, num_heads=num_heads, dim_feedforward=dim_feedforward)
        _alone(api, nranks, ring_id)
        if embed_dim % num_heads:
            raise failed_assertion("num_heads", f"a divisor of embed_dim, {embed_dim}", num_heads, api)
        if isinstance(qkv_weight_attrs, (list, tuple)):
            num_layers = len(qkv_weight_attrs)
        _positive(api, num_layers=num_layers)
        self.normalize_before, self._epsilon, self._trans_qkvw, self._ring_id = normalize_before, epsilon, trans_qkvw, ring_id
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self._dim_feedforward, self.dropout_rate, self.activation, self.name = dim_feedforward, dropout_rate, activation, name
        heads = [3, num_heads, self.head_dim]
        kinds = (
            ("ln_scales", ln_scale_attrs, [embed_dim]), ("ln_biases", ln_bias_attrs, [embed_dim]),
            ("qkv_weights", qkv_weight_attrs, [*heads, embed_dim] if trans_qkvw else [embed_dim, *heads]),
            ("qkv_biases", qkv_bias_attrs, heads),
            ("linear_weights", linear_weight_attrs, [embed_dim, embed_dim]), ("linear_biases", linear_bias_attrs, [embed_dim]),
            ("ffn_ln_scales", ffn_ln_scale_attrs, [embed_dim]), ("ffn_ln_biases", ffn_ln_bias_attrs, [embed_dim]),
            ("ffn1_weights", ffn1_weight_attrs, [embed_dim, dim_feedforward]), ("ffn1_biases", ffn1_bias_attrs, [dim_feedforward]),
            ("ffn2_weights", ffn2_weight_attrs, [dim_feedforward, embed_dim]), ("ffn2_biases", ffn2_bias_attrs, [embed_dim]),
        )  # fmt: skip
        lists: dict[str, list[Any]] = {kind: [] for kind, _, _ in kinds}
        for layer in range(num_layers):
            for kind, attrs, shape in kinds:
                if isinstance(attrs, (list, tuple)) and len(attrs) != num_layers:
                    raise failed_assertion(kind, f"{num_layers} attributes", len(attrs), api)
                attr = attrs[layer] if isinstance(attrs, (list, tuple)) else attrs
                start = Constant(1.0) if kind.endswith("scales") else None
                bias = kind.endswith("biases")
                lists[kind].append(self.create_parameter(shape=shape, attr=attr, is_bias=bias, default_initializer=start))
        self.__dict__.update(lists)

    def forward(
        self, src: Any, attn_mask: Any = None, caches: Any = None, pre_caches: Any = None, rotary_embs: Any = None,
        rotary_emb_dims: int = 0, seq_lens: Any = None, time_step: Any = None,
    ) -> Any:  # fmt: skip
        """Apply them.

        Args:
            src: [N, length, embed_dim].
            attn_mask, pre_caches, rotary_embs, rotary_emb_dims, seq_lens, time_step: as of `fused_multi_transformer`.
            caches: its cache_kvs, one for each layer.
        Returns:
            A tensor like `src`; with caches a tuple of it and of them.
        Raises:
            AssertionError: caches are not as many as layers.
        """
        if caches is not None and len(caches) != len(self.qkv_weights):
            raise failed_assertion("caches", f"{len(self.qkv_weights)}, one for each layer", len(caches), "FusedMultiTransformer")
        return fused_multi_transformer(
            src, self.ln_scales, self.ln_biases, self.qkv_weights, self.qkv_biases, self.linear_weights, self.linear_biases,
            self.ffn_ln_scales, self.ffn_ln_biases, self.ffn1_weights, self.ffn1_biases, self.ffn2_weights, self.ffn2_biases,
            self.normalize_before, self._epsilon, caches, pre_caches, seq_lens, rotary_embs, time_step, attn_mask, self.dropout_rate,
            rotary_emb_dims, self.activation, self.training, "upscale_in_train", self._trans_qkvw, self._ring_id, self.name,
        )  # fmt: skip


__all__ = [
    "FusedBiasDropoutResidualLayerNorm", "FusedFeedForward", "FusedMultiHeadAttention", "FusedMultiTransformer",
    "FusedTransformerEncoderLayer",
]  # fmt: skip

__getattr__ = missing(__name__)
