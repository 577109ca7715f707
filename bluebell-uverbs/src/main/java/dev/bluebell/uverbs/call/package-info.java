/**
 * A call of a client: how it arrives from the shim, its arguments in the client's memory, and its
 * refusal.
 */
@NullMarked
package dev.bluebell.uverbs.call;

import org.jspecify.annotations.NullMarked;
