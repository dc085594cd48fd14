"""Loss layers."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import default, dtype_name
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.nn.layer._calls import CallLayer, make
from paddle_compat.nn.layer.layers import Layer

_R: dict[str, Any] = {"reduction": "mean"}
_HUBER = {"is_huber": True} if SINCE_3 else {}  # which Paddle 3 has in front of the name
# class: (function, settings, whether it takes `name`, first line of the docstring)
_TABLE: dict[str, tuple[str, dict[str, Any], bool, str]] = {
    "BCELoss": ("binary_cross_entropy", {"weight": None, **_R}, True, "Binary cross entropy of probabilities."),
    "BCEWithLogitsLoss": (
        "binary_cross_entropy_with_logits", {"weight": None, **_R, "pos_weight": None}, True, "Binary cross entropy of logits.",
    ),
    "CTCLoss": ("ctc_loss", {"blank": 0, **_R, "zero_infinity": False}, False, "Connectionist temporal classification."),
    "CosineEmbeddingLoss": ("cosine_embedding_loss", {"margin": 0, **_R}, True, "Draws vectors together or apart by their cosine."),
    "CrossEntropyLoss": (
        "cross_entropy",
        {"weight": None, "ignore_index": -100, **_R, "soft_label": False, "axis": -1, "use_softmax": True, "label_smoothing": 0.0},
        True, "Cross entropy of logits (or probabilities).",
    ),
    "GaussianNLLLoss": ("gaussian_nll_loss", {"full": False, "epsilon": 1e-6, **_R}, True, "Negative logarithm of a normal density."),
    "HingeEmbeddingLoss": ("hinge_embedding_loss", {"margin": 1.0, **_R}, True, "Hinge on a distance."),
    "KLDivLoss": ("kl_div", {**_R, "log_target": False}, False, "Kullback-Leibler divergence."),
    "L1Loss": ("l1_loss", {**_R}, True, "Absolute difference."),
    "MSELoss": ("mse_loss", {**_R}, False, "Squared difference."),
    "MarginRankingLoss": ("margin_ranking_loss", {"margin": 0.0, **_R}, True, "Hinge on the order of two inputs."),
    "MultiLabelSoftMarginLoss": ("multi_label_soft_margin_loss", {"weight": None, **_R}, True, "Logistic loss of many labels."),
    "MultiLabelMarginLoss": ("multi_label_margin_loss", {**_R}, True, "Hinge between right and wrong classes."),
    "MultiMarginLoss": (
        "multi_margin_loss", {"p": 1, "margin": 1.0, "weight": None, **_R}, True, "Hinge between the labelled class and the others.",
    ),
    "NLLLoss": ("nll_loss", {"weight": None, "ignore_index": -100, **_R}, True, "Negative log likelihood of log probabilities."),
    "PoissonNLLLoss": (
        "poisson_nll_loss", {"log_input": True, "full": False, "epsilon": 1e-8, **_R}, True, "Negative logarithm of a Poisson probability.",
    ),
    "RNNTLoss": ("rnnt_loss", {"blank": 0, "fastemit_lambda": 0.001, **_R}, True, "Loss of recurrent transducers."),
    "SmoothL1Loss": ("smooth_l1_loss", {**_R, "delta": 1.0, **_HUBER}, True, "Squared below delta, absolute above."),
    "SoftMarginLoss": ("soft_margin_loss", {**_R}, True, "Logistic loss of two classes."),
    "TripletMarginLoss": (
        "triplet_margin_loss", {"margin": 1.0, "p": 2.0, "epsilon": 1e-6, "swap": False, **_R}, True, "Hinge between two distances.",
    ),
    "TripletMarginWithDistanceLoss": (
        "triplet_margin_with_distance_loss", {"distance_function": None, "margin": 1.0, "swap": False, **_R}, True,
        "Hinge between two distances of one's own.",
    ),
}  # fmt: skip

# class: what its example calls it with, and the loss
_EXAMPLES = {
    "BCELoss": ("paddle.to_tensor([0.5, 0.25]), paddle.to_tensor([1.0, 0.0])", "0.4904"),
    "BCEWithLogitsLoss": ("paddle.to_tensor([2.0, 1.0]), paddle.to_tensor([1.0, 0.0])", "0.7201"),
    "CTCLoss": ("paddle.zeros([2, 1, 2]), paddle.to_tensor([[1]], 'int32'), paddle.to_tensor([2]), paddle.to_tensor([1])", "0.2877"),
    "CosineEmbeddingLoss": ("paddle.to_tensor([[1.0, 0.0]]), paddle.to_tensor([[0.0, 1.0]]), paddle.to_tensor([1])", "1.0"),
    "CrossEntropyLoss": ("paddle.to_tensor([[2.0, 1.0]]), paddle.to_tensor([0])", "0.3133"),
    "GaussianNLLLoss": ("paddle.to_tensor([2.0, 1.0]), paddle.to_tensor([1.0, 0.0]), paddle.to_tensor([0.5, 0.25])", "0.9801"),
    "HingeEmbeddingLoss": ("paddle.to_tensor([2.0, 1.0]), paddle.to_tensor([1.0, -1.0])", "1.0"),
    "KLDivLoss": ("paddle.log(paddle.to_tensor([0.5, 0.25])), paddle.to_tensor([0.5, 0.25])", "0.0"),
    "L1Loss": ("paddle.to_tensor([2.0, 1.0]), paddle.to_tensor([1.0, 0.0])", "1.0"),
    "MSELoss": ("paddle.to_tensor([2.0, 1.0]), paddle.to_tensor([1.0, 0.0])", "1.0"),
    "MarginRankingLoss": ("paddle.to_tensor([2.0, 1.0]), paddle.to_tensor([0.5, 0.25]), paddle.to_tensor([1.0, -1.0])", "0.375"),
    "MultiLabelMarginLoss": ("paddle.to_tensor([[2.0, 1.5]]), paddle.to_tensor([[1, -1]])", "0.75"),
    "MultiLabelSoftMarginLoss": ("paddle.to_tensor([[2.0, 1.0]]), paddle.to_tensor([[1.0, -1.0]])", "1.2201"),
    "MultiMarginLoss": ("paddle.to_tensor([[2.0, 1.5]]), paddle.to_tensor([1])", "0.75"),
    "NLLLoss": ("paddle.log(paddle.to_tensor([[0.5, 0.25]])), paddle.to_tensor([1])", "1.3863"),
    "PoissonNLLLoss": ("paddle.to_tensor([2.0, 1.0]), paddle.to_tensor([1.0, 0.0])", "4.0537"),
    "RNNTLoss": (
        "paddle.zeros([1, 2, 2, 2]), paddle.ones([1, 1], 'int32'), paddle.to_tensor([2], 'int32'), paddle.ones([1], 'int32')", "-0.6931",
    ),
    "SmoothL1Loss": ("paddle.to_tensor([2.0, 1.0]), paddle.to_tensor([1.0, 0.0])", "0.5"),
    "SoftMarginLoss": ("paddle.to_tensor([2.0, 1.0]), paddle.to_tensor([1.0, -1.0])", "0.7201"),
    "TripletMarginLoss": ("paddle.to_tensor([[1.0, 0.0]]), paddle.to_tensor([[1.0, 1.0]]), paddle.to_tensor([[0.0, 0.0]])", "1.0"),
    "TripletMarginWithDistanceLoss": ("paddle.to_tensor([[1.0, 0.0]]), paddle.ones([1, 2]), paddle.zeros([1, 2])", "1.0"),
}  # fmt: skip

_NO_OLD_WORDS = ("CTCLoss", "GaussianNLLLoss", "RNNTLoss", "TripletMarginWithDistanceLoss")
_NO_FLAG: Any = object()


class _Reducing(CallLayer):
    """A loss that knows torch's former words for a reduction, to say what stands for them."""

    def __init__(self, *args: Any, reduce: Any = _NO_FLAG, size_average: Any = _NO_FLAG, **kwargs: Any) -> None:
        defaults = [parameter.default for parameter in self._signature.parameters.values()]
        flags = [flag for n, flag in enumerate(args) if type(flag) is bool and (n >= len(defaults) or type(defaults[n]) is not bool)]
        if flags or reduce is not _NO_FLAG or size_average is not _NO_FLAG:
            meant = "none" if reduce is False else "sum" if size_average is False or flags[:1] == [False] else "mean"
            given = flags or {k: v for k, v in (("reduce", reduce), ("size_average", size_average)) if v is not _NO_FLAG}
            raise invalid_argument("reduction", f"reduction='{meant}' for this", given, type(self).__name__)
        super().__init__(*args, **kwargs)


for _name, (_function, _settings, _named, _what) in _TABLE.items():
    _call = f"round(paddle.nn.{_name}()({_EXAMPLES[_name][0]}).item(), 4)"
    globals()[_name] = make(
        __name__, _name, _function, dict(_settings), _what, (_call, _EXAMPLES[_name][1]),
        base=CallLayer if _name in _NO_OLD_WORDS else _Reducing, with_name=_named, silent=True,
        further={"is_huber": True} if _name == "SmoothL1Loss" and not _HUBER else None,
    )  # fmt: skip


class HSigmoidLoss(Layer):
    """Hierarchical sigmoid: labels are found by turning left or right at the nodes of a tree.

    Args:
        feature_size: width of the input.
        num_classes: number of classes.
        weight_attr, bias_attr: ParamAttr of the weight [num_classes - 1, feature_size] and the bias [num_classes - 1, 1].
        is_custom: the tree is given with every call; num_classes counts its nodes then.
        is_sparse: the weight's gradient holds only the rows that were looked up.
        name: prefix of the outputs' names.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.HSigmoidLoss(3, 5)
        >>> layer(paddle.ones([2, 3]), paddle.to_tensor([[0], [4]])).shape
        [2, 1]

    Follows Paddle 2.6.
    """

    def __init__(
        self, feature_size: int, num_classes: int, weight_attr: Any = None, bias_attr: Any = None, is_custom: bool = False,
        is_sparse: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(dtype=dtype_name(default()))
        if num_classes < 2 and not is_custom:
            raise invalid_argument("num_classes", "at least 2", num_classes, "HSigmoidLoss")
        self._feature_size, self._num_classes, self._is_custom = feature_size, num_classes, is_custom
        self._is_sparse, self._name = is_sparse, name
        nodes = num_classes if is_custom else num_classes - 1
        self.weight = self.create_parameter(shape=[nodes, feature_size], attr=weight_attr)
        self.bias = self.create_parameter(shape=[nodes, 1], attr=bias_attr, is_bias=True)

    def forward(self, input: Any, label: Any, path_table: Any = None, path_code: Any = None) -> Any:
        """The loss of every sample.

        Args:
            input: [N, feature_size].
            label: [N, 1].
            path_table, path_code: nodes and turns on each label's path, for a tree of one's own.
        Returns:
            [N, 1].
        """
        return import_module("paddle_compat.nn.functional").hsigmoid_loss(
            input, label, self._num_classes, self.weight, self.bias, path_table, path_code, self._is_sparse, self._name
        )


class AdaptiveLogSoftmaxWithLoss(Layer):
    """Softmax over many classes, of which the rare ones lie in clusters with narrower weights.

    Args:
        in_features: width of the input.
        n_classes: number of classes, the most frequent first.
        cutoffs: where the clusters begin, in ascending order.
        weight_attr, bias_attr: ParamAttr of the weights and of the head's bias.
        div_value: by how much each cluster is narrower than the one before.
        head_bias: whether the head has a bias.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.AdaptiveLogSoftmaxWithLoss(4, 6, [2, 4], div_value=2.0)
        >>> output, loss = layer(paddle.ones([3, 4]), paddle.to_tensor([0, 3, 5]))
        >>> output.shape, layer.log_prob(paddle.ones([3, 4])).shape, layer.predict(paddle.ones([3, 4])).shape
        ([3], [3, 6], [3])

    Follows Paddle 3.3.
    """

    def __init__(
        self, in_features: int, n_classes: int, cutoffs: Any, weight_attr: Any = None, bias_attr: Any = None, div_value: float = 4.0,
        head_bias: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        cutoffs = [int(cutoff) for cutoff in cutoffs]
        if cutoffs != sorted(set(cutoffs)) or not cutoffs or cutoffs[0] <= 0 or cutoffs[-1] >= n_classes:
            raise invalid_argument("cutoffs", f"ascending numbers from 1 to {n_classes - 1}", cutoffs, "AdaptiveLogSoftmaxWithLoss")
        self.in_features, self.n_classes, self.cutoffs, self.div_value = in_features, n_classes, [*cutoffs, n_classes], div_value
        self.shortlist_size, self.n_clusters = cutoffs[0], len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        self.is_head_bias = head_bias
        self.head_weight = self.create_parameter(shape=[in_features, self.head_size], attr=weight_attr)
        self.head_bias = self.create_parameter(shape=[self.head_size], attr=bias_attr, is_bias=True) if head_bias else None
        self.tail_weights: list[list[Any]] = []
        for number, (start, end) in enumerate(zip(self.cutoffs, self.cutoffs[1:])):
            width = int(in_features // div_value ** (number + 1))
            sizes = ([in_features, width], [width, end - start])
            # a plain list, as Paddle's: these are none of the layer's `parameters()`
            self.tail_weights.append([self.create_parameter(shape=size, attr=weight_attr) for size in sizes])

    def forward(self, input: Any, label: Any) -> tuple[Any, Any]:
        """The logarithms of labels' probabilities, and the loss.

        Args:
            input: [N, in_features].
            label: [N].
        Returns:
            The logarithms, [N], and minus their mean.
        """
        function = import_module("paddle_compat.nn.functional").adaptive_log_softmax_with_loss
        return function(input, label, self.head_weight, self.tail_weights, self.cutoffs, self.head_bias)

    def log_prob(self, input: Any) -> Any:
        """The logarithms of all classes' probabilities.

        Args:
            input: [N, in_features].
        Returns:
            [N, n_classes].
        """
        paddle, F = import_module("paddle_compat"), import_module("paddle_compat.nn.functional")
        head = F.log_softmax(F.linear(input, self.head_weight, self.head_bias), axis=1)
        parts = [head[:, : self.shortlist_size]]
        for number, (narrow, wide) in enumerate(self.tail_weights):
            at = self.shortlist_size + number
            parts.append(F.log_softmax(F.linear(F.linear(input, narrow), wide), axis=1) + head[:, at : at + 1])
        return paddle.concat(parts, axis=1)

    def predict(self, input: Any) -> Any:
        """The most probable classes.

        Args:
            input: [N, in_features].
        Returns:
            [N], float32.
        """
        paddle = import_module("paddle_compat")
        return paddle.cast(paddle.argmax(self.log_prob(input), axis=1), "float32")


HuberLoss = globals()["SmoothL1Loss"]  # Paddle 3's name

__all__ = sorted([*_TABLE, "AdaptiveLogSoftmaxWithLoss", "HSigmoidLoss", "HuberLoss"])

__getattr__ = missing(__name__)
