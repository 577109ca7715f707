/**
 * A key-value store whose clients read and change the memory of its server by themselves, and the
 * same over TCP.
 */
@NullMarked
package dev.bluebell.examples.keyvalue;

import org.jspecify.annotations.NullMarked;
