/** Send, receive and completion queues as the device sees them, and the doorbells. */
@NullMarked
package dev.bluebell.softnic.queue;

import org.jspecify.annotations.NullMarked;
