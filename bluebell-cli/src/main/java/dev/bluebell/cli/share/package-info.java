/** Sharing a device with other processes: {@code serve} and {@code run}. */
@NullMarked
package dev.bluebell.cli.share;

import org.jspecify.annotations.NullMarked;
