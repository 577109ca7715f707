/**
 * Measurements of the driver's queues on plain memory, with JMH; {@code docs/performance.md}
 * describes how to run them.
 */
@NullMarked
package dev.bluebell.benchmarks;

import org.jspecify.annotations.NullMarked;
