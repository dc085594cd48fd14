"""The operators of Paddle 1.8.5 and 2.6.2 that may write over their inputs' memory, as their schemas say."""

from __future__ import annotations

_BOTH = (
    "affine_channel assign bce_loss ceil clip elementwise_add elementwise_sub elu exp flatten2 floor leaky_relu lod_reset "
    "reciprocal relu reshape reshape2 round rsqrt scale scatter sigmoid sigmoid_cross_entropy_with_logits soft_relu softmax "
    "softmax_with_cross_entropy sqrt squeeze2 sum tanh unsqueeze2"
)
_FIRST_AGE = "flatten group_norm hard_sigmoid relu6 square"
_SECOND_AGE = (
    "abs acos acosh addmm asin asinh atan atanh bitwise_and bitwise_not bitwise_or bitwise_xor brelu c_allreduce_max "
    "c_allreduce_min c_allreduce_prod c_allreduce_sum c_softmax_with_cross_entropy check_finite_and_unscale cos cosh cumprod cumsum "
    "digamma elementwise_mod erf erfinv expm1 exponential fill_any fill_diagonal fill_diagonal_tensor flatten_contiguous_range "
    "gaussian_inplace i0 identity_loss index_add index_put lerp lgamma log log10 log1p log2 logical_and logical_not logical_or "
    "logical_xor logit lu mp_allreduce_sum partial_allgather polygamma pow put_along_axis random_routing renorm set_value sin sinh "
    "tan thresholded_relu trunc uniform_random_inplace where"
)
_OF_AGE = {age: frozenset(f"{_BOTH} {own}".split()) for age, own in ((1, _FIRST_AGE), (2, _SECOND_AGE))}


def may_write_over(op_type: str, age: int) -> bool:
    """Whether an operator may, in Paddle 1.8 (age 1) or 2.x (age 2)."""
    return op_type in _OF_AGE[age]
