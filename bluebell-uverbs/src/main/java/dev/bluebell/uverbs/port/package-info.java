/** The counters of a port, as the kernel names them. */
@NullMarked
package dev.bluebell.uverbs.port;

import org.jspecify.annotations.NullMarked;
