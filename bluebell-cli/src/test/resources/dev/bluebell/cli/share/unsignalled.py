# Waits in vain for a request that is not signalled, and gives up without destroying anything.
import os
import time

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
pair = QP(domain, QPInitAttr(qp_type=IBV_QPT_RC, scq=completions, rcq=completions, cap=QPCap(8, 8, 1, 1), sq_sig_all=0), None)
attributes = QPAttr(port_num=1, path_mtu=IBV_MTU_1024)
attributes.qp_access_flags = IBV_ACCESS_REMOTE_WRITE
attributes.dest_qp_num = pair.qp_num
attributes.max_rd_atomic = attributes.max_dest_rd_atomic = 1
attributes.timeout = 14
attributes.retry_cnt = attributes.rnr_retry = 7
attributes.ah_attr = AHAttr(gr=GlobalRoute(dgid=context.query_gid(1, 3), sgid_index=3), is_global=1, port_num=1)
pair.to_rts(attributes)
memory.write('x' * 8, 8)
request = SendWR(opcode=IBV_WR_RDMA_WRITE, num_sge=1, sg=[SGE(memory.buf, 8, memory.lkey)], send_flags=0)
request.set_wr_rdma(memory.rkey, memory.buf + 100)
pair.post_send(request)
while memory.read(8, 100) != b'x' * 8:
    time.sleep(0.01)
os._exit(3)
