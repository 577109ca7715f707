/** Packets and capture files as text and JSON. */
@NullMarked
package dev.bluebell.cli.wire;

import org.jspecify.annotations.NullMarked;
