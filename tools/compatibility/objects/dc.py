#!/usr/bin/python3
"""Dynamic connections: initiators (DCI), targets (DCT) with access keys, and streams."""
import ctypes
import errno

import library
from common import *
from pyverbs.addr import AH
from pyverbs.cq import CqInitAttrEx, PollCqAttr
from pyverbs.providers.mlx5.mlx5_enums import *
from pyverbs.providers.mlx5.mlx5dv import (Mlx5CQ, Mlx5Context, Mlx5DCIStreamInitAttr, Mlx5DVContextAttr, Mlx5DVCQInitAttr,
                                           Mlx5DVDCInitAttr, Mlx5DVQPInitAttr, Mlx5QP)
from pyverbs.qp import QPInitAttrEx
from pyverbs.srq import SRQ, SrqAttr, SrqInitAttr

KEY = 0x1020304050607080
OPERATIONS = (IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_RDMA_WRITE
              | IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD)

context = Mlx5Context(Mlx5DVContextAttr(MLX5DV_CONTEXT_FLAGS_DEVX), name=DEVICE)
domain = PD(context)
cq = CQ(context, 64)
shared = SRQ(domain, SrqInitAttr(SrqAttr(max_wr=16, max_sge=1)))
memory = MR(domain, 8192, ALL_RIGHTS)
handle = AH(domain, attr=path(context))
there = memory.buf + 4096
ends = []


def initial(receives=cq, **more):
    mask = IBV_QP_INIT_ATTR_PD | more.pop('comp_mask', 0)
    return QPInitAttrEx(qp_type=IBV_QPT_DRIVER, pd=domain, scq=cq, rcq=receives, comp_mask=mask, **more)


def target(key=KEY, srq=shared, ready=True, receives=cq):
    made = Mlx5QP(context, initial(srq=srq, receives=receives, cap=QPCap(0, 0, 0, 0)), Mlx5DVQPInitAttr(
        comp_mask=MLX5DV_QP_INIT_ATTR_MASK_DC,
        dc_init_attr=Mlx5DVDCInitAttr(dc_type=MLX5DV_DCTYPE_DCT, dct_access_key=key)))
    ends.append(made)
    if ready:
        made.to_rtr(attributes(context))
    return made


def initiator(streams=None, soon=False):
    """An initiator, which may give up soon: after twice 4 ms."""
    given = attributes(context)
    if soon:
        given.retry_cnt, given.timeout = 1, 10
    mask = MLX5DV_QP_INIT_ATTR_MASK_DC | (MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS if streams else 0)
    more = {'dci_streams': Mlx5DCIStreamInitAttr(*streams)} if streams else {'dc_type': MLX5DV_DCTYPE_DCI}
    made = Mlx5QP(context, initial(cap=QPCap(16, 0, 1, 0, 64), send_ops_flags=OPERATIONS,
                                   comp_mask=IBV_QP_INIT_ATTR_SEND_OPS_FLAGS),
                  Mlx5DVQPInitAttr(comp_mask=mask, dc_init_attr=Mlx5DVDCInitAttr(**more)))
    ends.append(made)
    made.to_rts(given)
    return made


def receive(number):
    shared.post_recv(RecvWR(wr_id=number, num_sge=1, sg=[SGE(there + 64 * (number % 16), 64, memory.lkey)]))


def request(near, far, write, number, key=KEY, lkey=None, stream=None):
    near.wr_start()
    near.wr_id = number
    near.wr_flags = IBV_SEND_SIGNALED
    write(near)
    near.wr_set_sge(SGE(memory.buf, 8, memory.lkey if lkey is None else lkey))
    if stream is None:
        near.wr_set_dc_addr(handle, far.qp_num, key)
    else:
        near.wr_set_dc_addr_stream(handle, far.qp_num, key, stream)
    near.wr_complete()


def state(pair):
    return pair.query(IBV_QP_STATE)[0].qp_state


caps = context.query_mlx5_device().dci_streams_caps
true(caps['max_log_num_concurent'] >= 3 and caps['max_log_num_errored'] >= 2, f'streams, saw {caps}')

# One initiator, several targets, one queue of receives.
near = initiator()
targets = [target(), target(), target()]
equal(len({each.qp_num for each in targets} | {near.qp_num}), 4, 'the numbers of four ends')
memory.write(b'dynamic!', 8)
for number in range(9):
    receive(number)
    request(near, targets[number % 3], lambda pair: pair.wr_send(), 100 + number)
    done = {one.wr_id: one for one in completions(cq, 2)}
    equal({one.status for one in done.values()}, {IBV_WC_SUCCESS}, f'SEND {number}')
    equal(done[number].byte_len, 8, 'the length of a message')
    equal(done[number].qp_num, targets[number % 3].qp_num, 'the target that received it')
    equal(memory.read(8, 4096 + 64 * number), b'dynamic!', 'the data of a message')

memory.write((40).to_bytes(8, 'little'), 8, 4096)
for name, write, before in (
        ('fetch and add', lambda pair: pair.wr_atomic_fetch_add(memory.rkey, there, 2), 40),
        ('read', lambda pair: pair.wr_rdma_read(memory.rkey, there), 42),
        ('write', lambda pair: pair.wr_rdma_write(memory.rkey, there + 8), 42)):
    request(near, targets[1], write, 1)
    equal(statuses(cq, 1), {1: IBV_WC_SUCCESS}, name)
    equal(int.from_bytes(memory.read(8, 0), 'little'), before, f'what a {name} fetched')
equal(int.from_bytes(memory.read(8, 4104), 'little'), 42, 'what was written')

queried = targets[0].query(IBV_QP_STATE | IBV_QP_MIN_RNR_TIMER)[0]
equal((queried.qp_state, queried.min_rnr_timer), (IBV_QPS_RTR, 1), 'the attributes of a target')
refused(errno.EINVAL, 'the PSN of a target', lambda: targets[0].query(IBV_QP_SQ_PSN))
refused(errno.EINVAL, 'a target before RTR', lambda: target(ready=False).query(IBV_QP_STATE))
refused(errno.EINVAL, 'a target without SRQ', lambda: target(srq=None))
refused(errno.EINVAL, 'a target in RTS', lambda: targets[0].modify(QPAttr(qp_state=IBV_QPS_RTS), IBV_QP_STATE))

# A request with a wrong key gets no answer; one without the right gets an error.
near = initiator(soon=True)
receive(20)
request(near, targets[0], lambda pair: pair.wr_send(), 2, key=KEY + 1)
equal(statuses(cq, 1), {2: IBV_WC_RETRY_EXC_ERR}, 'a SEND with another access key')
equal(state(near), IBV_QPS_ERR, 'the state of an initiator that failed')
near = initiator()
request(near, targets[0], lambda pair: pair.wr_rdma_write(memory.rkey + 1, there), 3)
equal(statuses(cq, 1), {3: IBV_WC_REM_ACCESS_ERR}, 'a write with another key of memory')
near = initiator()
request(near, targets[0], lambda pair: pair.wr_send(), 4)
equal(statuses(cq, 2), {4: IBV_WC_SUCCESS, 20: IBV_WC_SUCCESS}, 'a SEND to a target that goes on')

# Small messages come in entries of 128 bytes, and libmlx5 copies them to where they belong.
wide = Mlx5CQ(context, CqInitAttrEx(cqe=63), Mlx5DVCQInitAttr(
    comp_mask=MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE, cqe_size=128))
roomy = target(receives=wide)
first = library.layout_of(library.cq_of(wide, 64)).buf
receive(21)
request(near, roomy, lambda pair: pair.wr_send(), 5)
equal(statuses(cq, 1), {5: IBV_WC_SUCCESS}, 'a SEND to a target with wide entries')
deadline = time.monotonic() + PATIENCE_SECONDS
while wide.start_poll(PollCqAttr()) == errno.ENOENT:
    true(time.monotonic() < deadline, 'its arrival')
equal((wide.wr_id, wide.status), (21, IBV_WC_SUCCESS), 'its completion')
wide.end_poll()
equal(ctypes.string_at(first + 127, 1)[0] >> 2 & 3, 2, 'the format of the entry, data of up to 64 bytes')
equal(ctypes.string_at(first, 8), memory.read(8, 0), 'the data in the entry')
equal(memory.read(8, 4096 + 64 * 5), memory.read(8, 0), 'the data in memory')

# Streams fail alone, but four failed streams are too many.
streams = initiator(streams=(3, 2))
for number in range(3):
    request(streams, targets[0], lambda pair: pair.wr_send(), number, lkey=memory.lkey + 1, stream=number)
    equal(statuses(cq, 1), {number: IBV_WC_LOC_PROT_ERR}, f'a SEND of stream {number} that fails')
equal(state(streams), IBV_QPS_RTS, 'the state of an initiator with streams that failed')
request(streams, targets[0], lambda pair: pair.wr_rdma_write(memory.rkey, there), 10, stream=1)
equal(statuses(cq, 1), {10: IBV_WC_WR_FLUSH_ERR}, 'a write of a stream that failed')
request(streams, targets[0], lambda pair: pair.wr_rdma_write(memory.rkey, there), 11, stream=5)
equal(statuses(cq, 1), {11: IBV_WC_SUCCESS}, 'a write of another stream')
Mlx5QP.modify_dci_stream_channel_id(streams, 1)
request(streams, targets[1], lambda pair: pair.wr_rdma_write(memory.rkey, there), 12, stream=1)
equal(statuses(cq, 1), {12: IBV_WC_SUCCESS}, 'a write of a stream after its reset')
refused(errno.EINVAL, 'the reset of a stream that works',
        lambda: Mlx5QP.modify_dci_stream_channel_id(streams, 1))
for number in (5, 6):
    request(streams, targets[0], lambda pair: pair.wr_send(), number, lkey=memory.lkey + 1, stream=number)
    equal(statuses(cq, 1), {number: IBV_WC_LOC_PROT_ERR}, f'a SEND of stream {number} that fails')
equal(state(streams), IBV_QPS_ERR, 'the state of an initiator with four streams that failed')

# The domain does not keep track of the ends of DC.
for each in ends + [wide, shared, memory, handle, domain]:
    each.close()
ok('dc', 'one initiator and three targets, access keys, streams that fail alone and are reset, data in entries of 128 bytes')
