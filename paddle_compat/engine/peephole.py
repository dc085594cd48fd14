"""Peepholes: rewrites of a lowered graph that change its speed and nothing else (but the last bits of 32 or 64).

Each takes the graph; `benchmarks/peepholes.py` shows what each one brings.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import fx
from torch.autograd.function import once_differentiable

from paddle_compat.engine import autograd, joined_lookups, remote_rows
from paddle_compat.engine.rewriting import function_of, is_call, is_short, only_user, rank_of, replaced, variable_of
from paddle_compat.ops._products import addmm, linear, product
from paddle_compat.ops.activation import DEPTH, log_softmax_of
from paddle_compat.ops.conv import conv2d_biased
from paddle_compat.ops.linalg import need_elements
from paddle_compat.ops.loss import need_label_rank, softmax_with_cross_entropy

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import Lowered

# What `apply` does; a benchmark or a test that wants to see one peephole alone changes it.
ENABLED = ["affine", "conv_bias", "cross_entropy", "lookups", "affine_of_part", "attention", "identity"]


def apply(lowered: Lowered) -> None:
    """Rewrite the graph in place."""
    for name in ENABLED:
        _PEEPHOLES[name](lowered, lowered.graph)
    remote_rows.join(lowered, lowered.graph)


def apply_traceable(lowered: Lowered) -> None:
    """Rewrite the graph in place where that helps a compiler, which adds a bias for nothing in whatever reads the product."""
    joined_lookups.join(lowered, lowered.graph, pooled=False)


def apply_inside(lowered: Lowered) -> None:
    """Rewrite the graphs of sub-blocks in place: a layer gives the same bits there as elsewhere."""
    for module in lowered.root.modules():
        if isinstance(module, fx.GraphModule):
            part = replace(lowered, root=module, graph=module.graph, nodes=module.meta["nodes"])
            for name in ("affine", "conv_bias"):
                _PEEPHOLES[name](part, module.graph)
            module.recompile()


# ---- x W + b
def affine2d(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """A product of matrices and a bias on the last dimension, in one call; `mul` makes a matrix of what was fed."""
    need_elements(x)
    return addmm(b, x, w) if x.dim() == 2 else linear(x.flatten(1), w, b)


def affine2d_matmul(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """As `affine2d` for matmul_v2, which multiplies the last dimension of whatever was fed, and takes no rows, too."""
    return addmm(b, x, w) if x.dim() == 2 else linear(x, w, b)


def affine(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, rows: int = 0) -> torch.Tensor:
    """As `affine2d` for more dimensions of x; the first `rows` of them are the rows (0: all but the last)."""
    if rows:
        need_elements(x)
    return linear(x.flatten(rows) if 0 < rows < x.dim() - 1 else x, w, b)


def _affine(lowered: Lowered, graph: fx.Graph) -> None:
    """mul or matmul_v2, then a bias on the last dimension: one addmm."""
    products = {function_of("mul"): "mul", function_of("matmul_v2"): "matmul_v2"}
    add = function_of("elementwise_add")
    for node in list(graph.nodes):
        if node.target is not add or not isinstance(node.args[0], fx.Node) or node.args[0].target not in products:
            continue
        product: Any = node.args[0]
        if only_user(product) is not node or product.name not in lowered.nodes or node.name not in lowered.nodes:
            continue
        flat = products[product.target] == "mul"
        rank = rank_of(lowered, product, "X")
        rows = product.kwargs.get("x_num_col_dims", 1) if flat else rank - 1
        if set(product.kwargs) - {"x_num_col_dims"} or not 1 <= rows < rank or rank_of(lowered, product, "Y") != 2:
            continue
        if rank_of(lowered, node, "Y") != 1 or node.kwargs.get("axis", -1) not in (-1, rows) or is_short(lowered, node, "X"):
            continue
        target = affine if rows > 1 else affine2d if flat else affine2d_matmul
        kwargs = {"rows": rows} if flat and rows > 1 else {}
        replaced(lowered, node, target, (product.args[0], product.args[1], node.args[1]), kwargs)
        lowered.products[node.name] = lowered.nodes[product.name]
        graph.erase_node(product)


# ---- [x, fed] W + b
def affine_of_part(
    x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, part: torch.Tensor, before: list[torch.Tensor], flat: bool = True
) -> torch.Tensor:
    """As `affine2d`, or (not `flat`) `affine2d_matmul`, of what was put side by side, where only one part needs a gradient.

    Args:
        part: that part.
        before: the parts before it.
    """
    if not part.requires_grad or x.dim() != 2 or not x.numel():
        return (affine2d if flat else affine2d_matmul)(x, w, b)
    out: torch.Tensor = _AffineOfPart.apply(part, x.detach(), w, b, sum(each.shape[1] for each in before))
    return out


class _AffineOfPart(torch.autograd.Function):
    """x W + b; the gradient of x is that of the part which begins at a column."""

    @staticmethod
    def forward(ctx: Any, part: torch.Tensor, x: torch.Tensor, w: torch.Tensor, b: torch.Tensor, begin: int) -> torch.Tensor:
        ctx.save_for_backward(x, w)
        ctx.columns = slice(begin, begin + part.shape[1])
        return addmm(b, x, w)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        (x, w), (gradient,), needs = ctx.saved_tensors, gradients, ctx.needs_input_grad
        return (
            product(gradient, w[ctx.columns].t()),
            None,
            product(x.t(), gradient, across=True) if needs[2] else None,
            gradient.sum(0) if needs[3] else None,
            None,
        )


def _affine_of_part(lowered: Lowered, graph: fx.Graph) -> None:
    """A bias and a product of what a concat puts beside fed numbers: only what is not fed has its gradient computed."""
    passes = [node for node in graph.nodes if node.target is autograd.backward]
    if not passes or any(node.kwargs.get("create_graph") for node in passes):
        return
    names = [*lowered.feeds, *lowered.feed_lods, *lowered.states]
    places = [node for node in graph.nodes if node.op == "placeholder"]
    fed = {node for node, name in zip(places, names, strict=True) if name not in lowered.trained}
    for node in list(graph.nodes):
        if node.target not in (affine2d, affine2d_matmul) or node.name not in lowered.nodes:
            continue
        concat = node.args[0]
        if not is_call(lowered, concat, "concat") or len(concat.args) != 1 or concat.kwargs.get("axis", 0) not in (1, -1):
            continue
        parts = list(concat.args[0])
        learned = [i for i, part in enumerate(parts) if part not in fed]
        if only_user(concat) is node and len(learned) == 1 < len(parts):
            args = (*node.args, parts[learned[0]], parts[: learned[0]])
            replaced(lowered, node, affine_of_part, args, {} if node.target is affine2d else {"flat": False})


# ---- convolution + b
def _conv_bias(lowered: Lowered, graph: fx.Graph) -> None:
    """conv2d, then a bias for each channel: one convolution, which adds the bias as it goes and sums up its gradient on the way back."""
    conv2d, add = function_of("conv2d"), function_of("elementwise_add")  # a depthwise_conv2d is the same function
    for node in list(graph.nodes):
        conv: Any = node.args[0] if node.target is add else None
        if not isinstance(conv, fx.Node) or conv.target is not conv2d or len(conv.args) != 2 or only_user(conv) is not node:
            continue
        if conv.name not in lowered.nodes or node.name not in lowered.nodes or set(node.kwargs) - {"axis"}:
            continue
        last = str(conv.kwargs.get("data_format", "NCHW"))[-1] == "C"
        filters, bias = variable_of(lowered, conv, "Filter"), variable_of(lowered, node, "Y")
        if node.kwargs.get("axis", -1) not in ((3, -1) if last else (1,)) or filters is None or bias is None:
            continue
        if bias.shape != filters.shape[:1] or bias.dtype != filters.dtype or is_short(lowered, node, "X"):
            continue
        replaced(lowered, node, conv2d_biased, (*conv.args, node.args[1]), conv.kwargs)
        lowered.products[node.name] = lowered.nodes[conv.name]
        graph.erase_node(conv)


# ---- softmax, cross entropy, mean
MANY = 1 << 15  # logits


def mean_nll_of_logits(
    logits: torch.Tensor, label: torch.Tensor, ignore_index: int = -100, rank1: bool = False, ignored_learn: bool = False,
    flat: bool = False,
) -> torch.Tensor:  # fmt: skip
    """The mean of `nll_of_logits` over all rows, also over those it ignores."""
    label = _as_column(logits, label, flat)
    if ignored_learn and _ignores(logits, label, ignore_index):
        total = nll_of_logits(logits, label, ignore_index, ignored_learn).sum()
    elif logits.numel() >= MANY:  # looking at the rows' losses costs less than looking at all logits
        total = _nll_rows(logits, label, ignore_index).sum()
    else:
        classes = label.squeeze(-1).long()
        total = F.cross_entropy(logits, classes, reduction="sum", ignore_index=ignore_index)
        # where the sum of the losses is within the bound, or the logits are that close together, so is each loss
        if logits.device.type == "cpu" and not total.item() <= DEPTH and not _range(logits) <= DEPTH:
            total = _nll_rows(logits, label, ignore_index).sum()
    loss = total / label.numel()
    return loss.reshape(1) if rank1 else loss


def _range(x: torch.Tensor) -> float:
    """How far the least and the largest element lie apart."""
    low, high = torch.stack(torch.aminmax(x.detach())).tolist()
    return high - low


def nll_of_logits(
    logits: torch.Tensor, label: torch.Tensor, ignore_index: int = -100, ignored_learn: bool = False, flat: bool = False
) -> torch.Tensor:
    """Cross entropy of integer labels [N, 1] from logits [N, C], shape [N, 1].

    `ignored_learn` is the `_ignored_learn` of softmax_with_cross_entropy; `flat`: labels may also be [N], and the loss then, too.
    """
    if flat and label.dim() == 1:
        return _nll_rows(logits, _as_column(logits, label, flat), ignore_index)
    need_label_rank(logits, label)
    if ignored_learn and _ignores(logits, label, ignore_index):
        loss: torch.Tensor = softmax_with_cross_entropy.fn(logits, label, ignore_index=ignore_index, _ignored_learn=True)[1]
        return loss
    return _nll_rows(logits, label, ignore_index).unsqueeze(-1)


def _as_column(logits: torch.Tensor, label: torch.Tensor, flat: bool) -> torch.Tensor:
    """Labels [N, 1], of [N] where these may be so."""
    if flat and label.dim() == 1:
        return label.unsqueeze(-1)
    need_label_rank(logits, label)
    return label


def _ignores(logits: torch.Tensor, label: torch.Tensor, ignore_index: int) -> bool:
    """Whether there are rows that 1.8's operator on the CPU would leave out of the loss, and not out of its gradient."""
    return logits.is_cpu and bool((label == ignore_index).any())


def _nll_rows(logits: torch.Tensor, label: torch.Tensor, ignore_index: int) -> torch.Tensor:
    """As `nll_of_logits`, of shape [N]; what a bounded softmax would change is computed with it."""
    classes = label.squeeze(-1).long()
    rows = F.cross_entropy(logits, classes, reduction="none", ignore_index=ignore_index)
    if rows.device.type == "cpu" and rows.numel() and not bool(rows.detach().amax() <= DEPTH):  # or NaN
        return F.nll_loss(log_softmax_of(logits, 1, in_eights=True), classes, reduction="none", ignore_index=ignore_index)
    return rows


def _cross_entropy(lowered: Lowered, graph: fx.Graph) -> None:
    """softmax, then cross entropy on it: one cross entropy of the logits; a softmax that nobody reads is not computed."""
    softmax = function_of("softmax")
    for node in list(graph.nodes):
        op = lowered.nodes.get(node.name) if node.op == "call_function" else None
        if (
            op is None
            or op.definition is None
            or op.type not in _LOSS_OUTPUT
            or node.target is not function_of(op.type)
            or set(node.kwargs) - {"ignore_index", "use_softmax", "_ignored_learn"}
        ):
            continue
        source: Any = node.args[0]
        label = node.args[1]
        read = op.definition.inputs[0].name
        if rank_of(lowered, node, read) != 2 or rank_of(lowered, node, "Label") != 2 or is_short(lowered, node, read):
            continue
        outputs = _outputs(node)
        if outputs is None or set(outputs) != {_LOSS_OUTPUT[op.type]} or not isinstance(source, fx.Node):
            continue
        if op.type == "softmax_with_cross_entropy" and node.kwargs.get("use_softmax", True):
            logits: Any = source
        elif source.target is softmax and source.kwargs.get("axis", -1) in (-1, 1):
            logits = source.args[0]
        else:
            continue
        loss = outputs[_LOSS_OUTPUT[op.type]]
        lowered.nodes[loss.name] = op
        kwargs = {key.strip("_"): node.kwargs[key] for key in ("ignore_index", "_ignored_learn") if key in node.kwargs}
        if op.type != "softmax_with_cross_entropy":
            kwargs["flat"] = True
        new = replaced(lowered, loss, nll_of_logits, (logits, label), kwargs)
        mean = only_user(new)
        if mean is not None and _is_whole_mean(lowered, mean):
            extra = {"rank1": True} if mean.kwargs.get("_rank1") else {}
            both = replaced(lowered, mean, mean_nll_of_logits, (logits, label), {**new.kwargs, **extra})
            lowered.nodes[both.name] = op  # whose label may be wrong
            graph.erase_node(new)
        for dead in (node, source):
            if (
                dead is not loss
                and dead.op == "call_function"
                and not [u for u in dead.users if u.users or u.op == "output"]
            ):
                for user in list(dead.users):
                    graph.erase_node(user)
                graph.erase_node(dead)


def _is_whole_mean(lowered: Lowered, node: fx.Node) -> bool:
    """Whether the node is a mean over all dimensions."""
    op = lowered.nodes.get(node.name)
    if op is None or node.target is not function_of(op.type):
        return False
    if op.type == "mean":
        return not set(node.kwargs) - {"_rank1"}
    whole = node.kwargs.get("reduce_all", False) or node.kwargs.get("dim", [0]) == []
    return (
        op.type == "reduce_mean"
        and bool(whole)
        and not node.kwargs.get("keep_dim")
        and not set(node.kwargs) - {"reduce_all", "dim", "_rank1"}
    )


# position of the loss among the outputs of what computes it
_LOSS_OUTPUT = {"cross_entropy": 0, "cross_entropy2": 0, "softmax_with_cross_entropy": 1}


def _outputs(node: fx.Node) -> dict[int, fx.Node] | None:
    """The nodes that take the outputs of a node, by position; the node itself at 0 when it has one output."""
    items: dict[int, fx.Node] = {}
    for user in node.users:
        if user.target is operator.getitem and user.args[0] is node:
            if user.users:
                items[user.args[1]] = user  # type: ignore[index]
        else:
            return {0: node} if all(u.target is not operator.getitem for u in node.users) else None
    return items or None


# ---- attention
def attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None, scale: float = 1.0
) -> torch.Tensor:
    """softmax(scale * q @ k.T + mask) @ v."""
    return F.scaled_dot_product_attention(q, k, v, mask, scale=scale)


def _attention(lowered: Lowered, graph: fx.Graph) -> None:
    """Two matrix products with a softmax between them, with a factor and a mask before it: one attention call."""
    softmax = function_of("softmax")
    for node in list(graph.nodes):
        if node.op != "call_function" or node.target is not softmax or node.kwargs.get("axis", -1) not in (-1, 3):
            continue
        last = only_user(node)
        if last is None or last.args[0] is not node or _product(lowered, last) != (False, 1.0):
            continue
        mask: Any = None
        factor: Any = 1.0
        first: Any = node.args[0]
        dead = [node]
        if (
            is_call(lowered, first, "elementwise_add")
            and first.kwargs.get("axis", -1) == -1
            and rank_of(lowered, first, "Y") == 4
        ):
            dead.append(first)
            first, mask = first.args
        if is_call(lowered, first, "scale") and not set(first.kwargs) - {"scale"}:
            dead.append(first)
            factor, first = first.kwargs.get("scale", 1.0), first.args[0]
        found = _product(lowered, first)
        if found is None or not found[0] or any(only_user(d) is None for d in (*dead, first)):
            continue
        if rank_of(lowered, first, "X") != 4 or rank_of(lowered, first, "Y") != 4 or rank_of(lowered, last, "Y") != 4:
            continue
        kwargs = {"scale": factor * found[1], **({"mask": mask} if mask is not None else {})}
        replaced(lowered, last, attention, (first.args[0], first.args[1], last.args[1]), kwargs)
        for gone in (*dead, first):
            graph.erase_node(gone)


def _product(lowered: Lowered, node: Any) -> tuple[bool, float] | None:
    """Whether a matrix product transposes its second operand, and its factor; None when it is no such product."""
    if is_call(lowered, node, "matmul_v2") and not set(node.kwargs) - {"trans_y"}:
        return bool(node.kwargs.get("trans_y", False)), 1.0
    if is_call(lowered, node, "matmul") and not set(node.kwargs) - {"transpose_Y", "alpha"}:
        return bool(node.kwargs.get("transpose_Y", False)), float(node.kwargs.get("alpha", 1.0))
    return None


# ---- x * 1
def _identity(lowered: Lowered, graph: fx.Graph) -> None:
    """A `scale` by 1, which `save_inference_model` puts behind what it saves: its input.

    Only of what another operator computed, in a Program that updates nothing in place, where two names for one value do no harm.
    """
    if lowered.mutated or lowered.trained:
        return
    for node in list(graph.nodes):
        if is_call(lowered, node, "scale") and not node.kwargs and len(node.args) == 1 and node.args[0].name in lowered.nodes:
            del lowered.nodes[node.name]
            node.replace_all_uses_with(node.args[0])
            graph.erase_node(node)


_PEEPHOLES: dict[str, Callable[..., None]] = {
    "affine": _affine,
    "conv_bias": _conv_bias,
    "cross_entropy": _cross_entropy,
    "lookups": joined_lookups.join,
    "affine_of_part": _affine_of_part,
    "attention": _attention,
    "identity": _identity,
}
