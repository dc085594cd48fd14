"""Pieces of code with matrices of derivatives and derivatives of functions."""

IMPORTS = """
import paddle.incubate.autograd as I

J, H = paddle.autograd.jacobian, paddle.autograd.hessian
"""

PIECES = {
    "jacobian": """
x=X()
y=x*x
j=J(y,x)
answer = type(j).__name__, j.shape, j[:], j[0], j[1,1], j[:,0], j[0:1,0:1]
""",
    "jacobian_of_two_inputs": """
x1=X()
x2=X([3.,4.,5.])
y=x1.sum()*x2
j=J(y,(x1,x2))
answer = len(j), j[0].shape, j[0][:], j[1].shape, j[1][:]
""",
    "jacobian_of_two_outputs": """
x1=X()
x2=X([3.,4.,5.])
y=x1*2
z=x2*x1.sum()
j=J((y,z),(x1,x2))
answer = len(j), j[0][0][:], j[1][1][:], j[1][0][:]
""",
    "jacobian_without_dependence": """
x1=X()
x2=X([3.,4.,5.])
y=x1*2
z=x2*x1.sum()
j=J((y,z),(x1,x2))
answer = j[0][1][:]
""",
    "jacobian_of_a_batch": """
x=X([[1.,2.],[3.,4.],[5.,6.]])
y=x*x
j=J(y,x,batch_axis=0)
answer = j.shape, j[:], j[0], j[:,0]
""",
    "jacobian_of_matrices": """
x=X([[1.,2.],[3.,4.]])
y=x*x
answer = J(y,x).shape
""",
    "jacobian_of_numbers": """
x=X(3.)
y=x*x
answer = J(y,x).shape, J(y,x)[:]
""",
    "jacobian_of_one_output": """
x=X()
y=(x*x).sum()
j=J(y,x)
answer = j.shape, j[:]
""",
    "jacobian_of_one_input": """
x=X(3.)
y=x*X([1.,2.,3.])
j=J(y,x)
answer = j.shape, j[:]
""",
    "jacobian_of_another_axis": """
x=X()
y=x*x
answer = J(y,x,batch_axis=1)
""",
    "jacobian_of_an_axis_in_words": """
x=X()
y=x*x
answer = J(y,x,batch_axis='0')
""",
    "jacobian_of_python_numbers": """
answer = J(3,4)
""",
    "jacobian_of_a_row": """
x=X()
y=x*x
j=J(y,x)
j[0]
k=J(j[0],x)
answer = k.shape,k[:]
""",
    "jacobian_of_a_batch_of_matrices": """
x=X([[[1.,2.]]])
y=x*x
answer = J(y,x,batch_axis=0)
""",
    "jacobian_of_a_batch_of_numbers": """
x=X([[1.,2.],[3.,4.],[5.,6.]])
y=(x*x).sum(1)
j=J(y,x,batch_axis=0)
answer = j.shape, j[:]
""",
    "jacobian_as_tensor": """
x=X()
y=x*x
j=J(y,x)
answer = (j+1).shape, (j*j).shape, j.numpy(), j.sum()
""",
    "jacobian_beyond": """
x=X()
y=x*x
j=J(y,x)
answer = j[5]
""",
    "jacobian_of_lists": """
x=X()
y=x*x
j=J([y],[x])
answer = type(j[0]) , type(J(y,[x])), type(J((y,),x))
""",
    "jacobian_of_another": """
x=X()
z=X()
y=x*x
j=J(y,z)
answer = j.shape, j[:]
""",
    "hessian": """
x=X()
y=(x*x*x).sum()
h=H(y,x)
answer = h.shape, h[:], h[0], h[1,1]
""",
    "hessian_of_two": """
x1=X()
x2=X([3.,4.,5.])
y=(x1*x1).sum()*(x2).sum()
h=H(y,(x1,x2))
answer = h[0][0][:], h[0][1][:], h[1][0][:], h[0][0].shape, h[0][1].shape
""",
    "hessian_of_zeros": """
x1=X()
x2=X([3.,4.,5.])
y=(x1*x1).sum()*(x2).sum()
h=H(y,(x1,x2))
answer = h[1][1].shape, h[1][1][:]
""",
    "hessian_of_a_batch": """
x=X([[1.,2.],[3.,4.],[5.,6.]])
y=(x*x*x).sum(1)
h=H(y,x,batch_axis=0)
answer = h.shape, h[:]
""",
    "hessian_of_two_elements": """
x=X()
answer = H(x*x,x)
""",
    "hessian_of_a_line": """
x=X()
answer = H((x*2).sum(),x)[:]
""",
    "hessian_of_one_row": """
x=X()
answer = H((x*2).sum().reshape([1]),x).shape
""",
    "products": """
def f(x): return x*x
x=X()
answer = I.vjp(f,x), I.vjp(f,x,X([3.,4.])), I.jvp(f,x), I.jvp(f,x,X([3.,4.]))
""",
    "products_of_two": """
def f(x,y): return x*y, x+y
x,y=X(),X([3.,4.])
answer = I.vjp(f,[x,y]), I.vjp(f,(x,y),(X(),X())), I.jvp(f,[x,y]), I.jvp(f,[x,y],[X(),X()])
""",
    "product_of_a_stopped_input": """
def f(x): return x*x
x=X(stop=True)
r=I.vjp(f,x)
answer = r, r[0].stop_gradient, r[1].stop_gradient
""",
    "product_of_another_shape": """
def f(x): return x*x
answer = I.vjp(f,X(),X([1.,2.,3.]))
""",
    "product_of_no_function": """
answer = I.vjp(3,X())
""",
    "products_of_an_unused_input": """
def f(x,y): return x*x
answer = I.vjp(f,[X(),X()]), I.jvp(f,[X(),X()])
""",
    "product_of_a_python_number": """
def f(x): return x*x
answer = I.vjp(f,3.)
""",
    "product_of_matrices": """
def f(x): return paddle.matmul(x,x)
answer = I.jvp(f,X([[1.,2.],[3.,4.]]))
""",
    "product_of_another_number": """
def f(x,y): return x*x
answer = I.jvp(f,[X(),X()],[X()])
""",
    "matrix": """
def f(x): return paddle.matmul(x,x)
j=I.Jacobian(f,X([[1.,2.],[3.,4.]]))
answer = j.shape, j[:], j[0], j[0,1], type(j).__name__
""",
    "matrix_of_two": """
def f(x,y): return paddle.matmul(x,y)
j=I.Jacobian(f,[X([[1.,2.],[3.,4.]]),X([[1.,2.],[3.,4.]])])
answer = j.shape, j[:]
""",
    "matrix_of_a_batch": """
def f(x): return x*x
j=I.Jacobian(f,X([[1.,2.],[3.,4.],[5.,6.]]),is_batched=True)
answer = j.shape, j[:]
""",
    "second_matrix": """
def f(x): return (x*x*x).sum()
j=I.Hessian(f,X())
answer = j.shape, j[:], j[0]
""",
    "second_matrix_of_two": """
def f(x,y): return (x*x*y).sum()
j=I.Hessian(f,[X(),X()])
answer = j.shape, j[:]
""",
    "second_matrix_of_a_batch": """
def f(x): return (x*x*x).sum(1,keepdim=True)
j=I.Hessian(f,X([[1.,2.],[3.,4.],[5.,6.]]),is_batched=True)
answer = j.shape, j[:]
""",
    "second_matrix_of_two_elements": """
def f(x): return x*x
j=I.Hessian(f,X())
answer = j.shape
""",
    "part_of_a_matrix": """
def f(x): return x*x
j=I.Jacobian(f,X([[1.,2.],[3.,4.],[5.,6.]]))
answer = j.shape, j[1:3,2]
""",
    "grad_in_eager_mode": """
x=X()
y=x*x
answer = I.grad(y,x), I.grad([y],[x]), I.grad(y,x,X([3.,4.]))
""",
    "forward_grad_in_eager_mode": """
x=X()
y=x*x
answer = I.forward_grad(y,x)
""",
    "enable_prim_in_eager_mode": """
I.enable_prim()
a=I.prim_enabled() if hasattr(I,'prim_enabled') else None
answer = a
""",
    "disable_prim_in_eager_mode": """
I.disable_prim()
answer = I.prim_enabled()
""",
    "forward_grad_without_prim": """
paddle.enable_static()
x=paddle.static.data('x',[2])
x.stop_gradient=False
y=x*x
r=I.forward_grad(y,x)
answer = r
""",
}
CASES = {name: IMPORTS + code for name, code in PIECES.items()}
