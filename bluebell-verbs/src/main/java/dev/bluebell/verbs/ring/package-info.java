/**
 * Queues in memory. They write and read at given addresses, and know no device.
 *
 * <p>Exported to Bluebell's own modules only: these classes trust the addresses they are given.
 */
@NullMarked
package dev.bluebell.verbs.ring;

import org.jspecify.annotations.NullMarked;
