/**
 * Measurements of the damage that clients of a shared device can do to each other and to the
 * device.
 */
@NullMarked
package dev.bluebell.lab.storm;

import org.jspecify.annotations.NullMarked;
