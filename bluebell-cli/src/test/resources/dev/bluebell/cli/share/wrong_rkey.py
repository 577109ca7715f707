# Two queue pairs of one program: a WRITE that succeeds, then two, of which the first has a wrong rkey.
import sys

from pyverbs.addr import AHAttr, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context
from pyverbs.enums import *
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, SendWR

context = Context(name='mlx5_0')
domain = PD(context)
completions = CQ(context, 16)
memory = MR(domain, 4096, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE)
pairs = [QP(domain, QPInitAttr(qp_type=IBV_QPT_RC, scq=completions, rcq=completions, cap=QPCap(8, 8, 1, 1)), None)
         for _ in range(2)]
for near, far in (pairs, pairs[::-1]):
    route = GlobalRoute(dgid=context.query_gid(1, 3), sgid_index=3)
    attributes = QPAttr(port_num=1, path_mtu=IBV_MTU_1024)
    attributes.qp_access_flags = IBV_ACCESS_REMOTE_WRITE
    attributes.dest_qp_num = far.qp_num
    attributes.max_rd_atomic = attributes.max_dest_rd_atomic = 1
    attributes.timeout = 14
    attributes.retry_cnt = attributes.rnr_retry = 7
    attributes.ah_attr = AHAttr(gr=route, is_global=1, port_num=1)
    near.to_rts(attributes)


def write(rkey):
    request = SendWR(opcode=IBV_WR_RDMA_WRITE, num_sge=1, sg=[SGE(memory.buf, 8, memory.lkey)],
                     send_flags=IBV_SEND_SIGNALED)
    request.set_wr_rdma(rkey, memory.buf + 100)
    pairs[0].post_send(request)


def status():
    while True:
        count, done = completions.poll()
        if count:
            return done[0].status


write(memory.rkey)
if status() != IBV_WC_SUCCESS:
    sys.exit(2)
write(memory.rkey + 1)
write(memory.rkey)
sys.exit(7 if (status(), status()) == (IBV_WC_REM_ACCESS_ERR, IBV_WC_WR_FLUSH_ERR) else 3)
