/**
 * The device process, and the few things of POSIX that it is made of: local sockets that carry file
 * descriptors, shared memory, the memory of other processes.
 */
@NullMarked
package dev.bluebell.server;

import org.jspecify.annotations.NullMarked;
