#!/usr/bin/python3
"""Device memory: each kind of request reaches it, its mapping shows so, and it has an end."""
import errno
import os
import sys

from common import *
from pyverbs.device import DM, AllocDmAttr
from pyverbs.mr import DMMR

# libmlx5 copies what comes in a CQE to the address of the entry, and device memory has no address in the program.
os.environ['MLX5_SCATTER_TO_CQE'] = '0'
RIGHTS = ALL_RIGHTS | IBV_ACCESS_ZERO_BASED
ends = Ends()
most = ends.context.query_device_ex().max_dm_size
neighbour = DM(ends.context, AllocDmAttr(length=4))
memory = DM(ends.context, AllocDmAttr(length=8192))
region = DMMR(ends.pd, 8000, RIGHTS, memory, 64)


def request(opcode, length=8, offset=0, operands=None):
    """A request between the start of ordinary memory and an offset of the region; its status."""
    work = SendWR(opcode=opcode, num_sge=1, sg=[ends.near_part(length)], send_flags=IBV_SEND_SIGNALED)
    if operands:
        work.set_wr_atomic(region.rkey, offset, *operands)
    else:
        work.set_wr_rdma(region.rkey, offset)
    ends.near.post_send(work)
    return completions(ends.cq, 1)[0].status


ends.memory.write(b'x' * 4000, 4000)
equal(request(IBV_WR_RDMA_WRITE, 4000, 4), IBV_WC_SUCCESS, 'a write')
equal(memory.copy_from_dm(64, 4004), bytes(4) + b'x' * 4000, 'what the program sees of it')
memory.copy_to_dm(64, b'abcdefgh', 8)
equal(request(IBV_WR_RDMA_READ), IBV_WC_SUCCESS, 'a read')
equal(ends.memory.read(8, 0), b'abcdefgh', 'what it read')
memory.copy_to_dm(64, (40).to_bytes(8, sys.byteorder), 8)
equal(request(IBV_WR_ATOMIC_FETCH_AND_ADD, operands=(2, 0)), IBV_WC_SUCCESS, 'an atomic operation')
equal(memory.copy_from_dm(64, 8), (42).to_bytes(8, sys.byteorder), 'the sum')

ends.far.post_recv(RecvWR(wr_id=2, num_sge=1, sg=[SGE(1000, 100, region.lkey)]))
memory.copy_to_dm(64, b'from here to', 12)
ends.near.post_send(SendWR(wr_id=1, opcode=IBV_WR_SEND, num_sge=1, sg=[SGE(0, 12, region.lkey)],
                           send_flags=IBV_SEND_SIGNALED))
equal(statuses(ends.cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, 'a message from and to device memory')
equal(memory.copy_from_dm(1064, 12), b'from here to', 'the message')
equal(neighbour.copy_from_dm(0, 4), bytes(4), 'the memory beside it')

equal(request(IBV_WR_RDMA_WRITE, 8, 7996), IBV_WC_REM_ACCESS_ERR, 'a write beyond the region')
refused(errno.EINVAL, 'a region beyond the memory', lambda: DMMR(ends.pd, 8192, RIGHTS, memory, 64))
refused(errno.EINVAL, 'a region that is not zero-based', lambda: DMMR(ends.pd, 64, ALL_RIGHTS, memory, 0))
refused(errno.EINVAL, 'more than the largest piece', lambda: DM(ends.context, AllocDmAttr(length=most + 1)))
held = []
refused(errno.ENOMEM, 'more than there is',
        lambda: [held.append(DM(ends.context, AllocDmAttr(length=most))) for _ in range(1000)])
for one in (region, memory, neighbour, *held):
    one.close()
ok('dm', f'pieces of up to {most} bytes')
