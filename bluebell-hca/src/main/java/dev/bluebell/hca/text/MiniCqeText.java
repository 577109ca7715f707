package dev.bluebell.hca.text;

import static dev.bluebell.hca.text.Notation.DECIMAL;
import static dev.bluebell.hca.text.Notation.HEX;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Mini entries of compressed completions as text, see {@link Block} for the form: the array of the
 * basic layout, and the block of the enhanced one, which has a {@code block} line at its end.
 *
 * <p>One line for each mini entry. Only the title shows whether they are a requester's or a
 * responder's; here, an opcode in the requester's field marks them as a requester's. Any bytes can
 * be disassembled and assembled again without loss.
 */
public final class MiniCqeText {
  private static final String KIND = "mini_cqes";
  private static final String REST = "rest";
  private static final String REQUESTER_WORD = "requester";
  private static final String BLOCK_WORD = "block";

  private static final Layout REQUESTER =
      Layout.define(REQUESTER_WORD, MiniCqe.BYTES)
          .always(DECIMAL, MiniCqe.WQE_COUNTER)
          .always(Notation.symbols(WqeOpcode::name, 256), MiniCqe.SEND_OPCODE)
          .always(DECIMAL, MiniCqe.BYTE_CNT)
          .build();
  private static final Layout RESPONDER =
      Layout.define("responder", MiniCqe.BYTES)
          .always(DECIMAL, MiniCqe.BYTE_CNT)
          .ifSet(HEX, MiniCqe.RX_HASH_RESULT, MiniCqe.CHECKSUM)
          .ifSet(DECIMAL, MiniCqe.STRIDX)
          .build();
  private static final Layout BLOCK =
      Layout.define(BLOCK_WORD, MiniCqe.BYTES)
          .always(
              DECIMAL,
              last(MiniCqe.BLOCK_COUNT),
              last(Cqe.WQE_COUNTER),
              last(Cqe.VALIDITY_ITERATION_COUNT),
              last(Cqe.OWNER),
              last(Cqe.FORMAT))
          .build();

  private MiniCqeText() {}

  /** A field of the last word of an entry, at its position in that word. */
  private static Field last(Field field) {
    return new Field(field.name(), field.bit() - Cqe.LAST_WORD * Byte.SIZE, field.width());
  }

  /**
   * Describes an array of the basic layout.
   *
   * @throws IllegalArgumentException when it has not 64 bytes
   */
  public static String disassemble(byte[] array) {
    return Block.of(KIND, lines(checked(array), MiniCqe.IN_ARRAY)).toString();
  }

  /**
   * Describes a block of the enhanced layout.
   *
   * @throws IllegalArgumentException when it has not 64 bytes
   */
  public static String disassembleBlock(byte[] block) {
    int said = (int) MiniCqe.BLOCK_COUNT.get(checked(block), 0) + 1;
    int count = Math.min(said, MiniCqe.IN_BLOCK);
    List<Line> lines = lines(block, count);
    lines.addAll(HexLines.lines(REST, block, count * MiniCqe.BYTES, Cqe.LAST_WORD));
    lines.add(Line.ofItems(BLOCK_WORD, BLOCK.read(block, Cqe.LAST_WORD)));
    return Block.of(KIND, lines).toString();
  }

  private static byte[] checked(byte[] entry) {
    if (entry.length != Cqe.BYTES) {
      throw new IllegalArgumentException(
          "mini entries of compressed completions fill 64 bytes, not " + entry.length);
    }
    return entry;
  }

  private static List<Line> lines(byte[] entry, int count) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = i * MiniCqe.BYTES;
      Layout layout = isRequester(entry, at) ? REQUESTER : RESPONDER;
      lines.add(Line.ofItems(layout.keyword(), layout.read(entry, at)));
    }
    return lines;
  }

  private static boolean isRequester(byte[] entry, int at) {
    int opcode = (int) MiniCqe.SEND_OPCODE.get(entry, at);
    return opcode != 0 && entry[at + 3] == 0 && !WqeOpcode.name(opcode).startsWith("0x");
  }

  /**
   * The 64 bytes that a text describes.
   *
   * @throws IllegalArgumentException when the text is invalid; the message names the line and what
   *     was expected there
   */
  public static byte[] assemble(String text) {
    Block block = Block.parse(text).expectKind(KIND);
    byte[] entry = new byte[Cqe.BYTES];
    int at = 0;
    for (Line line : block.lines()) {
      byte[] piece = piece(line);
      if (at + piece.length > entry.length) {
        throw line.error("mini entries have 64 bytes at most");
      }
      System.arraycopy(piece, 0, entry, at, piece.length);
      at += piece.length;
    }
    if (at != entry.length) {
      throw block.head().error("mini entries fill 64 bytes, found %d", at);
    }
    return entry;
  }

  private static byte[] piece(Line line) {
    if (line.keyword().equals(REST)) {
      return HexLines.parse(line);
    }
    for (Layout layout : Arrays.asList(REQUESTER, RESPONDER, BLOCK)) {
      if (line.keyword().equals(layout.keyword())) {
        line.expectNoWords();
        FieldWriter fields = new FieldWriter(layout);
        fields.setAll(line);
        return fields.bytes();
      }
    }
    throw line.error(
        "expected requester, responder, rest or block, found '%s'", Text.clip(line.keyword()));
  }
}
