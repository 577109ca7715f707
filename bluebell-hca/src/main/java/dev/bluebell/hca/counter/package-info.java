/** Counters of a port, by the names that people know them by. */
@NullMarked
package dev.bluebell.hca.counter;

import org.jspecify.annotations.NullMarked;
