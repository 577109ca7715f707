#!/usr/bin/python3
"""Extended completion queues: timestamps of both kinds, entries of 128 bytes, and what there is not."""
import errno
import time

from common import *
from pyverbs.cq import CQEX, CqInitAttrEx, PollCqAttr
from pyverbs.providers.mlx5.mlx5_enums import *
from pyverbs.providers.mlx5.mlx5dv import Mlx5Context, Mlx5CQ, Mlx5DVContextAttr, Mlx5DVCQInitAttr

WANTED = (IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP
          | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)


def entries(cq, count, read):
    deadline = time.monotonic() + PATIENCE_SECONDS
    seen = []
    while len(seen) < count:
        true(time.monotonic() < deadline, f'{count} completions arrive, saw {len(seen)}')
        if cq.start_poll(PollCqAttr()) == errno.ENOENT:
            continue
        more = 0
        while not more:
            seen.append(read(cq))
            more = cq.poll_next()
        cq.end_poll()
    return seen


context = Context(name=DEVICE)
cq = CQEX(context, CqInitAttrEx(cqe=64, wc_flags=WANTED))
ends = Ends(context=context, cq=cq)
ends.receive(number=7)
before = time.time_ns()
ends.send(number=6, length=40)
seen = entries(cq, 2, lambda cq: (cq.wr_id, cq.status, cq.read_opcode(), cq.read_byte_len(), cq.read_qp_num(),
                                  cq.read_timestamp(), cq.read_completion_wallclock_ns()))
after = time.time_ns()
received, sent = sorted(seen, reverse=True)
equal(received[:5], (7, IBV_WC_SUCCESS, IBV_WC_RECV, 40, ends.far.qp_num), 'the completion of the receive')
equal((sent[:3], sent[4]), ((6, IBV_WC_SUCCESS, IBV_WC_SEND), ends.near.qp_num), 'the completion of the send')
for one in seen:
    true(one[5] > 0, 'a timestamp of the device')
    # The time of day may have been set since the device read it.
    true(before - 10 ** 9 < one[6] < after + 10 ** 9, f'a time of day: {before} … {one[6]} … {after}')
true(received[5] <= sent[5], 'the receive completes first')

times = []
for number in range(3):
    ends.send(IBV_WR_RDMA_WRITE, number=number)
    times += entries(cq, 1, lambda cq: cq.read_timestamp())
equal(times, sorted(times), 'timestamps in the order of completion')

many = Ends(context=context, cq=CQEX(context, CqInitAttrEx(cqe=64, flags=IBV_CREATE_CQ_ATTR_SINGLE_THREADED,
                                                           comp_mask=IBV_CQ_INIT_ATTR_MASK_FLAGS)))
for number in range(16):
    many.send(IBV_WR_RDMA_WRITE, number=number)
equal(entries(many.cq, 16, lambda cq: cq.wr_id), list(range(16)), 'many in one poll')

round_about = CQEX(context, CqInitAttrEx(cqe=1, flags=IBV_CREATE_CQ_ATTR_IGNORE_OVERRUN,
                                         comp_mask=IBV_CQ_INIT_ATTR_MASK_FLAGS))
refused(errno.EOPNOTSUPP, 'tag matching in completions', lambda: CQEX(context, CqInitAttrEx(wc_flags=1 << 30)))

mlx5 = Mlx5Context(Mlx5DVContextAttr(), name=DEVICE)
wide = Ends(context=mlx5, cq=Mlx5CQ(mlx5, CqInitAttrEx(), Mlx5DVCQInitAttr(
    comp_mask=MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE, cqe_size=128)))
wide.send(IBV_WR_RDMA_WRITE, number=5)
equal(entries(wide.cq, 1, lambda cq: (cq.wr_id, cq.status)), [(5, IBV_WC_SUCCESS)], 'an entry of 128 bytes')
refused(errno.EINVAL, 'entries of 32 bytes', lambda: Mlx5CQ(mlx5, CqInitAttrEx(), Mlx5DVCQInitAttr(
    comp_mask=MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE, cqe_size=32)))
ok('cq_ex', 'fields, timestamps, time of day, 128 bytes, one thread, overrun ignored')
