/**
 * The kernel's interface to clients, byte by byte, from the public headers {@code rdma/*.h} of
 * Linux. Each file has the tables of one kind of object: one class for each structure of a write
 * command or event, named after the headers' {@code ib_uverbs_*} (those of {@code mlx5_ib_*} begin
 * with Mlx5), and one for each method of an ioctl, which ends in Attrs and holds the attributes
 * that the headers call {@code UVERBS_ATTR_*} and {@code MLX5_IB_ATTR_*}.
 */
@NullMarked
package dev.bluebell.hca.uverbs;

import org.jspecify.annotations.NullMarked;
