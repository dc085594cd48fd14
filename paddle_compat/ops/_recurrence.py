"""LSTM and GRU over all steps as one function each: what a step makes is kept and differentiated by hand.

Autograd over the single steps would record some twenty operations a step. Here a step writes into its rows of buffers that
hold all steps, its gradient does the same on the way back, and the weights' gradients are one product over all steps.
Second derivatives come from the plain steps, which the caller hands in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.lod import LoD
from paddle_compat.ops._lod import lengths, take

Tensor = torch.Tensor
Activation = Callable[[Tensor], Tensor]
Plain = Callable[..., Tensor]


def identity(x: Tensor) -> Tensor:
    """No activation."""
    return x


IN_PLACE: dict[Activation, Activation] = {
    identity: identity,
    torch.sigmoid: torch.sigmoid_,
    torch.tanh: torch.tanh_,
    torch.relu: torch.relu_,
}


def _relu_back(grad: Tensor, out: Tensor) -> Tensor:
    return grad.masked_fill_(out <= 0, 0.0)


def _sigmoid_back(grad: Tensor, out: Tensor) -> Tensor:
    found: Tensor = torch.ops.aten.sigmoid_backward.grad_input(grad, out, grad_input=grad)
    return found


def _tanh_back(grad: Tensor, out: Tensor) -> Tensor:
    found: Tensor = torch.ops.aten.tanh_backward.grad_input(grad, out, grad_input=grad)
    return found


# from the gradient of an activation's result, which is overwritten, and that result
BACK: dict[Activation, Callable[[Tensor, Tensor], Tensor]] = {
    identity: lambda grad, out: grad,
    torch.sigmoid: _sigmoid_back,
    torch.tanh: _tanh_back,
    torch.relu: _relu_back,
}


class Steps:
    """The rows of LoD sequences by time step, longest sequence first: each step continues the first rows of the last.

    Attributes:
        order: sequence numbers, longest first (CPU).
        rows: row numbers, step by step (CPU).
        sizes: how many sequences each step has.
    """

    def __init__(self, lod: LoD, is_reverse: bool) -> None:
        offsets = lod[-1]
        count = lengths(offsets)
        self.order = torch.argsort(count, descending=True, stable=True)
        count = count[self.order]
        longest = int(count[0]) if count.numel() else 0
        step = torch.arange(longest).unsqueeze(1)
        alive = step < count
        start = offsets[:-1][self.order]
        rows = start + count - 1 - step if is_reverse else start + step
        self.rows = rows[alive]
        self.sizes: list[int] = alive.sum(1).tolist()

    def split(self, x: Tensor) -> tuple[Tensor, ...]:
        """The rows of each step."""
        return take(x, self.rows).split(self.sizes)

    def join(self, steps: Sequence[Tensor]) -> Tensor:
        """Rows in the sequences' own order from the rows of each step."""
        return self.back(torch.cat(list(steps)))

    def back(self, x: Tensor) -> Tensor:
        """Rows in the sequences' own order from rows step by step."""
        back = torch.empty_like(self.rows)
        back[self.rows] = torch.arange(back.numel())
        return take(x, back)

    def state(self, initial: Tensor | None, like: Tensor, size: int) -> Tensor | None:
        """An initial state, longest sequence first; zeros where no second step would use the weights."""
        if initial is not None:
            return take(initial, self.order)
        return like.new_zeros(self.order.numel(), size) if len(self.sizes) < 2 else None

    def former(self, first: Tensor | None, x: Tensor) -> Tensor:
        """For each row, step by step, the state before it; zeros in the first step where there is no first state."""
        begin = self.sizes[0] if self.sizes else 0
        out = x.new_empty(x.shape)
        if first is None:
            out[:begin].zero_()
        else:
            out[:begin] = first[:begin]
        ends, at = x.split(self.sizes), begin
        for before, rows in zip(ends, self.sizes[1:]):
            out[at : at + rows] = before[:rows]
            at += rows
        return out

    def first_states(self, grad: Tensor, like: Tensor) -> Tensor:
        """The gradient of the initial states in their own order; empty sequences have none."""
        out = torch.zeros_like(like)
        out[self.order[: grad.shape[0]].to(out.device)] = grad
        return out


def again(plain: Plain, inputs: Sequence[Tensor | None], wanted: Sequence[bool], grad: Tensor) -> list[Tensor | None]:
    """Gradients that can be differentiated again."""
    out = plain(*inputs)
    leaves = {i: x for i, (x, want) in enumerate(zip(inputs, wanted)) if want and x is not None}
    found = torch.autograd.grad(out, list(leaves.values()), grad, create_graph=True, allow_unused=True)
    grads = dict(zip(leaves, found))
    return [grads.get(i) for i in range(len(inputs))]


class Lstm(torch.autograd.Function):
    """Hidden states and cells of an LSTM; the cells carry no gradient. With the weight of a projection, whose activation is the
    fourth, what is projected stands for the hidden states, and recurs."""

    @staticmethod
    def forward(
        ctx: Any,
        plain: Plain,
        steps: Steps,
        acts: Sequence[Activation],
        peepholes: bool,
        x: Tensor,
        h0: Tensor | None,
        c0: Tensor | None,
        weight: Tensor,
        bias: Tensor,
        projection: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        size = weight.shape[1] // 4
        flat = bias.reshape(-1)
        gate_act, cell_act, candidate_act, *project_act = (IN_PLACE[act] for act in acts)
        gates = take(x, steps.rows).add_(flat[: 4 * size])
        cells, acted, hidden = (x.new_empty(gates.shape[0], size) for _ in range(3))
        results = hidden if projection is None else x.new_empty(gates.shape[0], projection.shape[1])
        h = None if h0 is None else take(h0, steps.order)
        c = None if c0 is None else take(c0, steps.order)
        if peepholes:
            peep_pair, peep_out = flat[4 * size : 6 * size].view(2, size), flat[6 * size :]
        parts = (gates, gates[:, :size], gates[:, size : 2 * size], gates[:, 2 * size : 3 * size], gates[:, 3 * size :])
        blocks = (*parts, gates[:, size : 3 * size], gates[:, size:], cells, acted, hidden, results)
        for every, candidate, admit, keep, emit, pair, three, cell, act, out, result in zip(*(b.split(steps.sizes) for b in blocks)):
            rows = out.shape[0]
            if h is not None:
                every.addmm_(h[:rows], weight)
            before = None if c is None else c[:rows]
            candidate_act(candidate)
            if peepholes:
                if before is not None:
                    pair.view(rows, 2, size).addcmul_(before.unsqueeze(1), peep_pair)
                gate_act(pair)
            else:
                gate_act(three)
            torch.mul(candidate, admit, out=cell)
            if before is not None:
                cell.addcmul_(before, keep)
            if peepholes:
                gate_act(emit.addcmul_(cell, peep_out))
            cell_act(act.copy_(cell))
            torch.mul(emit, act, out=out)
            if projection is not None:
                project_act[0](torch.mm(out, projection, out=result))
            h, c = result, cell
        ctx.plain, ctx.steps, ctx.acts, ctx.peepholes = plain, steps, acts, peepholes
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x, h0, c0, weight, bias, projection, gates, cells, acted, hidden, results)
        returned = steps.back(results), steps.back(cells)
        ctx.mark_non_differentiable(returned[1])
        return returned

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        x, h0, c0, weight, bias, projection, gates, cells, acted, hidden, results = ctx.saved_tensors
        grad, steps, peepholes = grads[0], ctx.steps, ctx.peepholes
        if grad is None:
            return (None,) * 10
        if torch.is_grad_enabled():
            inputs = (x, h0, c0, weight, bias, *(() if projection is None else (projection,)))
            return None, None, None, None, *again(ctx.plain, inputs, ctx.needs_input_grad[4:], grad)
        size = weight.shape[1] // 4
        flat = bias.reshape(-1)
        gate_back, cell_back, candidate_back, *project_back = (BACK[act] for act in ctx.acts)
        first_h, first_c = (None if s is None else take(s, steps.order) for s in (h0, c0))
        if peepholes:
            peep_pair, peep_out = flat[4 * size : 6 * size].view(2, size), flat[6 * size :]
        former = steps.former(first_c, cells)
        grown = torch.empty_like(gates)

        def split(b: Tensor) -> list[tuple[Tensor, ...]]:
            column = [b, *b.split(size, 1), b[:, size : 3 * size]]
            return [c.split(steps.sizes) for c in column]

        d_results = take(grad, steps.rows)
        blocks = [*split(gates), *split(grown), *(b.split(steps.sizes) for b in (acted, former, results, d_results))]
        back = weight.t()
        dh: Tensor | None = None
        dc: Tensor | None = None
        last = len(steps.sizes) - 1
        for at, parts in enumerate(reversed(list(zip(*blocks)))):
            _, candidate, admit, keep, emit, pair, d_all, d_cand, d_admit, d_keep, d_emit, d_pair, act, before, out, d_out = parts
            rows = d_out.shape[0]
            if dh is not None:
                d_out[: dh.shape[0]].add_(dh)
            if projection is not None:
                d_out = project_back[0](d_out, out) @ projection.t()
            torch.mul(d_out, act, out=d_emit)
            gate_back(d_emit, emit)
            d_cell = cell_back(d_out.mul_(emit), act)
            if dc is not None:
                d_cell[: dc.shape[0]].add_(dc)
            if peepholes:
                d_cell.addcmul_(d_emit, peep_out)
            candidate_back(torch.mul(d_cell, admit, out=d_cand), candidate)
            torch.mul(d_cell, candidate, out=d_admit)
            torch.mul(d_cell, before, out=d_keep)
            gate_back(d_pair, pair)
            if at < last or first_c is not None:
                dc = d_cell.mul_(keep)
                if peepholes:
                    dc.add_(torch.mul(d_pair.view(rows, 2, size), peep_pair).sum(1))
            if at < last or first_h is not None:
                dh = d_all @ back
        d_bias = grown.sum(0)
        if peepholes:
            peeps = (grown[:, size : 2 * size] * former, grown[:, 2 * size : 3 * size] * former, grown[:, 3 * size :] * cells)
            d_bias = torch.cat([d_bias, *(p.sum(0) for p in peeps)])
        elif flat.numel() > 4 * size:
            d_bias = torch.cat([d_bias, d_bias.new_zeros(flat.numel() - 4 * size)])
        return (
            None, None, None, None,
            steps.back(grown) if ctx.needs_input_grad[4] else None,
            None if h0 is None or dh is None else steps.first_states(dh, h0),
            None if c0 is None or dc is None else steps.first_states(dc, c0),
            steps.former(first_h, results).t() @ grown,
            d_bias.view_as(bias),
            None if projection is None else hidden.t() @ d_results,
        )  # fmt: skip


class Gru(torch.autograd.Function):
    """Hidden states of a GRU."""

    @staticmethod
    def forward(
        ctx: Any,
        plain: Plain,
        steps: Steps,
        acts: Sequence[Activation],
        origin_mode: bool,
        x: Tensor,
        h0: Tensor | None,
        weight: Tensor,
        bias: Tensor | None,
    ) -> Tensor:
        size = weight.shape[0]
        act, gate_act = (IN_PLACE[a] for a in acts)
        gates = take(x, steps.rows)
        if bias is not None:
            gates.add_(bias.reshape(-1))
        hidden, kept = (x.new_empty(gates.shape[0], size) for _ in range(2))
        first, second = gru_weights(weight)
        h = None if h0 is None else take(h0, steps.order)
        blocks = (gates[:, : 2 * size], *gates.split(size, 1), hidden, kept)
        for both, update, reset, candidate, out, kept_rows in zip(*(b.split(steps.sizes) for b in blocks)):
            if h is None:
                gate_act(both)
                act(candidate)
                torch.mul(update, candidate, out=out)
                if origin_mode:
                    torch.sub(candidate, out, out=out)
                kept_rows.zero_()
            else:
                before = h[: out.shape[0]]
                gate_act(both.addmm_(before, first))
                torch.mul(reset, before, out=kept_rows)
                act(candidate.addmm_(kept_rows, second))
                start, end = (candidate, before) if origin_mode else (before, candidate)
                torch.lerp(start, end, update, out=out)
            h = out
        ctx.plain, ctx.steps, ctx.acts, ctx.origin_mode = plain, steps, acts, origin_mode
        ctx.save_for_backward(x, h0, weight, bias, gates, hidden, kept)
        return steps.back(hidden)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        x, h0, weight, bias, gates, hidden, kept = ctx.saved_tensors
        (grad,), steps = grads, ctx.steps
        if torch.is_grad_enabled():
            return None, None, None, None, *again(ctx.plain, (x, h0, weight, bias), ctx.needs_input_grad[4:], grad)
        size = weight.shape[0]
        act_back, gate_back = (BACK[a] for a in ctx.acts)
        first, second = (w.t() for w in gru_weights(weight))
        first_h = None if h0 is None else take(h0, steps.order)
        former = steps.former(first_h, hidden)
        grown = torch.empty_like(gates)
        # what the update gate weighs: the candidate against the former state
        apart = former - gates[:, 2 * size :] if ctx.origin_mode else gates[:, 2 * size :] - former
        blocks = [
            gates[:, : 2 * size], *gates.split(size, 1), grown[:, : 2 * size], *grown.split(size, 1),
            apart, former, take(grad, steps.rows),
        ]  # fmt: skip
        dh: Tensor | None = None
        last = len(steps.sizes) - 1
        for at, parts in enumerate(reversed(list(zip(*(b.split(steps.sizes) for b in blocks))))):
            both, update, reset, candidate, d_both, d_update, d_reset, d_cand, distance, before, d_out = parts
            if dh is not None:
                d_out[: dh.shape[0]].add_(dh)
            torch.mul(d_out, distance, out=d_update)
            torch.mul(d_out, update, out=d_cand)
            if ctx.origin_mode:
                passed = d_cand.clone()
                torch.sub(d_out, passed, out=d_cand)
            else:
                passed = d_out - d_cand
            act_back(d_cand, candidate)
            if at == last and first_h is None:
                d_reset.zero_()
                gate_back(d_both, both)
                break
            d_kept = d_cand @ second
            torch.mul(d_kept, before, out=d_reset)
            gate_back(d_both, both)
            dh = passed.addcmul_(d_kept, reset).addmm_(d_both, first)
        products = (former.t() @ grown[:, : 2 * size], kept.t() @ grown[:, 2 * size :])
        return (
            None, None, None, None,
            steps.back(grown) if ctx.needs_input_grad[4] else None,
            None if h0 is None or dh is None else steps.first_states(dh, h0),
            torch.cat([p.reshape(-1) for p in products]).view_as(weight),
            None if bias is None else grown.sum(0).view_as(bias),
        )  # fmt: skip


def gru_weights(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Weights of the two gates [D, 2D] and of the candidate [D, D], which lie one after the other in memory."""
    size = weight.shape[0]
    flat = weight.reshape(-1)
    return flat[: 2 * size * size].view(size, 2 * size), flat[2 * size * size :].view(size, size)
