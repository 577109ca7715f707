/**
 * Programs to read first, which use only the public API: a key-value store and a message queue,
 * each over RDMA and over TCP, and the programs of the cookbook.
 */
@NullMarked
package dev.bluebell.examples;

import org.jspecify.annotations.NullMarked;
