#!/usr/bin/python3
"""Shared receive queues: messages for several queue pairs, the limit event, and the last-request event."""
import errno

from common import *
from pyverbs.srq import SRQ, SrqAttr, SrqInitAttr, SrqInitAttrEx

context = Context(name=DEVICE)
domain = PD(context)
memory = MR(domain, 4096, ALL_RIGHTS)
shared = SRQ(domain, SrqInitAttr(SrqAttr(max_wr=10, max_sge=2)))
seen = shared.query()
true(seen.max_wr >= 10 and seen.max_sge >= 2, f'sizes: {seen.max_wr} of {seen.max_sge}')
equal(seen.srq_limit, 0, 'the limit at first')
true(shared.get_srq_num() > 0, 'its number')


def post(count):
    for number in range(count):
        shared.post_recv(RecvWR(wr_id=100 + number, num_sge=1, sg=[SGE(memory.buf, 64, memory.lkey)]))


post(6)
pairs = [Ends(kind, context=context, srq=shared) for kind in (IBV_QPT_RC, IBV_QPT_UC)]
for number, pair in enumerate(pairs):
    pair.send()
    equal(statuses(pair.cq, 2), {1: IBV_WC_SUCCESS, 100 + number: IBV_WC_SUCCESS}, 'a send into the shared queue')

# Four are left: the event comes when fewer than the limit are.
shared.modify(SrqAttr(srq_limit=3), IBV_SRQ_LIMIT)
equal(shared.query().srq_limit, 3, 'the limit')
for _ in range(2):
    pairs[0].send()
    completions(pairs[0].cq, 2)
event = context.get_async_event()
equal(event.event_type, IBV_EVENT_SRQ_LIMIT_REACHED, 'the event of the limit')
event.ack()
equal(shared.query().srq_limit, 0, 'the limit after its event')
refused(errno.EINVAL, 'a limit beyond the size', lambda: shared.modify(SrqAttr(srq_limit=1000), IBV_SRQ_LIMIT))
refused(errno.EINVAL, 'another size', lambda: shared.modify(SrqAttr(max_wr=20), IBV_SRQ_MAX_WR))

pairs[0].far.modify(QPAttr(qp_state=IBV_QPS_ERR), IBV_QP_STATE)
event = context.get_async_event()
equal(event.event_type, IBV_EVENT_QP_LAST_WQE_REACHED, 'the event of a queue pair that takes no more')
event.ack()

attribute = SrqInitAttrEx(max_wr=4)
attribute.srq_type, attribute.pd = IBV_SRQT_BASIC, domain
attribute.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD
extended = SRQ(context, attribute)
true(extended.query().max_wr >= 4, 'the size of one made by the extended call')
limits = context.query_device()
for what, attribute in (('too many requests', SrqAttr(max_wr=limits.max_srq_wr + 1)),
                        ('too many segments', SrqAttr(max_sge=limits.max_srq_sge + 1))):
    refused(errno.EINVAL, what, lambda: SRQ(domain, SrqInitAttr(attribute)))
context.close()
ok('srq', 'messages of two services, limit, last request')
