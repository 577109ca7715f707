/**
 * A NIC program as it lies in memory: queues with the bytes of their entries, completion queues,
 * registered memory, and where a client's message enters. Nothing here knows how the bytes came
 * about, so that what reads an image judges the bytes alone.
 */
@NullMarked
package dev.bluebell.program.image;

import org.jspecify.annotations.NullMarked;
