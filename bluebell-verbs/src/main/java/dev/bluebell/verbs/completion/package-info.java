/** Completion queues, their channels and lanes. */
@NullMarked
package dev.bluebell.verbs.completion;

import org.jspecify.annotations.NullMarked;
