package dev.bluebell.uverbs.counters;

import dev.bluebell.uverbs.session.Handles;

/**
 * Counters that could be bound to flows. The device has no flow steering, and what is bound to
 * nothing has nothing to read. Mirrors {@code mlx5_ib counters.c}, where making them asks nothing
 * of the device.
 */
record Counters() implements Handles.Held {
  @Override
  public int rank() {
    return 6;
  }

  @Override
  public void destroy(boolean alive) {}
}
