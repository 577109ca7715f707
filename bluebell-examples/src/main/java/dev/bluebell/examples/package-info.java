/**
 * Programs to read first, on the public interfaces alone: a key-value store and a message queue,
 * each over RDMA and over TCP, and the programs of the cookbook.
 */
@NullMarked
package dev.bluebell.examples;

import org.jspecify.annotations.NullMarked;
