/** Delivery of messages to memory and receive queues, and refusal of requests. */
@NullMarked
package dev.bluebell.softnic.transport.receive;

import org.jspecify.annotations.NullMarked;
