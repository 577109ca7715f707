#!/usr/bin/python3
"""Relaxed ordering and placement out of order: on order0, whose memory shows payload out of order where that is
allowed, or on a plain device."""
# device: order0=soft:reorder-memory=500,seed=7
import ctypes
import struct

from common import *
from pyverbs.device import get_device_list

ROUNDS = 40
DATA, FLAG = 0, 4096
reorders = any(device.name.decode() == 'order0' for device in get_device_list())
context = Context(name='order0' if reorders else DEVICE)
ends = Ends(context=context)
relaxed = MR(ends.pd, 8192, ALL_RIGHTS | IBV_ACCESS_RELAXED_ORDERING)


def write(ends, region, offset, flags):
    request = SendWR(wr_id=offset, opcode=IBV_WR_RDMA_WRITE, num_sge=1, sg=[ends.near_part(8)], send_flags=flags)
    request.set_wr_rdma(region.rkey, region.buf + offset)
    ends.near.post_send(request)


def late(ends, data, flag, flags):
    """How often a reader that polls the flag finds it without the data."""
    late = 0
    for number in range(1, ROUNDS + 1):
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


def command(number, given, room, driver=b'', driver_room=0):
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
    # ib_uverbs_ex_modify_qp: handle, mask, access flags, partition key, state and port; mlx5_ib_modify_qp: comp_mask.
    mask = IBV_QP_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX | IBV_QP_PORT
    given = struct.pack('=64xII16xIHxxB7xB15x', handle, mask, ALL_RIGHTS, 0, IBV_QPS_INIT, 1)
    command(26, given, 8, struct.pack('=IQI', 1, 0, 0), 16)
    return made


strict = MR(ends.pd, 8192, ALL_RIGHTS)
equal(late(ends, strict, strict, 0), 0, 'a flag without its data, in memory that keeps its order')
equal(late(ends, relaxed, relaxed, 0) > 0, reorders, 'a flag without its data')
equal(late(ends, relaxed, strict, 0) > 0, reorders, 'a flag in other memory without its data')
equal(late(ends, relaxed, relaxed, IBV_SEND_FENCE), 0, 'a fenced flag without its data')

# mlx5_ib_query_device_resp: flags, of which one says that there are such queue pairs.
answer = command(1, bytes(8), 304, driver_room=104)[1]
equal(struct.unpack_from('=I', answer, 60)[0] & 1 << 4, 1 << 4, 'the flag of placement out of order')
equal(struct.unpack_from('=I', answer, 4)[0], 104, 'the length of the answer')
placed = Ends(context=context, make=out_of_order)
there = MR(placed.pd, 8192, ALL_RIGHTS)
equal(late(placed, there, there, 0) > 0, reorders, 'a flag without its data, placed out of order')
equal(late(placed, there, there, IBV_SEND_FENCE), 0, 'a fenced flag without its data, placed out of order')
refused(errno.EOPNOTSUPP, 'UC out of order', lambda: out_of_order(placed.pd, placed.cq, IBV_QPT_UC))
ok('ordering', f'{ROUNDS} flags polled in each of 6 ways; right with a fence or a completion'
   + (', wrong without' if reorders else ''))
