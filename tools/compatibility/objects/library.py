"""libibverbs and libmlx5 themselves, for the few calls that pyverbs has no names for."""
import ctypes
import os
import struct

import common

verbs = ctypes.CDLL('libibverbs.so.1', use_errno=True)
mlx5 = ctypes.CDLL('libmlx5.so.1', use_errno=True)


def bind(library, name, result, *arguments):
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments
    return function


POINTER, INT, SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t
get_device_list = bind(verbs, 'ibv_get_device_list', ctypes.POINTER(POINTER), POINTER)
alloc_pd = bind(verbs, 'ibv_alloc_pd', POINTER, POINTER)
dealloc_pd = bind(verbs, 'ibv_dealloc_pd', INT, POINTER)
create_cq = bind(verbs, 'ibv_create_cq', POINTER, POINTER, INT, POINTER, POINTER, INT)
destroy_cq = bind(verbs, 'ibv_destroy_cq', INT, POINTER)
create_qp = bind(verbs, 'ibv_create_qp', POINTER, POINTER, POINTER)
destroy_qp = bind(verbs, 'ibv_destroy_qp', INT, POINTER)
attach_mcast = bind(verbs, 'ibv_attach_mcast', INT, POINTER, ctypes.c_char_p, ctypes.c_uint16)
reg_dmabuf_mr = bind(verbs, 'ibv_reg_dmabuf_mr', POINTER, POINTER, ctypes.c_uint64, SIZE, ctypes.c_uint64, INT, INT)
close_device = bind(verbs, 'ibv_close_device', INT, POINTER)

mlx5_open = bind(mlx5, 'mlx5dv_open_device', POINTER, POINTER, POINTER)
obj_create = bind(mlx5, 'mlx5dv_devx_obj_create', POINTER, POINTER, POINTER, SIZE, POINTER, SIZE)
obj_destroy = bind(mlx5, 'mlx5dv_devx_obj_destroy', INT, POINTER)
obj_query_async = bind(mlx5, 'mlx5dv_devx_obj_query_async', INT, POINTER, POINTER, SIZE, SIZE, ctypes.c_uint64, POINTER)
init_obj = bind(mlx5, 'mlx5dv_init_obj', INT, POINTER, ctypes.c_uint64)
create_cmd_comp = bind(mlx5, 'mlx5dv_devx_create_cmd_comp', POINTER, POINTER)
destroy_cmd_comp = bind(mlx5, 'mlx5dv_devx_destroy_cmd_comp', None, POINTER)
get_async_cmd_comp = bind(mlx5, 'mlx5dv_devx_get_async_cmd_comp', INT, POINTER, POINTER, SIZE)
create_event_channel = bind(mlx5, 'mlx5dv_devx_create_event_channel', POINTER, POINTER, INT)
destroy_event_channel = bind(mlx5, 'mlx5dv_devx_destroy_event_channel', None, POINTER)
subscribe = bind(mlx5, 'mlx5dv_devx_subscribe_devx_event', INT, POINTER, POINTER, ctypes.c_uint16, POINTER,
                 ctypes.c_uint64)
subscribe_fd = bind(mlx5, 'mlx5dv_devx_subscribe_devx_event_fd', INT, POINTER, INT, POINTER, ctypes.c_uint16)


class ContextAttributes(ctypes.Structure):
    """mlx5dv.h: mlx5dv_context_attr."""
    _fields_ = [('flags', ctypes.c_uint32), ('comp_mask', ctypes.c_uint64)]


class Cq(ctypes.Structure):
    """mlx5dv.h: mlx5dv_cq."""
    _fields_ = [('buf', POINTER), ('dbrec', POINTER), ('cqe_cnt', ctypes.c_uint32), ('cqe_size', ctypes.c_uint32),
                ('cq_uar', POINTER), ('cqn', ctypes.c_uint32), ('comp_mask', ctypes.c_uint64)]


class QpAttributes(ctypes.Structure):
    """verbs.h: ibv_qp_init_attr."""
    _fields_ = [('qp_context', POINTER), ('send_cq', POINTER), ('recv_cq', POINTER), ('srq', POINTER),
                ('max_send_wr', ctypes.c_uint32), ('max_recv_wr', ctypes.c_uint32),
                ('max_send_sge', ctypes.c_uint32), ('max_recv_sge', ctypes.c_uint32),
                ('max_inline_data', ctypes.c_uint32), ('qp_type', INT), ('sq_sig_all', INT)]


def number():
    """The error number of the last call that gave no object."""
    return ctypes.get_errno()


def made(pointer, what):
    common.true(pointer, f'{what}: {os.strerror(number())}')
    return pointer


def open_device(flags=0):
    device = get_device_list(None)[0]
    return made(mlx5_open(device, ctypes.byref(ContextAttributes(flags, 0))), 'a context')


def cq_of(extended, entries):
    """The queue that a CQEX of pyverbs has: the pointer among its fields behind which is verbs.h: ibv_cq."""
    own = (POINTER * (type(extended).__basicsize__ // 8)).from_address(id(extended))
    with open('/proc/self/mem', 'rb', 0) as memory:
        for pointer in filter(None, own):
            try:
                if struct.unpack_from('=i', os.pread(memory.fileno(), 32, pointer), 28)[0] == entries - 1:
                    return pointer
            except (OSError, OverflowError, struct.error):
                pass
    raise AssertionError('pyverbs has no queue')


def layout_of(cq):
    """Where a completion queue lies, by mlx5dv.h: mlx5dv_init_obj."""
    layout = Cq()
    objects = (POINTER * 14)()
    objects[2:4] = cq, ctypes.addressof(layout)
    common.equal(init_obj(objects, 1 << 1), 0, 'the place of a completion queue')
    return layout
