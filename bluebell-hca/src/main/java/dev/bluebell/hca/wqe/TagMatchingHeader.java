package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Header of messages to a tag-matching queue, 16 bytes. Mirrors {@code infiniband/tm_types.h:
 * ibv_tmh}. In a message without a tag, only the operation counts.
 */
public final class TagMatchingHeader {
  public static final int BYTES = 16;

  /** Offset of the tag, which is a big-endian number. */
  public static final int TAG_OFFSET = 8;

  /** One of the constants here. */
  public static final Field OPCODE = new Field("opcode", 0, 8);

  /** Application context, in addition to the tag. */
  public static final Field APP_CTX = new Field("app_ctx", 32, 32);

  public static final Field TAG = new Field("tag", 64, 64);

  /** opcode: the message has no tag. */
  public static final int NO_TAG = 0;

  /** opcode: the message requests a rendezvous; a {@link RendezvousHeader} follows. */
  public static final int RNDV = 1;

  /**
   * opcode: the receiver has fetched the payload of a rendezvous request; its description follows.
   */
  public static final int FIN = 2;

  /** opcode: the payload follows. */
  public static final int EAGER = 3;

  private TagMatchingHeader() {}
}
