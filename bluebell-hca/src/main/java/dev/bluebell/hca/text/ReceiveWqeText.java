package dev.bluebell.hca.text;

import dev.bluebell.hca.wqe.DataSegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Receive work queue entries as text, see {@link Block} for the form.
 *
 * <p>One {@code data} line for each pointer; {@code end} is the terminator of a list that is
 * shorter than the entry, and {@code rest} is what follows it. An entry of an SRQ starts with a
 * {@code next} line, an entry with a signature with a {@code sig} line. Any bytes can be
 * disassembled and assembled again without loss.
 */
public final class ReceiveWqeText {
  private ReceiveWqeText() {}

  /** Describes an entry of a receive queue; any bytes are accepted. */
  public static String disassemble(byte[] wqe) {
    return block(wqe, new ArrayList<>(), 0).toString();
  }

  /** Describes an entry of a shared receive queue; any bytes are accepted. */
  public static String disassembleShared(byte[] wqe) {
    return headed(Segments.NEXT, wqe);
  }

  /** Describes an entry of a receive queue with signatures; any bytes are accepted. */
  public static String disassembleSigned(byte[] wqe) {
    return headed(Segments.SIGNATURE, wqe);
  }

  /**
   * The bytes that a text describes, {@code rest} included.
   *
   * @throws IllegalArgumentException when the text is invalid; the message names the line and what
   *     was expected there
   */
  public static byte[] assemble(String text) {
    return EntryAssembler.assemble(Block.parse(text).expectKind("recv"));
  }

  private static String headed(Layout head, byte[] wqe) {
    List<Line> lines = new ArrayList<>();
    int at = 0;
    if (wqe.length >= head.bytes()) {
      lines.add(Line.ofItems(head.keyword(), head.read(wqe, 0)));
      at = head.bytes();
    }
    return block(wqe, lines, at).toString();
  }

  private static Block block(byte[] wqe, List<Line> lines, int start) {
    int at = start;
    while (at + DataSegment.BYTES <= wqe.length) {
      if (isEnd(wqe, at)) {
        lines.add(Line.ofItems("end", List.of()));
        lines.addAll(HexLines.lines("rest", wqe, at + DataSegment.BYTES, wqe.length));
        return Block.of("recv", lines);
      }
      lines.add(Line.ofItems("data", Segments.DATA.read(wqe, at)));
      at += DataSegment.BYTES;
    }
    lines.addAll(HexLines.lines("raw", wqe, at, wqe.length));
    return Block.of("recv", lines);
  }

  private static boolean isEnd(byte[] wqe, int at) {
    return DataSegment.LKEY.get(wqe, at) == DataSegment.INVALID_LKEY
        && HexLines.isZero(wqe, at, at + DataSegment.LKEY.bit() / 8)
        && DataSegment.ADDRESS.get(wqe, at) == 0;
  }
}
