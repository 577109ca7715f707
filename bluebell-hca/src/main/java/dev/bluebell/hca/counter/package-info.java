/** Counters of a port, under their names in sysfs. */
@NullMarked
package dev.bluebell.hca.counter;

import org.jspecify.annotations.NullMarked;
