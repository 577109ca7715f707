/**
 * A program as instructions with symbolic operands: which queue has which entries, in what order,
 * held back by what. {@link dev.bluebell.program.plan.Scheduler} makes a plan of what a compiler
 * emits; a plan becomes bytes when its queues and memory have numbers and addresses.
 */
@NullMarked
package dev.bluebell.program.plan;

import org.jspecify.annotations.NullMarked;
