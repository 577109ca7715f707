/** Requester and responder of reliable connections, in the terms of the wire protocol. */
@NullMarked
package dev.bluebell.softnic.transport.reliable;

import org.jspecify.annotations.NullMarked;
