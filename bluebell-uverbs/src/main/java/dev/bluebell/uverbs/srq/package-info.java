/** Shared receive queues. */
@NullMarked
package dev.bluebell.uverbs.srq;

import org.jspecify.annotations.NullMarked;
