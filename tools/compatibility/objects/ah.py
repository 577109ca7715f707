#!/usr/bin/python3
"""Address handles: by attributes, by what a datagram brought, and what is refused."""
import errno

from common import *
from pyverbs.addr import AH

context = Context(name=DEVICE)
ends = Ends(IBV_QPT_UD, context=context)
handle = AH(ends.pd, attr=path(context))


def datagram(sender, to, number):
    request = SendWR(wr_id=1, opcode=IBV_WR_SEND, num_sge=1, sg=[ends.near_part()], send_flags=IBV_SEND_SIGNALED)
    request.set_wr_ud(to, number, QKEY)
    sender.post_send(request)


ends.receive(length=104)
datagram(ends.near, handle, ends.far.qp_num)
arrived = next(one for one in completions(ends.cq, 2) if one.wr_id == 2)
true(arrived.wc_flags & IBV_WC_GRH, 'a header precedes the message')

# The way back, made of the header of the message.
back = AH(ends.pd, wc=arrived, grh=ends.memory.buf + 4096, port_num=1)
ends.near.post_recv(RecvWR(wr_id=3, num_sge=1, sg=[ends.far_part(104)]))
datagram(ends.far, back, arrived.src_qp)
equal(statuses(ends.cq, 2), {1: IBV_WC_SUCCESS, 3: IBV_WC_SUCCESS}, 'the answer')

local = path(context)
local.is_global = 0
refused(errno.EINVAL, 'a path without a GID', lambda: AH(ends.pd, attr=local))
wrong = path(context)
wrong.port_num = 2
refused(errno.EINVAL, 'a path from port 2', lambda: AH(ends.pd, attr=wrong))
refused(errno.EINVAL, 'a path from a GID that does not exist', lambda: AH(ends.pd, attr=path(context, grh=99)))
many = [AH(ends.pd, attr=path(context)) for _ in range(1000)]
for one in many:
    one.close()
ok('ah', 'by attributes and by a datagram, 1000 at a time')
