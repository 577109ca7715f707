/**
 * A program as instructions with symbolic operands: the entries of each queue, their order, and
 * what delays them. {@link dev.bluebell.program.plan.Scheduler} turns a compiler's output into a
 * plan; a plan becomes bytes when its queues and memory have numbers and addresses.
 */
@NullMarked
package dev.bluebell.program.plan;

import org.jspecify.annotations.NullMarked;
