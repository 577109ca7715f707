/** Commands as functions from values to bytes, and the values that they are made of. */
@NullMarked
package dev.bluebell.verbs.command;

import org.jspecify.annotations.NullMarked;
