/**
 * Requests that go from ring to completion without packets, between two queue pairs of a device.
 */
@NullMarked
package dev.bluebell.softnic.transport.local;

import org.jspecify.annotations.NullMarked;
