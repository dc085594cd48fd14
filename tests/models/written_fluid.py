"""Cases of written.py for Paddle 1.8."""

TEXT = """
== layers and what they choose
x = f('x', -1, 3, 8, 8)
y = L.conv2d(x, 4, 3, act='relu')
y = L.pool2d(y, 2, use_cudnn=False)
out = L.fc(L.batch_norm(y, act='tanh'), 3)
"""
