package dev.bluebell.verbs;

import dev.bluebell.hca.command.CqCommands.Cqc;
import java.util.Locale;

/**
 * Contents of compressed completions of received messages, in addition to the length. Mirrors
 * {@code mlx5dv.h: mlx5dv_cqe_comp_res_format}. Completions of send requests are the same in all
 * formats, and messages of queue pairs have neither hash nor checksum, so the formats differ only
 * for strides.
 */
public enum MiniCqeFormat {
  /** A hash of the packet. */
  HASH(Cqc.MINI_CQE_HASH),

  /** A checksum of the packet. */
  CSUM(Cqc.MINI_CQE_CSUM),

  /**
   * A checksum and the index of the stride: the only format in which completions of a {@link
   * StridingReceiveQueue} can be compressed. Not every device with compression supports it.
   */
  CSUM_STRIDX(Cqc.MINI_CQE_CSUM_STRIDX);

  private final int code;

  MiniCqeFormat(int code) {
    this.code = code;
  }

  /** Value of mini_cqe_res_format. */
  public int code() {
    return code;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
