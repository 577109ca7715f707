#!/usr/bin/python3
"""Signatures of work queue entries, which libmlx5 writes when its environment asks for them."""
import os

from common import *
from pyverbs.srq import SRQ, SrqAttr, SrqInitAttr

os.environ['MLX5_QP_SIGNATURE'] = '1'
context = Context(name=DEVICE)

# The signature takes the room of one segment of each receive.
ends = Ends(context=context)
equal(ends.far.query(IBV_QP_CAP)[1].cap.max_recv_sge, 3, 'segments of a receive of 64 bytes')
for number in range(1, 40):
    message = os.urandom(64)
    ends.memory.write(message, 64)
    ends.receive(number=100 + number)
    ends.send(number=number)
    equal(statuses(ends.cq, 2), {number: IBV_WC_SUCCESS, 100 + number: IBV_WC_SUCCESS}, f'message {number}')
    equal(ends.memory.read(64, 4096), message, f'its bytes')
ends.send(IBV_WR_RDMA_WRITE, number=1)
ends.send(IBV_WR_RDMA_READ, number=2)
equal(statuses(ends.cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, 'a WRITE and a READ')

unreliable = Ends(IBV_QPT_UC, context=context)
unreliable.receive()
unreliable.send()
equal(statuses(unreliable.cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, 'a message of UC')

# libmlx5 signs all receives of one call with the index of the first.
second = RecvWR(wr_id=4, num_sge=1, sg=[ends.far_part()])
ends.far.post_recv(RecvWR(wr_id=3, num_sge=1, sg=[ends.far_part()], next_wr=second))
ends.send(number=1)
ends.send(number=2)
equal(statuses(ends.cq, 4),
      {1: IBV_WC_SUCCESS, 3: IBV_WC_SUCCESS, 2: IBV_WC_REM_OP_ERR, 4: IBV_WC_LOC_QP_OP_ERR},
      'two receives that were posted by one call')

# libmlx5 enables signatures in an SRQ but does not write them, so the device does not check them.
os.environ['MLX5_SRQ_SIGNATURE'] = '1'
shared = SRQ(ends.pd, SrqInitAttr(SrqAttr(max_wr=4, max_sge=1)))
shared.post_recv(RecvWR(wr_id=5, num_sge=1, sg=[ends.far_part()]))
sharing = Ends(context=context, srq=shared)
sharing.send(number=1)
equal(statuses(sharing.cq, 2), {1: IBV_WC_SUCCESS, 5: IBV_WC_SUCCESS}, 'a send into an SRQ with signatures')
ok('signatures', 'of RC and UC, sends and receives; wrong for the second receive of one call; unchecked in an SRQ')
