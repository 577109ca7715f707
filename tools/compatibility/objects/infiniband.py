#!/usr/bin/python3
# device: mlx5_0=soft:link=infiniband,lmc=2,pkeys=0xffff+0x8001+0x0001
"""An InfiniBand port: addresses by LID, with and without a global route, path bits, partitions and their counters."""
import errno
import socket

from common import *
from pyverbs.addr import AH

HEADER = 40
FULL, LIMITED, EMPTY = 1, 2, 3
context = Context(name=DEVICE)
port = context.query_port(1)
equal((port.link_layer, port.lmc, port.sm_lid, port.pkey_tbl_len), (IBV_LINK_LAYER_INFINIBAND, 2, 1, 128), 'the port')
true(0 < port.lid < 0xc000 and port.lid % 4 == 0, f'LID {port.lid} is one of a single port')
equal([socket.ntohs(context.query_pkey(1, index)) for index in range(4)], [0xffff, 0x8001, 0x0001, 0], 'partition keys')
true('fe80' in str(context.query_gid(1, 0)), 'GID 0 has the prefix of the subnet')


def local(bits=0, source_bits=0, lid=port.lid):
    return AHAttr(dlid=lid + bits, src_path_bits=source_bits, sl=3, port_num=1)


def routed():
    whole = AHAttr(gr=GlobalRoute(dgid=context.query_gid(1, 0), sgid_index=0), is_global=1, port_num=1)
    whole.dlid = port.lid
    return whole


def connected(near_path, far_path, near_key=0, far_key=0, retries=0):
    ends = Ends(context=context, connect=False)
    for one, other, way, key in ((ends.near, ends.far, near_path, near_key), (ends.far, ends.near, far_path, far_key)):
        given = attributes(context, other.qp_num)
        given.ah_attr = way
        given.pkey_index = key
        given.timeout, given.retry_cnt = 1, retries
        one.to_rts(given)
    return ends


def arrives(ends):
    """The completion of a message at its receiver; None when its sender hears nothing of it."""
    ends.receive()
    ends.send()
    done = {}
    while 1 not in done:
        one = completions(ends.cq, 1)[0]
        done[one.wr_id] = one
    if done[1].status != IBV_WC_SUCCESS:
        equal((done[1].status, done[1].vendor_err), (IBV_WC_RETRY_EXC_ERR, 0x81), 'how it fails')
        return None
    return done[2] if 2 in done else completions(ends.cq, 1)[0]


# Connections: by LID alone, with a route, over other LIDs of the port, and with what one end does not agree on.
seen = arrives(connected(local(), local()))
equal((seen.slid, seen.sl, seen.wc_flags & IBV_WC_GRH), (port.lid, 3, 0), 'a message by LID')
seen = arrives(connected(routed(), routed()))
equal((seen.slid, seen.sl), (port.lid, 0), 'a message with a route')
seen = arrives(connected(local(bits=1, source_bits=2), local(bits=2, source_bits=1)))
equal((seen.slid, seen.dlid_path_bits), (port.lid + 2, 1), 'a message from LID + 2 to LID + 1')
for what, ends in (('path bits of the source that the other end does not know', connected(local(source_bits=1), local())),
                   ('path bits of the destination that it does not answer from', connected(local(bits=1), local())),
                   ('a route at one end alone', connected(routed(), local())),
                   ('a LID of nobody', connected(local(lid=port.lid + 4), local())),
                   ('no LID', connected(AHAttr(port_num=1), local()))):
    equal(arrives(ends), None, what)

# Partitions: members of one, of which not both are limited.
before = context.query_port(1).bad_pkey_cntr
true(arrives(connected(local(), local(), FULL, LIMITED)), 'a full and a limited member')
for what, keys in (('two limited members', (LIMITED, LIMITED)), ('two partitions', (0, FULL)), ('no key', (EMPTY, 0))):
    equal(arrives(connected(local(), local(), *keys)), None, what)
true(context.query_port(1).bad_pkey_cntr > before, 'packets of other partitions are counted')

# Datagrams.
ends = Ends(IBV_QPT_UD, context=context)


def datagram(to, qkey=QKEY, length=64):
    request = SendWR(wr_id=1, opcode=IBV_WR_SEND, num_sge=1, sg=[ends.near_part(length)], send_flags=IBV_SEND_SIGNALED)
    request.set_wr_ud(to, ends.far.qp_num, qkey)
    ends.near.post_send(request)


ends.memory.write('p' * HEADER, HEADER, 4096)
ends.receive(length=HEADER + 64)
datagram(AH(ends.pd, attr=local(bits=1)))
arrived = next(one for one in completions(ends.cq, 2) if one.wr_id == 2)
equal((arrived.byte_len, arrived.wc_flags & IBV_WC_GRH, arrived.slid, arrived.sl, arrived.dlid_path_bits),
      (HEADER + 64, 0, port.lid, 3, 1), 'a datagram by LID')
equal(ends.memory.read(HEADER, 4096), b'p' * HEADER, 'the room for a header that did not come')
back = AH(ends.pd, wc=arrived, grh=ends.memory.buf + 4096, port_num=1)
ends.near.post_recv(RecvWR(wr_id=3, num_sge=1, sg=[ends.far_part(HEADER + 64)]))
request = SendWR(wr_id=4, opcode=IBV_WR_SEND, num_sge=1, sg=[ends.near_part()], send_flags=IBV_SEND_SIGNALED)
request.set_wr_ud(back, arrived.src_qp, QKEY)
ends.far.post_send(request)
equal(statuses(ends.cq, 2), {3: IBV_WC_SUCCESS, 4: IBV_WC_SUCCESS}, 'the answer to its source')

ends.receive(length=HEADER + 64)
datagram(AH(ends.pd, attr=routed()))
arrived = next(one for one in completions(ends.cq, 2) if one.wr_id == 2)
true(arrived.wc_flags & IBV_WC_GRH, 'a datagram with a route brings its header')
header = ends.memory.read(HEADER, 4096)
equal((header[0] >> 4, header[6]), (6, 0x1b), 'the version and the next header of a global route header')
answer = AH(ends.pd, wc=arrived, grh=ends.memory.buf + 4096, port_num=1)
answer.close()

before = context.query_port(1).qkey_viol_cntr
datagram(AH(ends.pd, attr=local()), qkey=QKEY + 1)
equal(statuses(ends.cq, 1), {1: IBV_WC_SUCCESS}, 'a datagram with another Q_Key')
equal(context.query_port(1).qkey_viol_cntr, before + 1, 'which is counted')

# What is refused.
wrong = routed()
wrong.sgid_index = 1
lone = Ends(context=context, connect=False)
given = attributes(context, lone.far.qp_num)
lone.near.to_init(given)
given.ah_attr = wrong
refused(errno.EINVAL, 'a route from an empty entry of the GID table', lambda: lone.near.to_rtr(given))
other = Ends(context=context, connect=False)
given = attributes(context, other.far.qp_num)
given.pkey_index = 128
refused(errno.EINVAL, 'a partition key behind the table', lambda: other.near.to_init(given))
ok('infiniband', 'by LID, by route, over four LIDs, in partitions')
