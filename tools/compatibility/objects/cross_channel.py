#!/usr/bin/python3
"""Cross-channel queue pairs by DevX, which libmlx5 has no flags for: WAIT, SEND_EN, and a request that others rewrite."""
import ctypes
import socket
import struct

from common import *
from pyverbs.dma_util import mmio_write64_as_be, udma_to_dev_barrier
from pyverbs.providers.mlx5.mlx5_enums import (_MLX5DV_UAR_ALLOC_TYPE_NC, MLX5DV_CONTEXT_FLAGS_DEVX, MLX5DV_OBJ_PD)
from pyverbs.providers.mlx5.mlx5dv import Mlx5Context, Mlx5DevxObj, Mlx5DVContextAttr, Mlx5UAR, Mlx5UMEM
from pyverbs.providers.mlx5.mlx5dv_objects import Mlx5DvObj

QUERY_HCA_CAP, CREATE_CQ, CREATE_QP = 0x100, 0x400, 0x500
RST2INIT, INIT2RTR, RTR2RTS = 0x502, 0x503, 0x504
NOP, WRITE, WAIT, COMPARE_AND_SWAP, SEND_EN = 0x00, 0x08, 0x0f, 0x11, 0x17
LOCAL_QP_OPERATION_ERROR = 0x02
REQUEST, REQUEST_ERROR, NOBODYS = 0, 0xd, 0xf
SILENT, SIGNALED, FENCED = 0x00, 0x08, 0x40
PAGE, WQEBB, ENTRIES = 4096, 64, 64

# Bits of the context of a queue pair.
CONTEXT, PATH = 0xc0, 0xc0 + 0xc0
SLAVE_SEND, MASTER = 0x49e, 0x49f


def command(opcode, fields, size=272, operand=0):
    """A command: fields of so many bits at a bit, and their values."""
    number = opcode << 8 * size - 16 | operand << 8 * size - 64
    for bit, width, value in fields:
        true(value < 1 << width, f'{value} fits {width} bits')
        number |= value << 8 * size - bit - width
    return number.to_bytes(size, 'big')


def number_of(made):
    return struct.unpack_from('>I', bytes(made.out_view), 8)[0]


class Side:
    """A context with a domain, memory, and a page for doorbell records."""

    def __init__(self):
        self.context = Mlx5Context(Mlx5DVContextAttr(MLX5DV_CONTEXT_FLAGS_DEVX), name=DEVICE)
        self.domain = PD(self.context)
        self.pdn = Mlx5DvObj(MLX5DV_OBJ_PD, pd=self.domain).dvpd.pdn
        self.uar = Mlx5UAR(self.context, _MLX5DV_UAR_ALLOC_TYPE_NC)
        self.memory = MR(self.domain, PAGE, ALL_RIGHTS)


class Completions:
    """A completion queue that ignores overrun, and is read from memory."""

    def __init__(self, side):
        self.umem = Mlx5UMEM(side.context, size=2 * PAGE, alignment=PAGE, access=IBV_ACCESS_LOCAL_WRITE)
        self.ring = self.umem.umem_addr
        for entry in range(ENTRIES):
            ctypes.c_uint8.from_address(self.ring + 64 * entry + 63).value = NOBODYS << 4 | 1
        context = 0x80
        self.object = Mlx5DevxObj(side.context, command(CREATE_CQ, (
            (context + 0x06, 1, 1), (context + 0x0e, 1, 1), (context + 0x20, 32, self.umem.umem_id),
            (context + 0x63, 5, ENTRIES.bit_length() - 1), (context + 0x68, 24, side.uar.page_id),
            (context + 0xb8, 8, side.context.devx_query_eqn(0)), (context + 0x1c0, 64, PAGE),
            (0x2c0, 32, self.umem.umem_id), (0x2e0, 1, 1))), 16)
        self.number = number_of(self.object)
        self.seen = 0

    def next(self):
        """Opcode, index and syndrome of the next completion; none when there is none."""
        entry = ctypes.string_at(self.ring + 64 * (self.seen % ENTRIES), 64)
        if entry[63] >> 4 == NOBODYS or entry[63] & 1 != self.seen // ENTRIES & 1:
            return None
        self.seen += 1
        return entry[63] >> 4, struct.unpack_from('>H', entry, 60)[0], entry[55]

    def expect(self, index, opcode=REQUEST, syndrome=0):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            seen = self.next()
            if seen is not None:
                break
            true(time.monotonic() < deadline, f'a completion of the request at {index} arrives')
        equal((seen[0], seen[1], seen[2] if opcode == REQUEST_ERROR else 0), (opcode, index, syndrome), 'a completion')

    def close(self):
        self.object.close()
        self.umem.close()


class Queue:
    """A queue pair that is connected with itself, so that its requests work on this device's memory."""

    def __init__(self, side, completions, roles):
        self.side, self.completions = side, completions
        self.umem = Mlx5UMEM(side.context, size=2 * PAGE, alignment=PAGE, access=IBV_ACCESS_LOCAL_WRITE)
        self.ring = self.umem.umem_addr
        self.record = self.ring + PAGE
        self.index = 0
        fields = [(0x13, 2, 3), (0x28, 24, side.pdn), (0x43, 5, 30), (0x51, 4, 6), (0x5b, 1, 1),
                  (0x68, 24, side.uar.page_id), (0x3e8, 24, completions.number), (0x4e8, 24, completions.number),
                  (0x500, 64, PAGE), (0x565, 3, 3), (0x683, 1, 1), (0x720, 32, self.umem.umem_id)]
        fields += [(role, 1, 1) for role in roles]
        self.object = Mlx5DevxObj(side.context, command(CREATE_QP, [
            *((CONTEXT + bit, width, value) for bit, width, value in fields),
            (0x840, 32, self.umem.umem_id), (0x860, 1, 1)]), 16)
        self.number = number_of(self.object)
        self.connect()

    def modify(self, opcode, fields):
        self.object.modify(command(opcode, [(0x48, 24, self.number), *((CONTEXT + bit, width, value)
                                                                       for bit, width, value in fields)]), 16)

    def connect(self):
        path = PATH - CONTEXT
        gid = int.from_bytes(socket.inet_pton(socket.AF_INET6, self.side.context.query_gid(1, 1).gid), 'big')
        # A link-local address has the MAC inside.
        mac = (gid >> 40 & 0xffffff ^ 0x020000) << 24 | gid & 0xffffff
        self.modify(RST2INIT, ((0x13, 2, 3), (0x48c, 4, 1), (0x490, 3, 7), (path + 0x128, 8, 1)))
        self.modify(INIT2RTR, (
            (0x40, 3, 3), (0x43, 5, 30), (0xa8, 24, self.number), (0x488, 3, 4), (0x48c, 4, 1), (0x490, 3, 7),
            (0x4a3, 5, 1), (path + 0x128, 8, 1), (path + 0x48, 8, 1), (path + 0x58, 8, 64),
            (path + 0x80, 128, gid), (path + 0x110, 16, 0xc000), (path + 0x130, 48, mac)))
        self.modify(RTR2RTS, ((path + 0x40, 5, 14), (0x388, 3, 4), (0x38d, 3, 7), (0x390, 3, 7)))

    def post(self, opcode, *segments, flags=SIGNALED):
        """Writes a request, and rings for nothing; its index."""
        body = b''.join(segments)
        at = self.index
        control = struct.pack('>IIII', at << 8 | opcode, self.number << 8 | 1 + len(body) // 16, flags, 0)
        ctypes.memmove(self.ring + WQEBB * (at % 64), control + body, 16 + len(body))
        self.last = control
        self.index += -(-(16 + len(body)) // WQEBB)
        return at

    def ring_doorbell(self):
        udma_to_dev_barrier()
        ctypes.c_uint32.from_address(self.record + 4).value = socket.htonl(self.index & 0xffff)
        udma_to_dev_barrier()
        mmio_write64_as_be(self.side.uar.reg_addr, int.from_bytes(self.last[:8], 'big'))

    def write(self, value, offset, opcode=WRITE):
        """Writes 8 inline bytes into the side's memory."""
        memory = self.side.memory
        return self.post(opcode, struct.pack('>QII', memory.buf + offset, memory.rkey, 0),
                         struct.pack('>I8sI', 1 << 31 | 8, value, 0))

    def wait(self, completions, index):
        return self.post(WAIT, struct.pack('>QII', 0, index & 0xffffff, completions.number), flags=SILENT)

    def enable(self, queue, index, flags=SILENT):
        return self.post(SEND_EN, struct.pack('>QII', 0, index & 0xffff, queue.number), flags=flags)

    def swap(self, region, offset, compare, swap):
        """Compares and swaps 8 bytes, given as they lie in memory."""
        word = [int.from_bytes(value, 'little') for value in (swap, compare)]
        scratch = self.side.memory
        return self.post(COMPARE_AND_SWAP, struct.pack('>QII', region.buf + offset, region.rkey, 0),
                         struct.pack('>QQ', *word), struct.pack('>IIQ', 8, scratch.lkey, scratch.buf + PAGE - 8))

    def close(self):
        self.object.close()
        self.umem.close()
        self.completions.close()


side = Side()
capabilities = side.context.devx_general_cmd(command(QUERY_HCA_CAP, (), 16, 1), 16 + 4096)
true(capabilities[16 + 0x22c // 8] >> 7 - 0x22c % 8 & 1, 'the device has cross-channel queue pairs')
master_completions, managed_completions = Completions(side), Completions(side)
master = Queue(side, master_completions, [MASTER])
managed = Queue(side, managed_completions, [MASTER, SLAVE_SEND])


def there(offset):
    return side.memory.read(8, offset)


# A managed queue executes what it is enabled for.
managed.write(b'enabled!', 0)
managed.write(b'not yet!', 8)
fence = master.post(NOP)
master.ring_doorbell()
master_completions.expect(fence)
equal((there(0), managed_completions.next()), (bytes(8), None), 'a managed queue that nothing enabled')
enabled = master.enable(managed, 1, SIGNALED)
master.ring_doorbell()
master_completions.expect(enabled)
managed_completions.expect(0)
equal((there(0), there(8)), (b'enabled!', bytes(8)), 'the first request, and not the second')

# A WAIT holds the master until the second completion is there, which another queue enables.
other = Queue(side, Completions(side), [MASTER])
master.wait(managed_completions, 1)
behind = master.write(b'waited!!', 16)
master.ring_doorbell()
time.sleep(0.05)
equal((there(16), master_completions.next()), (bytes(8), None), 'a request behind a WAIT')
other.enable(managed, 2)
other.ring_doorbell()
managed_completions.expect(1)
master_completions.expect(behind)
equal((there(8), there(16)), (b'not yet!', b'waited!!'), 'both requests')

# Its own doorbell enables a managed queue as a SEND_EN does.
rung = managed.write(b'by bell!', 40)
managed.ring_doorbell()
managed_completions.expect(rung)
equal(there(40), b'by bell!', 'a managed queue that was rung')

# A condition: a swap turns the NOP of a managed queue into a WRITE, or leaves it, and then it is enabled.
requests = MR(side.domain, PAGE, ALL_RIGHTS, address=managed.ring)
for condition, expected in ((b'armed', b'executed'), (b'other', bytes(8))):
    offset = 24 if condition == b'armed' else 32
    at = managed.write(b'executed', offset, NOP)
    idle = bytes(managed.last[:8])
    armed = idle[:3] + bytes([WRITE]) + idle[4:]
    place = WQEBB * (at % 64)
    swapped = master.swap(requests, place, idle if condition == b'armed' else armed, armed)
    master.wait(master_completions, master_completions.seen)
    master.enable(managed, managed.index)
    master.ring_doorbell()
    master_completions.expect(swapped)
    managed_completions.expect(at)
    equal(there(offset), expected, f'memory behind a condition ({condition.decode()})')

# Which queue pair may enable which queue.
stranger = Side()
strange = Queue(stranger, Completions(stranger), [MASTER, SLAVE_SEND])
strange.write(b'mine!!!!', 0)
plain = Queue(side, Completions(side), [])
for name, target, opcode in (('a queue of another program', strange, SEND_EN), ('a queue that is not managed', plain, SEND_EN)):
    refusing = Queue(side, Completions(side), [MASTER])
    at = refusing.enable(target, 1)
    refusing.ring_doorbell()
    refusing.completions.expect(at, REQUEST_ERROR, LOCAL_QP_OPERATION_ERROR)
    refusals.append(name)
    refusing.close()
at = plain.enable(managed, 100)
plain.ring_doorbell()
plain.completions.expect(at, REQUEST_ERROR, LOCAL_QP_OPERATION_ERROR)
refusals.append('an enable by a queue that is no master')
equal(stranger.memory.read(8, 0), bytes(8), 'the memory of the other program')

requests.close()
for queue in (plain, strange, other, managed, master):
    queue.close()
ok('cross_channel', 'SEND_EN, WAIT, a condition on a request that a swap rewrites')
