/** Receive queues that several queue pairs share. */
@NullMarked
package dev.bluebell.verbs.receive;

import org.jspecify.annotations.NullMarked;
