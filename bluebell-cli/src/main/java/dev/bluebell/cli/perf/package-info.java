/** Measurements of the device, with perftest's options and output. */
@NullMarked
package dev.bluebell.cli.perf;

import org.jspecify.annotations.NullMarked;
