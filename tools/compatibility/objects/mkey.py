#!/usr/bin/python3
"""Keys that work requests fill in: lists, interleaved layouts, and their configuration: mlx5dv_create_mkey."""
import os

from common import *
from pyverbs.providers.mlx5.mlx5_enums import *
from pyverbs.providers.mlx5.mlx5dv import Mlx5Context, Mlx5DVContextAttr, Mlx5DVQPInitAttr, Mlx5QP
from pyverbs.providers.mlx5.mlx5dv_mkey import Mlx5Mkey, Mlx5MkeyConfAttr, Mlx5MrInterleaved
from pyverbs.qp import QPInitAttrEx

OPERATIONS = MLX5DV_QP_EX_WITH_MR_LIST | MLX5DV_QP_EX_WITH_MR_INTERLEAVED | MLX5DV_QP_EX_WITH_MKEY_CONFIGURE
context = Mlx5Context(Mlx5DVContextAttr(MLX5DV_CONTEXT_FLAGS_DEVX), name=DEVICE)


def make(pd, cq):
    given = QPInitAttrEx(qp_type=IBV_QPT_RC, pd=pd, scq=cq, rcq=cq, cap=QPCap(16, 16, 2, 2, 512),
                         send_ops_flags=IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_READ,
                         comp_mask=IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)
    own = Mlx5DVQPInitAttr(comp_mask=MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS
                           | MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS, send_ops_flags=OPERATIONS,
                           create_flags=MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE)
    return Mlx5QP(context, given, own)


ends = Ends(context=context, make=make)
memory = MR(ends.pd, 4096, ALL_RIGHTS)
key = Mlx5Mkey(ends.pd, MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT, 4)
over = Mlx5Mkey(ends.pd, MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT, 4)
queue = ends.near


def change(post):
    queue.wr_start()
    queue.wr_id = 1
    queue.wr_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE
    post()
    queue.wr_complete()
    equal(completions(ends.cq, 1)[0].status, IBV_WC_SUCCESS, 'a change of a key')


def configure(*steps):
    queue.wr_mkey_configure(key, len(steps), Mlx5MkeyConfAttr())
    for step in steps:
        step()


def write(rkey, address, part):
    queue.wr_start()
    queue.wr_id = 2
    queue.wr_flags = IBV_SEND_SIGNALED
    queue.wr_rdma_write(rkey, address)
    queue.wr_set_sge(part)
    queue.wr_complete()
    return completions(ends.cq, 1)[0].status


def pieces(places):
    return b''.join(memory.read(length, offset) for offset, length in places)


def expect(places, what):
    """Writes to the pieces as one, and from them as one."""
    length = sum(one for _, one in places)
    data = os.urandom(length)
    ends.memory.write(data, length)
    equal(write(key.rkey, 0, ends.near_part(length)), IBV_WC_SUCCESS, f'a write to {what}')
    equal(pieces(places), data, f'what was written to {what}')
    memory.write(os.urandom(4096), 4096)
    equal(write(ends.memory.rkey, ends.memory.buf + 4096, SGE(0, length, key.lkey)), IBV_WC_SUCCESS,
          f'a write from {what}')
    equal(ends.memory.read(length, 4096), pieces(places), f'what was written from {what}')


listed = [(8, 100), (1000, 24), (500, 300)]
sges = [SGE(memory.buf + offset, length, memory.lkey) for offset, length in listed]
change(lambda: queue.wr_mr_list(key, ALL_RIGHTS, sge_list=sges))
expect(listed, 'a list')

blocks = [Mlx5MrInterleaved(addr=memory.buf, bytes_count=8, bytes_skip=56, lkey=memory.lkey),
          Mlx5MrInterleaved(addr=memory.buf + 2048, bytes_count=16, bytes_skip=16, lkey=memory.lkey)]
turns = [place for turn in range(5) for place in ((64 * turn, 8), (2048 + 32 * turn, 16))]
change(lambda: queue.wr_mr_interleaved(key, ALL_RIGHTS, 5, blocks))
expect(turns, 'an interleaved layout')

change(lambda: configure(lambda: queue.wr_set_mkey_access_flags(ALL_RIGHTS),
                         lambda: queue.wr_set_mkey_layout_list(sges)))
expect(listed, 'a configured list')
change(lambda: configure(lambda: queue.wr_set_mkey_layout_interleaved(5, blocks)))
expect(turns, 'a configured interleaved layout')

# A key over a key, and a layout and its use in one chain of requests, which libmlx5 fences.
change(lambda: queue.wr_mr_list(over, ALL_RIGHTS, sge_list=[SGE(8, 40, key.lkey)]))
equal(write(over.rkey, 0, ends.near_part(40)), IBV_WC_SUCCESS, 'a write through two keys')
data = ends.memory.read(40, 0)
equal(pieces(turns)[8:48], data, 'what was written through two keys')
queue.wr_start()
queue.wr_id = 3
queue.wr_flags = IBV_SEND_INLINE
queue.wr_mr_list(key, ALL_RIGHTS, sge_list=sges[:2])
queue.wr_id = 4
queue.wr_flags = IBV_SEND_SIGNALED
queue.wr_rdma_write(ends.memory.rkey, ends.memory.buf + 4096)
queue.wr_set_sge(SGE(0, 124, key.lkey))
queue.wr_complete()
done = completions(ends.cq, 1)[0]
equal((done.wr_id, done.status), (4, IBV_WC_SUCCESS), 'a request behind the change that it needs')
equal(ends.memory.read(124, 4096), pieces(listed[:2]), 'what it wrote')

change(lambda: configure(lambda: queue.wr_set_mkey_access_flags(IBV_ACCESS_REMOTE_READ)))
equal(write(key.rkey, 0, ends.near_part(8)), IBV_WC_REM_ACCESS_ERR, 'a write where only reading is allowed')
for one in (over, key):
    one.close()
# pyverbs does not close queue pairs of this kind before their domain.
ends.near.close()
ends.far.close()
ok('mkey', 'lists, interleaved layouts, configuration, keys over keys, and the fence between')
