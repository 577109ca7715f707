/** Metrics for an OpenTelemetry collector. */
@NullMarked
package dev.bluebell.examples.metrics;

import org.jspecify.annotations.NullMarked;
