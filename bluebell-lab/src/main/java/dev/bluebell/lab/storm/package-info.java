/** What clients that share a device can do to each other, and to the device, measured. */
@NullMarked
package dev.bluebell.lab.storm;

import org.jspecify.annotations.NullMarked;
