"""`paddle.nn`: layers."""

from paddle_compat._lazy import lazy, modules

_LOSSES = (
    "AdaptiveLogSoftmaxWithLoss", "BCELoss", "BCEWithLogitsLoss", "CTCLoss", "CosineEmbeddingLoss", "CrossEntropyLoss",
    "GaussianNLLLoss", "HSigmoidLoss", "HingeEmbeddingLoss", "HuberLoss", "KLDivLoss", "L1Loss", "MSELoss", "MarginRankingLoss",
    "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss", "NLLLoss", "PoissonNLLLoss", "RNNTLoss", "SmoothL1Loss",
    "SoftMarginLoss", "TripletMarginLoss", "TripletMarginWithDistanceLoss",
)  # fmt: skip
modules(__name__, {"loss": _LOSSES})

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "clip": ("ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue"),
        "functional": (),
        "quant": (),
        "utils": (),
        "initializer": (),
        "layer.layers": (
            "Layer", "Module",
        ),
        "layer.container": (
            "LayerDict", "LayerList", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential",
        ),
        "layer.activation": (
            "CELU", "ELU", "GELU", "GLU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU", "LogSigmoid",
            "LogSoftmax", "Maxout", "Mish", "PReLU", "RReLU", "ReLU", "ReLU6", "SELU", "SiLU", "Sigmoid", "Silu", "Softmax",
            "Softmax2D", "Softplus", "Softshrink", "Softsign", "Swish", "Tanh", "Tanhshrink", "ThresholdedReLU",
        ),
        "layer.loss": _LOSSES,
        "layer.pooling": (
            "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d",
            "AdaptiveAvgPool1D", "AdaptiveAvgPool2D", "AdaptiveAvgPool3D", "AdaptiveMaxPool1D", "AdaptiveMaxPool1d",
            "AdaptiveMaxPool2D", "AdaptiveMaxPool2d", "AdaptiveMaxPool3D", "AdaptiveMaxPool3d", "AvgPool1D", "AvgPool2D",
            "AvgPool3D", "ChannelShuffle", "Fold", "FractionalMaxPool2D", "FractionalMaxPool3D", "LPPool1D", "LPPool1d",
            "LPPool2D", "LPPool2d", "LocalResponseNorm", "MaxPool1D", "MaxPool2D", "MaxPool3D", "MaxUnPool1D", "MaxUnPool2D",
            "MaxUnPool3D", "PairwiseDistance", "PixelShuffle", "PixelUnshuffle", "Unfold",
        ),
        "layer.common": (
            "UpsamplingBilinear2d", "UpsamplingNearest2d", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d",
            "AlphaDropout", "Bilinear", "CircularPad1D", "CircularPad1d", "CircularPad2D", "CircularPad2d", "CircularPad3D",
            "CircularPad3d", "ConstantPad1D", "ConstantPad1d", "ConstantPad2D", "ConstantPad2d", "ConstantPad3D",
            "ConstantPad3d", "CosineSimilarity", "Dropout", "Dropout2D", "Dropout3D", "Embedding", "FeatureAlphaDropout",
            "Flatten", "Identity", "Linear", "Pad1D", "Pad2D", "Pad3D", "ReflectionPad1D", "ReflectionPad1d",
            "ReflectionPad2D", "ReflectionPad2d", "ReflectionPad3D", "ReflectionPad3d", "ReplicationPad1D", "ReplicationPad1d",
            "ReplicationPad2D", "ReplicationPad2d", "ReplicationPad3D", "ReplicationPad3d", "Unflatten", "Upsample",
            "UpsamplingBilinear2D", "UpsamplingNearest2D", "ZeroPad1D", "ZeroPad2D", "ZeroPad3D",
        ),
        "layer.conv": (
            "Conv1D", "Conv1DTranspose", "Conv1d", "Conv2D", "Conv2DTranspose", "Conv2d", "Conv3D", "Conv3DTranspose",
            "Conv3d",
        ),
        "layer.norm": (
            "BatchNorm", "BatchNorm1D", "BatchNorm2D", "BatchNorm3D", "GroupNorm", "InstanceNorm1D",
            "InstanceNorm2D", "InstanceNorm3D", "LayerNorm", "SpectralNorm", "SyncBatchNorm",
        ),
        "parameter": ("Parameter",),
        "decode": ("BeamSearchDecoder", "dynamic_decode"),
        "layer.rnn": ("BiRNN", "GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNCellBase", "SimpleRNN", "SimpleRNNCell"),
        "layer.transformer": (
            "MultiHeadAttention", "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder",
            "TransformerEncoderLayer",
        ),
    },
    starred=(),
)  # fmt: skip
