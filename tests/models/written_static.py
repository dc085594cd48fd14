"""Cases of written.py for Paddle 2.6."""

TEXT = """
== layers and what they choose
x = f('x', -1, 3, 8, 8)
y = S.nn.conv2d(x, 4, 3, act='relu')
y = F.max_pool2d(F.dropout(y, 0.3), 2)
out = F.softmax(S.nn.fc(S.nn.batch_norm(y, act='tanh'), 3))
print(sorted(a for op in main.global_block().ops for a in ('seed', 'use_cudnn', 'is_test', 'beta') if op.has_attr(a)))
== a table
y = S.nn.embedding(i('x', -1, 3), [6, 4], is_sparse=True)
out = F.swish(y.reshape([-1, 12]))
"""
