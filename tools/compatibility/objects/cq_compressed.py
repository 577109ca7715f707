#!/usr/bin/python3
"""Compressed completion queues, in the basic layout that the kernel gives: read by hand, as libmlx5 reads none."""
import ctypes
import struct

import library
from common import *
from pyverbs.cq import CqInitAttrEx
from pyverbs.providers.mlx5.mlx5_enums import *
from pyverbs.providers.mlx5.mlx5dv import Mlx5Context, Mlx5CQ, Mlx5DVContextAttr, Mlx5DVCQInitAttr

FORMATS = (MLX5DV_CQE_RES_FORMAT_HASH, MLX5DV_CQE_RES_FORMAT_CSUM, MLX5DV_CQE_RES_FORMAT_CSUM_STRIDX)
REQUEST, RECEIVE, INVALID = 0, 2, 0xf
BATCH, ROUNDS, ENTRIES = 12, 20, 64


class Ring:
    """The entries of a completion queue, and the record in which the device reads what was taken."""

    def __init__(self, cq):
        own = library.layout_of(library.cq_of(cq, ENTRIES))
        self.address, self.entries, self.size, self.record = own.buf, own.cqe_cnt, own.cqe_size, own.dbrec
        self.taken = 0
        self.titles = 0

    def at(self, index):
        return self.address + (index % self.entries + 1) * self.size - 64

    def slot(self, index):
        return ctypes.string_at(self.at(index), 64)

    def take(self):
        """The next completions, as opcode, counter and length."""
        entry = self.slot(self.taken)
        opcode, kind, owner = entry[63] >> 4, entry[63] >> 2 & 3, entry[63] & 1
        if opcode == INVALID or owner != self.taken // self.entries & 1:
            return []
        length, = struct.unpack_from('>I', entry, 44)
        counter, = struct.unpack_from('>H', entry, 60)
        if kind != 3:
            seen = [(opcode, counter, length)]
        else:
            self.titles += 1
            seen = [self.mini(opcode, counter, number) for number in range(length)]
        for index in range(len(seen)):
            ctypes.memset(self.at(self.taken + index) + 63, INVALID << 4, 1)
        self.taken += len(seen)
        ctypes.memmove(self.record, struct.pack('>I', self.taken & 0xffffff), 4)
        return seen

    def mini(self, opcode, counter, number):
        array = self.slot(self.taken + (number // 8 * 8 or 1))
        own, _, length = struct.unpack_from('>HHI', array, number % 8 * 8)
        return opcode, own if opcode == REQUEST else counter + number & 0xffff, length

    def take_all(self, count):
        deadline = time.monotonic() + PATIENCE_SECONDS
        seen = []
        while len(seen) < count:
            seen += self.take()
            true(time.monotonic() < deadline, f'{count} completions arrive, saw {len(seen)}')
        return seen


def chain(ends, opcode, lengths):
    """Requests that one doorbell tells of. pyverbs keeps none of those that follow another."""
    requests = []
    for length in reversed(lengths):
        requests.append(SendWR(opcode=opcode, num_sge=1, sg=[ends.near_part(length)],
                               next_wr=requests[-1] if requests else None))
        if opcode == IBV_WR_RDMA_WRITE:
            requests[-1].set_wr_rdma(ends.memory.rkey, ends.memory.buf + 4096)
    ends.near.post_send(requests[-1])


def make(pd, cq):
    """A queue pair that has room for all requests, as nobody tells libmlx5 that they are done."""
    room = 4 * BATCH * ROUNDS
    return QP(pd, QPInitAttr(qp_type=IBV_QPT_RC, scq=cq, rcq=cq, cap=QPCap(room, room, 1, 1, 0), sq_sig_all=1))


context = Mlx5Context(Mlx5DVContextAttr(), name=DEVICE)
able = context.query_mlx5_device().cqe_comp_caps
equal((able['max_num'], able['supported_format']), (64, 7), 'what the device compresses')

for size in 64, 128:
    for format_ in FORMATS:
        cq = Mlx5CQ(context, CqInitAttrEx(cqe=ENTRIES - 1), Mlx5DVCQInitAttr(
            comp_mask=MLX5DV_CQ_INIT_ATTR_MASK_COMPRESSED_CQE | MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE,
            cqe_comp_res_format=format_, cqe_size=size))
        ends = Ends(context=context, cq=cq, make=make)
        ring = Ring(cq)
        counter = 0
        for turn in range(ROUNDS):
            lengths = [65 + turn + number for number in range(BATCH)]
            chain(ends, IBV_WR_RDMA_WRITE, lengths)
            equal(ring.take_all(BATCH), [(REQUEST, counter + number, 0) for number in range(BATCH)], 'writes')
            for number in range(BATCH):
                ends.receive(length=200)
            chain(ends, IBV_WR_SEND, lengths)
            both = ring.take_all(2 * BATCH)
            equal([one for one in both if one[0] == RECEIVE],
                  [(RECEIVE, turn * BATCH + number, lengths[number]) for number in range(BATCH)], 'receives')
            equal([one[1] for one in both if one[0] == REQUEST],
                  [counter + BATCH + number for number in range(BATCH)], 'sends')
            counter += 2 * BATCH
        true(ring.titles >= ROUNDS, f'{ring.titles} sessions of several completions')

for format_ in 0, 3, 8:
    refused(errno.EINVAL, f'the format {format_}', lambda: Mlx5CQ(context, CqInitAttrEx(), Mlx5DVCQInitAttr(
        comp_mask=MLX5DV_CQ_INIT_ATTR_MASK_COMPRESSED_CQE, cqe_comp_res_format=format_)))
ok('cq_compressed', 'all formats, entries of 64 and 128 bytes, round the ring')
