package dev.bluebell.softnic.engine;

import org.jspecify.annotations.Nullable;

/**
 * Whatever is active or has a deadline, and therefore gets turns: a queue pair, a fabric with
 * packets on their way. Owned by the thread that runs the engine. Work that waits for something is
 * on no list of the engine's and costs nothing.
 */
public abstract class Work {
  // Whose turns it has; null for the device's own.
  @Nullable Client client;

  // The engine's own notes, here so that it needs no table.
  boolean active;
  boolean timed;
  long timerAt = Long.MAX_VALUE;
  int timerPlace;
  int place;

  /** Makes this work of a client, before it is active or has a deadline. */
  protected final void belongTo(Client owner) {
    client = owner;
  }

  /** Whose turns it has; null for the device's own. */
  public final @Nullable Client owner() {
    return client;
  }

  /** True while it has no turn because its client waits for a page of its own memory. */
  public final boolean isFrozen() {
    return client != null && client.frozen > 0;
  }

  /**
   * Does what one turn allows.
   *
   * @return how much was done; 0 when it waits for something, and gets no turn until it is
   *     activated again
   */
  protected abstract int turn();

  /**
   * Earliest time at which {@link #onTimer} has something to do, in nanoseconds of the device's
   * clock; {@link Long#MAX_VALUE} for never. A deadline that comes earlier than before is announced
   * by {@link Scheduler#schedule}.
   */
  protected long deadline() {
    return Long.MAX_VALUE;
  }

  /** Lets deadlines that have come take effect. */
  protected void onTimer() {}

  /**
   * Is never given a turn again as it was: the device failed at it.
   *
   * @param why one sentence
   */
  protected abstract void abandon(String why);
}
