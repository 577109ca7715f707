/**
 * Queues in memory: what the driver writes and reads at given addresses, without a device.
 *
 * <p>Exported to Bluebell's own modules only: these classes trust the addresses they are given.
 */
@NullMarked
package dev.bluebell.verbs.ring;

import org.jspecify.annotations.NullMarked;
