/**
 * PRM commands: the one control language of a ConnectX. One class a structure, named after the
 * public headers' {@code mlx5_ifc_*_bits}, holding its fields as constants; {@link
 * dev.bluebell.hca.structure.View} reads and writes them.
 */
@NullMarked
package dev.bluebell.hca.command;

import dev.bluebell.hca.structure.View;
import org.jspecify.annotations.NullMarked;
