"""`paddle.distribution`: chances, samples, entropies and divergences of distributions, and transforms of their values."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "bernoulli": ("Bernoulli",),
        "beta": ("Beta",),
        "categorical": ("Categorical",),
        "cauchy": ("Cauchy",),
        "dirichlet": ("Dirichlet",),
        "distribution": ("Distribution",),
        "exponential_family": ("ExponentialFamily",),
        "geometric": ("Geometric",),
        "gumbel": ("Gumbel",),
        "independent": ("Independent",),
        "kl": ("kl_divergence", "register_kl"),
        "laplace": ("Laplace",),
        "lognormal": ("LogNormal",),
        "multinomial": ("Multinomial",),
        "normal": ("Normal",),
        "transform": (
            "AbsTransform", "AffineTransform", "ChainTransform", "ExpTransform", "IndependentTransform", "PowerTransform",
            "ReshapeTransform", "SigmoidTransform", "SoftmaxTransform", "StackTransform", "StickBreakingTransform", "TanhTransform",
            "Transform",
        ),
        "transformed_distribution": ("TransformedDistribution",),
        "uniform": ("Uniform",),
    },
)  # fmt: skip
