package dev.bluebell.uverbs.counters;

import dev.bluebell.uverbs.session.Handles;

/**
 * A counters object that is bound to no flow, because the device has no flow steering, so it has no
 * values. Mirrors {@code mlx5_ib counters.c}, which creates it without a device command.
 */
record Counters() implements Handles.Held {
  @Override
  public int rank() {
    return 6;
  }

  @Override
  public void destroy(boolean alive) {}
}
