/** Requesters and responders of unreliable connections and of datagrams. */
@NullMarked
package dev.bluebell.softnic.transport.unreliable;

import org.jspecify.annotations.NullMarked;
