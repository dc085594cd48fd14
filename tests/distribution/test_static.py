"""Distributions in static mode; what is drawn by rules of our own; shapes that Paddle's categorical distribution lacks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import distribution


@pytest.fixture
def program() -> Iterator[paddle.static.Program]:
    """A Program that is recorded in static mode."""
    paddle.enable_static()
    try:
        main = paddle.static.Program()
        with paddle.static.program_guard(main, paddle.static.Program()):
            yield main
    finally:
        paddle.disable_static()


def run(main: paddle.static.Program, fetches: list[object], feed: dict[str, np.ndarray] | None = None) -> list[np.ndarray]:
    """What a Program gives."""
    found: list[np.ndarray] = paddle.static.Executor().run(main, feed=feed, fetch_list=fetches)
    return found


def test_formulas_in_a_program_are_the_eager_ones(program: paddle.static.Program) -> None:
    loc, scale, value = (np.array(v, "float32") for v in ([0.1, 0.2], [0.5, 1.5], [0.3, 0.4]))
    names = ("Normal", "Laplace", "Cauchy", "Gumbel", "LogNormal")

    def answers(a: object, b: object, x: object) -> list[object]:
        made = [getattr(distribution, name)(a, b) for name in names]
        return [got for d in made for got in (d.log_prob(x), d.entropy())] + [distribution.kl_divergence(made[0], made[0])]

    a, b, x = (paddle.static.data(name, [None, 2], "float32") for name in "abx")
    static = run(program, answers(a, b, x), {"a": loc[None], "b": scale[None], "x": value[None]})
    paddle.disable_static()
    eager = [t.numpy() for t in answers(*map(paddle.to_tensor, (loc[None], scale[None], value[None])))]
    assert all(np.allclose(one, other, rtol=1e-6) for one, other in zip(static, eager))


def test_samples_of_a_batch_whose_size_is_unknown(program: paddle.static.Program) -> None:
    a = paddle.static.data("a", [None, 2], "float32")
    drawn = [distribution.Normal(a, a).sample([3]), distribution.Uniform(a, a + 1.0).sample([3])]
    assert [tuple(d.shape) for d in drawn] == [(3, -1, 2)] * 2
    got = run(program, drawn, {"a": np.ones([4, 2], "float32")})
    assert [g.shape for g in got] == [(3, 4, 2)] * 2
    assert (got[1] >= 1).all() and (got[1] < 2).all() and got[0].std() > 0.3


def test_numbers_make_variables(program: paddle.static.Program) -> None:
    drawn = [distribution.Normal(0.0, 1.0).sample([2, 3]), distribution.Categorical(np.array([0.5, 0.5], "float32")).sample([4])]
    normal, category = run(program, drawn)
    assert normal.shape == (2, 3) and category.shape == (4,) and set(category) <= {0, 1}


def test_moments_of_samples() -> None:
    paddle.seed(1)
    beta, dirichlet = distribution.Beta(2.0, 3.0), distribution.Dirichlet(paddle.to_tensor([1.0, 2.0, 5.0]))
    for made in (beta, dirichlet):
        drawn = made.sample([20000]).numpy()
        assert np.allclose(drawn.mean(0), made.mean.numpy(), atol=0.01)
        assert np.allclose(drawn.var(0), made.variance.numpy(), atol=0.005)


def test_the_divergence_of_uniform_ranges() -> None:
    narrow, wide = distribution.Uniform(0.0, 1.0), distribution.Uniform(-1.0, 2.0)
    assert float(distribution.kl_divergence(narrow, wide)) == pytest.approx(np.log(3.0))
    assert float(distribution.kl_divergence(wide, narrow)) == np.inf


def test_a_categorical_has_shapes() -> None:
    categorical = distribution.Categorical(paddle.ones([3, 4]))
    assert (categorical.batch_shape, categorical.event_shape) == ((3,), ())
    assert categorical.sample((2,)).shape == [2, 3]


def test_nearest_classes_decide_and_ties_warn() -> None:
    class One(distribution.Distribution):
        pass

    class Two(One):
        pass

    distribution.register_kl(One, One)(lambda p, q: "one")
    assert distribution.kl_divergence(Two(), Two()) == "one"
    distribution.register_kl(Two, One)(lambda p, q: "by p")
    distribution.register_kl(One, Two)(lambda p, q: "by q")
    with pytest.warns(RuntimeWarning, match="Ambiguous"):
        assert distribution.kl_divergence(Two(), Two()) == "by p"


def test_a_family_needs_only_its_normalizer() -> None:
    beta = distribution.Beta(paddle.to_tensor([0.5, 1.2]), paddle.to_tensor([2.0, 3.0]))
    families = distribution.kl._kl_expfamily_expfamily  # under this name Paddle has it, and its own tests call it
    other = distribution.Beta(paddle.to_tensor([0.7, 1.0]), paddle.to_tensor([2.5, 3.0]))
    assert np.allclose(families(beta, other).numpy(), distribution.kl_divergence(beta, other).numpy(), atol=1e-6)


@pytest.mark.parametrize(("shape", "given", "expected"), [
    ([], [1], []), ([], [2, 1], [2]), ([1], [], []),
    ([1], [3, 2], [3, 2]), ([2, 1], [2], [2, 2]), ([1, 1], [1], [1, 1]), ([2], [1], [1, 2]),
])  # fmt: skip
def test_samples_of_beta_have_no_last_dimension_of_one(shape: list[int], given: list[int], expected: list[int]) -> None:
    beta = distribution.Beta(paddle.full(shape, 0.5), paddle.full(shape, 0.5))
    assert beta.sample(given).shape == expected  # both wheels'
    if shape:
        assert distribution.Independent(beta, 1).sample(given).shape == expected


def test_constraints() -> None:
    from paddle_compat.distribution import constraint, variable

    assert constraint.Range(0, 1)(paddle.to_tensor([0.5, 2.0])).tolist() == [True, False]
    assert variable.Independent(variable.positive, 1).constraint(paddle.to_tensor([[1.0, 2.0], [1.0, -1.0]])).tolist() == [True, False]
    stacked = variable.Stack([variable.real, variable.positive])
    assert stacked.constraint(paddle.to_tensor([-1.0, -1.0])).tolist() == [True, False]
    with pytest.raises(ValueError, match="dimensions"):
        variable.Independent(variable.real, 2).constraint(paddle.ones([2]))


def test_moments_of_what_torch_draws() -> None:
    paddle.seed(1)
    rates = paddle.to_tensor([0.7, 3.0])
    for made in (distribution.Gamma(rates, rates + 1), distribution.Chi2(rates), distribution.Binomial(6, rates / 4)):
        drawn = made.sample([20000]).numpy()
        assert np.allclose(drawn.mean(0), made.mean.numpy(), rtol=0.05)
        assert np.allclose(drawn.var(0), made.variance.numpy(), rtol=0.1)
    tails = distribution.StudentT(8.0, 1.0, 0.5).sample([20000]).numpy()
    assert np.allclose([tails.mean(), tails.var()], [1.0, 0.25 * 8 / 6], atol=0.02)


@pytest.mark.parametrize("how", ["onion", "cvine"])
def test_factors_of_correlations(how: str) -> None:
    paddle.seed(1)
    drawn = distribution.LKJCholesky(3, 1.5, how).sample([4000]).numpy()
    correlations = drawn @ drawn.transpose(0, 2, 1)
    assert np.allclose(np.diagonal(correlations, axis1=1, axis2=2), 1.0, atol=1e-4) and (np.triu(drawn, 1) == 0).all()
    # by the theory each is 0.2; the onion of Paddle draws the lengths of later rows from Beta(i + 1/2, ...) for Beta(i / 2 + 1/2, ...)
    expected = [0.2, 0.25, 0.25] if how == "onion" else [0.2, 0.2, 0.2]
    assert np.allclose(correlations[:, [1, 2, 2], [0, 0, 1]].var(0), expected, atol=0.02)
    batch = distribution.LKJCholesky(4, paddle.to_tensor([1.0, 2.0]), how)
    assert batch.sample([3]).shape == [3, 2, 4, 4] and batch.log_prob(paddle.eye(4)).shape == [2]


def test_formulas_of_paddle_3_in_a_program(program: paddle.static.Program) -> None:
    def answers(x: object) -> list[object]:
        made = [distribution.Gamma(x, x), distribution.Exponential(x), distribution.StudentT(x, x, x), distribution.Poisson(x)]
        return [got for d in made for got in (d.log_prob(x), d.entropy())] + [distribution.ContinuousBernoulli(x).log_prob(x)]

    fed = np.array([[0.3, 0.6], [0.9, 0.2]], "float32")
    static = run(program, answers(paddle.static.data("x", [2, 2])), {"x": fed})
    paddle.disable_static()
    eager = [t.numpy() for t in answers(paddle.to_tensor(fed))]
    assert all(np.allclose(one, other, rtol=1e-5) for one, other in zip(static, eager))
