#!/usr/bin/python3
"""Relaxed ordering, on a device whose memory shows payload out of order where that is allowed."""
# device: order0=soft:reorder-memory=500,seed=7
from common import *

ROUNDS = 40
DATA, FLAG = 0, 4096
context = Context(name='order0')
ends = Ends(context=context)
relaxed = MR(ends.pd, 8192, ALL_RIGHTS | IBV_ACCESS_RELAXED_ORDERING)


def write(region, offset, flags):
    request = SendWR(wr_id=offset, opcode=IBV_WR_RDMA_WRITE, num_sge=1, sg=[ends.near_part(8)], send_flags=flags)
    request.set_wr_rdma(region.rkey, region.buf + offset)
    ends.near.post_send(request)


def late(data, flag, flags):
    """How often a reader that polls the flag finds it without the data."""
    late = 0
    for number in range(1, ROUNDS + 1):
        now = number.to_bytes(8, 'little')
        ends.memory.write(now, 8)
        write(data, DATA, 0)
        write(flag, FLAG, flags)
        while flag.read(8, FLAG) != now:
            pass
        late += data.read(8, DATA) != now
        equal(statuses(ends.cq, 2), {DATA: IBV_WC_SUCCESS, FLAG: IBV_WC_SUCCESS}, 'the completions')
        equal(data.read(8, DATA), now, 'the data when it completed')
    return late


strict = MR(ends.pd, 8192, ALL_RIGHTS)
equal(late(strict, strict, 0), 0, 'a flag without its data, in memory that keeps its order')
true(late(relaxed, relaxed, 0) > 0, 'a flag is seen without its data')
true(late(relaxed, strict, 0) > 0, 'a flag in other memory is seen without its data')
equal(late(relaxed, relaxed, IBV_SEND_FENCE), 0, 'a fenced flag without its data')
ok('ordering', f'{ROUNDS} flags polled in each of 4 ways; right with a fence or a completion, wrong without')
