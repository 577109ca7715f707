/**
 * PRM commands: the one control language of a ConnectX. A file has the tables of one kind of
 * object, and in it one class a structure, named after the public headers' {@code mlx5_ifc_*_bits},
 * holding its fields as constants; {@link dev.bluebell.hca.structure.View} reads and writes them.
 */
@NullMarked
package dev.bluebell.hca.command;

import org.jspecify.annotations.NullMarked;
