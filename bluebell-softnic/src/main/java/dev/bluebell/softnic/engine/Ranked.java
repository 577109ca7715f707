package dev.bluebell.softnic.engine;

/** A thing in a {@link RankedQueue}; in at most one at a time. */
public abstract class Ranked {
  // The queue's own notes, here so that it needs no table.
  boolean ranked;
  long rank = Long.MAX_VALUE;
  int rankPlace;
}
