#!/usr/bin/python3
"""Extended queue pairs: requests by ibv_wr_*, for each of the three services."""
import errno

from common import *
from pyverbs.addr import AH
from pyverbs.qp import DataBuffer, QPEx, QPInitAttrEx

OPERATIONS = (IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_RDMA_WRITE
              | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM | IBV_QP_EX_WITH_RDMA_READ
              | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD)
UNRELIABLE = OPERATIONS & ~(IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP
                            | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD)

context = Context(name=DEVICE)


def maker(kind, operations, flags=0):
    def make(pd, cq):
        mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS | (IBV_QP_INIT_ATTR_CREATE_FLAGS if flags else 0)
        return QPEx(context, QPInitAttrEx(qp_type=kind, pd=pd, scq=cq, rcq=cq, cap=QPCap(16, 16, 2, 2, 64),
                                          send_ops_flags=operations, comp_mask=mask, create_flags=flags,
                                          sq_sig_all=0))
    return make


def request(ends, write, *, number=1, set_data=None):
    near = ends.near
    near.wr_start()
    near.wr_id = number
    near.wr_flags = IBV_SEND_SIGNALED
    write(near)
    (set_data or (lambda pair: pair.wr_set_sge(ends.near_part())))(near)
    near.wr_complete()


ends = Ends(context=context, make=maker(IBV_QPT_RC, OPERATIONS))
key, there = ends.memory.rkey, ends.memory.buf + 4096
ends.memory.write(b'extended', 8)
for name, write, receives in (
        ('send', lambda pair: pair.wr_send(), True),
        ('send with immediate', lambda pair: pair.wr_send_imm(7), True),
        ('write', lambda pair: pair.wr_rdma_write(key, there), False),
        ('write with immediate', lambda pair: pair.wr_rdma_write_imm(key, there, 7), True)):
    ends.memory.write(bytes(8), 8, 4096)
    if receives:
        ends.receive()
    request(ends, write)
    done = {one.wr_id: one for one in completions(ends.cq, 2 if receives else 1)}
    equal({one.status for one in done.values()}, {IBV_WC_SUCCESS}, name)
    equal(ends.memory.read(8, 4096), b'extended', f'the data of a {name}')
    if 'immediate' in name:
        equal(done[2].imm_data, 7 << 24, f'the immediate of a {name}')

ends.memory.write((40).to_bytes(8, 'little'), 8, 4096)
part = [ends.near_part(8)]
for name, write, before, after in (
        ('fetch and add', lambda pair: pair.wr_atomic_fetch_add(key, there, 2), 40, 42),
        ('compare and swap', lambda pair: pair.wr_atomic_cmp_swp(key, there, 42, 1), 42, 1),
        ('read', lambda pair: pair.wr_rdma_read(key, there), 1, 1)):
    request(ends, write, set_data=lambda pair: pair.wr_set_sge_list(1, part))
    equal(statuses(ends.cq, 1), {1: IBV_WC_SUCCESS}, name)
    equal(int.from_bytes(ends.memory.read(8, 0), 'little'), before, f'what a {name} fetched')
    equal(int.from_bytes(ends.memory.read(8, 4096), 'little'), after, f'the memory after a {name}')

ends.memory.write(b'in line!', 8)
request(ends, lambda pair: pair.wr_rdma_write(key, there),
        set_data=lambda pair: pair.wr_set_inline_data_list(2, [DataBuffer(ends.memory.buf, 3),
                                                               DataBuffer(ends.memory.buf + 3, 5)]))
equal(statuses(ends.cq, 1), {1: IBV_WC_SUCCESS}, 'a write of data in line')
equal(ends.memory.read(8, 4096), b'in line!', 'the data in line')
ends.near.wr_start()
ends.near.wr_rdma_write(key, there)
ends.near.wr_set_sge(ends.near_part())
ends.near.wr_abort()
request(ends, lambda pair: pair.wr_rdma_write(key, there), number=9)
equal(statuses(ends.cq, 1), {9: IBV_WC_SUCCESS}, 'a request after one that was taken back')

plain = Ends(IBV_QPT_UC, context=context, make=maker(IBV_QPT_UC, UNRELIABLE))
request(plain, lambda pair: pair.wr_rdma_write(plain.memory.rkey, plain.memory.buf + 4096))
equal(statuses(plain.cq, 1), {1: IBV_WC_SUCCESS}, 'a write of UC')

datagrams = Ends(IBV_QPT_UD, context=context,
                 make=maker(IBV_QPT_UD, IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM))
handle = AH(datagrams.pd, attr=path(context))
datagrams.receive(length=104)


def to_far(pair):
    pair.wr_set_ud_addr(handle, datagrams.far.qp_num, QKEY)
    pair.wr_set_sge(datagrams.near_part())


request(datagrams, lambda pair: pair.wr_send_imm(3), set_data=to_far)
equal(statuses(datagrams.cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, 'a datagram')

for what, kind, operations in (('READs of UC', IBV_QPT_UC, OPERATIONS), ('writes of UD', IBV_QPT_UD, UNRELIABLE)):
    refused(errno.EOPNOTSUPP, what, lambda: maker(kind, operations)(ends.pd, ends.cq))
refused(errno.EOPNOTSUPP, 'create_flags', lambda: maker(IBV_QPT_RC, IBV_QP_EX_WITH_SEND, 1 << 8)(ends.pd, ends.cq))
ok('qp_ex', 'nine kinds of requests, inline lists, abort')
