/**
 * A ConnectX that the kernel drives ({@code mlx5_core}, {@code mlx5_ib}), used only through its
 * device file {@code /dev/infiniband/uverbsN}: the ioctls of uverbs and DevX, and mappings of UAR
 * pages. Needs neither rdma-core nor a native library of Bluebell.
 */
@NullMarked
package dev.bluebell.devx;

import org.jspecify.annotations.NullMarked;
