/** Information about devices and about the machine. */
@NullMarked
package dev.bluebell.cli.device;

import org.jspecify.annotations.NullMarked;
