/** Dynamically connected transport: initiators, their streams, and targets. */
@NullMarked
package dev.bluebell.verbs.dynamic;

import org.jspecify.annotations.NullMarked;
