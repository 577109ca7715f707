#!/usr/bin/python3
# device: mlx5_0=soft:fail=port-down@2+device@4
"""The port goes down and the device dies, on purpose: every context hears of both."""
import os
import select
import struct
import sys

from common import *

context = Context(name=DEVICE)
other = Context(name=DEVICE)


def expect(kind, port, what):
    for each in (context, other):
        true(select.select([event_file(each)], [], [], PATIENCE_SECONDS)[0], f'{what} arrives')
        element, seen, _ = struct.unpack('QII', os.read(event_file(each), 16))
        equal((seen, element), (kind, port), f'{what} and its port')
        true(not select.select([event_file(each)], [], [], 0)[0], f'{what} comes once')


pair = Ends(context=context)
pair.receive()
pair.send()
equal(statuses(pair.cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, 'a message before')
equal(context.query_port(1).state, IBV_PORT_ACTIVE, 'the state of the port before')
pair.send()
expect(IBV_EVENT_PORT_ERR, 1, 'the event of the port')
equal(statuses(pair.cq, 1), {1: IBV_WC_RETRY_EXC_ERR}, 'a message when the port is down')
equal(context.query_port(1).state, IBV_PORT_DOWN, 'the state of the port')
# The receive that is left is flushed with its queue; the fourth request is the device's last.
again = Ends(context=context)
again.send()
again.send()
expect(IBV_EVENT_DEVICE_FATAL, 0, 'the event of the device')
ok('device_faults', 'PORT_ERR and DEVICE_FATAL, once for each context')
sys.stdout.flush()
os._exit(0)  # nothing can be freed any more
