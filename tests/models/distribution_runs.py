"""What distributions, their transforms and divergences are asked, in the wheel and here."""

import warnings

import numpy as np

METHODS = ("log_prob", "prob", "probs", "cdf", "icdf", "pmf", "log_pmf")
PROPERTIES = ("mean", "variance", "stddev", "batch_shape", "event_shape")


def plain(value):
    """A value as JSON has it: a tensor as its shape, data type, whether it stops gradients, and its numbers."""
    if hasattr(value, "stop_gradient"):
        numbers = [number if np.isfinite(number) else str(number) for number in map(float, value.numpy().reshape(-1))]
        return [list(value.shape), str(value.dtype), value.stop_gradient, numbers]
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else type(value).__name__


def answer(ask):
    """What a function returns or raises; an exception as the built-in classes that it is of."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return plain(ask())
    except (TypeError, ValueError, NotImplementedError, AttributeError) as error:
        kinds = (NotImplementedError, ValueError, TypeError, AttributeError)
        return "raises " + " or ".join(kind.__name__ for kind in kinds if isinstance(error, kind))


def tensors(paddle, *values):
    """Tensors that have gradients."""
    made = [paddle.to_tensor(np.array(value, "float32")) for value in values]
    for tensor in made:
        tensor.stop_gradient = False
    return made


def kinds(paddle):
    """Name -> (how a distribution is made of parameters, parameters, others, a value of it)."""
    d = paddle.distribution
    pair, widths = [0.1, 0.2], [0.5, 1.5]
    return {
        "normal": (d.Normal, (pair, widths), ([0.3, 0.1], [1.0, 2.0]), [0.3, 0.4]),
        "uniform": (d.Uniform, (pair, [2.0, 3.3]), (pair, [2.0, 3.3]), [0.3, 4.0]),
        "categorical": (d.Categorical, ([1.0, 2.0, 3.0],), ([1.0, 0.5, 3.0],), [1, 2]),
        "categoricals": (d.Categorical, ([[1.0, 2.0, 3.3], [1.0, 1.0, 2.0]],), ([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]],), [[0], [1]]),
        "bernoulli": (d.Bernoulli, ([0.3, 0.6],), ([0.4, 0.5],), [1.0, 0.0]),
        "beta": (d.Beta, ([0.5, 1.2], [2.0, 3.0]), ([0.7, 1.0], [2.5, 3.0]), [0.3, 0.4]),
        "dirichlet": (d.Dirichlet, ([0.5, 1.2, 2.0],), ([1.0, 1.0, 2.0],), [0.2, 0.3, 0.5]),
        "multinomial": (lambda p: d.Multinomial(4, p), ([0.5, 0.25, 0.25],), ([0.2, 0.3, 0.5],), [2.0, 1.0, 1.0]),
        "laplace": (d.Laplace, (pair, widths), ([0.3, 0.1], [1.0, 2.0]), [0.3, 0.4]),
        "lognormal": (d.LogNormal, (pair, widths), ([0.3, 0.1], [1.0, 2.0]), [0.3, 0.4]),
        "gumbel": (d.Gumbel, (pair, widths), ([0.3, 0.1], [1.0, 2.0]), [0.3, 0.4]),
        "geometric": (d.Geometric, ([0.3, 0.6],), ([0.4, 0.5],), [2.0, 3.0]),
        "cauchy": (d.Cauchy, (pair, widths), ([0.3, 0.1], [1.0, 2.0]), [0.3, 0.4]),
        "independent": (lambda a, b: d.Independent(d.Normal(a, b), 1), (pair, widths), (pair, widths), [0.3, 0.4]),
        "transformed": (
            lambda a, b: d.TransformedDistribution(d.Normal(a, b), [d.TanhTransform()]), (pair, widths), (pair, widths), [0.3, 0.4],
        ),
    }  # fmt: skip


def kinds_of_3(paddle):
    """The distributions that Paddle has since version 3, as `kinds`."""
    d = paddle.distribution
    rates, others = [0.5, 1.2], [0.7, 3.0]
    vector, matrix = [0.1, 0.2], [[2.0, 0.3], [0.3, 1.0]]
    matrices = [[[2.0, 0.3], [0.3, 1.0]], [[1.0, 0.0], [0.0, 3.0]]]
    factor = [[1.5, 0.0], [0.4, 0.8]]

    def precise(mean, inverse):
        return d.MultivariateNormal(mean, precision_matrix=inverse.detach())  # whose gradients are unwritten memory in the wheel

    return {
        "gamma": (d.Gamma, (rates, [2.0, 3.0]), (others, [2.5, 3.0]), [0.3, 0.4]),
        "chi2": (d.Chi2, ([1.0, 3.0],), ([2.0, 2.5],), [0.3, 0.4]),
        "exponential": (d.Exponential, (rates,), (others,), [0.3, 0.4]),
        "poisson": (d.Poisson, (rates,), (others,), [2.0, 0.0]),
        "poisson of many": (d.Poisson, ([12.0, 30.0],), ([10.0, 33.0],), [11.0, 29.0]),
        "binomial": (d.Binomial, ([5.0, 4.0], [0.3, 0.6]), ([5.0, 4.0], [0.4, 0.5]), [2.0, 3.0]),
        "continuous bernoulli": (d.ContinuousBernoulli, ([0.2, 0.4995, 0.8],), ([0.3, 0.6, 0.5],), [0.3, 0.4, 1.0]),
        "student": (d.StudentT, ([1.5, 5.0], vector, rates), (), [0.3, 0.4]),
        "vectors": (d.MultivariateNormal, (vector, matrix), ([0.0, 0.3], [[1.0, 0.2], [0.2, 1.0]]), [0.3, 0.4]),
        "vectors by precision": (precise, (vector, matrix), (vector, matrix), [0.3, 0.4]),
        "vectors by factor": (lambda a, b: d.MultivariateNormal(a, scale_tril=b), (vector, factor), (vector, factor), [0.3, 0.4]),
        "vectors, many": (d.MultivariateNormal, ([vector, vector], matrices), ([vector, vector], matrices), [[0.3, 0.4], [0.1, 0.0]]),
        "correlations": (lambda c: d.LKJCholesky(3, c), (2.0,), (), [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, 0.8]]),
    }  # fmt: skip


def drawn(paddle, draw):
    """What is drawn behind a seed, and the number that comes next."""
    paddle.seed(11)
    return [draw(), paddle.rand([1])]


def makings_of_3(paddle):
    """As `makings`, of Paddle 3's distributions."""
    d, t = paddle.distribution, paddle.to_tensor
    f, eye = t([0.3, 0.5]), paddle.eye(2)
    shapes = t(np.geomspace(0.02, 60, 60).astype("float32"))
    trials, chances = t(np.arange(0, 3000, 50) ** 2 // 100), t(np.linspace(0, 1, 60).astype("float32")[np.arange(60) * 23 % 60])
    return {
        "gamma of floats": lambda: d.Gamma(2.0, 3.0).mean,
        "gamma of both": lambda: d.Gamma(f, 1.0),
        "gamma of text": lambda: d.Gamma("a", 1.0),
        "gamma, shape": lambda: d.Gamma(f, f).sample([3]).shape,
        "gamma and another": lambda: d.Gamma(2.0, 3.0).kl_divergence(d.Exponential(1.0)),
        "chi2 of nothing": lambda: d.Chi2(0.0),
        "exponential of a list": lambda: d.Exponential([1.0, 2.0]).mean,
        "exponential at a number": lambda: d.Exponential(2.0).prob(0.5),
        "poisson of a number": lambda: d.Poisson(3).entropy(),
        "poisson of zero": lambda: d.Poisson(t([0.0, 2.0])).entropy(),
        "poisson outside": lambda: d.Poisson(t([2.0])).log_prob(t([-1.0])),
        "poissons of two shapes": lambda: d.Poisson(f).kl_divergence(d.Poisson(1.0)),
        "binomial of counts": lambda: d.Binomial(t([2, 4]), t([[0.2], [0.7]])).entropy(),
        "binomial of numbers": lambda: [d.Binomial(3, 0.3).log_prob(t(4.0)), d.Binomial(3, 0.3).batch_shape],
        "binomial, shape": lambda: d.Binomial(3, f).sample([4]).shape,
        "continuous bernoulli of a number": lambda: d.ContinuousBernoulli(0.5).entropy(),
        "continuous bernoulli, limits": lambda: d.ContinuousBernoulli(0.45, (0.4, 0.6)).log_prob(t([0.2])),
        "student of numbers": lambda: d.StudentT(3.0, 0.0, 1.0).log_prob(t(0.5)),
        "student of both": lambda: d.StudentT(f, 0.0, 1.0).mean,
        "student of none": lambda: d.StudentT(-1.0, 0.0, 1.0),
        "student, shape": lambda: d.StudentT(f, f, f).sample([3]).shape,
        "vectors of none": lambda: d.MultivariateNormal(f),
        "vectors of two": lambda: d.MultivariateNormal(f, eye, eye),
        "vectors of a row": lambda: d.MultivariateNormal(f, f),
        "vectors of a number": lambda: d.MultivariateNormal(1.0, eye[:1, :1]).entropy(),
        "vectors, broadcast": lambda: d.MultivariateNormal(t([[0.1, 0.2], [0.3, 0.4]]), eye).log_prob(f),
        "correlations of two": lambda: d.LKJCholesky(2, 1.0).log_prob(t([[1.0, 0.0], [0.6, 0.8]])),
        "correlations of one": lambda: d.LKJCholesky(1, 1.0),
        "correlations of none": lambda: d.LKJCholesky(2, -1.0),
        "correlations otherwise": lambda: d.LKJCholesky(2, 1.0, "other"),
        "correlations, shape": lambda: [d.LKJCholesky(3, 1.5, how).sample([4]).shape for how in ("onion", "cvine")],
        "gammas, all sizes": lambda: drawn(paddle, lambda: d.Gamma(shapes, paddle.ones_like(shapes)).sample()),
        "gammas, double": lambda: drawn(paddle, lambda: paddle.standard_gamma(shapes.astype("float64"))),
        "gammas of nothing": lambda: drawn(paddle, lambda: paddle.standard_gamma(t([0.0, 1.0, 0.0]))),
        "shares, many": lambda: drawn(paddle, lambda: d.Dirichlet(shapes.reshape([-1, 5])).sample()),
        "binomials, all sizes": lambda: drawn(paddle, lambda: paddle.binomial(trials, chances)),
        "correlations, drawn": lambda: [drawn(paddle, d.LKJCholesky(3, 1.5, how).sample) for how in ("onion", "cvine")],
        "complex normal, entropy": lambda: d.Normal(t([1 + 2j, 2 - 1j]), t([3.0, 0.5])).entropy(),
        "two kinds of 3": lambda: d.kl_divergence(d.Gamma(1.0, 1.0), d.Poisson(1.0)),
        "chi2 and gamma": lambda: d.kl_divergence(d.Chi2(1.0), d.Gamma(1.0, 1.0)),
    }


# the wheel crashes where a gradient passes through broadcast_tensors to one input alone
SKIPPED = {("bernoulli", m) for m in METHODS} | {("laplace", m) for m in ("entropy", "mean", "variance", "stddev")}
SKIPPED |= {("multinomial", "probs")}
SKIPPED |= {("vectors, many", "rsample")}  # the wheel has no gradient of it
# its Categorical has no shapes
SKIPPED |= {(n, s) for n in ("categorical", "categoricals") for s in ("batch_shape", "event_shape")}


def with_gradients(paddle, kind, name, method):
    """A method's result and its gradients by the parameters and the value."""
    make, parameters, _, value = kind
    values = tensors(paddle, *parameters)
    made = make(*values)
    paddle.seed(5)
    if method in ("sample", "rsample"):
        result = getattr(made, method)([2])
    elif method in METHODS:
        asked = paddle.to_tensor(value)
        if "categorical" not in name:
            asked.stop_gradient = False
            values.append(asked)
        result = getattr(made, method)(asked)
    else:
        result = getattr(made, method)
        result = result() if method == "entropy" else result
    if hasattr(result, "stop_gradient") and not result.stop_gradient:
        (result * result).sum().backward()
    return [result] + [v.grad for v in values]


def divergence(paddle, kind, method):
    """The divergence of a distribution from another one, and its gradients."""
    make, first, second, _ = kind
    values = tensors(paddle, *first, *second)
    p, q = make(*values[: len(first)]), make(*values[len(first) :])
    result = p.kl_divergence(q) if method else paddle.distribution.kl_divergence(p, q)
    result.sum().backward()
    return [result] + [v.grad for v in values]


def transforms(paddle):
    """Name -> (a transform, values that it takes)."""
    d = paddle.distribution
    t = paddle.to_tensor
    some, table = [0.3, 0.4], [[0.1, 0.2], [0.3, 0.4]]
    affine = d.AffineTransform(t([1.0, 2.0]), t([2.0, -3.0]))
    return {
        "abs": (d.AbsTransform(), some),
        "affine": (affine, table),
        "chain": (d.ChainTransform([affine, d.ExpTransform()]), some),
        "chain of many": (d.ChainTransform([d.IndependentTransform(d.ExpTransform(), 1), d.ReshapeTransform((2,), (2, 1))]), table),
        "chain that folds": (d.ChainTransform([d.AbsTransform(), d.ExpTransform()]), some),
        "exp": (d.ExpTransform(), some),
        "independent": (d.IndependentTransform(d.ExpTransform(), 1), table),
        "power": (d.PowerTransform(t([2.0])), some),
        "reshape": (d.ReshapeTransform((2,), (1, 2)), table),
        "sigmoid": (d.SigmoidTransform(), some),
        "softmax": (d.SoftmaxTransform(), table),
        "stack": (d.StackTransform([d.ExpTransform(), d.TanhTransform()], 1), table),
        "stick": (d.StickBreakingTransform(), table),
        "tanh": (d.TanhTransform(), some),
        "base": (d.Transform(), some),
    }


def transformed(paddle, transform, value, method):
    """A transform's method: its result and the gradient."""
    if method in ("forward_shape", "inverse_shape"):
        return [answer(lambda shape=shape: tuple(getattr(transform, method)(shape))) for shape in ((), (2,), (3, 2), (2, 1, 2), 3)]
    (x,) = tensors(paddle, value)
    result = getattr(transform, method)(x)
    if isinstance(result, tuple) or result.stop_gradient:
        return result
    (result * result).sum().backward()
    return [result, x.grad]


def makings(paddle):
    """Parameters of every kind, also wrong ones: what is made of them."""
    d, t = paddle.distribution, paddle.to_tensor
    f = t([0.3, 0.5])
    return {
        "normal of floats": lambda: d.Normal(0.0, 1.0).loc,
        "normal of ints": lambda: d.Normal(1, 2).scale,
        "normal of lists": lambda: d.Normal([0.0, 1.0], 2.0).scale,
        "normal of doubles": lambda: d.Normal(np.array([1.0, 2.0]), np.array([1.0, 2.0])).loc,
        "normal of whole arrays": lambda: d.Normal(np.array([1, 2]), 1).loc,
        "normal of both": lambda: d.Normal(f, 1.0),
        "normal of text": lambda: d.Normal("a", 1.0),
        "normal of numpy's": lambda: d.Normal(np.float32(1), np.float32(2)),
        "normal, broadcast": lambda: [d.Normal(t([[0.0], [1.0]]), f).batch_shape, d.Normal(t([[0.0], [1.0]]), f).entropy()],
        "normal, shape": lambda: d.Normal(0.0, 1.0).sample(3),
        "samples of broken sizes": lambda: [answer(lambda m=m: m.sample([2.5])) for m in (d.Normal(0.0, 1.0), d.Beta(0.5, 0.5))],
        "samples of negative sizes": lambda: [answer(lambda m=m: m.sample([-1])) for m in (d.Bernoulli(f), d.Cauchy(0.0, 1.0))],
        "cauchy, sizes in an array": lambda: [d.Cauchy(0.0, 1.0).sample(s).shape for s in (np.array([2, 3]), t([2]))],
        "normal, seed": lambda: d.Normal(0.0, 1.0).sample([2], seed=7),
        "uniform, seed": lambda: d.Uniform(0.0, 1.0).sample([2], seed=3),
        "uniform of text": lambda: d.Uniform(0.0, "a"),
        "categorical of a list": lambda: d.Categorical([0.5, 0.5]).logits,
        "categorical of text": lambda: d.Categorical("a"),
        "categorical of a table": lambda: d.Categorical(t([[0.5, 0.5], [0.1, 0.9]])).probs(t([0, 1])),
        "bernoulli of a float": lambda: d.Bernoulli(0.3).logits,
        "bernoulli of one": lambda: d.Bernoulli(1.0).variance,
        "bernoulli of an int": lambda: d.Bernoulli(1),
        "bernoulli outside": lambda: d.Bernoulli(2.0),
        "beta of numbers": lambda: d.Beta(1, 2.5).variance,
        "beta of both": lambda: d.Beta(f, 1.0).entropy(),
        "dirichlet of a number": lambda: d.Dirichlet(t(1.0)),
        "multinomial of none": lambda: d.Multinomial(0, f),
        "multinomial of a part": lambda: d.Multinomial(1.5, f),
        "multinomial of a number": lambda: d.Multinomial(3, t(0.3)),
        "laplace of both": lambda: d.Laplace(f, 1.0).stddev,
        "laplace of a list": lambda: d.Laplace([1.0], 1.0),
        "laplace of a number": lambda: d.Laplace(0.0, 1.0).log_prob(0.5),
        "gumbel of numbers": lambda: d.Gumbel(1, 2.0).mean,
        "gumbel of text": lambda: d.Gumbel("a", 1.0),
        "geometric outside": lambda: d.Geometric(1.5),
        "geometric of a list": lambda: d.Geometric([0.3]),
        "geometric of an int": lambda: d.Geometric(t(0.3)).pmf(2),
        "geometric of a part": lambda: d.Geometric(t(0.3)).pmf(0.4),
        "cauchy of text": lambda: d.Cauchy("a", 1.0),
        "cauchy of a number": lambda: d.Cauchy(0.0, 1.0).log_prob(1.0),
        "cauchy, shape": lambda: d.Cauchy(0.0, 1.0).sample(2),
        "cauchy and another": lambda: d.Cauchy(0.0, 1.0).kl_divergence(d.Normal(0.0, 1.0)),
        "independent of a number": lambda: d.Independent(3, 1),
        "independent of too many": lambda: d.Independent(d.Normal(f, f), 2),
        "independent of none": lambda: d.Independent(d.Normal(f, f), 0),
        "transformed of a number": lambda: d.TransformedDistribution(3, []),
        "transformed by a number": lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), 3),
        "transformed by numbers": lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), [3]),
        "transformed of too few": lambda: d.TransformedDistribution(d.Normal(0.0, 1.0), [d.StickBreakingTransform()]),
        "affine of numbers": lambda: d.AffineTransform(1.0, 2.0),
        "chain of numbers": lambda: d.ChainTransform([3]),
        "power of a number": lambda: d.PowerTransform(2.0),
        "reshape to another size": lambda: d.ReshapeTransform((2,), (3,)),
        "independent by none": lambda: d.IndependentTransform(d.ExpTransform(), 0),
        "stack of numbers": lambda: d.StackTransform([3]),
        "call of a distribution": lambda: type(d.ExpTransform()(d.Normal(f, f))).__name__,
        "call of a transform": lambda: d.AffineTransform(t(1.0), t(2.0))(d.ExpTransform()).forward(f),
        "two kinds": lambda: d.kl_divergence(d.Normal(0.0, 1.0), d.Uniform(0.0, 1.0)),
        "kl of a class": lambda: d.register_kl(int, d.Normal),
    }


def questions(paddle, asked):
    """Name -> function, for all that distributions of some kinds are asked."""
    found = {}
    for name, kind in asked.items():
        for method in (*METHODS, *PROPERTIES, "entropy", "sample", "rsample"):
            if (name, method) not in SKIPPED:
                found[f"{name}.{method}"] = lambda k=kind, n=name, m=method: with_gradients(paddle, k, n, m)
        if name not in ("uniform", "bernoulli", "student", "correlations"):
            found[f"{name}.kl_divergence"] = lambda k=kind: divergence(paddle, k, True)
            found[f"kl_divergence of {name}"] = lambda k=kind: divergence(paddle, k, False)
    return found


def cases_of_3(paddle):
    """As `cases`, of what Paddle has since version 3."""
    return {**questions(paddle, kinds_of_3(paddle)), **makings_of_3(paddle)}


def cases(paddle):
    """Name -> function; what it returns or raises is compared."""
    found = questions(paddle, kinds(paddle))
    for name, (transform, value) in transforms(paddle).items():
        for method in ("forward", "inverse", "forward_log_det_jacobian", "inverse_log_det_jacobian", "forward_shape", "inverse_shape"):
            found[f"transform {name}.{method}"] = lambda t=transform, v=value, m=method: transformed(paddle, t, v, m)
    return {**found, **makings(paddle)}
