/** Packets and capture files, for people. */
@NullMarked
package dev.bluebell.cli.wire;

import org.jspecify.annotations.NullMarked;
