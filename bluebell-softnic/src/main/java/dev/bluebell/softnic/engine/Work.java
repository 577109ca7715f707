package dev.bluebell.softnic.engine;

import org.jspecify.annotations.Nullable;

/**
 * A schedulable unit, which gets turns while it is active or has a deadline: a queue pair, a fabric
 * with packets on their way. Owned by the thread that runs the engine. Work that waits for
 * something is on no list of the engine, and costs nothing.
 */
public abstract class Work extends Ranked {
  // The client whose turns it has; null for the device's own work.
  @Nullable Client client;

  // The engine's own notes, here so that it needs no table.
  boolean active;
  int place;

  /** Assigns this work to a client, before it is active or has a deadline. */
  protected final void belongTo(Client owner) {
    client = owner;
  }

  /** The client whose turns it has; null for the device's own work. */
  public final @Nullable Client owner() {
    return client;
  }

  /** True while it gets no turn because a page of its client's memory is awaited. */
  public final boolean isFrozen() {
    return client != null && client.frozen > 0;
  }

  /**
   * Does what one turn allows: nothing if there are only deadlines.
   *
   * @return how much was done; 0 when it waits for something: it gets no turn until it is activated
   *     again
   */
  protected int turn() {
    return 0;
  }

  /**
   * Called when a turn of this work is suspended because it waits for a page.
   *
   * @return true when this work may have other turns meanwhile, which share nothing with the
   *     suspended one
   */
  protected boolean leave() {
    return false;
  }

  /**
   * Earliest time at which {@link #onTimer} has something to do, in nanoseconds of the device's
   * clock; {@link Long#MAX_VALUE} for never. If it becomes earlier, call {@link
   * Scheduler#schedule}.
   */
  protected long deadline() {
    return Long.MAX_VALUE;
  }

  /** Handles deadlines that have come. */
  protected void onTimer() {}

  /** Reads the memory of its client that its turns can't do without. */
  protected void touch() {}

  /** Abandons this work if such memory is gone. */
  public final void examine() {
    Guard.examine(this);
  }

  /**
   * Ends this work because the device failed at it.
   *
   * @param why one sentence
   */
  protected abstract void abandon(String why);
}
