/** The flight record of a device as a Perfetto trace, as JSON lines and as a picture. */
@NullMarked
package dev.bluebell.cli.trace;

import org.jspecify.annotations.NullMarked;
