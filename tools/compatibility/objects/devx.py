#!/usr/bin/python3
"""DevX: raw commands, objects, umems, and the files of events and answers."""
import ctypes
import errno
import os
import select
import struct

import library
from common import *
from pyverbs.providers.mlx5.mlx5_enums import _MLX5DV_UAR_ALLOC_TYPE_NC, MLX5DV_CONTEXT_FLAGS_DEVX
from pyverbs.providers.mlx5.mlx5dv import Mlx5Context, Mlx5DevxObj, Mlx5DVContextAttr, Mlx5UAR, Mlx5UMEM

QUERY_HCA_CAP, ALLOC_PD, CREATE_CQ, QUERY_CQ, CREATE_EQ, QUERY_LAG = 0x100, 0x800, 0x400, 0x402, 0x301, 0x842
QUERY_VNIC_ENV = 0x76f
PAGE = 4096
PORT_CHANGE = 9


def command(opcode, operand=0, *, size=16, words=()):
    """A command: opcode and op_mod, and words at byte offsets, all big-endian."""
    bytes_ = bytearray(size)
    struct.pack_into('>HxxxxH', bytes_, 0, opcode, operand)
    for at, value in words:
        struct.pack_into('>I', bytes_, at, value)
    return bytes(bytes_)


context = Mlx5Context(Mlx5DVContextAttr(MLX5DV_CONTEXT_FLAGS_DEVX), name=DEVICE)

# Commands that belong to no object.
answer = context.devx_general_cmd(command(QUERY_HCA_CAP, 1), 16 + 4096)
equal(answer[0], 0, 'the status of QUERY_HCA_CAP')
true(any(answer[16:]), 'capabilities')
equal(context.devx_general_cmd(command(QUERY_LAG), 16), bytes(16), 'the LAG of a card that has none')
true(context.devx_query_eqn(0) >= 0, 'the event queue of a vector')
refused(errno.EINVAL, 'the event queue of a vector that does not exist', lambda: context.devx_query_eqn(9999))
refused(errno.EREMOTEIO, 'a command that the device lacks',
        lambda: context.devx_general_cmd(command(QUERY_VNIC_ENV), 16))
refused(errno.EINVAL, 'a command that does not exist', lambda: context.devx_general_cmd(command(0x7ff), 16))
refused(errno.EINVAL, 'creation without an object', lambda: context.devx_general_cmd(command(ALLOC_PD), 16))

# Objects: a protection domain, and a completion queue in a umem with its doorbell record.
domain = Mlx5DevxObj(context, command(ALLOC_PD), 16)
number, = struct.unpack_from('>I', bytes(domain.out_view), 8)
true(number > 0, 'the number of a protection domain')
umem = Mlx5UMEM(context, size=2 * PAGE, alignment=PAGE, access=IBV_ACCESS_LOCAL_WRITE)
uar = Mlx5UAR(context, _MLX5DV_UAR_ALLOC_TYPE_NC)
LOG_ENTRIES = 4
# The context of a completion queue at 0x10: the doorbell record's umem, size and UAR page, event queue, record; and
# the umem of the ring behind it.
create = command(CREATE_CQ, size=272, words=(
    (0x10, 1 << 25), (0x14, umem.umem_id), (0x1c, LOG_ENTRIES << 24 | uar.page_id),
    (0x24, context.devx_query_eqn(0)), (0x4c, PAGE), (0x58, umem.umem_id), (0x5c, 1 << 31)))
queue = Mlx5DevxObj(context, create, 16)
cqn, = struct.unpack_from('>I', bytes(queue.out_view), 8)
seen = queue.query(command(QUERY_CQ, size=16, words=((8, cqn),)), 0x110)
equal(struct.unpack_from('>I', seen, 0x10 + 0x0c)[0] >> 24 & 0x1f, LOG_ENTRIES, 'the size of a queried queue')
refused(errno.EINVAL, 'a queue in a umem that does not exist', lambda: Mlx5DevxObj(
    context, create[:0x58] + struct.pack('>I', umem.umem_id + 1000) + create[0x5c:], 16))
refused(errno.EINVAL, 'an object of an unknown kind', lambda: Mlx5DevxObj(context, command(CREATE_EQ), 16))
refused(errno.EREMOTEIO, 'a queue of an impossible size', lambda: Mlx5DevxObj(
    context, create[:0x1c] + struct.pack('>I', 31 << 24 | uar.page_id) + create[0x20:], 16))
for one in (queue, umem, uar, domain):
    one.close()

# Files of answers and events, which pyverbs does not name: an answer that is read later, and a subscription.
raw = library.open_device(MLX5DV_CONTEXT_FLAGS_DEVX)
output = ctypes.create_string_buffer(16)
made = library.made(library.obj_create(raw, command(ALLOC_PD), 16, output, 16), 'an object')
answers = library.made(library.create_cmd_comp(raw), 'a file of answers')
equal(library.obj_query_async(made, command(QUERY_HCA_CAP, 1), 16, 16 + 4096, 77, answers), 0, 'a query')
read = ctypes.create_string_buffer(8 + 16 + 4096)
equal(library.get_async_cmd_comp(answers, read, len(read)), 0, 'the answer')
equal(struct.unpack_from('=Q', read)[0], 77, 'the number of the answer')
channel = library.made(library.create_event_channel(raw, 1), 'a file of events')
types = (ctypes.c_uint16 * 1)(PORT_CHANGE)
equal(library.subscribe(channel, None, 2, types, 5), 0, 'events of the device')
equal(select.select([ctypes.cast(channel, ctypes.POINTER(ctypes.c_int))[0]], [], [], 0)[0], [], 'events')
eventfd = os.eventfd(0)
equal(library.subscribe_fd(channel, eventfd, made, 0), errno.EOPNOTSUPP, 'events to an eventfd')
library.destroy_event_channel(channel)
library.destroy_cmd_comp(answers)
equal(library.obj_destroy(made), 0, 'the end of an object')
equal(library.close_device(raw), 0, 'the end of a context')
ok('devx', 'commands, a domain, a queue in a umem, files of events and answers')
