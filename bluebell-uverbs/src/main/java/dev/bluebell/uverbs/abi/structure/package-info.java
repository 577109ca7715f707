/**
 * The structures of write commands and events, and what libmlx5 adds to them. One class a
 * structure, named after the public headers' {@code ib_uverbs_*}; those of {@code mlx5_ib_*} begin
 * with Mlx5.
 */
@NullMarked
package dev.bluebell.uverbs.abi.structure;

import org.jspecify.annotations.NullMarked;
