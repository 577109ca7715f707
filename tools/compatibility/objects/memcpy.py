#!/usr/bin/python3
"""Copies within the program by the device: mlx5dv_wr_memcpy."""
import os

from common import *
from pyverbs.providers.mlx5.mlx5_enums import *
from pyverbs.providers.mlx5.mlx5dv import Mlx5Context, Mlx5DVContextAttr, Mlx5DVQPInitAttr, Mlx5QP
from pyverbs.qp import QPInitAttrEx

context = Mlx5Context(Mlx5DVContextAttr(), name=DEVICE)
longest = context.query_mlx5_device(MLX5DV_CONTEXT_MASK_WR_MEMCPY_LENGTH).max_wr_memcpy_length
equal(longest, 1 << 30, 'the longest copy')


def make(pd, cq):
    given = QPInitAttrEx(qp_type=IBV_QPT_RC, pd=pd, scq=cq, rcq=cq, cap=QPCap(16, 16, 2, 2, 64),
                         send_ops_flags=IBV_QP_EX_WITH_RDMA_WRITE,
                         comp_mask=IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)
    own = Mlx5DVQPInitAttr(comp_mask=MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS, send_ops_flags=MLX5DV_QP_EX_WITH_MEMCPY)
    return Mlx5QP(context, given, own)


ends = Ends(context=context, make=make)


def copy(length, key=None):
    ends.near.wr_start()
    ends.near.wr_id = 1
    ends.near.wr_flags = IBV_SEND_SIGNALED
    ends.near.wr_memcpy(ends.memory.lkey if key is None else key, ends.memory.buf + 4096,
                        ends.memory.lkey, ends.memory.buf, length)
    ends.near.wr_complete()
    return completions(ends.cq, 1)[0].status


for length in (1, 100, 4096):
    data = os.urandom(length)
    ends.memory.write(data, length)
    equal(copy(length), IBV_WC_SUCCESS, f'a copy of {length} bytes')
    equal(ends.memory.read(length, 4096), data, f'its {length} bytes')
equal(copy(8, ends.memory.lkey ^ 1), IBV_WC_LOC_PROT_ERR, 'a copy to a key that does not exist')
# pyverbs does not close queue pairs of this kind before their domain.
ends.near.close()
ends.far.close()
ok('memcpy', f'copies of up to {longest} bytes on a queue pair that the program enabled for them')
