/** Dynamic connections: initiators, their streams, and targets with their sessions. */
@NullMarked
package dev.bluebell.softnic.transport.dynamic;

import org.jspecify.annotations.NullMarked;
