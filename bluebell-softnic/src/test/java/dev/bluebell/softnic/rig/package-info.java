/** Shared fixtures for tests of the device: a stepped device, and raw objects on it. */
@NullMarked
package dev.bluebell.softnic.rig;

import org.jspecify.annotations.NullMarked;
