#!/usr/bin/python3
"""The port, its GIDs and its partition keys."""
import errno

from common import *

context = Context(name=DEVICE)
port = context.query_port(1)
equal(port.state, IBV_PORT_ACTIVE, 'the state')
equal(port.link_layer, IBV_LINK_LAYER_ETHERNET, 'the link')
equal((port.max_mtu, port.active_mtu), (IBV_MTU_4096, IBV_MTU_4096), 'MTUs')
equal((port.lid, port.sm_lid, port.lmc), (0, 0, 0), 'what InfiniBand has and Ethernet has not')
equal(port.max_msg_sz, 1 << 30, 'the largest message')
for other in (0, 2):
    refused(errno.EINVAL, f'port {other}', lambda: context.query_port(other))

table = context.query_gid_table(port.gid_tbl_len)
equal([entry.gid_index for entry in table], [0, 1, 2, 3], 'the GIDs that there are')
for entry in table:
    second = entry.gid_index % 2 == 1
    equal((entry.port_num, entry.gid_type), (1, IBV_GID_TYPE_ROCE_V2 if second else IBV_GID_TYPE_ROCE_V1),
          f'GID {entry.gid_index}')
    one = context.query_gid_ex(1, entry.gid_index)
    equal((one.gid_subnet_prefix, one.gid_interface_id), (entry.gid_subnet_prefix, entry.gid_interface_id),
          f'GID {entry.gid_index} alone')
    equal(context.query_gid_type(1, entry.gid_index), int(second), f'the type of GID {entry.gid_index} in sysfs')
equal(context.query_gid(1, 0).gid[:4], 'fe80', 'GID 0, of the link')
equal(context.query_gid(1, 1).gid, context.query_gid(1, 0).gid, 'GID 1, of the link, over RoCE v2')
true(context.query_gid(1, 3).gid.startswith('0000:0000:0000:0000:0000:ffff:7f'), 'GID 3, of the address')
equal(port.port_cap_flags & (1 << 26 | 1 << 16), 1 << 26 | 1 << 16, 'IP based GIDs, and a connection manager')
refused(errno.ENODATA, 'an empty GID', lambda: context.query_gid_ex(1, 4))
refused(errno.EINVAL, 'a GID outside of the table', lambda: context.query_gid_ex(1, port.gid_tbl_len))
refused(errno.EINVAL, 'a GID of port 2', lambda: context.query_gid_ex(2, 0))
refused(errno.EINVAL, 'a table with too little room', lambda: context.query_gid_table(1))
equal(context.query_pkey(1, 0), 0xffff, 'partition key 0')
ok('port', f'{len(table)} of {port.gid_tbl_len} GIDs')
