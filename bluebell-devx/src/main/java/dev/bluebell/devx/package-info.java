/**
 * A ConnectX that the kernel drives ({@code mlx5_core}, {@code mlx5_ib}), used through its device
 * file {@code /dev/infiniband/uverbsN} alone: the ioctls of uverbs and DevX, and mappings of UAR
 * pages. No rdma-core and no native library of Bluebell take part.
 */
@NullMarked
package dev.bluebell.devx;

import org.jspecify.annotations.NullMarked;
