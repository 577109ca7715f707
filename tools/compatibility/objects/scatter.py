#!/usr/bin/python3
"""Scatter to CQE: small messages and answers come in the CQE, and libmlx5 copies them to where they belong."""
import os

from common import *

context = Context(name=DEVICE)

# What is received, of each size around the limit of 32 bytes. The device writes nothing to the buffer.
for kind in (IBV_QPT_RC, IBV_QPT_UC):
    ends = Ends(kind, context=context)
    for length in (1, 31, 32, 33, 64):
        message = os.urandom(length)
        ends.memory.write(message, length)
        ends.memory.write(bytes(64), 64, 4096)
        ends.receive()
        ends.send(length=length)
        done = {one.wr_id: one for one in completions(ends.cq, 2)}
        equal((done[2].status, done[2].byte_len), (IBV_WC_SUCCESS, length), f'a message of {length} bytes')
        equal(ends.memory.read(64, 4096), message + bytes(64 - length), f'its {length} bytes')

# Several entries.
ends = Ends(context=context)
ends.memory.write(b'in two pieces', 13)
ends.far.post_recv(RecvWR(wr_id=2, num_sge=2, sg=[SGE(ends.memory.buf + 4096, 3, ends.memory.lkey),
                                                  SGE(ends.memory.buf + 5000, 64, ends.memory.lkey)]))
ends.send(length=13)
equal(statuses(ends.cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, 'a message for two entries')
equal((ends.memory.read(3, 4096), ends.memory.read(10, 5000)), (b'in ', b'two pieces'), 'its pieces')

# What is fetched comes in the CQE when all requests are signalled, which is the default of pyverbs.
for length in (1, 32, 33):
    there = os.urandom(length)
    ends.memory.write(there, length, 4096)
    ends.memory.write(bytes(64), 64)
    ends.send(IBV_WR_RDMA_READ, length=length)
    equal(statuses(ends.cq, 1), {1: IBV_WC_SUCCESS}, f'a read of {length} bytes')
    equal(ends.memory.read(64, 0), there + bytes(64 - length), f'what a read of {length} bytes fetched')

# The result of an atomic is big-endian in the CQE, and libmlx5 copies it as it is (libfabric#10911 met this on cards).
for signal_all, order in ((True, 'big'), (False, 'little')):
    ends = Ends(context=context, signal_all=signal_all)
    ends.memory.write((0x0102030405).to_bytes(8, 'little'), 8, 4096)
    add = SendWR(wr_id=1, opcode=IBV_WR_ATOMIC_FETCH_AND_ADD, num_sge=1, sg=[ends.near_part(8)],
                 send_flags=IBV_SEND_SIGNALED)
    add.set_wr_atomic(ends.memory.rkey, ends.memory.buf + 4096, 1, 0)
    ends.near.post_send(add)
    equal(statuses(ends.cq, 1), {1: IBV_WC_SUCCESS}, 'an atomic operation')
    equal(int.from_bytes(ends.memory.read(8, 0), order), 0x0102030405, f'its result, {order}-endian')
    equal(int.from_bytes(ends.memory.read(8, 4096), 'little'), 0x0102030406, 'the sum')
ok('scatter', 'messages of RC and UC, READs and atomics in CQEs of 64 bytes; memory where they do not fit')
