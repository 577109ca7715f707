/**
 * A message queue with credits that survives the loss of either side, and the same queue over TCP.
 */
@NullMarked
package dev.bluebell.examples.queue;

import org.jspecify.annotations.NullMarked;
