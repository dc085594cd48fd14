"""`paddle.distribution`: chances, samples, entropies and divergences of distributions, and transforms of their values."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "bernoulli": ("Bernoulli",),
        "beta": ("Beta",),
        "binomial": ("Binomial",),
        "categorical": ("Categorical",),
        "cauchy": ("Cauchy",),
        "chi2": ("Chi2",),
        "continuous_bernoulli": ("ContinuousBernoulli",),
        "dirichlet": ("Dirichlet",),
        "distribution": ("Distribution",),
        "exponential": ("Exponential",),
        "exponential_family": ("ExponentialFamily",),
        "gamma": ("Gamma",),
        "geometric": ("Geometric",),
        "gumbel": ("Gumbel",),
        "independent": ("Independent",),
        "kl": ("kl_divergence", "register_kl"),
        "laplace": ("Laplace",),
        "lkj_cholesky": ("LKJCholesky",),
        "lognormal": ("LogNormal",),
        "multinomial": ("Multinomial",),
        "multivariate_normal": ("MultivariateNormal",),
        "normal": ("Normal",),
        "poisson": ("Poisson",),
        "student_t": ("StudentT",),
        "transform": (
            "AbsTransform", "AffineTransform", "ChainTransform", "ExpTransform", "IndependentTransform", "PowerTransform",
            "ReshapeTransform", "SigmoidTransform", "SoftmaxTransform", "StackTransform", "StickBreakingTransform", "TanhTransform",
            "Transform",
        ),
        "transformed_distribution": ("TransformedDistribution",),
        "uniform": ("Uniform",),
    },
)  # fmt: skip
