#!/usr/bin/python3
"""XRC: domains by file, shared receive queues that messages name, initiators and targets."""
import errno
import os
import tempfile

from common import *
from pyverbs.qp import QPEx, QPInitAttrEx
from pyverbs.srq import SRQ, SrqAttr, SrqInitAttrEx
from pyverbs.xrcd import XRCD, XRCDInitAttr

context = Context(name=DEVICE)
true(context.query_device().device_cap_flags & IBV_DEVICE_XRC, 'the capability')
file = tempfile.TemporaryFile()


def domain_of(descriptor, flags=os.O_CREAT, where=context):
    return XRCD(where, XRCDInitAttr(IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS, flags, descriptor))


# A file has one domain, shared by all programs that open it.
refused(errno.EAGAIN, 'a domain that does not exist', lambda: domain_of(file.fileno(), 0))
refused(errno.EBADF, 'a file that is not open', lambda: domain_of(1000))
xrcd = domain_of(file.fileno(), os.O_CREAT | os.O_EXCL)
refused(errno.EINVAL, 'a second domain of a file', lambda: domain_of(file.fileno(), os.O_CREAT | os.O_EXCL))
other_context = Context(name=DEVICE)
same = domain_of(os.dup(file.fileno()), 0, other_context)
private = domain_of(-1)

pd = PD(context)
memory = MR(pd, 8192, ALL_RIGHTS)
cq = CQ(context, 64)


def shared(domain=xrcd, where=context, pd=pd, cq=cq):
    attribute = SrqInitAttrEx(max_wr=10, max_sge=2)
    attribute.srq_type, attribute.pd, attribute.xrcd, attribute.cq = IBV_SRQT_XRC, pd, domain, cq
    attribute.comp_mask = (IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_CQ
                           | IBV_SRQ_INIT_ATTR_XRCD)
    return SRQ(where, attribute)


def initiator(extended=False):
    more = {'send_ops_flags': IBV_QP_EX_WITH_SEND_WITH_IMM} if extended else {}
    mask = IBV_QP_INIT_ATTR_PD | (IBV_QP_INIT_ATTR_SEND_OPS_FLAGS if extended else 0)
    return (QPEx if extended else QP)(context, QPInitAttrEx(
        qp_type=IBV_QPT_XRC_SEND, pd=pd, scq=cq, cap=QPCap(16, 0, 2, 0, 64), comp_mask=mask, **more))


def target(domain=xrcd, where=context):
    return QP(where, QPInitAttrEx(qp_type=IBV_QPT_XRC_RECV, xrcd=domain, comp_mask=IBV_QP_INIT_ATTR_XRCD))


def connect(near, far):
    near.to_rts(attributes(context, far.qp_num))
    far.to_rts(attributes(context, near.qp_num))


srq = shared()
true(srq.get_srq_num() > 0, 'the number of a shared receive queue')
near, far = initiator(), target()
connect(near, far)
equal(far.query(IBV_QP_STATE)[0].qp_state, IBV_QPS_RTS, 'the state of a target')


def post(srq, number, length=64):
    srq.post_recv(RecvWR(wr_id=number, num_sge=1, sg=[SGE(memory.buf + 4096, length, memory.lkey)]))


def send(srqn, opcode=IBV_WR_SEND, length=64):
    request = SendWR(wr_id=1, opcode=opcode, num_sge=1, sg=[SGE(memory.buf, length, memory.lkey)])
    if opcode in (IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ):
        request.set_wr_rdma(memory.rkey, memory.buf + 4096)
    elif opcode in (IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_ATOMIC_CMP_AND_SWP):
        request.set_wr_atomic(memory.rkey, memory.buf + 4096, 5, 0)
    request.set_qp_type_xrc(srqn)
    near.post_send(request)


post(srq, 2)
memory.write('x' * 64, 64)
send(srq.get_srq_num())
equal(statuses(cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, 'a send')
equal(memory.read(64, 4096), b'x' * 64, 'what arrived')
for opcode, length in ((IBV_WR_RDMA_WRITE, 64), (IBV_WR_RDMA_READ, 64), (IBV_WR_ATOMIC_FETCH_AND_ADD, 8),
                       (IBV_WR_ATOMIC_CMP_AND_SWP, 8)):
    send(srq.get_srq_num(), opcode, length)
    equal(statuses(cq, 1), {1: IBV_WC_SUCCESS}, f'request {opcode}')

# Another context's queue in the same domain, by the same target; and the new way to post.
its_pd = PD(other_context)
its_cq = CQ(other_context, 16)
its_srq = shared(same, other_context, its_pd, its_cq)
its_memory = MR(its_pd, 4096, ALL_RIGHTS)
its_srq.post_recv(RecvWR(wr_id=7, num_sge=1, sg=[SGE(its_memory.buf, 64, its_memory.lkey)]))
extended, second = initiator(True), target()
connect(extended, second)
memory.write('y' * 64, 64)
extended.wr_start()
extended.wr_id, extended.wr_flags = 3, IBV_SEND_SIGNALED
extended.wr_send_imm(0x09090909)
extended.wr_set_xrc_srqn(its_srq.get_srq_num())
extended.wr_set_sge(SGE(memory.buf, 64, memory.lkey))
extended.wr_complete()
equal(statuses(cq, 1), {3: IBV_WC_SUCCESS}, 'a send by the extended calls')
done = completions(its_cq, 1)[0]
equal((done.wr_id, done.status, done.imm_data), (7, IBV_WC_SUCCESS, 0x09090909), 'what the other context received')
equal(its_memory.read(64, 0), b'y' * 64, 'what arrived there')

# The limit, and a queue of another domain.
post(srq, 2)
srq.modify(SrqAttr(srq_limit=1), IBV_SRQ_LIMIT)
equal(srq.query().srq_limit, 1, 'the limit')
send(srq.get_srq_num())
completions(cq, 2)
event = context.get_async_event()
equal(event.event_type, IBV_EVENT_SRQ_LIMIT_REACHED, 'the event of the limit')
event.ack()
elsewhere = shared(private)
post(elsewhere, 4)
send(elsewhere.get_srq_num())
equal(statuses(cq, 1), {1: IBV_WC_REM_ACCESS_ERR}, 'a queue of another domain')
events = set()
for _ in range(2):
    event = context.get_async_event()
    events.add(event.event_type)
    event.ack()
equal(events, {IBV_EVENT_QP_ACCESS_ERR, IBV_EVENT_QP_LAST_WQE_REACHED}, 'the events of the target')

# Invalid combinations, and objects in use.
refused(errno.EINVAL, 'a connection that receives in a queue of XRC', lambda: QP(
    pd, QPInitAttr(qp_type=IBV_QPT_RC, scq=cq, rcq=cq, srq=srq, cap=QPCap(4, 0, 1, 0))))
domain_of(file.fileno(), 0).close()
for one in (near, far, extended, second, srq, its_srq, elsewhere, same, private, xrcd):
    one.close()
refused(errno.EAGAIN, 'a domain that everybody closed', lambda: domain_of(file.fileno(), 0))
other_context.close()
context.close()
ok('xrc', 'domains of files, all requests, two contexts, the limit, another domain')
