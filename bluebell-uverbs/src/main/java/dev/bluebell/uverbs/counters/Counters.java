package dev.bluebell.uverbs.counters;

import dev.bluebell.uverbs.session.Handles;

/**
 * Counters that are bound to no flow, because the device has no flow steering. There is nothing to
 * read in them. Mirrors {@code mlx5_ib counters.c}, which makes them without the device.
 */
record Counters() implements Handles.Held {
  @Override
  public int rank() {
    return 6;
  }

  @Override
  public void destroy(boolean alive) {}
}
