#!/usr/bin/python3
"""Protection domains, and parent domains with an allocator of their own."""

from common import *
from pyverbs.mem_alloc import free, posix_memalign
from pyverbs.pd import ParentDomain, ParentDomainContext, ParentDomainInitAttr

context = Context(name=DEVICE)
domains = [PD(context) for _ in range(100)]
equal(len({domain.handle for domain in domains}), 100, 'different handles')
for domain in domains:
    domain.close()

domain = PD(context)
taken, given = [], []


def allocate(_domain, _context, size, alignment, _kind):
    taken.append(posix_memalign(size, max(alignment, 8)))
    return taken[-1]


def release(_domain, _context, address, _kind):
    given.append(address)
    free(address)


own = ParentDomainContext(domain, allocate, release)
parent = ParentDomain(context, ParentDomainInitAttr(domain, own))
cq = CQ(context, 16)
pair = QP(parent, QPInitAttr(qp_type=IBV_QPT_RC, scq=cq, rcq=cq, cap=QPCap(4, 4, 1, 1)))
true(len(taken) > 0, 'a queue pair of the parent domain lies in memory of its allocator')
pair.close()
equal(sorted(given), sorted(taken), 'what the allocator got back')
parent.close()
ok('pd', f'100 domains; a parent domain allocated {len(taken)} buffers')
