"""`paddle.text`: the best path of tags through a sentence."""

from __future__ import annotations

from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.ops import crf
from paddle_compat.tensor._calls import check


def viterbi_decode(
    potentials: Any, transition_params: Any, lengths: Any, include_bos_eos_tag: bool = True, name: str | None = None
) -> Any:
    """The best path of tags through each sentence, and its score.

    Args:
        potentials (Tensor): how well each tag fits each word, [N, words, tags].
        transition_params (Tensor): how well a tag (row) goes before another, [tags, tags].
        lengths (Tensor): words of each sentence, int64 [N].
        include_bos_eos_tag (bool): whether the last tag stands before the beginning and the last but one behind the end.
        name (str): prefix of the outputs' names.
    Returns:
        tuple: the scores [N], and the paths int64 [N, longest sentence].

    Example:
        >>> import paddle_compat as paddle
        >>> potentials = paddle.to_tensor([[[1.0, 0.0], [0.0, 2.0]]])
        >>> [f.tolist() for f in paddle.text.viterbi_decode(potentials, paddle.zeros([2, 2]), paddle.to_tensor([2]), False)]
        [[3.0], [[0, 1]]]

    Follows Paddle 2.6.
    """
    check(lengths, "length", "viterbi_decode", ("int64",))
    helper = helper_for("viterbi_decode", potentials, name)
    return crf.viterbi_decode(potentials, transition_params, lengths, include_bos_eos_tag=include_bos_eos_tag, _helper=helper)


class ViterbiDecoder(nn.Layer):
    """`viterbi_decode` as a layer.

    Args:
        transitions (Tensor): how well a tag (row) goes before another, [tags, tags].
        include_bos_eos_tag (bool): whether the last tag stands before the beginning and the last but one behind the end.
        name (str): prefix of the outputs' names.

    Example:
        >>> import paddle_compat as paddle
        >>> decoder = paddle.text.ViterbiDecoder(paddle.zeros([2, 2]), False)
        >>> [f.tolist() for f in decoder(paddle.to_tensor([[[1.0, 0.0], [0.0, 2.0]]]), paddle.to_tensor([2]))]
        [[3.0], [[0, 1]]]

    Follows Paddle 2.6.
    """

    def __init__(self, transitions: Any, include_bos_eos_tag: bool = True, name: str | None = None) -> None:
        super().__init__()
        self.transitions, self.include_bos_eos_tag, self.name = transitions, include_bos_eos_tag, name

    def forward(self, potentials: Any, lengths: Any) -> Any:
        """The best paths.

        Args:
            potentials: how well each tag fits each word.
            lengths: words of each sentence.
        Returns:
            tuple: scores and paths.
        """
        return viterbi_decode(potentials, self.transitions, lengths, self.include_bos_eos_tag, self.name)


__all__ = ["ViterbiDecoder", "viterbi_decode"]

__getattr__ = missing(__name__)
