#!/usr/bin/python3
"""Contexts, and what they say of the device."""
import errno
import os

from common import *
from pyverbs.providers.mlx5.mlx5dv import Mlx5Context, Mlx5DVContextAttr

context = Context(name=DEVICE)
plain = context.query_device()
equal(plain.fw_version, '28.0.0000', 'the firmware')
with open(f'{os.environ["SYSFS_PATH"]}/class/infiniband/{DEVICE}/fw_ver') as file:
    equal(file.read().strip(), plain.fw_version, 'the firmware in sysfs')
equal((plain.vendor_id, plain.vendor_part_id), (0x02c9, 0x1021), 'vendor and part')
equal(plain.phys_port_cnt, 1, 'ports')
equal(plain.atomic_caps, IBV_ATOMIC_HCA, 'the kind of atomic operations')
true(plain.max_qp >= 1024 and plain.max_cqe >= 65535 and plain.max_sge >= 16, f'limits of use: {plain}')
equal((plain.max_mcast_grp, plain.max_mcast_qp_attach, plain.max_raw_ethy_qp), (4096, 32, 0), 'groups, raw queue pairs')

extended = context.query_device_ex()
equal(extended.orig_attr.max_qp, plain.max_qp, 'max_qp in both queries')
odp = extended.odp_caps
equal(odp.general_caps, IBV_ODP_SUPPORT | IBV_ODP_SUPPORT_IMPLICIT, 'on demand, also implicitly')
true(odp.rc_odp_caps & IBV_ODP_SUPPORT_ATOMIC and odp.ud_odp_caps & IBV_ODP_SUPPORT_SEND, 'services on demand')
equal(odp.uc_odp_caps, 0, 'UC, which no card has on demand')
true(odp.xrc_odp_caps & IBV_ODP_SUPPORT_SRQ_RECV, 'XRC on demand')
equal(extended.tm_caps.max_num_tags, 1023, 'tags')
equal(extended.hca_core_clock, 1_000_000, 'the clock in kHz')
equal(extended.completion_timestamp_mask, 2 ** 64 - 1, 'the bits of timestamps')
moderation = extended.cq_mod_caps
equal((moderation.max_cq_count, moderation.max_cq_period), (0xffff, 0xfff), 'moderation of completion queues')
_, early = context.query_rt_values_ex()
_, late = context.query_rt_values_ex()
true(0 < early <= late, f'the clock does not go back: {early}, {late}')

mlx5 = Mlx5Context(Mlx5DVContextAttr(), name=DEVICE)
own = mlx5.query_mlx5_device()
true(own.flags & 1, 'entries of version 1 in completion queues')
equal(own.cqe_comp_caps['max_num'], 64, 'completions in one of a compressed queue')
equal(own.num_lag_ports, 0, 'ports of link aggregation')
now = Mlx5Context.device_timestamp_to_ns(mlx5, 10 ** 9) - Mlx5Context.device_timestamp_to_ns(mlx5, 0)
equal(now, 10 ** 9, 'nanoseconds of a second on the device')
refused(errno.EPROTONOSUPPORT, 'ports of an eswitch', lambda: Mlx5Context.query_mlx5_port(mlx5, 1))

# A duplicate of the device file is the same context, whose objects it may name.
domain = PD(context)
region = MR(domain, 4096, IBV_ACCESS_LOCAL_WRITE)
imported = Context(cmd_fd=os.dup(context.cmd_fd))
its_domain = PD(imported, handle=domain.handle)
its_region = MR(its_domain, handle=region.handle, address=region.buf)
equal((its_region.lkey, its_region.rkey), (region.lkey, region.rkey), 'the keys of an imported region')
refused(errno.ENOENT, 'an import of a region that does not exist', lambda: MR(its_domain, handle=12345, address=region.buf))
its_region.unimport()
its_domain.unimport()
its_domain.close()
imported.close()
region.read(8, 0)
region.close()

many = [Context(name=DEVICE) for _ in range(8)]
equal({one.num_comp_vectors for one in many}, {context.num_comp_vectors}, 'completion vectors')
for one in many:
    one.close()
ok('context', f'{plain.max_qp} queue pairs, {len(many) + 2} contexts at a time')
