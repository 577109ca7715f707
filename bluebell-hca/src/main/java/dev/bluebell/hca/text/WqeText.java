package dev.bluebell.hca.text;

import dev.bluebell.hca.wqe.ServiceType;

/**
 * Send work queue entries as text, see {@link Block} for the form.
 *
 * <p>One line for each segment, named after its structure: {@code ctrl}, {@code raddr}, {@code
 * data}, {@code inline} with lines of {@code bytes}, {@code atomic}, {@code umr} …; {@code raw} is
 * a part of the entry without a layout, {@code rest} are the bytes behind the {@code ds} units of
 * the entry. Names are those of {@code mlx5dv.h} and {@code wqe.h}. Bits that no field names appear
 * as {@code +OFFSET=DWORD}, so any bytes can be disassembled and assembled again without loss.
 *
 * <p>Handwritten text may omit fields: they become 0, but {@code ds} and an inline length are
 * computed. Segments may come in any order.
 */
public final class WqeText {
  private WqeText() {}

  /** Describes an entry of a queue without addressing (RC); any bytes are accepted. */
  public static String disassemble(byte[] wqe) {
    return disassemble(wqe, ServiceType.RC);
  }

  /** Describes an entry of a queue of the given type; any bytes are accepted. */
  public static String disassemble(byte[] wqe, ServiceType type) {
    return WqeDisassembler.block(wqe, type).toString();
  }

  /**
   * The bytes that a text describes, {@code rest} included.
   *
   * @throws IllegalArgumentException when the text is invalid; the message names the line and what
   *     was expected there
   */
  public static byte[] assemble(String text) {
    return EntryAssembler.assemble(Block.parse(text).expectKind("wqe"));
  }
}
