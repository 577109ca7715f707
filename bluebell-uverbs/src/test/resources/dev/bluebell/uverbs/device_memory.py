"""A program that uses device memory through libmlx5: each kind of request reaches it, and its mapping shows so."""
import sys

try:
    import pyverbs.device as d
    import pyverbs.enums as e
    from pyverbs.addr import AHAttr, GlobalRoute
    from pyverbs.cq import CQ
    from pyverbs.mr import DMMR, MR
    from pyverbs.pd import PD
    from pyverbs.pyverbs_error import PyverbsRDMAError
    from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
    from pyverbs.wr import RecvWR, SendWR, SGE
except ImportError:
    sys.exit(77)

ACCESS = (e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE | e.IBV_ACCESS_REMOTE_READ
          | e.IBV_ACCESS_REMOTE_ATOMIC)

context = d.Context(name='mlx5_0')
most = context.query_device_ex().max_dm_size
domain = PD(context)
completions = CQ(context, 64)


def connect(qp, peer):
    attributes = QPAttr(port_num=1)
    attributes.qp_access_flags = ACCESS
    qp.to_init(attributes)
    attributes.dest_qp_num = peer.qp_num
    attributes.path_mtu = e.IBV_MTU_1024
    attributes.max_rd_atomic = attributes.max_dest_rd_atomic = 1
    route = GlobalRoute(dgid=context.query_gid(1, 0), sgid_index=0)
    attributes.ah_attr = AHAttr(gr=route, is_global=1, port_num=1)
    qp.to_rts(attributes)


def complete():
    while True:
        count, entries = completions.poll()
        if count:
            return entries[0].status


def request(opcode, local, remote=0, rkey=0, operands=None):
    work = SendWR(opcode=opcode, num_sge=1, sg=[local], send_flags=e.IBV_SEND_SIGNALED)
    if operands:
        work.set_wr_atomic(rkey, remote, *operands)
    elif opcode != e.IBV_WR_SEND:
        work.set_wr_rdma(rkey, remote)
    left.post_send(work)
    return complete()


capacity = QPCap(max_send_wr=8, max_recv_wr=8, max_send_sge=1, max_recv_sge=1)
left, right = (QP(domain, QPInitAttr(qp_type=e.IBV_QPT_RC, scq=completions, rcq=completions, cap=capacity))
               for _ in range(2))
connect(left, right)
connect(right, left)

host = MR(domain, 8192, ACCESS)
neighbour = d.DM(context, d.AllocDmAttr(length=4))
memory = d.DM(context, d.AllocDmAttr(length=8192))
region = DMMR(domain, 8000, ACCESS | e.IBV_ACCESS_ZERO_BASED, memory, 64)


def local(offset, length):
    return SGE(host.buf + offset, length, host.lkey)


host.write(b'x' * 5000, 5000)
assert request(e.IBV_WR_RDMA_WRITE, local(0, 5000), 4, region.rkey) == e.IBV_WC_SUCCESS
assert memory.copy_from_dm(64, 5004) == bytes(4) + b'x' * 5000

memory.copy_to_dm(64, b'abcdefgh', 8)
assert request(e.IBV_WR_RDMA_READ, local(0, 8), 0, region.rkey) == e.IBV_WC_SUCCESS
assert host.read(8, 0) == b'abcdefgh'

memory.copy_to_dm(64, (40).to_bytes(8, sys.byteorder), 8)
assert request(e.IBV_WR_ATOMIC_FETCH_AND_ADD, local(0, 8), 0, region.rkey, (2, 0)) == e.IBV_WC_SUCCESS
assert memory.copy_from_dm(64, 8) == (42).to_bytes(8, sys.byteorder)

right.post_recv(RecvWR(num_sge=1, sg=[SGE(1000, 100, region.lkey)]))
memory.copy_to_dm(64, b'from here to', 12)
assert request(e.IBV_WR_SEND, SGE(0, 12, region.lkey)) == e.IBV_WC_SUCCESS
assert complete() == e.IBV_WC_SUCCESS
assert memory.copy_from_dm(1064, 12) == b'from here to'
assert neighbour.copy_from_dm(0, 4) == bytes(4)

assert request(e.IBV_WR_RDMA_WRITE, local(0, 8), 7996, region.rkey) == e.IBV_WC_REM_ACCESS_ERR

try:
    held = [d.DM(context, d.AllocDmAttr(length=most)) for _ in range(1000)]
    sys.exit('device memory has no end')
except PyverbsRDMAError as refusal:
    assert 'Cannot allocate memory' in str(refusal), refusal
