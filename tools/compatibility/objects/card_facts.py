#!/usr/bin/python3
"""What cards do, and a program that was tried on less may not expect."""
import ctypes

import library
from common import *
from pyverbs.addr import AH
from pyverbs.cq import CQEX, CqInitAttrEx

ENTRIES, HEADERS, MESSAGE = 64, 40, 64
REQUEST_ERROR, INVALID = 0xd, 0xf

context = Context(name=DEVICE)

# A datagram over IPv4: 20 undefined bytes, and a completion that says which header follows them.
datagrams = Ends(IBV_QPT_UD, context=context)
datagrams.memory.write(bytes(HEADERS), HEADERS, 4096)
datagrams.receive(length=HEADERS + MESSAGE)
request = SendWR(wr_id=1, opcode=IBV_WR_SEND, num_sge=1, sg=[datagrams.near_part(MESSAGE)],
                 send_flags=IBV_SEND_SIGNALED)
request.set_wr_ud(AH(datagrams.pd, attr=path(context)), datagrams.far.qp_num, QKEY)
datagrams.near.post_send(request)
done = {one.wr_id: one for one in completions(datagrams.cq, 2)}
equal(done[2].sl, 8 | 2, 'a UDP header, and IPv4')
header = datagrams.memory.read(HEADERS, 4096)
true(any(header[:20]), 'the undefined bytes are not zeros')
equal(header[20], 0x45, 'the IPv4 header')

# An error in the ring: an opcode of four bits, beside bits that a poller must not read with it.
queue = CQEX(context, CqInitAttrEx(cqe=ENTRIES - 1))
layout = library.layout_of(library.cq_of(queue, ENTRIES))
record = ctypes.string_at(layout.dbrec, 8)
failing = Ends(context=context, cq=queue)
failing.send(IBV_WR_RDMA_WRITE, rkey=failing.memory.rkey ^ 1)
deadline = time.monotonic() + PATIENCE_SECONDS
entry = bytes([INVALID << 4]) * 64
while entry[63] >> 4 == INVALID:
    entry = ctypes.string_at(layout.buf, 64)
    true(time.monotonic() < deadline, 'the request fails')
equal((entry[63] >> 4, entry[55]), (REQUEST_ERROR, 0x13), 'opcode and syndrome of a refused access')
equal(entry[54], 0x88, 'the vendor syndrome')
equal(ctypes.string_at(layout.dbrec, 8), record, 'the doorbell record, which only the program writes')
true(entry[62] != 0 and entry[63] & 2, 'signature and bit 1 of an error')
ok('card_facts', 'datagrams over IPv4, bytes of an error')
