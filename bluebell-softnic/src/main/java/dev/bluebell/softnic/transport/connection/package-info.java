/** The parts that queue pairs of all services have: identity, state, connection, two halves. */
@NullMarked
package dev.bluebell.softnic.transport.connection;

import org.jspecify.annotations.NullMarked;
