/**
 * Both ends of {@link dev.bluebell.hca.Hca} over a local socket, by which Java clients use the
 * device of a device process. Control goes through messages, data through shared memory.
 */
@NullMarked
package dev.bluebell.server.remote;

import org.jspecify.annotations.NullMarked;
