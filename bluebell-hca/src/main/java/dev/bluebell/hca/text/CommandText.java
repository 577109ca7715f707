package dev.bluebell.hca.text;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.text.CommandLayouts.Sizes;
import dev.bluebell.hca.text.Line.Item;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Inputs and outputs of PRM commands as text, see {@link Block} for the form.
 *
 * <pre>
 * input CREATE_CQ {
 *   cq_context.log_cq_size=7
 *   cq_context.uar_page=0x000021
 *   cq_umem_id=0x00000001
 *   list offset=0x110 00000000 1234b000
 * }
 * </pre>
 *
 * <p>One line for each field that is not 0, with the names of {@code mlx5_ifc.h}; the opcode and,
 * when it is not 0, {@code op_mod} are in the first line. Bits without a field name appear as
 * {@code +OFFSET=DWORD}; {@code list} lines hold the bytes behind the fixed part, from their offset
 * on (without one, from the end of the line before). {@code length} in the first line is the total
 * number of bytes; without it the fixed part is complete and the last list line ends the command.
 * So any bytes can be disassembled and assembled again without loss.
 */
public final class CommandText {
  private static final int LIST_LINE_BYTES = 16;

  private CommandText() {}

  /** Describes the input of a command; any bytes are accepted. */
  public static String disassembleInput(byte[] input) {
    int opcode = (int) CmdIn.OPCODE.get(input, 0);
    int opMod = (int) CmdIn.OP_MOD.get(input, 0);
    byte[] body = input.clone();
    clear(body, CmdIn.OPCODE);
    clear(body, CmdIn.OP_MOD);
    return block("input", opcode, opMod, CommandLayouts.input(opcode, opMod), body).toString();
  }

  /**
   * Describes the output of a command; any bytes are accepted.
   *
   * @param opcode of the command, see {@link CommandOpcode}; the output does not contain it
   * @param opMod of the command, which selects the form of some outputs; the output does not
   *     contain it
   */
  public static String disassembleOutput(int opcode, int opMod, byte[] output) {
    Sizes sizes = CommandLayouts.output(opcode & 0xffff, opMod & 0xffff);
    return block("output", opcode & 0xffff, opMod & 0xffff, sizes, output).toString();
  }

  /**
   * The bytes that a text describes: of an input or of an output.
   *
   * @throws IllegalArgumentException when the text is invalid; the message names the line and what
   *     was expected there
   */
  public static byte[] assemble(String text) {
    return CommandAssembler.assemble(Block.parse(text));
  }

  private static Block block(String kind, int opcode, int opMod, Sizes sizes, byte[] bytes) {
    Layout layout = isExtended(opcode, sizes, bytes) ? sizes.extended() : sizes.fixed();
    List<Line> lines = new ArrayList<>();
    for (Item field : layout.read(bytes, 0)) {
      lines.add(Line.ofItems("", List.of(field)));
    }
    int listEnd = list(bytes, layout.bytes(), lines);
    int extensionEnd = Math.min(layout.bytes(), bytes.length);
    boolean extension = !HexLines.isZero(bytes, sizes.fixed().bytes(), extensionEnd);
    List<Item> head = new ArrayList<>();
    if (opMod != 0) {
      head.add(new Item("op_mod", Hex.number(opMod, 16)));
    }
    if (bytes.length != sizes.length(extension, listEnd)) {
      head.add(new Item("length", Integer.toString(bytes.length)));
    }
    return Block.of(kind, CommandOpcode.name(opcode), head, lines);
  }

  // CREATE_QP has its page list in place of the extension; other commands have nothing else there.
  private static boolean isExtended(int opcode, Sizes sizes, byte[] bytes) {
    return sizes.extended().bytes() > sizes.fixed().bytes()
        && bytes.length >= sizes.extended().bytes()
        && (opcode != CommandOpcode.CREATE_QP || View.over(bytes).isSet(CreateQpIn.QPC_EXT));
  }

  private static int list(byte[] bytes, int from, List<Line> lines) {
    int end = 0;
    for (int at = from; at < bytes.length; at += LIST_LINE_BYTES) {
      int lineEnd = Math.min(at + LIST_LINE_BYTES, bytes.length);
      if (!HexLines.isZero(bytes, at, lineEnd)) {
        Item offset = new Item("offset", "0x" + Integer.toHexString(at));
        lines.add(Line.ofWords("list", List.of(offset), HexLines.words(bytes, at, lineEnd)));
        end = lineEnd;
      }
    }
    return end;
  }

  private static void clear(byte[] bytes, Field field) {
    int from = field.bit() / 8;
    int to = from + field.width() / 8;
    Arrays.fill(bytes, Math.min(from, bytes.length), Math.min(to, bytes.length), (byte) 0);
  }
}
