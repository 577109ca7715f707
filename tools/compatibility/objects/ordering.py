#!/usr/bin/python3
"""Relaxed ordering: on order0, whose memory shows payload out of order where that is allowed, or on a plain device."""
# device: order0=soft:reorder-memory=500,seed=7
from common import *
from pyverbs.device import get_device_list

ROUNDS = 40
DATA, FLAG = 0, 4096
reorders = any(device.name.decode() == 'order0' for device in get_device_list())
context = Context(name='order0' if reorders else DEVICE)
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
equal(late(relaxed, relaxed, 0) > 0, reorders, 'a flag without its data')
equal(late(relaxed, strict, 0) > 0, reorders, 'a flag in other memory without its data')
equal(late(relaxed, relaxed, IBV_SEND_FENCE), 0, 'a fenced flag without its data')
ok('ordering', f'{ROUNDS} flags polled in each of 4 ways; right with a fence or a completion'
   + (', wrong without' if reorders else ''))
