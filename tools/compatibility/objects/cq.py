#!/usr/bin/python3
"""Completion queues: sizes, resize, moderation, overrun of both kinds, and completion channels."""
import errno
import os
import struct
import time

from common import *
from pyverbs.cq import CompChannel

EX_MODIFY_CQ = 1 << 31 | 57

context = Context(name=DEVICE)
for asked, given in ((1, 1), (2, 3), (100, 127), (1000, 1023)):
    equal(CQ(context, asked).cqe, given, f'entries for {asked}')
most = context.query_device().max_cqe
for wrong in (0, most + 1):
    refused(errno.EINVAL, f'a queue of {wrong} entries', lambda: CQ(context, wrong))
refused(errno.EINVAL, 'a completion vector that does not exist',
        lambda: CQ(context, 8, comp_vector=context.num_comp_vectors))

# Resize, with completions in the queue.
ends = Ends(context=context, cq=CQ(context, 15))
for number in range(10):
    ends.send(IBV_WR_RDMA_WRITE, number=number)
ends.cq.resize(100)
equal(ends.cq.cqe, 127, 'entries after a resize')
equal([one.wr_id for one in completions(ends.cq, 10)], list(range(10)), 'completions after a resize')
ends.cq.resize(20)
ends.send(IBV_WR_RDMA_WRITE)
equal(statuses(ends.cq, 1), {1: IBV_WC_SUCCESS}, 'a completion in the smaller ring')
refused(errno.EINVAL, 'a resize to more than the device has', lambda: ends.cq.resize(most + 1))


def moderate(cq, mask, count, period):
    """MODIFY_CQ, which pyverbs lacks, as libibverbs writes it."""
    handle = int(str(cq).split('Handle')[1].split()[1])
    command = struct.pack('=IIHHI', handle, mask, count, period, 0)
    try:
        os.write(context.cmd_fd, struct.pack('=IHHQHHI', EX_MODIFY_CQ, len(command) // 8, 0, 0, 0, 0, 0) + command)
    except OSError as error:
        return error.errno
    return 0


equal(moderate(ends.cq, 1, 16, 100), 0, 'moderation')
equal(moderate(ends.cq, 2, 16, 100), errno.EOPNOTSUPP, 'another attribute')
ends.send(IBV_WR_RDMA_WRITE)
equal(statuses(ends.cq, 1), {1: IBV_WC_SUCCESS}, 'a completion of a moderated queue')

# Completion channels: an event for the next completion, one for each time that the queue was armed.
channel = CompChannel(context)
queues = [CQ(context, 16, channel=channel) for _ in range(2)]
pairs = [Ends(context=context, cq=cq) for cq in queues]
for cq, pair in zip(queues, pairs):
    cq.req_notify()
    pair.send(IBV_WR_RDMA_WRITE)
    channel.get_cq_event(cq)
    equal(statuses(cq, 1), {1: IBV_WC_SUCCESS}, 'the completion that the event reported')
    cq.ack_events(1)
queues[0].req_notify(solicited_only=True)
pairs[0].receive(number=1)
pairs[0].send(number=2)
equal(statuses(queues[0], 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, 'completions without an event')
pairs[0].receive(number=3)
pairs[0].send(flags=IBV_SEND_SIGNALED | IBV_SEND_SOLICITED, number=4)
channel.get_cq_event(queues[0])
queues[0].ack_events(1)
equal(statuses(queues[0], 2), {3: IBV_WC_SUCCESS, 4: IBV_WC_SUCCESS}, 'completions of a solicited message')

# Moderation: an event for 3 completions, or 4 ms after the last event.
channel = CompChannel(context)
moderated = CQ(context, 16, channel=channel)
equal(moderate(moderated, 1, 3, 4096), errno.EINVAL, 'a period that is too long')
equal(moderate(moderated, 1, 3, 4095), 0, 'moderation of a queue with a channel')
ends = Ends(context=context, cq=moderated)
began = time.monotonic()  # before the event that begins the period, so that a slow machine can't make it look short
moderated.req_notify()
ends.send(IBV_WR_RDMA_WRITE)
channel.get_cq_event(moderated)
moderated.ack_events(1)
equal(statuses(moderated, 1), {1: IBV_WC_SUCCESS}, 'a completion after a rest')
moderated.req_notify()
ends.send(IBV_WR_RDMA_WRITE)
channel.get_cq_event(moderated)
moderated.ack_events(1)
true(time.monotonic() - began > 0.004, 'the event waits for the end of the period')
equal(statuses(moderated, 1), {1: IBV_WC_SUCCESS}, 'the completion did not')

# A queue that overran stops, and an asynchronous event reports it.
small = Ends(context=context, cq=CQ(context, 1))
for _ in range(3):
    small.send(IBV_WR_RDMA_WRITE)
event = context.get_async_event()
equal(event.event_type, IBV_EVENT_CQ_ERR, 'the event of an overrun')
event.ack()
ok('cq', 'sizes, resize, moderation, 5 events of channels, overrun')
