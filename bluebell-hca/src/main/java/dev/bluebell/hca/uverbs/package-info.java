/**
 * The kernel's interface to clients, byte by byte: what the public headers {@code rdma/*.h} of Linux
 * say. Structures are of write commands and events, and what libmlx5 adds to them: one class a
 * structure, named after the headers' {@code ib_uverbs_*}; those of {@code mlx5_ib_*} begin with
 * Mlx5. Methods are what ioctls call: one class a method, which ends in Attrs and holds the
 * attributes that the headers call {@code UVERBS_ATTR_*} and {@code MLX5_IB_ATTR_*}.
 */
@NullMarked
package dev.bluebell.hca.uverbs;

import org.jspecify.annotations.NullMarked;
