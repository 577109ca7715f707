/** Requester and responder of reliable connections, in the wire's vocabulary. */
@NullMarked
package dev.bluebell.softnic.transport.reliable;

import org.jspecify.annotations.NullMarked;
