/** Checks and text forms of the values that the public API has. */
@NullMarked
package dev.bluebell.verbs.value;

import org.jspecify.annotations.NullMarked;
