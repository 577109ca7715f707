/**
 * Connections over TCP: a few short messages to connect, after which the open TCP connection shows
 * that the peer is alive.
 */
@NullMarked
package dev.bluebell.connect.tcp;

import org.jspecify.annotations.NullMarked;
