/** A device that lets tests read and change the memory that driver and device share. */
@NullMarked
package dev.bluebell.cli.tap;

import org.jspecify.annotations.NullMarked;
