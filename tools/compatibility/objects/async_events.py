#!/usr/bin/python3
"""Asynchronous events of queue pairs: which, when, once, and taken back with their object."""
import errno
import os
import select

from common import *

context = Context(name=DEVICE)


def expect(kind, what):
    event = context.get_async_event()
    equal(event.event_type, kind, what)
    event.ack()


def quiet():
    return not select.select([file], [], [], 0)[0]


file = event_file(context)
true(quiet(), 'no event at first')

# A connection that receives a message before it is in RTS.
pair = Ends(context=context)
early = Ends(context=context)
early.far.modify(QPAttr(qp_state=IBV_QPS_RESET), IBV_QP_STATE)
early.far.to_rtr(attributes(context, early.near.qp_num))
early.receive()
early.send()
equal(statuses(early.cq, 2), {1: IBV_WC_SUCCESS, 2: IBV_WC_SUCCESS}, 'a message before RTS')
expect(IBV_EVENT_COMM_EST, 'the event of a connection that is established by a message')

# A request that the far end refuses is an event there, beside the completion here.
pair.send(IBV_WR_RDMA_WRITE, rkey=pair.memory.rkey ^ 1)
equal(statuses(pair.cq, 1), {1: IBV_WC_REM_ACCESS_ERR}, 'a write with another key')
expect(IBV_EVENT_QP_ACCESS_ERR, 'the event of a refused access')

# READs that the far end has no resources for are an invalid request.
less = Ends(context=context, rights=IBV_ACCESS_LOCAL_WRITE)
less.send(IBV_WR_RDMA_READ)
equal(statuses(less.cq, 1), {1: IBV_WC_REM_INV_REQ_ERR}, 'a read without the right')
expect(IBV_EVENT_QP_REQ_ERR, 'the event of an invalid request')
true(quiet(), 'each event came once')

# An event that was not read is gone with its queue pair.
last = Ends(context=context)
last.send(IBV_WR_RDMA_WRITE, rkey=last.memory.rkey ^ 1)
completions(last.cq, 1)
true(select.select([file], [], [], PATIENCE_SECONDS)[0], 'there is an event of it')
last.far.close()
true(quiet(), 'no event is left of a queue pair that is gone')

# A client that closes the device itself gets no event that it failed.
closed = Context(name=DEVICE)
os.close(closed.cmd_fd)
refused(errno.EIO, 'waiting for an event of a device that was closed', lambda: os.read(event_file(closed), 16))
ok('async_events', 'COMM_EST, QP_ACCESS_ERR, QP_REQ_ERR, one taken back')
