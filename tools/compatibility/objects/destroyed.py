#!/usr/bin/python3
"""What was posted just before a queue pair is destroyed is sent: a card has fetched it by then."""
from common import *
from pyverbs.addr import AH

MESSAGES, ROUNDS = 16, 20

context = Context(name=DEVICE)
for kind in (IBV_QPT_UD, IBV_QPT_RC):
    for _ in range(ROUNDS):
        ends = Ends(kind, context=context)
        for number in range(MESSAGES):
            ends.receive(length=104, number=number)
        way = AH(ends.pd, attr=path(context)) if kind == IBV_QPT_UD else None
        for number in range(MESSAGES):
            request = SendWR(wr_id=100 + number, num_sge=1, sg=[ends.near_part()], send_flags=IBV_SEND_SIGNALED)
            if way:
                request.set_wr_ud(way, ends.far.qp_num, QKEY)
            ends.near.post_send(request)
        ends.near.close()
        arrived = completions(ends.cq, MESSAGES)
        equal([(one.wr_id, one.status) for one in arrived], [(number, IBV_WC_SUCCESS) for number in range(MESSAGES)],
              'what arrived')
        ends.far.close()
ok('destroyed', f'{MESSAGES} datagrams and {MESSAGES} messages, {ROUNDS} times')
