/**
 * A key-value store whose clients read and change the server's memory directly, and the same store
 * over TCP.
 */
@NullMarked
package dev.bluebell.examples.keyvalue;

import org.jspecify.annotations.NullMarked;
