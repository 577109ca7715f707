/** Where messages land, and how a request is refused. */
@NullMarked
package dev.bluebell.softnic.transport.receive;

import org.jspecify.annotations.NullMarked;
