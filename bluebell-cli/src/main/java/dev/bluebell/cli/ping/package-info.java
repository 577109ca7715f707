/** {@code bluebell ping}: checks which devices of a network answer. */
@NullMarked
package dev.bluebell.cli.ping;

import org.jspecify.annotations.NullMarked;
