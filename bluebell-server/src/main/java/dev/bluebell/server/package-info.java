/**
 * The device process and the POSIX functions that it uses: local sockets that carry file
 * descriptors, shared memory, and access to the memory of other processes.
 */
@NullMarked
package dev.bluebell.server;

import org.jspecify.annotations.NullMarked;
