#!/usr/bin/python3
"""Relaxed ordering and placement out of order: on order0, whose memory shows payload out of order where that is
allowed, or on a plain device."""
# device: order0=soft:reorder-memory=500,seed=7
import ctypes
import struct

from common import *
from pyverbs.addr import AH
from pyverbs.device import get_device_list
from pyverbs.providers.mlx5.mlx5_enums import *
from pyverbs.providers.mlx5.mlx5dv import Mlx5Context, Mlx5DVContextAttr, Mlx5DVDCInitAttr, Mlx5DVQPInitAttr, Mlx5QP
from pyverbs.qp import QPInitAttrEx
from pyverbs.srq import SRQ, SrqAttr, SrqInitAttr

ROUNDS = 40
DATA, FLAG = 0, 4096
KEY = 0x1020304050607080
reorders = any(device.name.decode() == 'order0' for device in get_device_list())
context = Context(name='order0' if reorders else DEVICE)
ends = Ends(context=context)
relaxed = MR(ends.pd, 8192, ALL_RIGHTS | IBV_ACCESS_RELAXED_ORDERING)


def write(ends, region, offset, flags):
    request = SendWR(wr_id=offset, opcode=IBV_WR_RDMA_WRITE, num_sge=1, sg=[ends.near_part(8)], send_flags=flags)
    request.set_wr_rdma(region.rkey, region.buf + offset)
    ends.near.post_send(request)


def late(ends, data, flag, flags, write=write, wanted=False):
    """
    How often a reader that polls the flag finds it without the data. A reader that has to wait for its processor finds
    both: when it is wanted that it finds one, it reads on until it does.
    """
    late = number = 0
    deadline = time.monotonic() + PATIENCE_SECONDS
    while number < ROUNDS or wanted and not late and time.monotonic() < deadline:
        number += 1
        now = number.to_bytes(8, 'little')
        ends.memory.write(now, 8)
        write(ends, data, DATA, 0)
        write(ends, flag, FLAG, flags)
        while flag.read(8, FLAG) != now:
            pass
        late += data.read(8, DATA) != now
        equal(statuses(ends.cq, 2), {DATA: IBV_WC_SUCCESS, FLAG: IBV_WC_SUCCESS}, 'the completions')
        equal(data.read(8, DATA), now, 'the data when it completed')
    return late


def command(number, given, room, driver=b'', driver_room=0, context=context):
    """An extended write command, for what this libmlx5 is too old to ask; its output and the driver's."""
    out = ctypes.create_string_buffer(room + driver_room)
    words = [len(given) // 8, room // 8, len(driver) // 8, driver_room // 8]
    os.write(context.cmd_fd, struct.pack('=IHHQHHI', number | 1 << 31, words[0], words[1], ctypes.addressof(out),
                                         words[2], words[3], 0) + given + driver)
    return out.raw[:room], out.raw[room:]


def queue_pairs():
    """The handles of queue pairs, which pyverbs does not tell."""
    found = set()
    for handle in range(64):
        out = ctypes.create_string_buffer(128)
        try:
            os.write(context.cmd_fd, struct.pack('=IHHQII', 25, 6, 32, ctypes.addressof(out), handle, 0))
            found.add(handle)
        except OSError:
            pass
    return found


def out_of_order(pd, cq, kind=IBV_QPT_RC):
    """A queue pair in INIT that may place data out of order, as MLX5DV_QP_CREATE_OOO_DP (rdma-core 55) makes it."""
    before = queue_pairs()
    made = QP(pd, QPInitAttr(qp_type=kind, scq=cq, rcq=cq, cap=QPCap(16, 16, 2, 2, 0)))
    handle, = queue_pairs() - before
    to_init_out_of_order(handle)
    return made


def to_init_out_of_order(handle, context=context):
    # ib_uverbs_ex_modify_qp: handle, mask, access flags, partition key, state and port; mlx5_ib_modify_qp: comp_mask.
    mask = IBV_QP_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX | IBV_QP_PORT
    given = struct.pack('=64xII16xIHxxB7xB15x', handle, mask, ALL_RIGHTS, 0, IBV_QPS_INIT, 1)
    command(26, given, 8, struct.pack('=IQI', 1, 0, 0), 16, context)


class Dynamic:
    """A DC initiator, and a target that may place data out of order."""

    def __init__(self):
        self.context = Mlx5Context(Mlx5DVContextAttr(), name=context.name)
        self.pd = PD(self.context)
        self.cq = CQ(self.context, 64)
        self.srq = SRQ(self.pd, SrqInitAttr(SrqAttr(max_wr=16, max_sge=1)))
        self.memory = MR(self.pd, 8192, ALL_RIGHTS)
        self.there = MR(self.pd, 8192, ALL_RIGHTS)
        self.path = AH(self.pd, attr=path(self.context))
        self.target = self.make(MLX5DV_DCTYPE_DCT, srq=self.srq, cap=QPCap(0, 0, 0, 0))
        # A target reports nothing before RTR, but no other object here accepts this.
        equal(sum(map(self.is_out_of_order, range(64))), 1, 'the targets that place data out of order')
        self.target.modify(self.rtr(), IBV_QP_STATE | IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU)
        self.near = self.make(MLX5DV_DCTYPE_DCI, cap=QPCap(16, 0, 1, 0, 64), send_ops_flags=IBV_QP_EX_WITH_RDMA_WRITE,
                              comp_mask=IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)
        self.near.to_rts(attributes(self.context))

    def make(self, kind, comp_mask=IBV_QP_INIT_ATTR_PD, **more):
        return Mlx5QP(self.context,
                      QPInitAttrEx(qp_type=IBV_QPT_DRIVER, pd=self.pd, scq=self.cq, rcq=self.cq, comp_mask=comp_mask, **more),
                      Mlx5DVQPInitAttr(comp_mask=MLX5DV_QP_INIT_ATTR_MASK_DC,
                                       dc_init_attr=Mlx5DVDCInitAttr(dc_type=kind, dct_access_key=KEY)))

    def is_out_of_order(self, handle):
        try:
            to_init_out_of_order(handle, self.context)
        except OSError:
            return False
        return True

    def rtr(self):
        given = attributes(self.context)
        given.qp_state = IBV_QPS_RTR
        return given

    @staticmethod
    def write(ends, region, offset, flags):
        near = ends.near
        near.wr_start()
        near.wr_id = offset
        near.wr_flags = IBV_SEND_SIGNALED | flags
        near.wr_rdma_write(region.rkey, region.buf + offset)
        near.wr_set_sge(SGE(ends.memory.buf, 8, ends.memory.lkey))
        near.wr_set_dc_addr(ends.path, ends.target.qp_num, KEY)
        near.wr_complete()


strict = MR(ends.pd, 8192, ALL_RIGHTS)
equal(late(ends, strict, strict, 0), 0, 'a flag without its data, in memory that keeps its order')
equal(late(ends, relaxed, relaxed, 0, wanted=reorders) > 0, reorders, 'a flag without its data')
equal(late(ends, relaxed, strict, 0, wanted=reorders) > 0, reorders, 'a flag in other memory without its data')
equal(late(ends, relaxed, relaxed, IBV_SEND_FENCE), 0, 'a fenced flag without its data')

# mlx5_ib_query_device_resp: flags, one of which says that there are such queue pairs.
answer = command(1, bytes(8), 304, driver_room=104)[1]
equal(struct.unpack_from('=I', answer, 60)[0] & 1 << 4, 1 << 4, 'the flag of placement out of order')
equal(struct.unpack_from('=I', answer, 4)[0], 104, 'the length of the answer')
placed = Ends(context=context, make=out_of_order)
there = MR(placed.pd, 8192, ALL_RIGHTS)
equal(late(placed, there, there, 0, wanted=reorders) > 0, reorders, 'a flag without its data, placed out of order')
equal(late(placed, there, there, IBV_SEND_FENCE), 0, 'a fenced flag without its data, placed out of order')
dynamic = Dynamic()
equal(late(dynamic, dynamic.there, dynamic.there, 0, Dynamic.write, wanted=reorders) > 0, reorders,
      'a flag without its data, at a target')
equal(late(dynamic, dynamic.there, dynamic.there, IBV_SEND_FENCE, Dynamic.write), 0, 'a fenced flag, at a target')
for each in dynamic.near, dynamic.target, dynamic.srq:
    each.close()
refused(errno.EOPNOTSUPP, 'UC out of order', lambda: out_of_order(placed.pd, placed.cq, IBV_QPT_UC))
ok('ordering', f'{ROUNDS} flags or more polled in each of 8 ways; right with a fence or a completion'
   + (', wrong without' if reorders else ''))
