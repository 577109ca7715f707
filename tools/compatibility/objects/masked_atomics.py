#!/usr/bin/python3
"""Masked atomics by raw work queue entries (mlx5dv_wr_raw_wqe), of 4, 8 and 16 bytes."""
import struct

from common import *
from pyverbs.providers.mlx5.mlx5_enums import *
from pyverbs.providers.mlx5.mlx5dv import Mlx5Context, Mlx5DVContextAttr, Mlx5DVQPInitAttr, Mlx5QP, Wqe
from pyverbs.qp import QPInitAttrEx

MASKED_CS, MASKED_FA = 0x14, 0x15
OPMODS = {4: 8, 8: 9, 16: 10}
CQE_ALWAYS = 8


context = Mlx5Context(Mlx5DVContextAttr(), name=DEVICE)


def make(pd, cq):
    given = QPInitAttrEx(qp_type=IBV_QPT_RC, pd=pd, scq=cq, rcq=cq, cap=QPCap(16, 16, 2, 2, 64),
                         send_ops_flags=IBV_QP_EX_WITH_RDMA_READ, sq_sig_all=0,
                         comp_mask=IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)
    own = Mlx5DVQPInitAttr(comp_mask=MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS, send_ops_flags=MLX5DV_QP_EX_WITH_RAW_WQE)
    return Mlx5QP(context, given, own)


ends = Ends(context=context, make=make)


def execute(opcode, size, operands):
    """A masked atomic on the far memory; the value from before, as it landed."""
    words = b''.join(value.to_bytes(size, 'big') for value in operands)
    words += bytes(-len(words) % 16)
    units = 2 + len(words) // 16 + 1
    head = struct.pack('>IIII', OPMODS[size] << 24 | opcode, ends.near.qp_num << 8 | units, CQE_ALWAYS, 0)
    place = struct.pack('>QII', ends.memory.buf + 4096, ends.memory.rkey, 0)
    result = struct.pack('>IIQ', size, ends.memory.lkey, ends.memory.buf)
    ends.near.wr_start()
    ends.near.wr_id = 1
    ends.near.wr_flags = IBV_SEND_SIGNALED
    ends.near.wr_raw_wqe(Wqe([head + place + words + result]))
    ends.near.wr_complete()
    equal(statuses(ends.cq, 1), {1: IBV_WC_SUCCESS}, f'a masked atomic of {size} bytes')
    # A result of 8 bytes lands in host order, others big-endian.
    return int.from_bytes(ends.memory.read(size, 0), 'little' if size == 8 else 'big')


def turn(words):
    """Memory is in host order; of 16 bytes, the high half comes first."""
    return b''.join(words[at:at + 8][::-1] for at in range(0, len(words), 8))


def there(size, value=None):
    if value is not None:
        ends.memory.write(turn(value.to_bytes(size, 'big')), size, 4096)
    return int.from_bytes(turn(ends.memory.read(size, 4096)), 'big')


for size in (4, 8, 16):
    ones = (1 << 8 * size) - 1
    start = 0x0102030405060708090a0b0c0d0e0f10 & ones
    value = 0x11121314151617181122334455667788 & ones
    there(size, start)
    for name, opcode, operands, after in (
            ('swap', MASKED_CS, (value, 0, ones, 0), value),
            ('and', MASKED_CS, (start, 0, ~start & ones, 0), value & start),
            ('or', MASKED_CS, (value, 0, value, 0), value & start | value),
            ('compare and swap', MASKED_CS, (start, value, ones, ones), start),
            ('compare and swap of others', MASKED_CS, (0, start + 1, ones, ones), start),
            ('exclusive or', MASKED_FA, (value, ones), start ^ value),
            ('sum', MASKED_FA, (ones, 0), (start ^ value) - 1)):
        before = there(size)
        equal(execute(opcode, size, operands), before, f'what a {name} of {size} bytes fetched')
        equal(there(size), after, f'the memory after a {name} of {size} bytes')
# pyverbs does not close queue pairs of this kind before their domain.
ends.near.close()
ends.far.close()
ok('masked_atomics', 'swap, and, or, compare and swap, exclusive or and sum of 4, 8 and 16 bytes by raw WQEs')
