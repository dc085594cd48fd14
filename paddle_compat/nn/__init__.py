"""`paddle.nn`: layers."""

from paddle_compat._lazy import lazy

__getattr__, __dir__, __all__ = lazy(
    __name__,
    {
        "clip": ("ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue"),
        "functional": (),
        "utils": (),
        "initializer": (),
        "layer.layers": (
            "Layer",
        ),
        "layer.container": (
            "LayerDict", "LayerList", "ParameterList", "Sequential",
        ),
        "layer.activation": (
            "CELU", "ELU", "GELU", "GLU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU",
            "LogSigmoid", "LogSoftmax", "Maxout", "Mish", "PReLU", "RReLU", "ReLU", "ReLU6", "SELU", "Sigmoid",
            "Silu", "Softmax", "Softmax2D", "Softplus", "Softshrink", "Softsign", "Swish", "Tanh", "Tanhshrink",
            "ThresholdedReLU",
        ),
        "layer.loss": (
            "BCELoss", "BCEWithLogitsLoss", "CTCLoss", "CosineEmbeddingLoss", "CrossEntropyLoss",
            "GaussianNLLLoss", "HSigmoidLoss", "HingeEmbeddingLoss", "KLDivLoss", "L1Loss", "MSELoss", "MarginRankingLoss",
            "MultiLabelSoftMarginLoss", "MultiMarginLoss", "NLLLoss", "PoissonNLLLoss", "RNNTLoss",
            "SmoothL1Loss", "SoftMarginLoss", "TripletMarginLoss", "TripletMarginWithDistanceLoss",
        ),
        "layer.pooling": (
            "AdaptiveAvgPool1D", "AdaptiveAvgPool2D", "AdaptiveAvgPool3D", "AdaptiveMaxPool1D",
            "AdaptiveMaxPool2D", "AdaptiveMaxPool3D", "AvgPool1D", "AvgPool2D", "AvgPool3D", "ChannelShuffle",
            "Fold", "LocalResponseNorm", "MaxPool1D", "MaxPool2D", "MaxPool3D", "MaxUnPool1D", "MaxUnPool2D",
            "MaxUnPool3D", "PairwiseDistance", "PixelShuffle", "PixelUnshuffle", "Unfold",
        ),
        "layer.common": (
            "AlphaDropout", "Bilinear", "CosineSimilarity", "Dropout", "Dropout2D", "Dropout3D", "Embedding",
            "Flatten", "Identity", "Linear", "Pad1D", "Pad2D", "Pad3D", "Unflatten", "Upsample",
            "UpsamplingBilinear2D", "UpsamplingNearest2D", "ZeroPad2D",
        ),
        "layer.conv": (
            "Conv1D", "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D", "Conv3DTranspose",
        ),
        "layer.norm": (
            "BatchNorm", "BatchNorm1D", "BatchNorm2D", "BatchNorm3D", "GroupNorm", "InstanceNorm1D",
            "InstanceNorm2D", "InstanceNorm3D", "LayerNorm", "SpectralNorm", "SyncBatchNorm",
        ),
        "decode": ("BeamSearchDecoder", "dynamic_decode"),
        "layer.rnn": ("BiRNN", "GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNCellBase", "SimpleRNN", "SimpleRNNCell"),
        "layer.transformer": (
            "MultiHeadAttention", "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder",
            "TransformerEncoderLayer",
        ),
    },
)  # fmt: skip
