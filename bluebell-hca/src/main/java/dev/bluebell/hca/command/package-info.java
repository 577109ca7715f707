/**
 * PRM commands, which control a ConnectX. Each file has the tables of one kind of object: one class
 * for each structure, named after the public headers' {@code mlx5_ifc_*_bits}, with its fields as
 * constants; {@link dev.bluebell.hca.structure.View} reads and writes them.
 */
@NullMarked
package dev.bluebell.hca.command;

import org.jspecify.annotations.NullMarked;
