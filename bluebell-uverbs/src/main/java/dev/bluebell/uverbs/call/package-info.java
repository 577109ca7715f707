/**
 * A call of a program: how it arrives from the shim, its arguments in the program's memory, and its
 * refusal.
 */
@NullMarked
package dev.bluebell.uverbs.call;

import org.jspecify.annotations.NullMarked;
