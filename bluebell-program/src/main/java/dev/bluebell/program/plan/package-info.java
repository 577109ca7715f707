/**
 * A program as instructions with symbolic operands: the entries of each queue, their order, and
 * what delays them. {@link dev.bluebell.program.plan.LoopScheduler} and, for many calls, {@link
 * dev.bluebell.program.plan.Recycler} schedule a compiler's output; a plan becomes bytes when its
 * queues and memory have numbers and addresses.
 */
@NullMarked
package dev.bluebell.program.plan;

import org.jspecify.annotations.NullMarked;
