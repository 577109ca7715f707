"""Arms a completion queue again before its event is read, as UCX and Open MPI do now and then: no failure."""
from pyverbs.cq import CQ, CompChannel
from pyverbs.device import Context
from pyverbs.enums import *
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, RecvWR

context = Context(name='mlx5_0')
pd = PD(context)
mr = MR(pd, 64, IBV_ACCESS_LOCAL_WRITE)
early, late = [(channel, CQ(context, 4, channel=channel)) for channel in (CompChannel(context), CompChannel(context))]
for channel, cq in early, late:
    cq.req_notify()
    qp = QP(pd, QPInitAttr(qp_type=IBV_QPT_RC, scq=cq, rcq=cq, cap=QPCap()), QPAttr(port_num=1))
    qp.to_init(QPAttr(port_num=1))
    qp.post_recv(RecvWR(num_sge=1, sg=[SGE(mr.buf, 64, mr.lkey)]))
    qp.modify(QPAttr(qp_state=IBV_QPS_ERR), IBV_QP_STATE)
# The device raises events in order, so the first queue's event is there, but it is not read.
late[0].get_cq_event(late[1])
late[1].ack_events(1)
early[1].req_notify()
early[0].get_cq_event(early[1])
early[1].ack_events(1)
