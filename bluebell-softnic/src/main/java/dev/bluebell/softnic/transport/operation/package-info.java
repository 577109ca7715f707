/** Work requests of a send queue, and the local operations that execute them on this device. */
@NullMarked
package dev.bluebell.softnic.transport.operation;

import org.jspecify.annotations.NullMarked;
