/** A message queue with credits that goes on after either side was lost, and the same over TCP. */
@NullMarked
package dev.bluebell.examples.queue;

import org.jspecify.annotations.NullMarked;
