/** Measures the device in perftest's dialect. */
@NullMarked
package dev.bluebell.cli.perf;

import org.jspecify.annotations.NullMarked;
