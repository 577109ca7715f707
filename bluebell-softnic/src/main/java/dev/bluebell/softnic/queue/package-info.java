/** The device's side of send, receive and completion queues. */
@NullMarked
package dev.bluebell.softnic.queue;

import org.jspecify.annotations.NullMarked;
