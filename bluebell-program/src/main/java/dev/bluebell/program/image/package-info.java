/**
 * The image of a NIC program in memory: queues with the bytes of their entries, completion queues,
 * registered memory, and entry points for messages. It is independent of the compiler, so readers
 * of an image judge only its bytes.
 */
@NullMarked
package dev.bluebell.program.image;

import org.jspecify.annotations.NullMarked;
