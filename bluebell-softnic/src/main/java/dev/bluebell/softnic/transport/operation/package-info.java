/** Work requests of a send queue, and what executes each kind of them on this device. */
@NullMarked
package dev.bluebell.softnic.transport.operation;

import org.jspecify.annotations.NullMarked;
