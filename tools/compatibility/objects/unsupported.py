#!/usr/bin/python3
"""Unsupported objects: the device refuses each kind, with the error of a kernel that lacks it."""
import ctypes
import errno
import struct

import library
from common import *
from pyverbs.flow import Flow, FlowAttr
from pyverbs.providers.mlx5.dr_domain import DrDomain
from pyverbs.providers.mlx5.dr_table import DrTable
from pyverbs.providers.mlx5.mlx5_enums import *
from pyverbs.providers.mlx5.mlx5dv import Mlx5Context, Mlx5DVContextAttr, Mlx5PP, Mlx5VAR
from pyverbs.providers.mlx5.mlx5dv_flow import (Mlx5FlowMatcher, Mlx5FlowMatcherAttr, Mlx5FlowMatchParameters,
                                                Mlx5PacketReformatFlowAction)
from pyverbs.providers.mlx5.mlx5dv_sched import Mlx5dvSchedAttr, Mlx5dvSchedNode
from pyverbs.qp import QPEx, QPInitAttrEx
from pyverbs.wq import WQ, WQInitAttr

context = Mlx5Context(Mlx5DVContextAttr(MLX5DV_CONTEXT_FLAGS_DEVX), name=DEVICE)
domain = PD(context)
cq = CQ(context, 16)
rc = QP(domain, QPInitAttr(qp_type=IBV_QPT_RC, scq=cq, rcq=cq, cap=QPCap(4, 4, 1, 1)))
CAP = QPCap(4, 0, 1, 0)


def pair_of(kind, **more):
    mask = IBV_QP_INIT_ATTR_PD | more.pop('comp_mask', 0)
    return QPInitAttrEx(qp_type=kind, pd=domain, scq=cq, rcq=cq, cap=CAP, comp_mask=mask, **more)


MATCH = Mlx5FlowMatchParameters(64, bytes(64))
for what, number, call in (
        ('raw packet queue pair', errno.EOPNOTSUPP, lambda: QPEx(context, pair_of(IBV_QPT_RAW_PACKET))),
        ('work queue', errno.EOPNOTSUPP, lambda: WQ(context, WQInitAttr(wq_pd=domain, wq_cq=cq))),
        ('flow', errno.EOPNOTSUPP, lambda: Flow(rc, FlowAttr(num_of_specs=0))),
        ('flow matcher', errno.EPROTONOSUPPORT, lambda: Mlx5FlowMatcher(context, Mlx5FlowMatcherAttr(MATCH))),
        ('packet reformatting', errno.EPROTONOSUPPORT, lambda: Mlx5PacketReformatFlowAction(context)),
        ('steering table', errno.EOPNOTSUPP, lambda: DrTable(DrDomain(context, MLX5DV_DR_DOMAIN_TYPE_NIC_RX), 1)),
        ('packet pacing', errno.EPROTONOSUPPORT, lambda: Mlx5PP(context, struct.pack('>I', 100))),
        ('emulated doorbells (VAR)', errno.EPROTONOSUPPORT, lambda: Mlx5VAR(context)),
        ('scheduling node', errno.EOPNOTSUPP, lambda: Mlx5dvSchedNode(context, Mlx5dvSchedAttr())),
        ('reserved queue pair number', errno.EOPNOTSUPP, lambda: Mlx5Context.reserved_qpn_alloc(context))):
    refused(number, what, call)

# The two that pyverbs does not name.
raw = library.open_device()
pd = library.made(library.alloc_pd(raw), 'a domain')
queue = library.made(library.create_cq(raw, 16, None, None, 0), 'a queue')
attribute = library.QpAttributes(send_cq=queue, recv_cq=queue, max_send_wr=4, max_recv_wr=4, max_send_sge=1,
                                 max_recv_sge=1, qp_type=IBV_QPT_UD)
pair = library.made(library.create_qp(pd, ctypes.byref(attribute)), 'a queue pair')
equal(library.attach_mcast(pair, bytes((0xfe, 0x0e)) + bytes(14), 0), errno.EINVAL, 'a GID that is not of a group')
equal(library.reg_dmabuf_mr(pd, 0, 4096, 0, -1, IBV_ACCESS_LOCAL_WRITE), None, 'memory of a dma-buf')
equal(library.number(), errno.EPROTONOSUPPORT, 'the error of memory of a dma-buf')

# No object is destroyed before its users.
equal(library.destroy_cq(queue), errno.EBUSY, 'the end of a completion queue in use')
equal(library.dealloc_pd(pd), errno.EBUSY, 'the end of a domain in use')
for end, what in ((library.destroy_qp, pair), (library.destroy_cq, queue), (library.dealloc_pd, pd),
                  (library.close_device, raw)):
    equal(end(what), 0, 'the end of what nobody uses')
context.close()
ok('unsupported', 'raw packets, flows, pacing, VAR, multicast, dma-buf')
