package dev.bluebell.hca.wqe;

import dev.bluebell.hca.structure.Field;

/**
 * Head of an entry of a receive queue with signatures, 16 bytes. Mirrors {@code qp.c:
 * mlx5_rwqe_sig}.
 */
public final class ReceiveSignatureSegment {
  public static final int BYTES = 16;

  public static final Field SIGNATURE = new Field("signature", 32, 8);

  private ReceiveSignatureSegment() {}
}
