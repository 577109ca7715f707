/** The vocabulary of the wire: packets and the fields of their headers. */
@NullMarked
package dev.bluebell.softnic.packet;

import org.jspecify.annotations.NullMarked;
