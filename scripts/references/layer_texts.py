"""What `repr` says of layers: layer_texts_2.6.2.json is {expression: text}."""

from __future__ import annotations

from typing import Any, Callable

WHEELS = ("2.6.2",)

CASES = """
CELU() CELU(2.,name='n') ELU() ELU(.5,'n') GELU() GELU(True,'n') GLU() GLU(1,'n') Hardshrink() Hardshrink(.3,'n')
Hardsigmoid() Hardsigmoid('n') Hardswish() Hardswish('n') Hardtanh() Hardtanh(-2,2,'n') LeakyReLU() LeakyReLU(.2,'n')
LogSigmoid() LogSigmoid('n') LogSoftmax() LogSoftmax(1,'n') Maxout(2) Maxout(2,-1,'n') Mish() Mish('n') ReLU() ReLU('n')
ReLU6() ReLU6('n') SELU() SELU(1.2,1.3,'n') Sigmoid() Sigmoid('n') Silu() Silu('n') Softmax() Softmax(1,'n') Softplus()
Softplus(2,10,'n') Softshrink() Softshrink(.3,'n') Softsign() Softsign('n') Swish() Swish('n') Tanh() Tanh('n') Tanhshrink()
Tanhshrink('n') ThresholdedReLU() ThresholdedReLU(2.,'n') PReLU(name='n') RReLU() RReLU(.1,.2,'n') Softmax2D() Softmax2D('n')
MaxPool1D(2) MaxPool1D(2,1,1,True,True,'n') MaxPool2D(2) MaxPool2D([2,3],1,1,True,True,'NHWC','n') MaxPool3D(2)
MaxPool3D(2,1,1,True,True,'NDHWC','n') AvgPool1D(2) AvgPool1D(2,1,1,False,True,'n') AvgPool2D(2)
AvgPool2D(2,1,1,True,False,3,'NHWC','n') AvgPool3D(2) AvgPool3D(2,1,1,True,False,3,'NDHWC','n') AdaptiveAvgPool1D(2)
AdaptiveAvgPool1D(2,'n') AdaptiveAvgPool2D(2) AdaptiveAvgPool2D((2,None),'NHWC','n') AdaptiveAvgPool3D(2)
AdaptiveAvgPool3D(2,'NDHWC','n') AdaptiveMaxPool1D(2) AdaptiveMaxPool1D(2,True,'n') AdaptiveMaxPool2D(2)
AdaptiveMaxPool2D(2,True,'n') AdaptiveMaxPool3D(2) AdaptiveMaxPool3D(2,True,'n') MaxUnPool1D(2)
MaxUnPool1D(2,1,1,'NCL',[4],'n') MaxUnPool2D(2) MaxUnPool2D(2,1,1,'NCHW',[4,4],'n') MaxUnPool3D(2)
MaxUnPool3D(2,1,1,'NCDHW',[4,4,4],'n') Dropout() Dropout(.3,1,'downscale_in_infer','n') Dropout2D() Dropout2D(.2,'NHWC','n')
Dropout3D() Dropout3D(.2,'NDHWC','n') AlphaDropout() AlphaDropout(.1,'n') Pad1D(1) Pad1D([1,2],'reflect',1.,'NLC','n')
Pad2D(1,name='n') Pad3D(1) ZeroPad2D(1) ZeroPad2D([1,2,3,4],'NHWC','n') CosineSimilarity() CosineSimilarity(0,.1)
PairwiseDistance() PairwiseDistance(1.,.1,True,'n') Upsample([2,3]) Upsample(None,2,'bilinear',True,1,'NHWC','n')
UpsamplingNearest2D([2,3]) UpsamplingNearest2D(None,2,'NHWC','n') UpsamplingBilinear2D([2,3])
UpsamplingBilinear2D(None,2,'NHWC','n') PixelShuffle(2) PixelShuffle(2,'NHWC','n') PixelUnshuffle(2)
PixelUnshuffle(2,'NHWC','n') ChannelShuffle(2) ChannelShuffle(2,'NHWC','n') Flatten() Flatten(0,1) Unfold(2)
Unfold([2,2],2,1,2,'n') Fold(4,2) Fold([4,4],[2,2],2,1,2,'n') Identity() Identity(3,a=2) Unflatten(1,[2,3])
Unflatten(1,(2,3),'n') Linear(2,3,name='n') Linear(2,3,bias_attr=False) Bilinear(2,3,4) Bilinear(2,3,4,name='n')
Embedding(5,3) Embedding(5,3,1,True,name='n') Embedding(5,3,padding_idx=-2)
LocalResponseNorm(3) LocalResponseNorm(3,.1,.2,2.,'NHWC','n') LayerNorm(3)
LayerNorm([3,4],1e-3,name='n') GroupNorm(2,4) GroupNorm(2,4,1e-3,data_format='NHWC',name='n') BatchNorm2D(3,name='n')
BatchNorm2D(3,.8,1e-3,use_global_stats=True) BatchNorm(3) BatchNorm(3,'relu',True,.8) InstanceNorm2D(3)
InstanceNorm2D(3,.1,.2,name='n') SyncBatchNorm(3) SpectralNorm([3,4]) Conv1D(2,4,3)
Conv1D(2,4,3,2,1,2,2,'reflect',data_format='NLC') Conv2D(2,4,3) Conv2D(2,4,3,padding='SAME') Conv2D(2,4,3,padding=[1,2])
Conv3D(2,4,3) Conv3D(2,4,3,2,1,2,2,'replicate') Conv1DTranspose(2,4,3) Conv1DTranspose(2,4,3,2,1,1,2,2) Conv2DTranspose(2,4,3)
Conv2DTranspose(2,4,3,2,1,1,2,2) Conv3DTranspose(2,4,3) Conv3DTranspose(2,4,3,2,1,1,2,2)
Conv2D(2,4,3,stride=1,padding=0,dilation=1) Conv2D(2,4,3,stride=[1,1],padding='VALID') SimpleRNNCell(2,3)
SimpleRNNCell(2,3,'relu') LSTMCell(2,3) LSTMCell(2,3,name='n') GRUCell(2,3) SimpleRNN(2,3)
SimpleRNN(2,3,2,'bidirect',True,.1,'relu') LSTM(2,3) LSTM(2,3,2,'bidirect',True,.1) GRU(2,3) RNN(N.GRUCell(2,3),True,True)
BiRNN(N.GRUCell(2,3),N.LSTMCell(2,3)) CrossEntropyLoss() CrossEntropyLoss(reduction='sum',axis=1) MSELoss('sum') L1Loss('sum')
BCELoss(reduction='sum') BCEWithLogitsLoss(reduction='sum') NLLLoss(reduction='sum') KLDivLoss('sum') SmoothL1Loss('sum',2.)
CTCLoss(1,'sum') RNNTLoss(1) MarginRankingLoss(.1) HingeEmbeddingLoss(2.) CosineEmbeddingLoss(.1) TripletMarginLoss(.1)
TripletMarginWithDistanceLoss(margin=.1) MultiLabelSoftMarginLoss(reduction='sum') MultiMarginLoss(2) SoftMarginLoss('sum')
PoissonNLLLoss(False) GaussianNLLLoss(True) HSigmoidLoss(2,3) MultiHeadAttention(4,2) TransformerEncoderLayer(4,2,8)
TransformerDecoderLayer(4,2,8,0.2) Sequential(N.Linear(1,2),N.ReLU())
Sequential(('a',N.Linear(1,2)),('b',N.Sequential(N.ReLU()))) LayerList([N.Linear(1,1)]) LayerList() LayerDict({'a':N.ReLU()})
ParameterList()
""".split()


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The one file."""
    return {f"layer_texts_{version}.json": record}


def record() -> dict[str, str]:
    """What every layer says of itself under the wheel."""
    import paddle

    return texts(paddle)


def texts(paddle: Any) -> dict[str, str]:
    """What every layer says of itself."""
    return {expression: repr(eval("N." + expression, {"N": paddle.nn})) for expression in CASES}
