/** {@code bluebell program}: programs that run on the NIC. */
@NullMarked
package dev.bluebell.cli.program;

import org.jspecify.annotations.NullMarked;
