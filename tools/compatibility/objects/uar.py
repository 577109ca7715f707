#!/usr/bin/python3
"""UAR pages of a program's own, as mlx5dv allocates them."""
from common import *
from pyverbs.providers.mlx5.mlx5_enums import _MLX5DV_UAR_ALLOC_TYPE_BF, _MLX5DV_UAR_ALLOC_TYPE_NC, MLX5DV_CONTEXT_FLAGS_DEVX
from pyverbs.providers.mlx5.mlx5dv import Mlx5Context, Mlx5DVContextAttr, Mlx5UAR

context = Mlx5Context(Mlx5DVContextAttr(MLX5DV_CONTEXT_FLAGS_DEVX), name=DEVICE)
pages = [Mlx5UAR(context, kind) for kind in (_MLX5DV_UAR_ALLOC_TYPE_BF, _MLX5DV_UAR_ALLOC_TYPE_NC)]
equal(len({page.page_id for page in pages}), 2, 'different pages')
for page in pages:
    true(page.base_addr % 4096 == 0 and page.base_addr <= page.reg_addr < page.base_addr + 4096,
         f'the register lies in the page: {page}')
with open('/proc/self/maps') as maps:
    mapped = {line.split('-')[0]: line.split()[1] for line in maps}
for page in pages:
    true('w' in mapped.get(f'{page.base_addr:x}', ''), f'the page is mapped, for writing: {page}')
    page.close()
ok('uar', 'BlueFlame and not cached')
