"""Moves a queue pair to ERR while a receive is posted, as applications do to disconnect: no failure."""
from pyverbs.cq import CQ
from pyverbs.device import Context
from pyverbs.enums import *
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, RecvWR

context = Context(name='mlx5_0')
pd = PD(context)
cq = CQ(context, 4)
mr = MR(pd, 64, IBV_ACCESS_LOCAL_WRITE)
qp = QP(pd, QPInitAttr(qp_type=IBV_QPT_RC, scq=cq, rcq=cq, cap=QPCap()), QPAttr(port_num=1))
qp.to_init(QPAttr(port_num=1))
qp.post_recv(RecvWR(num_sge=1, sg=[SGE(mr.buf, 64, mr.lkey)]))
qp.modify(QPAttr(qp_state=IBV_QPS_ERR), IBV_QP_STATE)
found, completions = cq.poll(1)
while not found:
    found, completions = cq.poll(1)
assert completions[0].status == IBV_WC_WR_FLUSH_ERR
