#!/usr/bin/python3
"""The connection manager: addresses, connections, their data and their end, datagrams and groups."""
import errno

import pyverbs.cm_enums as ce
from pyverbs.addr import AH
from pyverbs.cmid import CMID, AddrInfo, CMEvent, CMEventChannel, ConnParam, UDParam

from common import *

CONNECTIONS, DATAGRAMS = ce.RDMA_PS_TCP, ce.RDMA_PS_UDP
REJECT_ROOM = 148
BYTES = 64
GRH_BYTES = 40
GROUP_QPN = 0xffffff
seen = []


def event(channel, kind):
    """The next event, which is of this kind."""
    found = CMEvent(channel)
    equal(found.event_type, kind, f'the kind of an event ({found.event_str()})')
    seen.append(found.event_str())
    return found


def heard(channel, kind):
    """The next event, which says no more than its kind."""
    found = event(channel, kind)
    data = found.private_data
    found.ack_cm_event()
    return data


def attributes(space):
    return QPInitAttr(qp_type=IBV_QPT_RC if space == CONNECTIONS else IBV_QPT_UD, sq_sig_all=1,
                      cap=QPCap(max_send_wr=4, max_recv_wr=4))


def listen(channel, address, space, port):
    listener = CMID(creator=channel, port_space=space)
    listener.bind_addr(AddrInfo(src=address, src_service=port, port_space=space, flags=ce.RAI_PASSIVE))
    listener.listen(4)
    return listener


def resolve(channel, address, space, port):
    active = CMID(creator=channel, port_space=space)
    active.resolve_addr(AddrInfo(dst=address, dst_service=port, port_space=space))
    heard(channel, ce.RDMA_CM_EVENT_ADDR_RESOLVED)
    active.resolve_route()
    heard(channel, ce.RDMA_CM_EVENT_ROUTE_RESOLVED)
    active.create_qp(attributes(space))
    return active


def requested(server, listener):
    request = event(server, ce.RDMA_CM_EVENT_CONNECT_REQUEST)
    passive = CMID(creator=request, listen_id=listener)
    request.ack_cm_event()
    return passive


def connect_and_send(address):
    server, client = CMEventChannel(), CMEventChannel()
    listener = listen(server, address, CONNECTIONS, '7471')
    active = resolve(client, address, CONNECTIONS, '7471')
    active.connect(ConnParam(resources=4, depth=2))
    passive = requested(server, listener)
    passive.create_qp(attributes(CONNECTIONS))
    target = passive.reg_msgs(BYTES)
    passive.post_recv(target)
    passive.accept(ConnParam(resources=2, depth=4))
    heard(client, ce.RDMA_CM_EVENT_ESTABLISHED)
    heard(server, ce.RDMA_CM_EVENT_ESTABLISHED)
    equal(active.query_qp(IBV_QP_MAX_QP_RD_ATOMIC)[0].max_rd_atomic, 2, 'READs that the client starts')
    equal(passive.query_qp(IBV_QP_MAX_DEST_RD_ATOMIC)[0].max_dest_rd_atomic, 2, 'READs that the server answers')
    source = active.reg_msgs(BYTES)
    source.write('c' * BYTES, BYTES)
    active.post_send(source)
    active.get_send_comp()
    passive.get_recv_comp()
    equal(target.read(BYTES, 0), b'c' * BYTES, 'what arrived')
    active.disconnect()
    heard(server, ce.RDMA_CM_EVENT_DISCONNECTED)
    passive.disconnect()
    heard(client, ce.RDMA_CM_EVENT_DISCONNECTED)
    for closed in (target, source, active, passive, listener, server, client):
        closed.close()


def reject(address):
    server, client = CMEventChannel(), CMEventChannel()
    listener = listen(server, address, CONNECTIONS, '7472')
    active = resolve(client, address, CONNECTIONS, '7472')
    active.connect(ConnParam())
    passive = requested(server, listener)
    passive.reject(b'not today')
    data = heard(client, ce.RDMA_CM_EVENT_REJECTED)
    equal((len(data), data[:9]), (REJECT_ROOM, b'not today'), 'the data of a reject')
    other = resolve(client, address, CONNECTIONS, '7473')
    other.connect(ConnParam())
    heard(client, ce.RDMA_CM_EVENT_REJECTED)
    for closed in (active, other, passive, listener, server, client):
        closed.close()


def ask_for_datagrams(address):
    server, client = CMEventChannel(), CMEventChannel()
    listener = listen(server, address, DATAGRAMS, '7474')
    active = resolve(client, address, DATAGRAMS, '7474')
    active.connect(ConnParam())
    passive = requested(server, listener)
    passive.create_qp(attributes(DATAGRAMS))
    target = passive.reg_msgs(GRH_BYTES + BYTES)
    passive.post_recv(target)
    passive.accept(ConnParam())
    established = event(client, ce.RDMA_CM_EVENT_ESTABLISHED)
    found = UDParam(established)
    equal((found.qp_num, found.qkey), (passive.qpn, 0x01234567), 'the queue pair that was found')
    source = active.reg_msgs(BYTES)
    source.write('d' * BYTES, BYTES)
    active.post_ud_send(source, AH(active.pd, attr=found.ah_attr), rqpn=found.qp_num, length=BYTES)
    active.get_send_comp()
    passive.get_recv_comp()
    equal(target.read(BYTES, GRH_BYTES), b'd' * BYTES, 'what arrived')
    established.ack_cm_event()
    for closed in (target, source, active, passive, listener, server, client):
        closed.close()


def join(group, host):
    """Two members, one of which sends: the queue pair that sends gets no copy."""
    channel, address = CMEventChannel(), AddrInfo(src=group)
    members = []
    for port in ('7475', '7478'):
        member = CMID(creator=channel, port_space=DATAGRAMS)
        member.bind_addr(AddrInfo(src=host, src_service=port, port_space=DATAGRAMS, flags=ce.RAI_PASSIVE))
        member.create_qp(attributes(DATAGRAMS))
        member.join_multicast(addr=address)
        joined = event(channel, ce.RDMA_CM_EVENT_MULTICAST_JOIN)
        found = UDParam(joined)
        equal(found.qp_num, GROUP_QPN, 'the queue pair of a group')
        joined.ack_cm_event()
        members.append(member)
    sender, receiver = members
    target, source = receiver.reg_msgs(GRH_BYTES + BYTES), sender.reg_msgs(BYTES)
    receiver.post_recv(target)
    source.write('g' * BYTES, BYTES)
    sender.post_ud_send(source, AH(sender.pd, attr=found.ah_attr), rqpn=GROUP_QPN, length=BYTES)
    sender.get_send_comp()
    receiver.get_recv_comp()
    equal(target.read(BYTES, GRH_BYTES), b'g' * BYTES, 'what the group got')
    for closed in (target, source):
        closed.close()
    for member in members:
        member.leave_multicast(address)
        member.close()
    channel.close()


def refuse():
    channel = CMEventChannel()
    listener = listen(channel, '127.0.0.1', CONNECTIONS, '7476')
    refused(errno.EADDRINUSE, 'a port that is taken', lambda: listen(channel, '127.0.0.1', CONNECTIONS, '7476'))
    refused(errno.EADDRNOTAVAIL, 'an address of another machine', lambda: listen(channel, '192.0.2.77', CONNECTIONS, '7477'))
    refused(errno.EINVAL, 'an accept of a listener', lambda: listener.accept(ConnParam()))
    stranger = CMID(creator=channel, port_space=CONNECTIONS)
    stranger.resolve_addr(AddrInfo(dst='192.0.2.77', dst_service='7476', port_space=CONNECTIONS))
    heard(channel, ce.RDMA_CM_EVENT_ADDR_ERROR)
    for closed in (stranger, listener, channel):
        closed.close()


for host in ('127.0.0.1', '::1'):
    connect_and_send(host)
reject('127.0.0.1')
for host in ('127.0.0.1', '::1'):
    ask_for_datagrams(host)
join('224.10.20.30', '127.0.0.1')
join('ff0e::4711', '::1')
refuse()
ok('connection_manager', f'{len(seen)} events of {len(set(seen))} kinds')
