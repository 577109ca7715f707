package dev.bluebell.hca.text;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.text.Line.Item;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Completion queue entries as text, see {@link Block} for the form.
 *
 * <p>One line for each field that is not 0, with the names of {@code mlx5dv.h}; the names of bits
 * depend on the completion's opcode and format. A 128-byte entry has {@code head} lines for its
 * first 64 bytes. Bits that no field names appear as {@code +OFFSET=DWORD}, so any entry can be
 * disassembled and assembled again without loss.
 */
public final class CqeText {
  private static final String HEAD = "head";

  private CqeText() {}

  /**
   * Describes an entry.
   *
   * @throws IllegalArgumentException when it has neither 64 nor 128 bytes
   */
  public static String disassemble(byte[] cqe) {
    int base = base(cqe);
    List<Line> lines = new ArrayList<>(HexLines.lines(HEAD, cqe, 0, base));
    for (Item item : CqeLayouts.of(cqe, base).read(cqe, base)) {
      lines.add(Line.ofItems("", List.of(item)));
    }
    return Block.of("cqe", lines).toString();
  }

  /**
   * The 64 or 128 bytes that a text describes.
   *
   * @throws IllegalArgumentException when the text is invalid; the message names the line and what
   *     was expected there
   */
  public static byte[] assemble(String text) {
    Block block = Block.parse(text).expectKind("cqe");
    FieldWriter fields = new FieldWriter(CqeLayouts.ANY);
    byte[] head = new byte[0];
    for (Line line : block.lines()) {
      if (line.keyword().equals(HEAD)) {
        head = join(line, head, HexLines.parse(line));
      } else if (line.keyword().isEmpty()) {
        line.expectNoWords();
        fields.setAll(line);
      } else {
        throw line.error("expected name=value or 'head', found '%s'", Text.clip(line.keyword()));
      }
    }
    if (head.length != 0 && head.length != Cqe.BYTES) {
      throw block.head().error("the head has 64 bytes, found %d", head.length);
    }
    return join(block.head(), head, fields.bytes());
  }

  private static int base(byte[] cqe) {
    if (cqe.length != Cqe.BYTES && cqe.length != Cqe.BYTES_128) {
      throw new IllegalArgumentException(
          "a completion queue entry has 64 or 128 bytes, not " + cqe.length);
    }
    return cqe.length - Cqe.BYTES;
  }

  private static byte[] join(Line line, byte[] first, byte[] second) {
    if (first.length + second.length > Cqe.BYTES_128) {
      throw line.error("an entry has at most 128 bytes");
    }
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }
}
