/**
 * The kernel's side of uverbs: answers the calls that libibverbs and libmlx5 make of a device file
 * as the kernel's ib_uverbs and mlx5_ib do, with PRM commands to any {@link dev.bluebell.hca.Hca}.
 * Names and layouts mirror the kernel's headers {@code rdma/ib_user_verbs.h}, {@code
 * rdma/ib_user_ioctl_cmds.h} and {@code rdma/mlx5-abi.h}.
 */
@NullMarked
package dev.bluebell.uverbs;

import org.jspecify.annotations.NullMarked;
