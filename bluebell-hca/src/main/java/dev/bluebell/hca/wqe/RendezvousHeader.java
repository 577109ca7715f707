package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * The location of a rendezvous payload at its sender: the 16 bytes behind the {@link
 * TagMatchingHeader}. Mirrors {@code infiniband/tm_types.h: ibv_rvh}.
 */
public final class RendezvousHeader {
  public static final int BYTES = 16;

  /** Offset of {@link #RKEY} and {@link #LENGTH}, which share a word. */
  public static final int KEY_OFFSET = 8;

  public static final Field ADDRESS = new Field("va", 0, 64);
  public static final Field RKEY = new Field("rkey", 64, 32);

  /** Bytes, unsigned. */
  public static final Field LENGTH = new Field("len", 96, 32);

  private RendezvousHeader() {}
}
