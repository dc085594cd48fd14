"""The Kullback-Leibler divergence of two distributions, by a formula for each pair of classes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.distribution.bernoulli import Bernoulli
from paddle_compat.distribution.beta import Beta
from paddle_compat.distribution.binomial import Binomial
from paddle_compat.distribution.categorical import Categorical
from paddle_compat.distribution.cauchy import Cauchy
from paddle_compat.distribution.continuous_bernoulli import ContinuousBernoulli
from paddle_compat.distribution.dirichlet import Dirichlet
from paddle_compat.distribution.distribution import Distribution, sum_rightmost
from paddle_compat.distribution.exponential import Exponential
from paddle_compat.distribution.exponential_family import ExponentialFamily, as_leaves, gradients_of
from paddle_compat.distribution.gamma import Gamma
from paddle_compat.distribution.geometric import Geometric
from paddle_compat.distribution.laplace import Laplace
from paddle_compat.distribution.lognormal import LogNormal
from paddle_compat.distribution.multivariate_normal import MultivariateNormal
from paddle_compat.distribution.normal import Normal
from paddle_compat.distribution.poisson import Poisson
from paddle_compat.distribution.uniform import Uniform

__all__ = ["kl_divergence", "register_kl"]

Formula = Callable[[Any, Any], Any]
_REGISTER_TABLE: dict[tuple[type, type], Formula] = {}


def kl_divergence(p: Distribution, q: Distribution) -> Any:
    """How far a distribution is from another one.

    Args:
        p, q: the distributions.
    Returns:
        A tensor.
    Raises:
        NotImplementedError: nobody registered a formula for their classes.

    Example:
        >>> import paddle_compat as paddle
        >>> p, q = paddle.distribution.Normal(0.0, 1.0), paddle.distribution.Normal(1.0, 1.0)
        >>> float(paddle.distribution.kl_divergence(p, q))
        0.5

    Follows Paddle 2.6.
    """
    return _dispatch(type(p), type(q))(p, q)


def register_kl(cls_p: type, cls_q: type) -> Callable[[Formula], Formula]:
    """Decorate the function that computes the divergence for two classes and their subclasses.

    Args:
        cls_p, cls_q: subclasses of Distribution.
    Returns:
        The decorator.
    Raises:
        TypeError: they are no such classes.

    Example:
        >>> import paddle_compat as paddle
        >>> class Sure(paddle.distribution.Distribution):
        ...     pass
        >>> @paddle.distribution.register_kl(Sure, Sure)
        ... def divergence(p, q):
        ...     return 0.0
        >>> paddle.distribution.kl_divergence(Sure(), Sure())
        0.0

    Follows Paddle 2.6.
    """
    for name, value in (("cls_p", cls_p), ("cls_q", cls_q)):
        if not isinstance(value, type) or not issubclass(value, Distribution):
            raise type_error(name, "a subclass of Distribution", value, "register_kl")

    def register(formula: Formula) -> Formula:
        _REGISTER_TABLE[cls_p, cls_q] = formula
        return formula

    return register


def _unknown(cls_p: type, cls_q: type) -> NotImplementedError:
    return NotImplementedError(f"No kl_divergence({cls_p.__name__}, {cls_q.__name__}) is registered; register_kl registers one.")


def _dispatch(cls_p: type, cls_q: type) -> Formula:
    """The formula of the nearest classes; where p's and q's nearest differ, p's, with a warning."""
    fitting = [(p, q) for p, q in _REGISTER_TABLE if issubclass(cls_p, p) and issubclass(cls_q, q)]
    near = {(cls_p.__mro__.index(p), cls_q.__mro__.index(q)): (p, q) for p, q in fitting}
    if not near:
        raise _unknown(cls_p, cls_q)
    by_p, by_q = near[min(near)], near[min(near, key=lambda places: places[::-1])]
    if _REGISTER_TABLE[by_p] is not _REGISTER_TABLE[by_q]:
        names = [c.__name__ for c in (*by_p, by_p[0], by_q[1])]
        warnings.warn("Ambiguous kl_divergence({}, {}). Please register_kl({}, {})".format(*names), RuntimeWarning, stacklevel=3)
    return _REGISTER_TABLE[by_p]


for _kind in (
    Bernoulli, Binomial, Categorical, Cauchy, ContinuousBernoulli, Exponential, Gamma, Geometric, Laplace, LogNormal,
    MultivariateNormal, Normal, Poisson,
):  # fmt: skip
    register_kl(_kind, _kind)(_kind.kl_divergence)


@register_kl(Beta, Beta)
def _of_betas(p: Beta, q: Beta) -> Any:
    whole_p, whole_q = p.alpha + p.beta, q.alpha + q.beta
    normalizers = q._log_normalizer(q.alpha, q.beta) - p._log_normalizer(p.alpha, p.beta)
    digammas = (p.alpha - q.alpha) * T.digamma(p.alpha) + (p.beta - q.beta) * T.digamma(p.beta)
    return normalizers + digammas + (whole_q - whole_p) * T.digamma(whole_p)


@register_kl(Dirichlet, Dirichlet)
def _of_dirichlets(p: Dirichlet, q: Dirichlet) -> Any:
    a, b = p.concentration, q.concentration
    far = (a - b) * (T.digamma(a) - T.digamma(a.sum(-1)).unsqueeze(-1))
    parts = T.lgamma(b) - T.lgamma(a)  # subtracted before they are summed: one concentration counts for each of the other's
    return T.lgamma(a.sum(-1)) - T.lgamma(b.sum(-1)) + parts.sum(-1) + far.sum(-1)


@register_kl(Uniform, Uniform)
def _of_uniforms(p: Uniform, q: Uniform) -> Any:
    result = T.log((q.high - q.low) / (p.high - p.low))
    return T.where((q.low > p.low) | (q.high < p.high), T.full_like(result, float("inf")), result)


@register_kl(ExponentialFamily, ExponentialFamily)
def _kl_expfamily_expfamily(p: Any, q: Any) -> Any:
    if type(p) is not type(q):
        raise _unknown(type(p), type(q))
    parameters, others = as_leaves(p._natural_parameters), q._natural_parameters
    normalizer = p._log_normalizer(*parameters)
    result = q._log_normalizer(*others) - normalizer
    for mine, other, gradient in zip(parameters, others, gradients_of(normalizer, parameters)):
        result = result - sum_rightmost((other - mine) * gradient, len(q.event_shape))
    return result


__getattr__ = missing(__name__)
