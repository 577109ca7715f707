/**
 * PRM commands, which control a ConnectX. Each file has the tables of one kind of object: one class
 * for each structure whose fields code reads or writes, named after the public headers' {@code
 * mlx5_ifc_*_bits}, with these fields as constants; {@link dev.bluebell.hca.structure.View} reads
 * and writes them. {@link CommandFormat} has the other structures.
 */
@NullMarked
package dev.bluebell.hca.command;

import org.jspecify.annotations.NullMarked;
