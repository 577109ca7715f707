#!/usr/bin/python3
# device: mlx5_0=soft:link=infiniband,fail=port-reset@2/50000
"""An InfiniBand port goes down and comes up: the subnet manager gives it its LID again, and each context hears of it."""
import os
import select
import struct

from common import *

context = Context(name=DEVICE)
lid = context.query_port(1).lid


def attribute():
    way = AHAttr(dlid=lid, port_num=1)
    return way


pair = Ends(context=context, connect=False)
for one, other in ((pair.near, pair.far), (pair.far, pair.near)):
    given = attributes(context, other.qp_num)
    given.ah_attr = attribute()
    one.to_rts(given)
for number in (1, 2):
    pair.receive()
pair.send()
equal(statuses(pair.cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, 'a message before')
pair.send()
heard = []
while len(heard) < 5:
    true(select.select([event_file(context)], [], [], PATIENCE_SECONDS)[0], f'five events arrive, saw {heard}')
    element, kind, _ = struct.unpack('QII', os.read(event_file(context), 16))
    equal(element, 1, 'the port of an event')
    heard.append(kind)
    if kind == IBV_EVENT_LID_CHANGE:
        equal(context.query_port(1).lid, lid, 'the LID, once it is told')
equal(heard, [IBV_EVENT_PORT_ERR, IBV_EVENT_PORT_ERR, IBV_EVENT_LID_CHANGE, IBV_EVENT_CLIENT_REREGISTER,
              IBV_EVENT_PORT_ACTIVE], 'down, initialized, LID, client reregistration, active')
equal(context.query_port(1).state, IBV_PORT_ACTIVE, 'the state of the port')
equal(statuses(pair.cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, 'the message is sent again until it arrives')
ok('port_reset', 'five events, and the connection lives')
