#!/usr/bin/python3
"""
What programs see when the device process ends: calls fail with EIO, and programs that wait for events wake up.

Prints "ready" and waits until its caller ends the device process. Waiting is done by processes of their own,
because pyverbs waits with Python's lock held.
"""
import errno
import os
import select
import struct
import sys
import time

from common import *
from pyverbs.cq import CompChannel


# With this, libibverbs takes EIO for the end of an object.
os.environ['RDMAV_ALLOW_DISASSOC_DESTROY'] = '1'


def asynchronous(ready):
    context = Context(name=DEVICE)
    ready()
    event = context.get_async_event()
    equal(event.event_type, IBV_EVENT_DEVICE_FATAL, 'the event of the end')
    event.ack()
    # pyverbs reports the result of the call, which is -1, and not its error.
    refused(errno.EIO, 'waiting for another event', lambda: os.read(event_file(context), 16))


def polled(ready):
    context = Context(name=DEVICE)
    file = event_file(context)
    os.set_blocking(file, False)
    refused(errno.EAGAIN, 'an event before the end', lambda: os.read(file, 16))
    ready()
    equal(select.select([file], [], [], PATIENCE_SECONDS)[0], [file], 'what wakes')
    refused(errno.EINVAL, 'an event without room for it', lambda: os.read(file, 8))
    equal(os.read(file, 16), struct.pack('=QII', 0, IBV_EVENT_DEVICE_FATAL, 0), 'the event of the end')
    refused(errno.EAGAIN, 'an event after the last', lambda: os.read(file, 16))
    equal(select.select([file], [], [], 0)[0], [], 'what wakes after the last event')


def completion(ready):
    context = Context(name=DEVICE)
    channel = CompChannel(context)
    cq = CQ(context, 16, channel=channel)
    cq.req_notify()
    ready()
    refused(errno.EIO, 'waiting for a completion', lambda: channel.get_cq_event(cq))
    refused(errno.EIO, 'waiting for one more', lambda: channel.get_cq_event(cq))


def calls(ready):
    ends = Ends()
    ends.send()
    ready()
    deadline = time.monotonic() + PATIENCE_SECONDS
    seen = 0
    while seen == 0:
        true(time.monotonic() < deadline, 'calls fail')
        try:
            ends.context.query_port(1)
        except PyverbsError as error:
            seen = error.error_code
        time.sleep(0.001)
    equal(seen, errno.EIO, 'the error of the first call that failed')
    for what, call in (('a query', lambda: ends.context.query_port(1)),
                       ('a domain', lambda: PD(ends.context)),
                       ('a region', lambda: MR(ends.pd, 4096, ALL_RIGHTS)),
                       ('a transition', lambda: ends.near.modify(QPAttr(qp_state=IBV_QPS_ERR), IBV_QP_STATE))):
        refused(errno.EIO, what, call)
    # The queues are the program's memory: posting and polling go on, and nothing happens.
    ends.send(number=2)
    equal(ends.cq.poll()[0], 0, 'completions of a device that is gone')
    for one in (ends.near, ends.far, ends.memory, ends.cq, ends.pd, ends.context):
        one.close()


def start(part):
    reader, writer = os.pipe()
    child = fork()
    if child:
        os.close(writer)
        return child, reader
    try:
        part(lambda: os.write(writer, b'!'))
        status = 0
    except Exception as error:
        print(f'{part.__name__}: {error}', file=sys.stderr, flush=True)
        status = 1
    os._exit(status)


parts = [start(part) for part in (asynchronous, polled, completion, calls)]
for _, reader in parts:
    equal(os.read(reader, 1), b'!', 'what a part says when it waits')
print('ready', flush=True)
equal([os.waitpid(child, 0)[1] for child, _ in parts], [0, 0, 0, 0], 'how the parts ended')
ok('device_end', 'EIO for calls and completion channels, DEVICE_FATAL once')
