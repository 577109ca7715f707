/** Checks and text forms of the values of the public API. */
@NullMarked
package dev.bluebell.verbs.value;

import org.jspecify.annotations.NullMarked;
