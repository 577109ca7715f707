#!/usr/bin/python3
# device: mlx5_0=soft:mtu=1024
"""A port on a network of 1500 bytes, the usual case: programs that hard-code a path MTU of 4096 fail there."""
import errno

from common import *
from pyverbs.addr import AH

HEADERS, MOST = 40, 1024

context = Context(name=DEVICE)
port = context.query_port(1)
equal((port.max_mtu, port.active_mtu), (IBV_MTU_4096, IBV_MTU_1024), 'MTUs')

# A connection has the MTU of the link at most.
pair = Ends(context=context)
given = attributes(context, pair.far.qp_num)
pair.near.modify(QPAttr(qp_state=IBV_QPS_RESET), IBV_QP_STATE)
pair.near.to_init(given)
given.path_mtu = IBV_MTU_4096
refused(errno.EINVAL, 'a path MTU of 4096', lambda: pair.near.to_rtr(given))

# A datagram is no longer than the link carries.
datagrams = Ends(IBV_QPT_UD, context=context)
handle = AH(datagrams.pd, attr=path(context))
for length, status in ((MOST, IBV_WC_SUCCESS), (MOST + 1, IBV_WC_LOC_LEN_ERR)):
    datagrams.receive(length=HEADERS + length)
    request = SendWR(wr_id=1, opcode=IBV_WR_SEND, num_sge=1, sg=[datagrams.near_part(length)],
                     send_flags=IBV_SEND_SIGNALED)
    request.set_wr_ud(handle, datagrams.far.qp_num, QKEY)
    datagrams.near.post_send(request)
    seen = statuses(datagrams.cq, 2 if status == IBV_WC_SUCCESS else 1)
    equal(seen[1], status, f'a datagram of {length} bytes')
ok('small_link', 'path MTU and datagrams of 1024 bytes')
