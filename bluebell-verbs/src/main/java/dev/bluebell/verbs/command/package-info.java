/** Commands as functions from values to bytes, and the values that they take. */
@NullMarked
package dev.bluebell.verbs.command;

import org.jspecify.annotations.NullMarked;
