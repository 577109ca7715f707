/**
 * The device of a device process for Java: {@link dev.bluebell.hca.Hca} over a local socket, both
 * its ends. Control goes through messages, data through shared memory.
 */
@NullMarked
package dev.bluebell.server.remote;

import org.jspecify.annotations.NullMarked;
