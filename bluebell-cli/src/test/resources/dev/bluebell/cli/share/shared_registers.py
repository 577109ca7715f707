"""Many queue pairs, of which libmlx5 lets several share a doorbell register: one's doorbell replaces another's."""
from pyverbs.addr import AHAttr, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context
from pyverbs.enums import *
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, SendWR

PAIRS = 64
context = Context(name='mlx5_0')
domain = PD(context)
completions = CQ(context, PAIRS)
memory = MR(domain, 4096, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE)
pairs = [QP(domain, QPInitAttr(qp_type=IBV_QPT_RC, scq=completions, rcq=completions, cap=QPCap(8, 8, 1, 1)), None)
         for _ in range(PAIRS)]
for near in pairs:
    attributes = QPAttr(port_num=1, path_mtu=IBV_MTU_1024)
    attributes.qp_access_flags = IBV_ACCESS_REMOTE_WRITE
    attributes.dest_qp_num = near.qp_num
    attributes.max_rd_atomic = attributes.max_dest_rd_atomic = 1
    attributes.timeout = 14
    attributes.retry_cnt = attributes.rnr_retry = 7
    attributes.ah_attr = AHAttr(gr=GlobalRoute(dgid=context.query_gid(1, 3), sgid_index=3), is_global=1, port_num=1)
    near.to_rts(attributes)
request = SendWR(opcode=IBV_WR_RDMA_WRITE, num_sge=1, sg=[SGE(memory.buf, 8, memory.lkey)],
                 send_flags=IBV_SEND_SIGNALED)
request.set_wr_rdma(memory.rkey, memory.buf + 100)
for pair in pairs:
    pair.post_send(request)
arrived = 0
while arrived < PAIRS:
    count, done = completions.poll(PAIRS)
    assert all(completion.status == IBV_WC_SUCCESS for completion in done or [])
    arrived += count
