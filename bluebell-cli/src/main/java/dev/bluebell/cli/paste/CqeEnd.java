package dev.bluebell.cli.paste;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.Syndrome;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The last 16 bytes of the completion of a failed request, which hold all that matters: syndrome,
 * vendor code, opcode, queue pair and counter. People quote them alone, and lose the rows before.
 */
public final class CqeEnd {
  /** Size of the end. */
  static final int BYTES = 16;

  /** Bits of the last byte that are 0 in a completion of a failed request. */
  private static final int FORMAT = 0x0c;

  private CqeEnd() {}

  /** True if bytes end as the completion of a failed request does. */
  static boolean isAtEndOf(byte[] bytes) {
    if (bytes.length < BYTES) {
      return false;
    }
    ByteBuffer end = ByteBuffer.wrap(bytes, bytes.length - BYTES, BYTES).slice();
    long error = end.getLong(0);
    long last = end.getLong(Long.BYTES);
    int opcode = Cqe.opcode(last);
    return error >>> 32 == 0
        && (opcode == CqeOpcode.REQ_ERR || opcode == CqeOpcode.RESP_ERR)
        && (last & FORMAT) == 0
        && Cqe.qpn(last) != 0
        && !Syndrome.name(Cqe.syndrome(error)).startsWith("0x");
  }

  /**
   * The whole completion that an end of it belongs to, with zeros for the missing bytes; empty when
   * the bytes are no such end, or nothing is missing.
   */
  public static Optional<byte[]> completed(byte[] bytes) {
    if (bytes.length >= Cqe.BYTES || !isAtEndOf(bytes)) {
      return Optional.empty();
    }
    byte[] whole = new byte[Cqe.BYTES];
    System.arraycopy(bytes, 0, whole, whole.length - bytes.length, bytes.length);
    return Optional.of(whole);
  }

  /** True if bytes are whole completions of failed requests. */
  static boolean isAtEachEndOf(byte[] bytes) {
    for (int at = 0; at < bytes.length; at += Cqe.BYTES) {
      if (bytes.length < at + Cqe.BYTES
          || !isAtEndOf(Arrays.copyOfRange(bytes, at, at + Cqe.BYTES))) {
        return false;
      }
    }
    return true;
  }
}
