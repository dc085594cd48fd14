"""Items at the leaves of a tree: the children of nodes, and other nodes of a layer to train against; items by their ranks."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from paddle_compat.core import distributions
from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.engines import MT19937_64
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op

Tensor = torch.Tensor
INT32 = 2


def _children_meta(x: Meta, tree: Meta, *, child_nums: int, dtype: int = INT32, **attrs: Any) -> tuple[Meta, Meta]:
    out = Meta((*x.shape, child_nums), torch_dtype(dtype))
    return out, out


@op(inputs=("X", "TreeInfo"), outputs=("Child", "LeafMask"), infer=_children_meta)
def tdm_child(x: Tensor, tree: Tensor, *, child_nums: int, dtype: int = INT32) -> tuple[Tensor, Tensor]:
    """The children of nodes (0: none), and which of these are leaves.

    A row of the tree is a node's item (0: no leaf), layer, parent and children.
    """
    nodes = x.reshape(-1).long()
    if bool(((nodes < 0) | (nodes >= len(tree))).any()):
        raise invalid_argument("X", f"nodes from 0 to {len(tree) - 1}", nodes.tolist(), "tdm_child")
    children = tree[nodes, 3 : 3 + child_nums]
    there = (nodes != 0) & (tree[nodes, 3] != 0)
    children = torch.where(there[:, None], children, 0)
    leaves = (tree[children.long(), 0] != 0) & there[:, None]
    kind, shape = torch_dtype(dtype), (*x.shape, child_nums)
    return children.to(kind).reshape(shape), leaves.to(kind).reshape(shape)


def _sampled_meta(
    x: Meta, *rest: Meta, neg_samples_num_list: Sequence[int], output_positive: bool = True, dtype: int = INT32, **attrs: Any
) -> tuple[Meta, ...]:
    width = sum(neg_samples_num_list) + len(neg_samples_num_list) * output_positive
    return (Meta((-1, width), torch_dtype(dtype), 0),) * 3


def _draws(seed: int, count: int) -> Iterator[int]:
    """Numbers below `count`, without end."""
    engine = MT19937_64(seed % 2**32 or secrets.randbits(32))
    while True:
        yield from distributions.integers(engine, 64, 0, count).tolist()


@op(inputs=("X", "Travel", "Layer"), outputs=("Out", "Labels?", "Mask"), infer=_sampled_meta, lod=None, random=True)
def tdm_sampler(
    x: Tensor, travel: Tensor, layer: Tensor, *, output_positive: bool = True, neg_samples_num_list: Sequence[int] = (),
    layer_offset_lod: Sequence[int] = (), seed: int = 0, dtype: int = INT32,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The path to each item's leaf, and beside each node of it other nodes of its layer, drawn without repetition.

    Labels are 1 for the path; the mask is 0 where a path has ended and zeros stand.
    """
    nodes = [layer.reshape(-1)[a:b].tolist() for a, b in zip(layer_offset_lod, layer_offset_lod[1:])]
    for number, (there, wanted) in enumerate(zip(nodes, neg_samples_num_list)):
        if wanted >= len(there):
            raise invalid_argument("neg_samples_num_list", f"less than the {len(there)} nodes of layer {number}", wanted, "tdm_sampler")
    streams = [_draws(seed, len(there)) for there in nodes]
    out, labels, mask = [], [], []
    for path in travel[x.reshape(-1).long()].tolist():
        for node, there, stream, wanted in zip(path, nodes, streams, neg_samples_num_list):
            own = [node] * output_positive
            drawn: list[int] = []
            while node and len(drawn) < wanted:
                position = next(stream)
                if there[position] != node and position not in drawn:
                    drawn.append(position)
            out += own + ([there[position] for position in drawn] if node else [0] * wanted)
            labels += [int(node != 0)] * output_positive + [0] * wanted
            mask += [int(node != 0)] * (output_positive + wanted)
    kind, shape = torch_dtype(dtype), (len(x), -1)
    made = (torch.tensor(each, dtype=kind, device=x.device).reshape(shape) for each in (out, labels, mask))
    return tuple(made)  # type: ignore[return-value]


def _ranked_meta(x: Meta, offsets: Meta, param: Meta, **attrs: Any) -> Meta:
    return Meta((x.shape[0], param.shape[1]), x.dtype)


@op(
    inputs=("X", "RankOffset", "RankParam"), outputs=("Out", "InputHelp~?@2", "InsRank~?@2"),
    grad={1: ("X", "RankOffset", "RankParam"), 2: ("X", "RankOffset", "RankParam", "InputHelp", "InsRank")},
    no_grad=("X", "RankOffset"), infer=_ranked_meta,
    describe={"InputHelp": lambda x, *rest, MaxRank=3, **attrs: Meta((-1, MaxRank * x.shape[1]), x.dtype, 0),
              "InsRank": lambda x, *rest, **attrs: Meta((-1, 1), x.dtype, 0)},
)  # fmt: skip
def rank_attention(x: Tensor, offsets: Tensor, param: Tensor, *, MaxRank: int = 3, MaxSize: int = 0) -> Tensor:
    """For each item the sum over those shown with it of their features times the matrix for the two ranks.

    A row of the offsets is the item's rank, counted from 1, and for each place the rank (0: none) and row of who is there.
    """
    own, others, rows = offsets[:, :1].long() - 1, offsets[:, 1 : 2 * MaxRank : 2].long() - 1, offsets[:, 2 : 2 * MaxRank + 1 : 2].long()
    there = (own >= 0) & (others >= 0)
    features = torch.where(there[..., None], x[torch.where(there, rows, 0)], 0.0)
    matrices = param.reshape(MaxRank, MaxRank, x.shape[1], param.shape[1])
    return torch.einsum("nkd,nkdo->no", features, matrices[own.clamp(min=0), others.clamp(min=0)])
