"""What files of Paddle show because they import it, by the file that shows it: where it is, and its names."""

from __future__ import annotations

_ROWS = """
amp.auto_cast amp autocast get_autocast_dtype is_autocast_enabled
audio.features.layers base Tensor
base base.trainer_desc MultiTrainer TrainerDesc
base static IpuCompiledProgram IpuStrategy ipu_shard_guard set_ipu_shard xpu_places
base.executor base.framework Operator Program get_flags set_flags
base.executor base.trainer_factory TrainerFactory
base.executor pir OpResult Value
base.framework static ipu_shard_guard set_ipu_shard xpu_places
common_ops_import fluid.initializer Constant
common_ops_import fluid.layers fill_constant scale
dataset.flowers dataset.common download
dataset.flowers dataset.image batch_images_from_tar center_crop left_right_flip load_and_transform load_image random_crop resize_short
dataset.flowers dataset.image to_chw
dataset.flowers reader ComposeNotAligned buffered cache chain compose firstn multiprocess_reader shuffle
dataset.flowers utils try_import
dataset.voc2012 dataset.common download
dataset.voc2012 dataset.image batch_images_from_tar center_crop left_right_flip load_and_transform load_image load_image_bytes random_crop
dataset.voc2012 dataset.image resize_short simple_transform to_chw
distributed distributed.auto_parallel shard_op
distributed distributed.parallel DataParallel
distributed.parallel distributed is_initialized
distributed.spawn device get_device
distributed.spawn framework set_flags
fluid fluid.dygraph TreeConv
fluid.compiler fluid cpu_places cuda_places
fluid.contrib.layers.metric_op fluid ParamAttr
fluid.contrib.layers.metric_op fluid.initializer Constant Normal
fluid.contrib.layers.nn fluid.initializer Constant Normal NumpyArrayInitializer
fluid.contrib.layers.nn fluid.layers reshape slice
fluid.contrib.layers.rnn_impl fluid.layers StaticRNN
fluid.dygraph.base fluid.framework wrap_decorator
fluid.dygraph.jit fluid CompiledProgram Executor Layer
fluid.dygraph.jit fluid.framework wrap_decorator
fluid.dygraph.layer_object_helper fluid ParamAttr
fluid.dygraph.layers fluid ParamAttr
fluid.dygraph.nn fluid.initializer Constant Normal
fluid.dygraph.nn fluid.layers cross_entropy square
fluid.dygraph.parallel fluid.dygraph no_grad to_variable
fluid.io fluid CompiledProgram Executor default_startup_program global_scope program_guard
fluid.layer_helper fluid ParamAttr
fluid.layer_helper fluid.initializer Constant Xavier
fluid.layer_helper_base fluid ParamAttr WeightNormParamAttr default_startup_program
fluid.layers.control_flow fluid Program
fluid.layers.control_flow fluid.layers assign cast fill_constant logical_and logical_not logical_or
fluid.layers.detection fluid.layers softmax_with_cross_entropy
fluid.layers.detection fluid.layers.layer_function_generator generate_layer_fn
fluid.layers.io fluid DataFeeder Program global_scope program_guard
fluid.layers.learning_rate_scheduler fluid name_scope
fluid.layers.loss fluid ParamAttr
fluid.layers.loss fluid.initializer Constant NumpyArrayInitializer
fluid.layers.loss fluid.layers equal
fluid.layers.metric_op fluid ParamAttr
fluid.layers.metric_op fluid.initializer Constant Normal
fluid.layers.nn fluid ParamAttr device_guard
fluid.layers.nn fluid.initializer Constant Normal NumpyArrayInitializer
fluid.layers.nn fluid.layers assign cast concat exp fill_constant tensor_array_to_tensor zeros
fluid.layers.ops fluid.layers.layer_function_generator generate_activation_fn generate_layer_fn
fluid.layers.tensor fluid ParamAttr device_guard
fluid.layers.tensor fluid.initializer Constant
fluid.metrics fluid Program program_guard
fluid.metrics fluid.initializer Constant
fluid.optimizer fluid Program default_startup_program device_guard name_scope program_guard
fluid.optimizer fluid.backward append_backward
fluid.optimizer fluid.clip GradientClipByNorm
fluid.optimizer fluid.dygraph no_grad
fluid.optimizer fluid.initializer Constant
fluid.parallel_executor fluid BuildStrategy ExecutionStrategy
fluid.param_attr fluid.initializer Constant Xavier
fluid.reader fluid InMemoryDataset cpu_places default_startup_program
fluid.reader fluid.layers double_buffer
framework.io_utils base global_scope
framework.io_utils nn Parameter
hapi.callbacks utils try_import
hapi.model autograd no_grad
hapi.model base global_scope
hapi.model hapi summary
hapi.model io DataLoader Dataset DistributedBatchSampler
incubate base.incubate checkpoint
incubate base.incubate.checkpoint auto_checkpoint
incubate base.layer_helper LayerHelper
incubate.optimizer incubate.optimizer.pipeline PipelineOptimizer
io.reader io DistributedBatchSampler Subset
jit.api base BuildStrategy ExecutionStrategy
jit.api base.compiler CompiledProgram
jit.api base.dygraph.base program_desc_tracing_guard
jit.api base.executor Executor scope_guard
jit.api base.framework Block EagerParamBase Parameter Program
jit.api base.wrapped_decorator wrap_decorator
jit.api jit.dy2static.convert_call_func ConversionOptions
jit.api static.io save_inference_model
jit.api utils.environments BooleanEnvironmentVariable
jit.dy2static jit.dy2static.utils ast_to_source_code
jit.dy2static.program_translator jit.dy2static.partial_program PrimHooker
jit.dy2static.utils_helper jit.dy2static.utils ast_to_source_code
jit.dy2static jit.dy2static.variable_trans_func to_static_variable
nn nn.utils spectral_norm
nn.functional tensor pdist
nn.functional.activation tensor chunk sigmoid tanh tanh_
nn.functional.common tensor.creation full zeros
nn.functional.common tensor.manipulation concat squeeze unsqueeze
nn.functional.common tensor.math clip sum
nn.functional.common tensor.ops sqrt
nn.functional.conv autograd no_grad
nn.functional.conv device get_all_custom_device_type get_cudnn_version is_compiled_with_cuda is_compiled_with_rocm
nn.functional.conv framework get_flags
nn.functional.conv tensor reshape squeeze unsqueeze
nn.functional.distance tensor pdist
nn.functional.loss static.nn.control_flow Assert
nn.functional.loss tensor.manipulation reshape
nn.functional.loss utils.deprecated deprecated
nn.functional.pooling tensor squeeze unsqueeze
nn.functional.vision device get_cudnn_version is_compiled_with_rocm
nn.initializer.kaiming nn.initializer calculate_gain
nn.initializer.orthogonal autograd no_grad
nn.layer.activation framework get_default_dtype
nn.layer.activation nn.initializer Constant
nn.layer.container base Tensor
nn.layer.container nn Parameter
nn.layer.conv base Tensor
nn.layer.conv device get_cudnn_version is_compiled_with_cuda is_compiled_with_rocm
nn.layer.conv framework get_flags
nn.layer.distance nn Layer
nn.layer.layers base.core VarDesc
nn.layer.layers base.dygraph.base no_grad program_desc_tracing_guard
nn.layer.layers base.executor Executor global_scope
nn.layer.layers base.framework Program
nn.layer.layers base.layer_helper_base LayerHelperBase
nn.layer.layers profiler.utils in_profiler_mode
nn.layer.layers utils.deprecated deprecated
nn.layer.norm autograd no_grad
nn.layer.norm device get_all_custom_device_type
nn.layer.norm framework get_default_dtype
nn.layer.norm nn.initializer Constant
nn.layer.pooling nn Layer
nn.layer.rnn base.framework default_startup_program program_guard
nn.layer.rnn tensor.manipulation tensor_array_to_tensor
nn.layer.vision nn Layer
optimizer.adadelta autograd no_grad
optimizer.adadelta optimizer Optimizer
optimizer.adagrad optimizer Optimizer
optimizer.adam optimizer Optimizer
optimizer.adamax autograd no_grad
optimizer.adamax base name_scope
optimizer.adamax optimizer Optimizer
optimizer.adamw distributed ShardedWeight
optimizer.adamw nn Parameter
optimizer.adamw optimizer Optimizer
optimizer.adamw optimizer.lr LRScheduler
optimizer.lamb base global_scope
optimizer.lamb optimizer Optimizer
optimizer.lr base Tensor
optimizer.momentum optimizer Optimizer
optimizer.momentum regularizer L2Decay
optimizer.rmsprop optimizer Optimizer
optimizer.sgd autograd no_grad
optimizer.sgd optimizer Optimizer
profiler base.core TracerEventType
profiler.profiler profiler RecordEvent
static static.io is_persistable
static.io base CompiledProgram Executor global_scope program_guard
static.io nn Parameter
static.nn fluid.layers continuous_value_model
static.nn.common base.framework Program name_scope program_guard
static.nn.common base.param_attr ParamAttr
static.nn.common fluid.layers continuous_value_model deformable_conv
static.nn.common fluid.layers.layer_function_generator templatedoc
static.nn.common nn.initializer.constant Constant
static.nn.common nn.initializer.normal Normal
static.nn.control_flow base.framework Operator Program
static.nn.control_flow fluid.layers.control_flow BlockGuard ConditionalBlockGuard WhileGuard select_output
static.nn.control_flow utils.layers_utils assert_same_structure copy_mutable_vars hold_mutable_vars is_sequence pack_sequence_as to_sequence
tensor.attribute tensor assign
tensor.creation base.data_feeder convert_float_to_uint16
tensor.creation base.param_attr ParamAttr
tensor.creation static create_global_var
tensor.einsum tensor matmul multiply reshape squeeze transpose unsqueeze
tensor.linalg base.core DataType VarDesc
tensor.linalg linalg diagonal
tensor.linalg tensor broadcast_shape
tensor.linalg tensor.creation full
tensor.linalg tensor.manipulation cast
tensor.logic fluid.layers.layer_function_generator templatedoc
tensor.logic tensor.creation full
tensor.logic tensor.math broadcast_shape
tensor.manipulation tensor.creation fill_constant zeros
tensor.math base.core DataType VarDesc
tensor.math fluid.layers.layer_function_generator generate_layer_fn templatedoc
tensor.math tensor abs
tensor.math tensor.manipulation cast_
tensor.math tensor.ops abs_ acos acos_ acosh acosh_ asin asin_ asinh asinh_ atan atan_ atanh atanh_ ceil ceil_ cos cos_ cosh cosh_ erf erf_
tensor.math tensor.ops exp exp_ expm1 expm1_ floor floor_ reciprocal reciprocal_ round round_ rsqrt rsqrt_ sigmoid sigmoid_ sin sin_ sinh
tensor.math tensor.ops sinh_ sqrt sqrt_ square square_ tan tan_
tensor.random base.core DataType
tensor.random base.data_feeder check_shape
tensor.random fluid.layers uniform_random_batch_size_like
tensor.search base.core VarDesc
tensor.search tensor assign
tensor.stat tensor cast where
utils utils.layers_utils assert_same_structure check_shape convert_shape_to_list convert_to_list copy_mutable_vars hold_mutable_vars
utils utils.layers_utils to_sequence
vision.models.alexnet nn Conv2D Dropout Linear MaxPool2D ReLU
vision.models.alexnet utils.download get_weights_path_from_url
vision.models.densenet nn AdaptiveAvgPool2D AvgPool2D BatchNorm Conv2D Dropout Linear MaxPool2D
vision.models.densenet utils.download get_weights_path_from_url
vision.models.googlenet nn AdaptiveAvgPool2D AvgPool2D Conv2D Dropout Linear MaxPool2D
vision.models.googlenet utils.download get_weights_path_from_url
vision.models.inceptionv3 nn AdaptiveAvgPool2D AvgPool2D Dropout Linear MaxPool2D
vision.models.inceptionv3 utils.download get_weights_path_from_url
vision.models.mobilenetv1 utils.download get_weights_path_from_url
vision.models.mobilenetv2 utils.download get_weights_path_from_url
vision.models.mobilenetv3 utils.download get_weights_path_from_url
vision.models.resnet utils.download get_weights_path_from_url
vision.models.shufflenetv2 nn AdaptiveAvgPool2D Linear MaxPool2D
vision.models.shufflenetv2 utils.download get_weights_path_from_url
vision.models.squeezenet framework ParamAttr
vision.models.squeezenet nn AdaptiveAvgPool2D Conv2D Dropout MaxPool2D
vision.models.squeezenet utils.download get_weights_path_from_url
vision.models.vgg utils.download get_weights_path_from_url
vision.ops nn.initializer.normal Normal
vision.ops nn.layer.activation ReLU
vision.ops nn.layer.container Sequential
vision.ops nn.layer.conv Conv2D
vision.ops nn.layer.layers Layer
vision.ops nn.layer.norm BatchNorm2D
vision.ops utils.layers_utils convert_to_list
"""
SHOWN = {f"{row.split()[0]}.{name}": row.split()[1] for row in _ROWS.strip().splitlines() for name in row.split()[2:]}
