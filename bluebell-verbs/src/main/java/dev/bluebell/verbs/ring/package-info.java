/**
 * Queues in memory. They read and write at given addresses, and are independent of a device.
 *
 * <p>Exported to Bluebell's own modules only: these classes trust the addresses they are given.
 */
@NullMarked
package dev.bluebell.verbs.ring;

import org.jspecify.annotations.NullMarked;
