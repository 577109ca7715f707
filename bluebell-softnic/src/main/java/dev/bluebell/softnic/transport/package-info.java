/** Queue pairs, and the endpoint that dispatches packets to them. */
@NullMarked
package dev.bluebell.softnic.transport;

import org.jspecify.annotations.NullMarked;
