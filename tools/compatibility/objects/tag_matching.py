#!/usr/bin/python3
"""Tag matching: a list of tags, messages that are expected and those that are not, masks, counts, and rendezvous."""
import errno
import struct

from common import *
from pyverbs.cq import CQEX, CqInitAttrEx, PollCqAttr
from pyverbs.srq import SRQ, OpsWr, SrqAttr, SrqInitAttrEx

NO_TAG, RNDV, FIN, EAGER = range(4)
EXACT = (1 << 64) - 1
MATCHED, THERE = IBV_WC_TM_MATCH, IBV_WC_TM_DATA_VALID

context = Context(name=DEVICE)
limits = context.query_device_ex().tm_caps
true(limits.max_num_tags >= 8 and limits.max_ops >= 16 and limits.max_sge == 1, f'limits: {limits}')
equal(limits.flags, IBV_TM_CAP_RC, 'what the device does of a rendezvous')
true(limits.max_rndv_hdr_size >= 32, 'the size of a request for a rendezvous')
domain = PD(context)


def queue(tags, cq):
    attribute = SrqInitAttrEx(max_wr=64)
    attribute.srq_type, attribute.pd, attribute.cq = IBV_SRQT_TM, domain, cq
    attribute.max_num_tags, attribute.max_ops = tags, 16
    attribute.comp_mask = (IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_CQ
                           | IBV_SRQ_INIT_ATTR_TM)
    return SRQ(context, attribute)


told = CQEX(context, CqInitAttrEx(cqe=64, wc_flags=IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_TM_INFO))
tags = queue(8, told)
memory = MR(domain, 65536, ALL_RIGHTS)
cq = CQ(context, 64)
# The send queue of the one that receives belongs to the device.
near = QP(domain, QPInitAttr(qp_type=IBV_QPT_RC, scq=cq, rcq=cq, cap=QPCap(16, 16, 1, 1)))
far = QP(domain, QPInitAttr(qp_type=IBV_QPT_RC, scq=cq, rcq=cq, srq=tags, cap=QPCap(0, 0, 0, 0)))
for one, other in ((near, far), (far, near)):
    one.to_rts(attributes(context, other.qp_num))


def poll():
    deadline = time.monotonic() + PATIENCE_SECONDS
    while told.start_poll(PollCqAttr()) != 0:
        true(time.monotonic() < deadline, 'a completion of the queue of tags arrives')
    flags = told.read_wc_flags()
    seen = (told.status, told.read_opcode(), told.wr_id, flags, told.read_tm_info().tag, told.read_byte_len())
    told.end_poll()
    return seen


def change(opcode, number, flags=IBV_OPS_SIGNALED, **more):
    request = OpsWr(wr_id=number, opcode=opcode, flags=flags, **more)
    tags.post_srq_ops(request)
    return request


def add(tag, number, mask=EXACT, offset=0, length=1024, **more):
    part = SGE(memory.buf + 16384 + offset, length, memory.lkey)
    return change(IBV_WR_TAG_ADD, number, tag=tag, mask=mask, recv_wr_id=number + 1000, num_sge=1, sg_list=[part],
                  **more)


def added(tag, number, **more):
    request = add(tag, number, **more)
    equal(poll()[:4], (IBV_WC_SUCCESS, IBV_WC_TM_ADD, number, 0), 'a tag that is added')
    return request


def remove(request, number):
    """Takes out what a request added: its handle is in it."""
    request.opcode, request.wr_id = IBV_WR_TAG_DEL, number
    tags.post_srq_ops(request)


def send(operation, tag, payload, behind=b''):
    message = struct.pack('>B3xIQ', operation, 7, tag) + behind + payload
    memory.write(message, len(message))
    near.post_send(SendWR(wr_id=1, opcode=IBV_WR_SEND, num_sge=1, send_flags=IBV_SEND_SIGNALED,
                          sg=[SGE(memory.buf, len(message), memory.lkey)]))
    equal(statuses(cq, 1), {1: IBV_WC_SUCCESS}, 'a message to the queue of tags')


def there(length, offset=0):
    return memory.read(length, 16384 + offset)


for number in range(40):
    tags.post_recv(RecvWR(wr_id=500 + number, num_sge=1, sg=[SGE(memory.buf + 32768, 4096, memory.lkey)]))

# Eight tags fit, a ninth does not; each is removed once.
eight = [added(tag, tag) for tag in range(8)]
refused(errno.ENOMEM, 'a ninth tag', lambda: add(9, 9))
for number, request in enumerate(eight):
    remove(request, 100 + number)
    equal(poll()[:3], (IBV_WC_SUCCESS, IBV_WC_TM_DEL, 100 + number), 'a tag that is removed')

# The first tag that fits under its mask gets the message, without header.
added(0x1234, 10, offset=1024)
added(0xab00, 11, mask=0xff00)
send(EAGER, 0xcdab17, b'to any of them')
equal(poll(), (IBV_WC_SUCCESS, IBV_WC_TM_RECV, 1011, MATCHED | THERE, 0xcdab17, 14), 'a match under a mask')
equal(there(14), b'to any of them', 'what came for the mask')
send(EAGER, 0x1234, b'to this one')
equal(poll(), (IBV_WC_SUCCESS, IBV_WC_TM_RECV, 1010, MATCHED | THERE, 0x1234, 11), 'a match')
equal(there(11, 1024), b'to this one', 'what came for the tag')

# A long message has two completions.
added(5, 12, length=8192)
send(EAGER, 5, bytes(4000))
equal(poll(), (IBV_WC_SUCCESS, IBV_WC_TM_RECV, 1012, MATCHED, 5, 0), 'the match of a long message')
equal(poll(), (IBV_WC_SUCCESS, IBV_WC_TM_RECV, 1012, THERE, 0, 4000), 'all of a long message')

# A tag that a message took cannot be removed any more.
gone = added(6, 13)
send(EAGER, 6, b'taken')
poll()
remove(gone, 14)
equal(poll()[:3], (IBV_WC_TM_ERR, IBV_WC_TM_DEL, 14), 'a tag that is gone already')

# Unexpected messages, and messages without a tag, arrive in a receive with their header.
send(NO_TAG, 0, b'for nobody')
status, opcode, number, flags, tag, length = poll()
equal((status, opcode, number, length), (IBV_WC_SUCCESS, IBV_WC_TM_NO_TAG, 500, 26), 'a message without tag')
send(EAGER, 0x99, b'surprise')
equal(poll(), (IBV_WC_SUCCESS, IBV_WC_TM_RECV, 501, 0, 0, 24), 'an unexpected message')
equal(memory.read(24, 32768), struct.pack('>B3xIQ', EAGER, 7, 0x99) + b'surprise', 'an unexpected message')

# A tag that is added before the program has handled that message waits, and the completion says so.
add(0x42, 15)
equal(poll()[:4], (IBV_WC_SUCCESS, IBV_WC_TM_ADD, 15, IBV_WC_TM_SYNC_REQ), 'a tag that waits')
send(EAGER, 0x42, b'too early')
equal(poll()[1:4], (IBV_WC_TM_RECV, 502, 0), 'a message for a tag that waits')
change(IBV_WR_TAG_SYNC, 16, IBV_OPS_SIGNALED | IBV_OPS_TM_SYNC, unexpected_cnt=2)
equal(poll()[:3], (IBV_WC_SUCCESS, IBV_WC_TM_SYNC, 16), 'the count of what was handled')
send(EAGER, 0x42, b'in time')
equal(poll()[1:4], (IBV_WC_TM_RECV, 1015, MATCHED | THERE), 'a message for a tag that waited')

# The device reads the data that a rendezvous offers, and notifies the sender.
added(0x55, 17, length=8192, flags=IBV_OPS_SIGNALED | IBV_OPS_TM_SYNC, unexpected_cnt=2)
memory.write(b'r' * 8000, 8000, 40960)
near.post_recv(RecvWR(wr_id=2, num_sge=1, sg=[SGE(memory.buf + 1024, 64, memory.lkey)]))
offer = struct.pack('>QII', memory.buf + 40960, memory.rkey, 8000)
send(RNDV, 0x55, b'', offer)
equal(poll()[:5], (IBV_WC_SUCCESS, IBV_WC_TM_RECV, 1017, MATCHED, 0x55), 'the match of a rendezvous')
equal(statuses(cq, 1), {2: IBV_WC_SUCCESS}, 'the end of a rendezvous')
equal(poll(), (IBV_WC_SUCCESS, IBV_WC_TM_RECV, 1017, THERE, 0, 8000), 'all of a rendezvous')
equal(there(8000), b'r' * 8000, 'what the device read')
equal(memory.read(32, 1024), struct.pack('>B3xIQ', FIN, 7, 0x55) + offer, 'what the sender is told')

# The program must handle one that does not fit.
added(0x56, 18, length=64)
send(RNDV, 0x56, b'', offer)
equal(poll()[:4], (IBV_WC_TM_RNDV_INCOMPLETE, IBV_WC_TM_RECV, 1018, MATCHED | THERE), 'a rendezvous that does not fit')
equal(there(32)[16:], offer, 'what is offered')

true(tags.query().max_wr >= 64, 'the size')
tags.modify(SrqAttr(srq_limit=5), IBV_SRQ_LIMIT)
equal(tags.query().srq_limit, 5, 'the limit')
refused(errno.EINVAL, 'too many tags', lambda: queue(limits.max_num_tags + 1, told))
refused(errno.EINVAL, 'no tag', lambda: queue(0, told))
refused(errno.EINVAL, 'a queue of tags with a plain completion queue', lambda: queue(8, cq))
refused(errno.EINVAL, 'an unreliable connection to a queue of tags', lambda: QP(domain, QPInitAttr(
    qp_type=IBV_QPT_UC, scq=cq, rcq=cq, srq=tags, cap=QPCap(4, 0, 1, 0))))
context.close()
ok('tag_matching', 'eight tags, masks, long and unexpected messages, counts, rendezvous')
