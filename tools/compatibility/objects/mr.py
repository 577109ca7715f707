#!/usr/bin/python3
"""Memory regions: registration, queries, re-registration, on demand, advice, and what is refused."""
import ctypes
import errno
import mmap

from common import *
from pyverbs.enums import (_IBV_ADVISE_MR_ADVICE_PREFETCH, _IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE,
                           _IBV_ADVISE_MR_FLAG_FLUSH)

ends = Ends()
domain, context = ends.pd, ends.context


def write(region, offset=0, length=8, rkey=None):
    """An RDMA WRITE into a region; its status. Takes the queue pairs back to work afterwards."""
    request = SendWR(wr_id=1, opcode=IBV_WR_RDMA_WRITE, num_sge=1, sg=[ends.near_part(length)],
                     send_flags=IBV_SEND_SIGNALED)
    request.set_wr_rdma(region.rkey if rkey is None else rkey, region.buf + offset)
    ends.near.post_send(request)
    status = completions(ends.cq, 1)[0].status
    if status != IBV_WC_SUCCESS:
        for pair, peer in ((ends.near, ends.far), (ends.far, ends.near)):
            pair.modify(QPAttr(qp_state=IBV_QPS_RESET), IBV_QP_STATE)
        for pair, peer in ((ends.near, ends.far), (ends.far, ends.near)):
            pair.to_rts(attributes(context, peer.qp_num))
    return status


ends.memory.write(b'bluebell', 8)
region = MR(domain, 10_000, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE)
equal(write(region), IBV_WC_SUCCESS, 'a write')
equal(region.read(8, 0), b'bluebell', 'the memory after it')
equal(write(region, 9_992), IBV_WC_SUCCESS, 'a write to the last bytes')
equal(write(region, 9_993), IBV_WC_REM_ACCESS_ERR, 'a write beyond the last byte')
equal(write(region, rkey=region.rkey ^ 1), IBV_WC_REM_ACCESS_ERR, 'a write with another tag')
reads = MR(domain, 4096, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ)
equal(write(reads), IBV_WC_REM_ACCESS_ERR, 'a write without the right')
foreign = MR(PD(context), 4096, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE)
equal(write(foreign), IBV_WC_REM_ACCESS_ERR, 'a write into another domain')
old = region.rkey
region.close()
equal(write(ends.memory, rkey=old), IBV_WC_REM_ACCESS_ERR, 'a write after the region was closed')

# Re-registration: of the rights, the domain and the memory, with the keys kept.
reads.rereg(IBV_REREG_MR_CHANGE_ACCESS, domain, access=IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE)
equal(write(reads), IBV_WC_SUCCESS, 'a write after the right was given')
foreign.rereg(IBV_REREG_MR_CHANGE_PD, domain)
equal(write(foreign), IBV_WC_SUCCESS, 'a write after the domain was changed')
other = mmap.mmap(-1, 3 * mmap.PAGESIZE)
page = (ctypes.c_char * mmap.PAGESIZE).from_buffer(other)
foreign.rereg(IBV_REREG_MR_CHANGE_TRANSLATION, domain, ctypes.addressof(page), mmap.PAGESIZE)
equal(write(foreign), IBV_WC_SUCCESS, 'a write after the memory was changed')
equal(other[:8], b'bluebell', 'the other memory after it')
equal(foreign.length, mmap.PAGESIZE, 'the length of the other memory')
refused(errno.EINVAL, 're-registration of nothing', lambda: foreign.rereg(0, domain))
refused(errno.EINVAL, 're-registration with remote but no local write',
        lambda: foreign.rereg(IBV_REREG_MR_CHANGE_ACCESS, domain, access=IBV_ACCESS_REMOTE_WRITE))
equal(write(foreign), IBV_WC_SUCCESS, 'a write after what was refused')

# On demand: memory may come and go, and advice is taken for such regions only.
late = MR(domain, mmap.PAGESIZE, ALL_RIGHTS | IBV_ACCESS_ON_DEMAND, address=ctypes.addressof(page) + mmap.PAGESIZE)
equal(write(late), IBV_WC_SUCCESS, 'a write to memory on demand')
part = [SGE(late.buf, 64, late.lkey)]
for advice in (_IBV_ADVISE_MR_ADVICE_PREFETCH, _IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE):
    domain.advise_mr(advice, _IBV_ADVISE_MR_FLAG_FLUSH, part)
refused(errno.EINVAL, 'advice for a region that is not on demand',
        lambda: domain.advise_mr(_IBV_ADVISE_MR_ADVICE_PREFETCH, 0, [ends.near_part()]))
refused(errno.ENOENT, 'advice for a key of nothing',
        lambda: domain.advise_mr(_IBV_ADVISE_MR_ADVICE_PREFETCH, 0, [SGE(late.buf, 64, late.lkey + 0x100000)]))
refused(errno.EFAULT, 'advice beyond the region', lambda: domain.advise_mr(
    _IBV_ADVISE_MR_ADVICE_PREFETCH, _IBV_ADVISE_MR_FLAG_FLUSH, [SGE(late.buf, 2 * mmap.PAGESIZE, late.lkey)]))
refused(errno.EOPNOTSUPP, 'advice of an unknown kind', lambda: domain.advise_mr(7, 0, part))

everything = MR(domain, 0, ALL_RIGHTS | IBV_ACCESS_ON_DEMAND, implicit=True)
target = ctypes.addressof(page) + 100
equal(write(everything, target), IBV_WC_SUCCESS, 'a write to all memory, on demand')
equal(other[100:108], b'bluebell', 'the memory after it')
equal(write(everything, 4096), IBV_WC_REM_ACCESS_ERR, 'a write to memory that does not exist')

# What may not be registered.
for rights in (IBV_ACCESS_REMOTE_WRITE, IBV_ACCESS_REMOTE_ATOMIC):
    refused(errno.EINVAL, f'rights {rights} without local write', lambda: MR(domain, 4096, rights))
refused(errno.EINVAL, 'rights that do not exist', lambda: MR(domain, 4096, 1 << 15))
refused(errno.EFAULT, 'memory that does not exist', lambda: MR(domain, 4096, 1, address=4096))
refused(errno.EINVAL, 'all memory, not on demand', lambda: MR(domain, 0, IBV_ACCESS_LOCAL_WRITE, implicit=True))
read_only = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ)
mapped = [line.split('-')[0] for line in open('/proc/self/maps') if ' r--s ' in line and '/dev/zero' in line]
refused(errno.EFAULT, 'local write of memory that is read-only', lambda: MR(
    domain, mmap.PAGESIZE, IBV_ACCESS_LOCAL_WRITE, address=int(mapped[0], 16)))
for one in (late, foreign, everything):
    one.close()
ok('mr', 'registered, re-registered, on demand, advised')
