#!/usr/bin/python3
"""Memory windows of both types: bound, used, bound again, invalidated from either end, and refused afterwards."""
import os

from common import *
from pyverbs.mr import MW, MWBind, MWBindInfo
from pyverbs.qp import QPAttr

BYTES = 4096
REMOTE = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
ends = Ends(rights=ALL_RIGHTS | IBV_ACCESS_MW_BIND)
memory = MR(ends.pd, BYTES, ALL_RIGHTS | IBV_ACCESS_MW_BIND)
attributes_of_device = ends.context.query_device()
true(attributes_of_device.max_mw > 0, 'the device claims windows')
true(attributes_of_device.device_cap_flags & IBV_DEVICE_MEM_WINDOW_TYPE_2B, 'and those of type 2B')
true(not attributes_of_device.device_cap_flags & IBV_DEVICE_MEM_WINDOW_TYPE_2A, 'and not 2A, as no device has both')


def revive():
    for one in (ends.near, ends.far):
        one.modify(QPAttr(qp_state=IBV_QPS_RESET), IBV_QP_STATE)
    for one, other in ((ends.near, ends.far), (ends.far, ends.near)):
        one.to_rts(attributes(ends.context, other.qp_num, ALL_RIGHTS | IBV_ACCESS_MW_BIND))


def write(rkey, offset, length, opcode=IBV_WR_RDMA_WRITE):
    """Writes or reads through a key; the status of the completion."""
    request = SendWR(wr_id=1, opcode=opcode, num_sge=1, sg=[ends.near_part(length)], send_flags=IBV_SEND_SIGNALED)
    request.set_wr_rdma(rkey, memory.buf + offset)
    ends.near.post_send(request)
    status = completions(ends.cq, 1)[0].status
    if status != IBV_WC_SUCCESS:
        revive()
    return status


def expect_works(rkey, what):
    data = os.urandom(64)
    ends.memory.write(data, 64)
    equal(write(rkey, 128, 64), IBV_WC_SUCCESS, f'a write through {what}')
    equal(memory.read(64, 128), data, f'what was written through {what}')
    memory.write(data[::-1], 64, 192)
    equal(write(rkey, 192, 64, IBV_WR_RDMA_READ), IBV_WC_SUCCESS, f'a read through {what}')
    equal(ends.memory.read(64, 0), data[::-1], f'what was read through {what}')


def expect_refused(rkey, what):
    before = memory.read(BYTES, 0)
    equal(write(rkey, 128, 64), IBV_WC_REM_ACCESS_ERR, f'a write through {what}')
    equal(memory.read(BYTES, 0), before, f'the memory after a write through {what}')


# Type 1: any queue pair serves it, a bind takes the place of the one before, and one of no bytes ends it.
window = MW(ends.pd, IBV_MW_TYPE_1)
keys = []
for _ in range(3):
    ends.near.bind_mw(window, MWBind(MWBindInfo(memory, memory.buf, BYTES, REMOTE), IBV_SEND_SIGNALED))
    equal(completions(ends.cq, 1)[0].status, IBV_WC_SUCCESS, 'a bind of type 1')
    keys.append(window.rkey)
    expect_works(window.rkey, 'a window of type 1')
equal(len(set(keys)), 3, 'keys of three binds')
expect_refused(keys[0], 'the key of an earlier bind')
ends.far.bind_mw(window, MWBind(MWBindInfo(memory, memory.buf, 0, 0), IBV_SEND_SIGNALED))
equal(completions(ends.cq, 1)[0].status, IBV_WC_SUCCESS, 'a bind of no bytes')
expect_refused(window.rkey, 'a window that was ended')
window.close()

# Type 2: it is bound on the queue pair that serves it.
window = MW(ends.pd, IBV_MW_TYPE_2)


def bind(queue, length=BYTES, rights=REMOTE):
    request = SendWR(wr_id=3, opcode=IBV_WR_BIND_MW, send_flags=IBV_SEND_SIGNALED)
    request.set_bind_wr(window, MWBindInfo(memory, memory.buf, length, rights))
    queue.post_send(request)
    return completions(ends.cq, 1)[0].status, request.rkey


def invalidate(queue, rkey):
    request = SendWR(wr_id=4, opcode=IBV_WR_LOCAL_INV, send_flags=IBV_SEND_SIGNALED)
    request.imm_data = rkey
    queue.post_send(request)
    return completions(ends.cq, 1)[0].status


status, rkey = bind(ends.far)
equal(status, IBV_WC_SUCCESS, 'a bind of type 2')
expect_works(rkey, 'a window of type 2')
equal(bind(ends.far)[0], IBV_WC_MW_BIND_ERR, 'a bind of a window in use')
revive()
equal(invalidate(ends.near, rkey), IBV_WC_MW_BIND_ERR, 'the end of a window by another queue pair')
revive()
equal(invalidate(ends.far, rkey), IBV_WC_SUCCESS, 'the end of a window by its own')
expect_refused(rkey, 'an invalidated window')
equal(bind(ends.near)[0], IBV_WC_SUCCESS, 'a bind on the queue pair that writes')
expect_refused(rkey, 'a window of the wrong queue pair')
window.close()
window = MW(ends.pd, IBV_MW_TYPE_2)
status, rkey = bind(ends.far, rights=IBV_ACCESS_REMOTE_READ)
equal(status, IBV_WC_SUCCESS, 'a bind to read')
equal(write(rkey, 0, 8, IBV_WR_RDMA_READ), IBV_WC_SUCCESS, 'a read where reading is allowed')
expect_refused(rkey, 'a window that is read only')
window.close()

# A peer ends it by SEND with invalidate, and the receiver's completion says which.
window = MW(ends.pd, IBV_MW_TYPE_2)
status, rkey = bind(ends.far)
equal(status, IBV_WC_SUCCESS, 'another bind')
ends.receive()
request = SendWR(wr_id=5, opcode=IBV_WR_SEND_WITH_INV, num_sge=1, sg=[ends.near_part()],
                 send_flags=IBV_SEND_SIGNALED)
request.imm_data = rkey
ends.near.post_send(request)
done = {one.wr_id: one for one in completions(ends.cq, 2)}
equal(done[2].status, IBV_WC_SUCCESS, 'the receive of a SEND with invalidate')
true(done[2].wc_flags & IBV_WC_WITH_INV, 'the receive tells of the end of a key')
expect_refused(rkey, 'a window that the peer ended')
window.close()

many = [MW(ends.pd, IBV_MW_TYPE_2) for _ in range(1000)]
for one in many:
    one.close()
ok('mw', 'windows of types 1 and 2B: binds, rights, three ways to end them, 1000 at a time')
