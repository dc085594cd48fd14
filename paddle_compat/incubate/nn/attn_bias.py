"""`paddle.incubate.nn.attn_bias`: what `memory_efficient_attention` adds to its scores, said in few words."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.nn.functional._apply import paddle


def _hidden(shape: Sequence[int], diagonal: int, dtype: Any) -> Any:
    """0, and -inf from a diagonal on."""
    return paddle.triu(paddle.full(list(shape), -math.inf, "float32"), diagonal).astype(dtype)


def _ends(lengths: Sequence[int]) -> list[int]:
    return [0, *itertools.accumulate(lengths)]


class AttentionBias(ABC):
    """What is added to the scores of attention.

    Example:
        >>> from paddle_compat.incubate.nn.attn_bias import AttentionBias, LowerTriangularMask
        >>> isinstance(LowerTriangularMask(), AttentionBias)
        True

    Follows Paddle 2.6.
    """

    @abstractmethod
    def materialize(self, shape: Sequence[int], dtype: Any = "float32") -> Any:
        """Write it out.

        Args:
            shape: [..., length, other length].
            dtype: a floating type.
        Returns:
            Tensor: of that shape.

        Example:
            >>> from paddle_compat.incubate.nn.attn_bias import BlockDiagonalMask
            >>> BlockDiagonalMask.from_seqlens([1, 1]).materialize([2, 2]).shape
            [2, 2]
        """


class LowerTriangularMask(AttentionBias):
    """A position sees itself and those before it.

    Example:
        >>> from paddle_compat.incubate.nn.attn_bias import LowerTriangularMask
        >>> LowerTriangularMask().materialize([2, 2]).tolist()
        [[0.0, -inf], [0.0, 0.0]]

    Follows Paddle 2.6.
    """

    def materialize(self, shape: Sequence[int], dtype: Any = "float32") -> Any:
        """Write it out.

        Args:
            shape: [..., length, other length].
            dtype: a floating type.
        Returns:
            Tensor: of that shape, 0 and -inf.
        """
        return _hidden(shape, 1, dtype)

    def add_bias(self, bias: Any) -> LowerTriangularMaskWithTensorBias:
        """Add numbers to the scores, too.

        Args:
            bias (Tensor): the numbers.
        Returns:
            LowerTriangularMaskWithTensorBias.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.incubate.nn.attn_bias import LowerTriangularMask
            >>> LowerTriangularMask().add_bias(paddle.ones([2, 2])).materialize([2, 2]).tolist()
            [[1.0, -inf], [1.0, 1.0]]
        """
        return LowerTriangularMaskWithTensorBias(bias)


class LowerTriangularMaskWithTensorBias(LowerTriangularMask):
    """A position sees itself and those before it, and numbers are added to the scores.

    Args:
        bias (Tensor): the numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.attn_bias import LowerTriangularMaskWithTensorBias
        >>> LowerTriangularMaskWithTensorBias(paddle.ones([2, 2])).materialize([2, 2]).tolist()
        [[1.0, -inf], [1.0, 1.0]]

    Follows Paddle 2.6.
    """

    def __init__(self, bias: Any) -> None:
        self._bias = bias

    def materialize(self, shape: Sequence[int], dtype: Any = "float32") -> Any:
        """Write it out.

        Args:
            shape: [..., length, other length].
            dtype: a floating type.
        Returns:
            Tensor: of that shape.
        """
        return super().materialize(shape, dtype) + self._bias


@dataclass
class SeqLenInfo:
    """Where sequences that stand one after the other begin.

    Args:
        seqstart (Tensor): the beginnings and the end, int32.
        max_seqlen (int): the longest length.
        seqstart_py (list): seqstart as ints.

    Example:
        >>> from paddle_compat.incubate.nn.attn_bias import SeqLenInfo
        >>> list(SeqLenInfo.from_seqlens([2, 1]).intervals())
        [(0, 2), (2, 3)]

    Follows Paddle 2.6.
    """

    seqstart: Any
    max_seqlen: int
    seqstart_py: list[int]

    def intervals(self) -> Iterator[tuple[int, int]]:
        """Beginning and end of each sequence.

        Returns:
            Iterator: pairs of ints.
        """
        yield from zip(self.seqstart_py, self.seqstart_py[1:])

    @classmethod
    def from_seqlens(cls, seqlens: Sequence[int]) -> SeqLenInfo:
        """Of lengths.

        Args:
            seqlens: ints.
        Returns:
            SeqLenInfo.
        """
        starts = _ends(seqlens)
        return cls(paddle.to_tensor(starts, dtype="int32"), max(seqlens, default=-1), starts)

    def split(self, x: Any, batch_sizes: Sequence[int] | None = None) -> list[Any]:
        """Take sequences apart.

        Args:
            x (Tensor): [1, all positions, ...].
            batch_sizes: how many sequences of one length each part has; None: one each.
        Returns:
            list: Tensors [1 or as many, length, ...].
        Raises:
            AssertionError: x has another shape.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.incubate.nn.attn_bias import SeqLenInfo
            >>> [x.shape for x in SeqLenInfo.from_seqlens([2, 1]).split(paddle.ones([1, 3, 4]))]
            [[1, 2, 4], [1, 1, 4]]
        """
        if x.shape[0] != 1 or x.shape[1] != self.seqstart_py[-1]:
            raise failed_assertion("x", f"the shape [1, {self.seqstart_py[-1]}, ...]", list(x.shape), "split")
        parts, first = [], 0
        for count in batch_sizes or [1] * (len(self.seqstart_py) - 1):
            rows = x[:, self.seqstart_py[first] : self.seqstart_py[first + count]]
            parts.append(paddle.reshape(rows, [count, -1, *x.shape[2:]]))
            first += count
        return parts


@dataclass
class PaddedSeqLenInfo(SeqLenInfo):
    """Where sequences begin that are filled up to one length.

    Args:
        seqstart (Tensor): the beginnings and the end, int32.
        max_seqlen (int): the longest length.
        seqstart_py (list): seqstart as ints.
        seqlen (Tensor): the lengths, int32.
        seqlen_py (list): seqlen as ints.

    Example:
        >>> from paddle_compat.incubate.nn.attn_bias import PaddedSeqLenInfo
        >>> list(PaddedSeqLenInfo.from_seqlens_padded([2, 1], 3).intervals())
        [(0, 2), (3, 4)]

    Follows Paddle 2.6.
    """

    seqlen: Any
    seqlen_py: Sequence[int]

    def intervals(self) -> Iterator[tuple[int, int]]:
        """Beginning and end of each sequence, without what fills it up.

        Returns:
            Iterator: pairs of ints.
        """
        yield from ((start, start + length) for start, length in zip(self.seqstart_py, self.seqlen_py))

    @classmethod
    def from_seqlens(cls, seqlens: Sequence[int]) -> SeqLenInfo:
        """Refused: nothing says how long sequences are when they are filled up.

        Args:
            seqlens: ints.
        Returns:
            Nothing.
        Raises:
            NotImplementedError: always.
        """
        raise _unlike("PaddedSeqLenInfo.from_seqlens", "SeqLenInfo.from_seqlens() or PaddedSeqLenInfo.from_seqlens_padded()")

    @classmethod
    def from_seqlens_padded(cls, seqlens: Sequence[int], padding: int) -> PaddedSeqLenInfo:
        """Of lengths.

        Args:
            seqlens: ints.
            padding: the length to which all are filled up.
        Returns:
            PaddedSeqLenInfo.
        Raises:
            AssertionError: a sequence is longer.
        """
        if any(length > padding for length in seqlens):
            raise failed_assertion("seqlens", f"lengths up to padding, {padding}", list(seqlens), "from_seqlens_padded")
        starts = [padding * place for place in range(len(seqlens) + 1)]
        tensors = (paddle.to_tensor(numbers, dtype="int32") for numbers in (starts, list(seqlens)))
        return cls(next(tensors), max(seqlens), starts, next(tensors), seqlens)

    def split(self, x: Any, batch_sizes: Sequence[int] | None = None) -> list[Any]:
        """Refused, as in Paddle.

        Args:
            x (Tensor): [1, all positions, ...].
            batch_sizes: kept.
        Returns:
            Nothing.
        Raises:
            NotImplementedError: always.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.incubate.nn.attn_bias import PaddedSeqLenInfo
            >>> PaddedSeqLenInfo.from_seqlens_padded([2, 1], 3).split(paddle.ones([1, 6]))  # doctest: +ELLIPSIS
            Traceback (most recent call last):
            NotImplementedError: ...
        """
        raise _unlike("PaddedSeqLenInfo.split", "intervals()")


def _unlike(name: str, instead: str) -> NotImplementedError:
    return NotImplementedError(f"`paddle.incubate.nn.attn_bias.{name}` raises in Paddle, too. Use {instead} instead.")


def _blocks(bias: Any, shape: Sequence[int], dtype: Any, diagonals: Sequence[int | None]) -> Any:
    """-inf, and in the block of each sequence 0 up to a diagonal (None: all of it)."""
    whole = [bias.q_seqinfo.seqstart_py[-1], bias.k_seqinfo.seqstart_py[-1]]
    if list(shape[-2:]) != whole:
        raise failed_assertion("shape", f"[..., {whole[0]}, {whole[1]}]", list(shape), "materialize")
    out = paddle.full(whole, -math.inf, "float32")
    for (top, bottom), (left, right), diagonal in zip(bias.q_seqinfo.intervals(), bias.k_seqinfo.intervals(), diagonals):
        size = [bottom - top, right - left]
        out[top:bottom, left:right] = paddle.zeros(size) if diagonal is None else _hidden(size, 1 + diagonal, "float32")
    return paddle.expand(out, list(shape)).astype(dtype)


def _agreeing(first: Sequence[int], second: Sequence[int], api: str) -> None:
    if len(first) != len(second):
        raise failed_assertion("kv_seqlen", f"{len(first)} lengths, as q_seqlen has", list(second), api)


@dataclass
class BlockDiagonalMask(AttentionBias):
    """Sequences that stand one after the other see themselves only.

    Args:
        q_seqinfo, k_seqinfo (SeqLenInfo): of the queries and of the keys.
        _batch_sizes: how many sequences of one length each Tensor had that they came from.

    Example:
        >>> from paddle_compat.incubate.nn.attn_bias import BlockDiagonalMask
        >>> BlockDiagonalMask.from_seqlens([1, 1]).materialize([2, 2]).tolist()
        [[0.0, -inf], [-inf, 0.0]]

    Follows Paddle 2.6.
    """

    q_seqinfo: SeqLenInfo
    k_seqinfo: SeqLenInfo
    _batch_sizes: Sequence[int] | None = None

    def materialize(self, shape: Sequence[int], dtype: Any = "float32") -> Any:
        """Write it out.

        Args:
            shape: [..., all queries, all keys].
            dtype: a floating type.
        Returns:
            Tensor: of that shape, 0 and -inf.
        Raises:
            AssertionError: there are other numbers of queries or keys.
        """
        return _blocks(self, shape, dtype, [None] * (len(self.q_seqinfo.seqstart_py) - 1))

    @classmethod
    def from_seqlens(cls, q_seqlen: Sequence[int], kv_seqlen: Sequence[int] | None = None) -> BlockDiagonalMask:
        """Of lengths.

        Args:
            q_seqlen: those of the queries.
            kv_seqlen: those of the keys; None: the same.
        Returns:
            BlockDiagonalMask.
        Raises:
            AssertionError: there are not as many of both.
        """
        queries = SeqLenInfo.from_seqlens(q_seqlen)
        if kv_seqlen is None:
            return cls(queries, queries)
        _agreeing(q_seqlen, kv_seqlen, "BlockDiagonalMask.from_seqlens")
        return cls(queries, SeqLenInfo.from_seqlens(kv_seqlen))

    @classmethod
    def from_tensor_list(cls, tensors: Sequence[Any]) -> tuple[BlockDiagonalMask, Any]:
        """Put sequences one after the other.

        Args:
            tensors: Tensors [as many, length, ...].
        Returns:
            tuple: the mask, and a Tensor [1, all positions, ...].

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.incubate.nn.attn_bias import BlockDiagonalMask
            >>> mask, x = BlockDiagonalMask.from_tensor_list([paddle.ones([1, 2, 4]), paddle.ones([2, 1, 4])])
            >>> mask.q_seqinfo.seqstart_py, x.shape
            ([0, 2, 3, 4], [1, 4, 4])
        """
        lengths = [x.shape[1] for x in tensors for _ in range(x.shape[0])]
        info = SeqLenInfo.from_seqlens(lengths)
        joined = paddle.concat([paddle.reshape(x, [1, -1, *x.shape[2:]]) for x in tensors], axis=1)
        return cls(info, info, [x.shape[0] for x in tensors]), joined

    @classmethod
    def from_tensor_lists_qkv(
        cls, tensors_q: Sequence[Any], tensors_k: Sequence[Any], tensors_v: Sequence[Any] | None = None
    ) -> tuple[BlockDiagonalMask, Any, Any, Any]:
        """Put queries, keys and values one after the other.

        Args:
            tensors_q, tensors_k, tensors_v: Tensors [as many, length, ...].
        Returns:
            tuple: the mask, and three Tensors [1, all positions, ...], or None for values that are not there.
        Raises:
            AssertionError: the lists do not fit.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.incubate.nn.attn_bias import BlockDiagonalMask
            >>> mask, q, k, v = BlockDiagonalMask.from_tensor_lists_qkv([paddle.ones([1, 2, 4])], [paddle.ones([1, 3, 4])])
            >>> q.shape, k.shape, v
            ([1, 2, 4], [1, 3, 4], None)
        """
        sizes = [[x.shape[0] for x in tensors] for tensors in (tensors_q, tensors_k)]
        if sizes[0] != sizes[1]:
            raise failed_assertion("tensors_k", f"Tensors of {sizes[0]} sequences", sizes[1], "from_tensor_lists_qkv")
        if tensors_v is not None and [x.shape[:2] for x in tensors_k] != [x.shape[:2] for x in tensors_v]:
            raise failed_assertion(
                "tensors_v", f"the shapes {[x.shape[:2] for x in tensors_k]}", [x.shape[:2] for x in tensors_v], "from_tensor_lists_qkv"
            )
        queries, q = cls.from_tensor_list(tensors_q)
        keys, k = cls.from_tensor_list(tensors_k)
        v = None if tensors_v is None else cls.from_tensor_list(tensors_v)[1]
        return cls(queries.q_seqinfo, keys.k_seqinfo, sizes[0]), q, k, v

    def split_queries(self, tensor: Any) -> list[Any]:
        """Take queries apart.

        Args:
            tensor (Tensor): [1, all queries, ...].
        Returns:
            list: Tensors.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.incubate.nn.attn_bias import BlockDiagonalMask
            >>> [x.shape for x in BlockDiagonalMask.from_seqlens([2, 1], [1, 3]).split_queries(paddle.ones([1, 3]))]
            [[1, 2], [1, 1]]
        """
        return self.q_seqinfo.split(tensor, self._batch_sizes)

    def split_kv(self, tensor: Any) -> list[Any]:
        """Take keys or values apart.

        Args:
            tensor (Tensor): [1, all keys, ...].
        Returns:
            list: Tensors.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.incubate.nn.attn_bias import BlockDiagonalMask
            >>> [x.shape for x in BlockDiagonalMask.from_seqlens([2, 1], [1, 3]).split_kv(paddle.ones([1, 4]))]
            [[1, 1], [1, 3]]
        """
        return self.k_seqinfo.split(tensor, self._batch_sizes)

    def split(self, tensor: Any) -> list[Any]:
        """Take apart what has as many queries as keys.

        Args:
            tensor (Tensor): [1, all positions, ...].
        Returns:
            list: Tensors.
        Raises:
            AssertionError: queries and keys are not of the same lengths.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.incubate.nn.attn_bias import BlockDiagonalMask
            >>> [x.shape for x in BlockDiagonalMask.from_seqlens([2, 1]).split(paddle.ones([1, 3]))]
            [[1, 2], [1, 1]]
        """
        if self.q_seqinfo is not self.k_seqinfo:
            raise failed_assertion("tensor", "queries and keys of the same lengths", list(tensor.shape), "split")
        return self.q_seqinfo.split(tensor, self._batch_sizes)

    def make_causal(self) -> BlockDiagonalCausalMask:
        """The mask in which a position sees itself and those before it only.

        Returns:
            BlockDiagonalCausalMask.
        """
        return BlockDiagonalCausalMask(self.q_seqinfo, self.k_seqinfo, self._batch_sizes)


@dataclass
class BlockDiagonalCausalMask(BlockDiagonalMask):
    """Sequences that stand one after the other see themselves only, and no position what is behind it.

    Args:
        q_seqinfo, k_seqinfo (SeqLenInfo): of the queries and of the keys.
        _batch_sizes: as of `BlockDiagonalMask`.

    Example:
        >>> from paddle_compat.incubate.nn.attn_bias import BlockDiagonalMask
        >>> BlockDiagonalMask.from_seqlens([2, 1]).make_causal().materialize([3, 3]).tolist()
        [[0.0, -inf, -inf], [0.0, 0.0, -inf], [-inf, -inf, 0.0]]

    Follows Paddle 2.6.
    """

    def materialize(self, shape: Sequence[int], dtype: Any = "float32") -> Any:
        """Write it out.

        Args:
            shape: [..., all queries, all keys].
            dtype: a floating type.
        Returns:
            Tensor: of that shape, 0 and -inf.
        Raises:
            AssertionError: there are other numbers of queries or keys.
        """
        return _blocks(self, shape, dtype, [0] * (len(self.q_seqinfo.seqstart_py) - 1))


@dataclass
class BlockDiagonalCausalWithOffsetPaddedKeysMask(AttentionBias):
    """The same where keys are filled up to one length, and a position sees some more or fewer.

    Args:
        q_seqinfo (SeqLenInfo): of the queries.
        k_seqinfo (PaddedSeqLenInfo): of the keys.
        causal_diagonal (Tensor): how many more keys the positions of each sequence see; None: 0.

    Example:
        >>> from paddle_compat.incubate.nn.attn_bias import BlockDiagonalCausalWithOffsetPaddedKeysMask
        >>> BlockDiagonalCausalWithOffsetPaddedKeysMask.from_seqlens([1, 1], 2, [1, 2]).materialize([2, 4]).tolist()
        [[0.0, -inf, -inf, -inf], [-inf, -inf, 0.0, -inf]]

    Follows Paddle 2.6.
    """

    q_seqinfo: SeqLenInfo
    k_seqinfo: PaddedSeqLenInfo
    causal_diagonal: Any = None

    def materialize(self, shape: Sequence[int], dtype: Any = "float32") -> Any:
        """Write it out.

        Args:
            shape: [..., all queries, all keys].
            dtype: a floating type.
        Returns:
            Tensor: of that shape, 0 and -inf.
        Raises:
            AssertionError: there are other numbers of queries or keys.
        """
        count = len(self.q_seqinfo.seqstart_py) - 1
        given = [0] * count if self.causal_diagonal is None else [int(each) for each in self.causal_diagonal]
        return _blocks(self, shape, dtype, given)

    @classmethod
    def from_seqlens(
        cls, q_seqlen: Sequence[int], kv_padding: int, kv_seqlen: Sequence[int], causal_diagonal: Any = None
    ) -> BlockDiagonalCausalWithOffsetPaddedKeysMask:
        """Of lengths.

        Args:
            q_seqlen: those of the queries.
            kv_padding: the length to which keys are filled up.
            kv_seqlen: those of the keys.
            causal_diagonal (Tensor): how many more keys the positions of each sequence see; None: 0.
        Returns:
            BlockDiagonalCausalWithOffsetPaddedKeysMask.
        Raises:
            AssertionError: there are not as many of both, or keys are longer than kv_padding.
        """
        _agreeing(q_seqlen, kv_seqlen, "BlockDiagonalCausalWithOffsetPaddedKeysMask.from_seqlens")
        keys = PaddedSeqLenInfo.from_seqlens_padded(kv_seqlen, kv_padding)
        return cls(SeqLenInfo.from_seqlens(q_seqlen), keys, causal_diagonal)


__all__ = [
    "AttentionBias", "BlockDiagonalCausalMask", "BlockDiagonalCausalWithOffsetPaddedKeysMask", "BlockDiagonalMask", "LowerTriangularMask",
    "LowerTriangularMaskWithTensorBias", "PaddedSeqLenInfo", "SeqLenInfo",
]  # fmt: skip

__getattr__ = missing(__name__)
