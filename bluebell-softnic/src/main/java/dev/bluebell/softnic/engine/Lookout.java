package dev.bluebell.softnic.engine;

/**
 * A wait for a change of memory that software does not announce. While it is watched, the device
 * looks at the memory again and again. Owned by the thread that runs the engine.
 */
public abstract class Lookout {
  private static final int NOWHERE = -1;

  private final Lookouts.Share share;

  // The share's own note, so that removing it needs no search.
  int place = NOWHERE;

  /**
   * @param client whose share of the looks it gets
   */
  protected Lookout(Lookouts all, Client client) {
    share = all.of(client);
  }

  /** Looks at the memory; returns how much was found. */
  protected abstract int look();

  public final boolean isWatched() {
    return place != NOWHERE;
  }

  public final void watch() {
    if (!isWatched()) {
      share.add(this);
    }
  }

  public final void unwatch() {
    if (isWatched()) {
      share.remove(this);
      place = NOWHERE;
    }
  }
}
