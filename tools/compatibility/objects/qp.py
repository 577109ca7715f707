#!/usr/bin/python3
"""Queue pairs of RC, UC and UD: traffic, queries, all states, and what the states refuse."""
import ctypes
import errno
import struct

from common import *
from pyverbs.addr import AH
from pyverbs.providers.mlx5.mlx5dv import Mlx5QP
from pyverbs.qp import ECE

# linux/capability.h
NET_RAW = 13

context = Context(name=DEVICE)

# Every kind of request that each service has.
for kind in (IBV_QPT_RC, IBV_QPT_UC):
    ends = Ends(kind, context=context)
    ends.memory.write(b'connected', 9)
    ends.receive()
    ends.send()
    equal(statuses(ends.cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, f'a send of service {kind}')
    equal(ends.memory.read(9, 4096), b'connected', f'the message of service {kind}')
    ends.send(IBV_WR_RDMA_WRITE)
    equal(statuses(ends.cq, 1), {1: IBV_WC_SUCCESS}, f'a write of service {kind}')
    ends.receive()
    ends.send(IBV_WR_RDMA_WRITE_WITH_IMM)
    equal(statuses(ends.cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, f'a write with immediate of service {kind}')
# Where all requests are signalled, results come in the CQE, and libmlx5 copies those of atomics as they lie there,
# big-endian: see scatter.py.
ends = Ends(context=context, signal_all=False)
ends.memory.write(b'far away', 8, 4096)
ends.send(IBV_WR_RDMA_READ)
equal(statuses(ends.cq, 1), {1: IBV_WC_SUCCESS}, 'a read')
equal(ends.memory.read(8, 0), b'far away', 'what was read')
ends.memory.write((5).to_bytes(8, 'little'), 8, 4096)
for opcode, operand, then in ((IBV_WR_ATOMIC_FETCH_AND_ADD, 3, 8), (IBV_WR_ATOMIC_CMP_AND_SWP, 8, 99)):
    request = SendWR(wr_id=1, opcode=opcode, num_sge=1, sg=[ends.near_part(8)], send_flags=IBV_SEND_SIGNALED)
    request.set_wr_atomic(ends.memory.rkey, ends.memory.buf + 4096, operand, 99)
    before = ends.memory.read(8, 4096)
    ends.near.post_send(request)
    equal(statuses(ends.cq, 1), {1: IBV_WC_SUCCESS}, 'an atomic operation')
    equal(ends.memory.read(8, 0), before, 'the value before it')
    equal(int.from_bytes(ends.memory.read(8, 4096), 'little'), then, 'the value after it')

datagrams = Ends(IBV_QPT_UD, context=context)
datagrams.memory.write(b'datagram', 8)
datagrams.receive(length=104)
request = SendWR(wr_id=1, opcode=IBV_WR_SEND, num_sge=1, sg=[datagrams.near_part()], send_flags=IBV_SEND_SIGNALED)
request.set_wr_ud(AH(datagrams.pd, attr=path(context)), datagrams.far.qp_num, QKEY)
datagrams.near.post_send(request)
done = {one.wr_id: one for one in completions(datagrams.cq, 2)}
equal((done[2].status, done[2].byte_len, done[2].src_qp), (IBV_WC_SUCCESS, 104, datagrams.near.qp_num), 'a datagram')
equal(datagrams.memory.read(8, 4096 + 40), b'datagram', 'the message behind 40 bytes of header')

# A query returns the given values.
seen, made = ends.near.query(IBV_QP_STATE | IBV_QP_AV | IBV_QP_CAP)
equal(seen.qp_state, IBV_QPS_RTS, 'the state')
equal((seen.dest_qp_num, seen.path_mtu, seen.timeout, seen.retry_cnt, seen.rnr_retry, seen.min_rnr_timer),
      (ends.far.qp_num, IBV_MTU_1024, 14, 7, 7, 1), 'the attributes of a connection')
equal((seen.max_rd_atomic, seen.max_dest_rd_atomic), (4, 4), 'READs at a time')
uneven = attributes(context, ends.near.qp_num)
uneven.max_rd_atomic = uneven.max_dest_rd_atomic = 12
third = QP(ends.pd, QPInitAttr(qp_type=IBV_QPT_RC, scq=ends.cq, rcq=ends.cq, cap=QPCap(4, 4, 1, 1)))
third.to_rts(uneven)
seen_uneven = third.query(IBV_QP_STATE)[0]
equal((seen_uneven.max_rd_atomic, seen_uneven.max_dest_rd_atomic), (16, 16), 'READs at a time, rounded up')
equal(seen.qp_access_flags & ALL_RIGHTS, ALL_RIGHTS & ~IBV_ACCESS_LOCAL_WRITE, 'rights')
equal((seen.ah_attr.is_global, seen.ah_attr.sgid_index, seen.ah_attr.port_num), (1, 3, 1), 'the path')
true(made.max_send_wr >= 16 and made.max_recv_wr >= 16 and made.max_inline_data >= 64, f'sizes: {made}')
equal(datagrams.near.query(IBV_QP_QKEY)[0].qkey, QKEY, 'the Q_Key')

# Transitions, and attributes that no transition accepts.
cq, domain = ends.cq, ends.pd


def fresh(kind=IBV_QPT_RC):
    return QP(domain, QPInitAttr(qp_type=kind, scq=cq, rcq=cq, cap=QPCap(4, 4, 1, 1)))


def state(number):
    return QPAttr(qp_state=number)


INIT = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS
for kind in (IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD):
    pair = fresh(kind)
    for to in (IBV_QPS_RTR, IBV_QPS_RTS, IBV_QPS_SQD, IBV_QPS_SQE, 9):
        refused(errno.EINVAL, f'RESET to state {to}', lambda: pair.modify(state(to), IBV_QP_STATE))
    refused(errno.EINVAL, 'INIT without its attributes', lambda: pair.modify(state(IBV_QPS_INIT), IBV_QP_STATE))
    given = attributes(context, ends.far.qp_num)
    given.qp_state = IBV_QPS_INIT
    given.port_num = 2
    wanted = INIT if kind != IBV_QPT_UD else INIT & ~IBV_QP_ACCESS_FLAGS | IBV_QP_QKEY
    refused(errno.EINVAL, 'INIT on port 2', lambda: pair.modify(given, wanted))
    given.port_num = 1
    refused(errno.EINVAL, 'INIT with a timeout', lambda: pair.modify(given, wanted | IBV_QP_TIMEOUT))
    pair.to_init(given)
    refused(errno.EINVAL, 'INIT to RTS', lambda: pair.modify(state(IBV_QPS_RTS), IBV_QP_STATE))
    pair.to_rts(given)
    equal(pair.query(IBV_QP_STATE)[0].qp_state, IBV_QPS_RTS, 'the state after three transitions')
    refused(errno.EINVAL, 'RTS to INIT', lambda: pair.modify(state(IBV_QPS_INIT), IBV_QP_STATE))
    pair.post_recv(RecvWR(wr_id=3, num_sge=1, sg=[ends.far_part()]))
    pair.modify(state(IBV_QPS_ERR), IBV_QP_STATE)
    equal(statuses(cq, 1), {3: IBV_WC_WR_FLUSH_ERR}, 'a receive of a failed queue pair')
    refused(errno.EINVAL, 'ERR to RTS', lambda: pair.modify(state(IBV_QPS_RTS), IBV_QP_STATE))
    pair.modify(state(IBV_QPS_RESET), IBV_QP_STATE)
    equal(pair.query(IBV_QP_STATE)[0].qp_state, IBV_QPS_RESET, 'the state after a reset')

given = attributes(context, 1)
for name, mask, value in (('sgid_index', 0, 200), ('path_mtu', 0, 6), ('max_dest_rd_atomic', 0, 17)):
    pair = fresh()
    given = attributes(context, ends.far.qp_num)
    pair.to_init(given)
    if name == 'sgid_index':
        given.ah_attr = path(context, grh=value)
    else:
        setattr(given, name, value)
    refused(errno.EINVAL, f'RTR with {name} {value}', lambda: pair.to_rtr(given))
# A Q_Key with the highest bit needs CAP_NET_RAW, which root has, and gives up here.
given = attributes(context)
given.qkey = 0x80000001
libc = ctypes.CDLL(None, use_errno=True)
header, sets = struct.pack('=Ii', 0x20080522, 0), ctypes.create_string_buffer(24)
equal(libc.capget(header, sets), 0, 'the capabilities of this process')
effective, permitted = struct.unpack_from('=II', sets)
if effective >> NET_RAW & 1:
    fresh(IBV_QPT_UD).to_init(given)
    struct.pack_into('=II', sets, 0, effective & ~(1 << NET_RAW), permitted & ~(1 << NET_RAW))
    equal(libc.capset(header, sets), 0, 'fewer capabilities')
pair = fresh(IBV_QPT_UD)
refused(errno.EPERM, 'a Q_Key of privileged programs', lambda: pair.to_init(given))
pair = fresh()
pair.to_init(attributes(context))
refused(errno.EINVAL, 'options of another vendor', lambda: pair.set_ece(ECE(1, 1)))
pair.set_ece(ECE(0x15b3, 0x10000001))
pair.to_rts(attributes(context, pair.qp_num))
given = pair.query_ece()
equal((given.vendor_id, given.options), (0x15b3, 0), 'the options of a connection whose device has none')
refused(errno.EOPNOTSUPP, 'the port of a link aggregation', lambda: Mlx5QP.query_lag_port(ends.near))
refused(errno.EOPNOTSUPP, 'another source port', lambda: Mlx5QP.modify_udp_sport(ends.near, 50000))
for kind in (IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD):
    receiver = QP(domain, QPInitAttr(qp_type=kind, scq=cq, rcq=cq, cap=QPCap(0, 4, 0, 1)))
    receiver.to_rtr(attributes(context, ends.near.qp_num))
    equal(receiver.query(IBV_QP_CAP)[1].cap.max_send_wr, 0, 'the send queue of one that only receives')
for what, capabilities in (('too many requests', QPCap(1 << 20, 4, 1, 1)), ('too many segments', QPCap(4, 4, 999, 1)),
                           ('too many receive segments', QPCap(4, 4, 1, 999))):
    refused(errno.EINVAL, what,
            lambda: QP(domain, QPInitAttr(qp_type=IBV_QPT_RC, scq=cq, rcq=cq, cap=capabilities)))
ok('qp', 'RC, UC and UD: requests, queries, transitions')
