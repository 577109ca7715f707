/**
 * Connections over TCP: a few short messages to connect, and the TCP connection as sign of life.
 */
@NullMarked
package dev.bluebell.connect.tcp;

import org.jspecify.annotations.NullMarked;
