/** Counters of a device, as they change. */
@NullMarked
package dev.bluebell.cli.stat;

import org.jspecify.annotations.NullMarked;
