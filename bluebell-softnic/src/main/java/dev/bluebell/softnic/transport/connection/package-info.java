/** What every queue pair has, whatever its service: identity, state, connection, two halves. */
@NullMarked
package dev.bluebell.softnic.transport.connection;

import org.jspecify.annotations.NullMarked;
