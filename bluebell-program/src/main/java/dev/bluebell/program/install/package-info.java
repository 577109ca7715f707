/** Installs programs on a device, through the driver. */
@NullMarked
package dev.bluebell.program.install;

import org.jspecify.annotations.NullMarked;
