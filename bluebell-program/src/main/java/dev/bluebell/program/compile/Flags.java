package dev.bluebell.program.compile;

import dev.bluebell.program.plan.Span;

/** The answers to a condition: bytes that have one value when it holds and another when not. */
interface Flags {
  /** A byte of memory with these values; the same one for the same values. */
  Span flag(int whenTrue, int whenFalse);
}
