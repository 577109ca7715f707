/** Completion queues. */
@NullMarked
package dev.bluebell.uverbs.cq;

import org.jspecify.annotations.NullMarked;
