"""Transformers: attention, encoder and decoder layers, whole stacks."""

from __future__ import annotations

import collections
import copy
from importlib import import_module
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType, is_float
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.layer.common import Dropout, Linear
from paddle_compat.nn.layer.container import LayerList
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.nn.layer.norm import LayerNorm
from paddle_compat.tensor import full, shape


def _paddle() -> Any:
    return import_module("paddle_compat.tensor")


def _functional() -> Any:
    return import_module("paddle_compat.nn.functional")


def _convert_attention_mask(mask: Any, dtype: Any) -> Any:
    """A mask to be added to scores: a boolean or integer one becomes 0 where it holds and a large negative number elsewhere."""
    if mask is None or is_float(mask.dtype):
        return mask
    if mask.dtype not in (VarType.BOOL, VarType.INT8, VarType.INT16, VarType.INT32, VarType.INT64, VarType.UINT8):
        raise invalid_argument("attn_mask", "a floating, boolean or integer tensor", mask.dtype)
    return (_paddle().cast(mask, dtype) - 1.0) * 1e9


def _convert_param_attr_to_list(attr: Any, count: int) -> list[Any]:
    """One ParamAttr for each part of a layer; copies of a single one have its name and their number."""
    if isinstance(attr, (list, tuple)):
        if len(attr) != count:
            raise failed_assertion("weight_attr, bias_attr", f"{count} attributes", len(attr))
        return [ParamAttr._to_attr(part) for part in attr]
    if attr is False:
        return [False] * count
    parts = [copy.copy(ParamAttr._to_attr(attr)) for _ in range(count)]
    for number, part in enumerate(parts):
        if part.name is not None:
            part.name = f"{part.name}_{number}"
    return parts


class MultiHeadAttention(Layer):
    """Attention in several heads.

    Args:
        embed_dim: size of queries and of the output.
        num_heads: how many heads divide it.
        dropout: of the attention weights.
        kdim, vdim: sizes of keys and values; None: embed_dim.
        need_weights: return the attention weights too.
        weight_attr, bias_attr: ParamAttr of the four projections.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.MultiHeadAttention(16, 2)
        >>> layer(paddle.ones([2, 5, 16])).shape
        [2, 5, 16]

    Follows Paddle 2.6.
    """

    Cache = collections.namedtuple("Cache", ["k", "v"])
    StaticCache = collections.namedtuple("StaticCache", ["k", "v"])

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, kdim: int | None = None, vdim: int | None = None,
        need_weights: bool = False, weight_attr: Any = None, bias_attr: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if embed_dim <= 0 or num_heads <= 0 or embed_dim % num_heads:
            raise failed_assertion("embed_dim, num_heads", "positive sizes, the first a multiple of the second", (embed_dim, num_heads))
        self.embed_dim, self.num_heads, self.dropout, self.need_weights = embed_dim, num_heads, dropout, need_weights
        self.kdim = kdim if kdim is not None else embed_dim
        self.vdim = vdim if vdim is not None else embed_dim
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr=bias_attr)
        self.k_proj = Linear(self.kdim, embed_dim, weight_attr, bias_attr=bias_attr)
        self.v_proj = Linear(self.vdim, embed_dim, weight_attr, bias_attr=bias_attr)
        self.out_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr=bias_attr)

    def _heads(self, x: Any) -> Any:
        paddle = _paddle()
        return paddle.transpose(x=paddle.reshape(x=x, shape=[0, 0, self.num_heads, self.head_dim]), perm=[0, 2, 1, 3])

    def _prepare_qkv(self, query: Any, key: Any, value: Any, cache: Any = None) -> Any:
        q = self._heads(self.q_proj(query))
        if isinstance(cache, self.StaticCache):
            k, v = cache.k, cache.v
        else:
            k, v = self.compute_kv(key, value)
        if isinstance(cache, self.Cache):
            paddle = _paddle()
            k, v = paddle.concat([cache.k, k], axis=2), paddle.concat([cache.v, v], axis=2)
            cache = self.Cache(k, v)
        return (q, k, v) if cache is None else (q, k, v, cache)

    def compute_kv(self, key: Any, value: Any) -> tuple[Any, Any]:
        """Keys and values in heads.

        Args:
            key, value: [N, S, kdim] and [N, S, vdim].
        Returns:
            Two tensors, [N, num_heads, S, head width].

        Example:
            >>> import paddle_compat as paddle
            >>> keys, values = paddle.nn.MultiHeadAttention(16, 2).compute_kv(paddle.ones([1, 5, 16]), paddle.ones([1, 5, 16]))
            >>> keys.shape, values.shape
            ([1, 2, 5, 8], [1, 2, 5, 8])
        """
        k, v = self.k_proj(key), self.v_proj(value)
        return self._heads(k), self._heads(v)

    def gen_cache(self, key: Any, value: Any = None, type: Any = Cache) -> Any:
        """A cache for decoding step by step.

        Args:
            key: keys to cache, or what gives the batch size of an empty cache.
            value: values to cache.
            type: `MultiHeadAttention.Cache` grows, `MultiHeadAttention.StaticCache` does not.
        Returns:
            A named tuple `k, v`; an empty one is [N, num_heads, 0, head width].

        Example:
            >>> import paddle_compat as paddle
            >>> layer = paddle.nn.MultiHeadAttention(16, 2)
            >>> x = paddle.ones([1, 5, 16])
            >>> layer.gen_cache(x, x, paddle.nn.MultiHeadAttention.StaticCache).k.shape
            [1, 2, 5, 8]
        """
        if type is MultiHeadAttention.StaticCache:
            return self.StaticCache(*self.compute_kv(key, value if value is not None else key))
        if value is not None:
            return self.Cache(key, value)
        batch = shape(key)[0] if isinstance(key, Variable) else key.shape[0]
        k, v = (full([batch, self.num_heads, 0, self.head_dim], 0.0, key.dtype) for _ in range(2))
        return self.Cache(k, v)

    def forward(self, query: Any, key: Any = None, value: Any = None, attn_mask: Any = None, cache: Any = None) -> Any:
        """Attend.

        Args:
            query, key, value: [N, T, embed_dim], [N, S, kdim], [N, S, vdim]; key None: query, value None: key.
            attn_mask: added to the scores (floating), or where to look (boolean, integer).
            cache: from `gen_cache`.
        Returns:
            The output; with `need_weights` the weights; with a cache the new cache.
        """
        key = query if key is None else key
        value = query if value is None else value
        if cache is None:
            q, k, v = self._prepare_qkv(query, key, value, cache)
        else:
            q, k, v, cache = self._prepare_qkv(query, key, value, cache)
        paddle = _paddle()
        product = paddle.matmul(x=q * (self.head_dim**-0.5), y=k, transpose_y=True)
        if attn_mask is not None:
            product = product + _convert_attention_mask(attn_mask, product.dtype)
        weights = _functional().softmax(product)
        if self.dropout:
            weights = _functional().dropout(weights, self.dropout, training=self.training, mode="upscale_in_train")
        out = paddle.matmul(weights, v)
        out = paddle.transpose(out, perm=[0, 2, 1, 3])
        # zeros in a Program, where sizes may be unknown
        size = out.shape if isinstance(out, Tensor) else [0, 0, *out.shape[2:]]
        out = self.out_proj(paddle.reshape(out, [size[0], size[1], size[2] * size[3]]))
        outs = [out]
        if self.need_weights:
            outs.append(weights)
        if cache is not None:
            outs.append(cache)
        return out if len(outs) == 1 else tuple(outs)


def _fed_forward(layer: Any, x: Any, norm: Any, dropout: Any) -> Any:
    """The last part of an encoder's or decoder's layer: two linear layers, beside which the input goes on."""
    normed = norm(x) if layer.normalize_before else x
    out = x + dropout(layer.linear2(layer.dropout(layer.activation(layer.linear1(normed)))))
    return out if layer.normalize_before else norm(out)


def _arguments(given: dict[str, Any]) -> dict[str, Any]:
    """What a copy of a layer is made from: classes that scripts derive may know no `layer_norm_eps`, which Paddle 2.6 has not."""
    of_paddle3 = given["layer_norm_eps"] != 1e-5
    return {name: value for name, value in given.items() if name not in ("self", "__class__") and (name != "layer_norm_eps" or of_paddle3)}


class TransformerEncoderLayer(Layer):
    """Self-attention and a feed-forward net, each with residual and normalization.

    Args:
        d_model: size of the input.
        nhead: heads of the attention.
        dim_feedforward: size in between.
        dropout: of both outputs.
        activation: name of a function in `paddle.nn.functional`.
        attn_dropout, act_dropout: of attention weights and activation; None: dropout.
        normalize_before: normalize before each part instead of after it.
        weight_attr, bias_attr: ParamAttr, or one for attention and one for the feed-forward net.
        layer_norm_eps: of the normalizations.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.TransformerEncoderLayer(16, 2, 32)
        >>> layer(paddle.ones([2, 5, 16])).shape
        [2, 5, 16]

    Follows Paddle 2.6.
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int, dropout: float = 0.1, activation: str = "relu",
        attn_dropout: float | None = None, act_dropout: float | None = None, normalize_before: bool = False, weight_attr: Any = None,
        bias_attr: Any = None, layer_norm_eps: float = 1e-5,
    ) -> None:  # fmt: skip
        config = _arguments(locals())
        super().__init__()
        self._config = config
        attn_dropout = dropout if attn_dropout is None else attn_dropout
        act_dropout = dropout if act_dropout is None else act_dropout
        self.normalize_before = normalize_before
        weights, biases = _convert_param_attr_to_list(weight_attr, 2), _convert_param_attr_to_list(bias_attr, 2)
        self.self_attn = MultiHeadAttention(d_model, nhead, dropout=attn_dropout, weight_attr=weights[0], bias_attr=biases[0])
        self.linear1 = Linear(d_model, dim_feedforward, weights[1], bias_attr=biases[1])
        self.dropout = Dropout(act_dropout, mode="upscale_in_train")
        self.linear2 = Linear(dim_feedforward, d_model, weights[1], bias_attr=biases[1])
        self.norm1, self.norm2 = (LayerNorm(d_model, layer_norm_eps) for _ in range(2))
        self.dropout1, self.dropout2 = Dropout(dropout, mode="upscale_in_train"), Dropout(dropout, mode="upscale_in_train")
        self.activation = getattr(_functional(), activation)

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """Apply it.

        Args:
            src: [N, T, d_model].
            src_mask: as `attn_mask` of the attention.
            cache: from `gen_cache`.
        Returns:
            [N, S, d_model]; with a cache, also the cache, one step longer.
        """
        src_mask = _convert_attention_mask(src_mask, src.dtype)
        residual = src
        src = self.norm1(src) if self.normalize_before else src
        if cache is None:
            src = self.self_attn(src, src, src, src_mask)
        else:
            src, cache = self.self_attn(src, src, src, src_mask, cache)
        src = residual + self.dropout1(src)
        src = src if self.normalize_before else self.norm1(src)
        src = _fed_forward(self, src, self.norm2, self.dropout2)
        return src if cache is None else (src, cache)

    def gen_cache(self, src: Any) -> Any:
        """An empty cache.

        Args:
            src: what gives the batch size.
        Returns:
            A cache without steps.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.TransformerEncoderLayer(16, 2, 32).gen_cache(paddle.ones([1, 5, 16])).k.shape
            [1, 2, 0, 8]
        """
        return self.self_attn.gen_cache(src, type=self.self_attn.Cache)


class TransformerEncoder(Layer):
    """A stack of encoder layers.

    Args:
        encoder_layer: the first; the others are made with its settings.
        num_layers: how many.
        norm: a layer at the end.

    Example:
        >>> import paddle_compat as paddle
        >>> encoder = paddle.nn.TransformerEncoder(paddle.nn.TransformerEncoderLayer(16, 2, 32), 2)
        >>> encoder(paddle.ones([2, 5, 16])).shape
        [2, 5, 16]

    Follows Paddle 2.6.
    """

    def __init__(self, encoder_layer: Any, num_layers: int, norm: Any = None) -> None:
        super().__init__()
        self.layers = _stack(encoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """Apply it.

        Args:
            src: [N, T, d_model].
            src_mask: as `attn_mask` of the attention.
            cache: from `gen_cache`.
        Returns:
            [N, S, d_model]; with a cache, also the layers' caches.
        """
        src_mask = _convert_attention_mask(src_mask, src.dtype)
        output, caches = src, []
        for i, layer in enumerate(self.layers):
            if cache is None:
                output = layer(output, src_mask=src_mask)
            else:
                output, new = layer(output, src_mask=src_mask, cache=cache[i])
                caches.append(new)
        if self.norm is not None:
            output = self.norm(output)
        return output if cache is None else (output, caches)

    def gen_cache(self, src: Any) -> list[Any]:
        """Empty caches, one for each layer.

        Args:
            src: what gives the batch size.
        Returns:
            List of caches, one a layer.

        Example:
            >>> import paddle_compat as paddle
            >>> encoder = paddle.nn.TransformerEncoder(paddle.nn.TransformerEncoderLayer(16, 2, 32), 3)
            >>> len(encoder.gen_cache(paddle.ones([1, 5, 16])))
            3
        """
        return [layer.gen_cache(src) for layer in self.layers]


class TransformerDecoderLayer(Layer):
    """Self-attention, attention to the encoder and a feed-forward net, each with residual and normalization.

    Args:
        d_model: size of the input.
        nhead: heads of the attentions.
        dim_feedforward: size in between.
        dropout: of all outputs.
        activation: name of a function in `paddle.nn.functional`.
        attn_dropout, act_dropout: of attention weights and activation; None: dropout.
        normalize_before: normalize before each part instead of after it.
        weight_attr, bias_attr: ParamAttr, or one for each of the three parts.
        layer_norm_eps: of the normalizations.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.TransformerDecoderLayer(16, 2, 32)
        >>> layer(paddle.ones([2, 4, 16]), paddle.ones([2, 5, 16])).shape
        [2, 4, 16]

    Follows Paddle 2.6.
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int, dropout: float = 0.1, activation: str = "relu",
        attn_dropout: float | None = None, act_dropout: float | None = None, normalize_before: bool = False, weight_attr: Any = None,
        bias_attr: Any = None, layer_norm_eps: float = 1e-5,
    ) -> None:  # fmt: skip
        config = _arguments(locals())
        super().__init__()
        self._config = config
        attn_dropout = dropout if attn_dropout is None else attn_dropout
        act_dropout = dropout if act_dropout is None else act_dropout
        self.normalize_before = normalize_before
        weights, biases = _convert_param_attr_to_list(weight_attr, 3), _convert_param_attr_to_list(bias_attr, 3)
        self.self_attn = MultiHeadAttention(d_model, nhead, dropout=attn_dropout, weight_attr=weights[0], bias_attr=biases[0])
        self.cross_attn = MultiHeadAttention(d_model, nhead, dropout=attn_dropout, weight_attr=weights[1], bias_attr=biases[1])
        self.linear1 = Linear(d_model, dim_feedforward, weights[2], bias_attr=biases[2])
        self.dropout = Dropout(act_dropout, mode="upscale_in_train")
        self.linear2 = Linear(dim_feedforward, d_model, weights[2], bias_attr=biases[2])
        self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model, layer_norm_eps) for _ in range(3))
        self.dropout1, self.dropout2, self.dropout3 = (Dropout(dropout, mode="upscale_in_train") for _ in range(3))
        self.activation = getattr(_functional(), activation)

    def forward(self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, cache: Any = None) -> Any:
        """Apply it.

        Args:
            tgt: [N, T, d_model].
            memory: the encoder's output, [N, S, d_model].
            tgt_mask, memory_mask: as `attn_mask` of the attentions.
            cache: from `gen_cache`.
        Returns:
            [N, T, d_model]; with a cache, also the caches of both attentions.
        """
        tgt_mask, memory_mask = _convert_attention_mask(tgt_mask, tgt.dtype), _convert_attention_mask(memory_mask, memory.dtype)
        residual = tgt
        tgt = self.norm1(tgt) if self.normalize_before else tgt
        if cache is None:
            tgt = self.self_attn(tgt, tgt, tgt, tgt_mask, None)
        else:
            tgt, incremental = self.self_attn(tgt, tgt, tgt, tgt_mask, cache[0])
        tgt = residual + self.dropout1(tgt)
        tgt = tgt if self.normalize_before else self.norm1(tgt)
        residual = tgt
        tgt = self.norm2(tgt) if self.normalize_before else tgt
        if cache is None:
            tgt = self.cross_attn(tgt, memory, memory, memory_mask, None)
        else:
            tgt, static = self.cross_attn(tgt, memory, memory, memory_mask, cache[1])
        tgt = residual + self.dropout2(tgt)
        tgt = tgt if self.normalize_before else self.norm2(tgt)
        tgt = _fed_forward(self, tgt, self.norm3, self.dropout3)
        return tgt if cache is None else (tgt, (incremental, static))

    def gen_cache(self, memory: Any) -> tuple[Any, Any]:
        """Caches for decoding step by step.

        Args:
            memory: the encoder's output.
        Returns:
            A cache that grows for the target, and a static one of the memory.

        Example:
            >>> import paddle_compat as paddle
            >>> grows, static = paddle.nn.TransformerDecoderLayer(16, 2, 32).gen_cache(paddle.ones([1, 5, 16]))
            >>> grows.k.shape, static.k.shape
            ([1, 2, 0, 8], [1, 2, 5, 8])
        """
        incremental = self.self_attn.gen_cache(memory, type=self.self_attn.Cache)
        return incremental, self.cross_attn.gen_cache(memory, memory, type=self.cross_attn.StaticCache)


class TransformerDecoder(Layer):
    """A stack of decoder layers.

    Args:
        decoder_layer: the first; the others are made with its settings.
        num_layers: how many.
        norm: a layer at the end.

    Example:
        >>> import paddle_compat as paddle
        >>> decoder = paddle.nn.TransformerDecoder(paddle.nn.TransformerDecoderLayer(16, 2, 32), 2)
        >>> decoder(paddle.ones([2, 4, 16]), paddle.ones([2, 5, 16])).shape
        [2, 4, 16]

    Follows Paddle 2.6.
    """

    def __init__(self, decoder_layer: Any, num_layers: int, norm: Any = None) -> None:
        super().__init__()
        self.layers = _stack(decoder_layer, num_layers)
        self.num_layers, self.norm = num_layers, norm

    def forward(self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, cache: Any = None) -> Any:
        """Apply it.

        Args:
            tgt: [N, T, d_model].
            memory: the encoder's output, [N, S, d_model].
            tgt_mask, memory_mask: as `attn_mask` of the attentions.
            cache: from `gen_cache`.
        Returns:
            [N, T, d_model]; with a cache, also the layers' caches.
        """
        tgt_mask, memory_mask = _convert_attention_mask(tgt_mask, tgt.dtype), _convert_attention_mask(memory_mask, memory.dtype)
        output, caches = tgt, []
        for i, layer in enumerate(self.layers):
            if cache is None:
                output = layer(output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, cache=None)
            else:
                output, new = layer(output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, cache=cache[i])
                caches.append(new)
        if self.norm is not None:
            output = self.norm(output)
        return output if cache is None else (output, caches)

    def gen_cache(self, memory: Any, do_zip: bool = False) -> list[Any]:
        """Caches for decoding step by step, one for each layer.

        Args:
            memory: the encoder's output.
            do_zip: one list for each kind of cache instead of one pair for each layer.
        Returns:
            List of pairs of caches, one a layer; with do_zip, a list of the growing ones and one of the static ones.

        Example:
            >>> import paddle_compat as paddle
            >>> decoder = paddle.nn.TransformerDecoder(paddle.nn.TransformerDecoderLayer(16, 2, 32), 3)
            >>> memory = paddle.ones([1, 5, 16])
            >>> len(decoder.gen_cache(memory)), len(decoder.gen_cache(memory, do_zip=True))
            (3, 2)
        """
        cache = [layer.gen_cache(memory) for layer in self.layers]
        return list(zip(*cache)) if do_zip else cache


class Transformer(Layer):
    """An encoder and a decoder.

    Args:
        d_model: size of the inputs.
        nhead: heads of all attentions.
        num_encoder_layers, num_decoder_layers: how many layers.
        dim_feedforward, dropout, activation, attn_dropout, act_dropout, normalize_before: as of the layers.
        weight_attr, bias_attr: ParamAttr, or one for each part of the layers.
        custom_encoder, custom_decoder: used instead.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.nn.Transformer(16, 2, 1, 1, 32)
        >>> net(paddle.ones([2, 5, 16]), paddle.ones([2, 4, 16])).shape
        [2, 4, 16]

    Follows Paddle 2.6.
    """

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6, dim_feedforward: int = 2048,
        dropout: float = 0.1, activation: str = "relu", attn_dropout: float | None = None, act_dropout: float | None = None,
        normalize_before: bool = False, weight_attr: Any = None, bias_attr: Any = None, custom_encoder: Any = None,
        custom_decoder: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        settings = (dim_feedforward, dropout, activation, attn_dropout, act_dropout, normalize_before)
        weights, biases = _three(weight_attr), _three(bias_attr)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            first = TransformerEncoderLayer(d_model, nhead, *settings, [weights[0], weights[2]], [biases[0], biases[2]])
            self.encoder = TransformerEncoder(first, num_encoder_layers, LayerNorm(d_model))
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            first_decoder = TransformerDecoderLayer(d_model, nhead, *settings, weights, biases)
            self.decoder = TransformerDecoder(first_decoder, num_decoder_layers, LayerNorm(d_model))
        self.d_model, self.nhead = d_model, nhead

    def forward(self, src: Any, tgt: Any, src_mask: Any = None, tgt_mask: Any = None, memory_mask: Any = None) -> Any:
        """Encode, then decode.

        Args:
            src, tgt: [N, S, d_model] and [N, T, d_model].
            src_mask, tgt_mask, memory_mask: as `attn_mask` of the attentions.
        Returns:
            [N, T, d_model].
        """
        memory = self.encoder(src, src_mask=_convert_attention_mask(src_mask, src.dtype))
        memory_mask = _convert_attention_mask(memory_mask, memory.dtype)
        return self.decoder(tgt, memory, tgt_mask=_convert_attention_mask(tgt_mask, tgt.dtype), memory_mask=memory_mask)

    def generate_square_subsequent_mask(self, length: int) -> Any:
        """A mask that hides what comes later: 0 up to the own position, minus infinity after it.

        Args:
            length: of the sequence.
        Returns:
            float32 [length, length].

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.nn.Transformer(16, 2, 1, 1, 32).generate_square_subsequent_mask(2).tolist()
            [[0.0, -inf], [0.0, 0.0]]
        """
        hidden = _paddle().full(shape=[length, length], fill_value=-np.inf, dtype="float32")
        return _paddle().triu(hidden, diagonal=1)


def _three(attr: Any) -> list[Any]:
    """Attributes of self-attention, cross-attention and feed-forward net."""
    if not isinstance(attr, (list, tuple)):
        return [attr] * 3
    if len(attr) == 1:
        return list(attr) * 3
    if len(attr) == 2:
        return [attr[0], attr[0], attr[1]]
    if len(attr) == 3:
        return list(attr)
    raise failed_assertion("weight_attr, bias_attr", "at most 3 attributes", len(attr), "Transformer")


def _stack(first: Any, count: int) -> LayerList:
    return LayerList([first if i == 0 else type(first)(**copy.copy(first._config)) for i in range(count)])


__all__ = [
    "MultiHeadAttention", "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
]  # fmt: skip

__getattr__ = missing(__name__)
