package dev.bluebell.uverbs.pd;

import dev.bluebell.uverbs.session.Handles;

/**
 * An address handle. On RoCE, libmlx5 only needs the destination's Ethernet address from it, and
 * writes the rest of each address vector itself. Mirrors {@code mlx5_ib ah.c: mlx5_ib_create_ah}.
 */
record Ah(Pd pd) implements Handles.Held {
  @Override
  public int rank() {
    return 1;
  }

  @Override
  public void destroy(boolean alive) {}
}
