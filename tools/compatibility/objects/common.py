"""What the scripts share: the device, pairs of connected queue pairs, and expectations that name what they saw."""
import errno
import faulthandler
import os
import time

from pyverbs.addr import AHAttr, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context
from pyverbs.enums import *
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.pyverbs_error import PyverbsError
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, RecvWR, SendWR

DEVICE = 'mlx5_0'
ALL_RIGHTS = (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ
              | IBV_ACCESS_REMOTE_ATOMIC)
QKEY = 0x1234
PATIENCE_SECONDS = 60
HANG_SECONDS = 150
refusals = []


def limit_time():
    """Lets this process end, and say where it was, when it hangs: also in a call of libibverbs, and with Python's lock held."""
    faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)


limit_time()


def fork():
    """As os.fork; both have the limit of time, whose thread must not be there meanwhile."""
    faulthandler.cancel_dump_traceback_later()
    child = os.fork()
    limit_time()
    return child


def equal(seen, expected, what):
    if seen != expected:
        raise AssertionError(f'{what}: expected {expected!r}, saw {seen!r}')


def true(condition, what):
    if not condition:
        raise AssertionError(what)


def refused(number, what, call):
    """Expects that a call fails, and with which error number."""
    try:
        call()
    except (PyverbsError, OSError) as error:
        seen = error.errno if isinstance(error, OSError) else abs(getattr(error, 'error_code', 0))
        equal(errno.errorcode.get(seen, seen), errno.errorcode[number], f'the error of {what} ({error})')
        refusals.append(what)
    else:
        raise AssertionError(f'{what} was not refused')


def ok(name, seen):
    print(f'ok {name}: {seen}' + (f'; refusals: {len(refusals)}' if refusals else ''))


def path(context, grh=3):
    """The way to the device itself, where all queue pairs of these scripts are: IPv4 over RoCE v2, or a LID."""
    port = context.query_port(1)
    if port.link_layer == IBV_LINK_LAYER_INFINIBAND:
        return AHAttr(dlid=port.lid, port_num=1)
    return AHAttr(gr=GlobalRoute(dgid=context.query_gid(1, 3), sgid_index=grh), is_global=1, port_num=1)


def attributes(context, peer=0, rights=ALL_RIGHTS):
    """What all transitions of a queue pair take together; each takes what is its own."""
    given = QPAttr(port_num=1, path_mtu=IBV_MTU_1024)
    given.qp_access_flags = rights
    given.dest_qp_num = peer
    given.max_rd_atomic = given.max_dest_rd_atomic = 4
    given.timeout = 14
    given.retry_cnt = given.rnr_retry = 7
    given.min_rnr_timer = 1
    given.qkey = QKEY
    given.ah_attr = path(context)
    return given


def event_file(context):
    """The descriptor of a context's asynchronous events, of which pyverbs says nothing: libibverbs opens it next."""
    return next(number for number in range(context.cmd_fd + 1, 256)
                if os.path.exists(f'/proc/self/fd/{number}')
                and os.readlink(f'/proc/self/fd/{number}').startswith('socket:'))


class Ends:
    """Two connected queue pairs with one completion queue, and memory that both reach."""

    def __init__(self, kind=IBV_QPT_RC, context=None, cq=None, srq=None, rights=ALL_RIGHTS, make=None,
                 signal_all=True, connect=True):
        self.context = context or Context(name=DEVICE)
        self.pd = PD(self.context)
        self.cq = cq or CQ(self.context, 64)
        self.memory = MR(self.pd, 8192, ALL_RIGHTS)
        capabilities = QPCap(16, 0 if srq else 16, 2, 0 if srq else 2, 64)
        if make is None:
            self.near, self.far = (
                QP(self.pd, QPInitAttr(qp_type=kind, scq=self.cq, rcq=self.cq, srq=srq, cap=capabilities,
                                        sq_sig_all=int(signal_all)))
                for _ in range(2))
        else:
            self.near, self.far = make(self.pd, self.cq), make(self.pd, self.cq)
        if connect:
            for one, other in ((self.near, self.far), (self.far, self.near)):
                one.to_rts(attributes(self.context, other.qp_num, rights))

    def near_part(self, length=64):
        return SGE(self.memory.buf, length, self.memory.lkey)

    def far_part(self, length=64):
        return SGE(self.memory.buf + 4096, length, self.memory.lkey)

    def send(self, opcode=IBV_WR_SEND, rkey=None, length=64, flags=IBV_SEND_SIGNALED, number=1):
        request = SendWR(wr_id=number, opcode=opcode, num_sge=1, sg=[self.near_part(length)], send_flags=flags)
        if opcode not in (IBV_WR_SEND, IBV_WR_SEND_WITH_IMM):
            request.set_wr_rdma(self.memory.rkey if rkey is None else rkey, self.memory.buf + 4096)
        self.near.post_send(request)

    def receive(self, length=64, number=2):
        self.far.post_recv(RecvWR(wr_id=number, num_sge=1, sg=[self.far_part(length)]))


def completions(cq, count):
    """So many completions, in the order of their arrival."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    done = []
    while len(done) < count:
        done += cq.poll(count - len(done))[1]
        true(time.monotonic() < deadline, f'{count} completions arrive, saw {len(done)}')
    return done


def statuses(cq, count):
    return {one.wr_id: one.status for one in completions(cq, count)}
