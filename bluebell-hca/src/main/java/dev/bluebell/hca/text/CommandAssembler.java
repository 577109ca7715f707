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

/** Assembles the input or output of a command from text. */
final class CommandAssembler {
  private static final Notation OPCODES = Notation.symbols(CommandOpcode::name, 0x1000);

  private final Block block;
  private final boolean input;
  private final int opcode;
  private final Sizes sizes;
  private final FieldWriter fields;
  private final List<Piece> list = new ArrayList<>();
  private int opMod;
  private int length = -1;

  /** Bytes of a list line; the offset is −1 when the line gives none. */
  private record Piece(Line line, int offset, byte[] bytes) {
    void copyTo(byte[] all) {
      if (!HexLines.isZero(all, offset, offset + bytes.length)) {
        throw line.error("sets bytes that another line already set");
      }
      System.arraycopy(bytes, 0, all, offset, bytes.length);
    }
  }

  private CommandAssembler(Block block, boolean input) {
    this.block = block;
    this.input = input;
    this.opcode = opcode(block);
    head();
    this.sizes = input ? CommandLayouts.input(opcode, opMod) : CommandLayouts.output(opcode, opMod);
    this.fields = new FieldWriter(sizes.extended());
    if (input) {
      // The heading gives them.
      for (Field field : List.of(CmdIn.OPCODE, CmdIn.OP_MOD)) {
        fields.given().set(field.bit(), field.bit() + field.width());
      }
    }
  }

  static byte[] assemble(Block block) {
    return switch (block.kind()) {
      case "input" -> new CommandAssembler(block, true).command();
      case "output" -> new CommandAssembler(block, false).command();
      default ->
          throw block
              .head()
              .error(
                  "expected 'input NAME {' or 'output NAME {', found '%s'",
                  Text.clip(block.kind()));
    };
  }

  private static int opcode(Block block) {
    if (block.label().isEmpty()) {
      throw block.head().error("expected the name or number of a command after '%s'", block.kind());
    }
    boolean name = !Character.isDigit(block.label().charAt(0));
    if (name && !OPCODES.knows(block.label())) {
      throw block
          .head()
          .error(
              "no command is called '%s'; the commands are %s",
              Text.clip(block.label()), Names.alike(block.label(), OPCODES.symbols()));
    }
    return fit16(block.head(), "opcode", OPCODES.parse(block.head(), "opcode", block.label()));
  }

  private static int fit16(Line line, String name, long value) {
    if (value >>> 16 != 0) {
      throw line.error("%s has 16 bits, which is too few for 0x%x", name, value);
    }
    return (int) value;
  }

  private void head() {
    Line head = block.head();
    for (Item item : head.items()) {
      switch (item.name()) {
        case "op_mod" -> opMod = fit16(head, "op_mod", Text.number(head, "op_mod", item.value()));
        case "length" -> length = Text.size(head, "length", item.value());
        default ->
            throw head.error("expected op_mod or length, found '%s'", Text.clip(item.name()));
      }
    }
  }

  private byte[] command() {
    for (Line line : block.lines()) {
      switch (line.keyword()) {
        case "" -> {
          line.expectNoWords();
          fields.setAll(line);
        }
        case "list" -> list.add(piece(line));
        default ->
            throw line.error(
                "expected name=value or 'list', found '%s'", Text.clip(line.keyword()));
      }
    }
    return bytes();
  }

  private static Piece piece(Line line) {
    int offset = -1;
    for (Item item : line.items()) {
      if (!item.name().equals("offset")) {
        throw line.error("expected offset or bytes, found '%s'", Text.clip(item.name()));
      }
      offset = Text.size(line, "offset", item.value());
    }
    return new Piece(line, offset, HexLines.parseWords(line));
  }

  private byte[] bytes() {
    byte[] named = fields.bytes();
    if (input) {
      CmdIn.OPCODE.set(named, 0, opcode);
      CmdIn.OP_MOD.set(named, 0, opMod);
    }
    boolean extension = fields.given().length() > 8 * sizes.fixed().bytes();
    boolean behind = extension || announcesExtension(named);
    int listEnd = place(behind ? named.length : sizes.fixed().bytes());
    byte[] all = Arrays.copyOf(named, Math.max(named.length, listEnd));
    list.forEach(piece -> piece.copyTo(all));
    int size = length >= 0 ? length : sizes.length(extension, listEnd);
    if (size < all.length && !HexLines.isZero(all, size, all.length)) {
      throw block.head().error("length=%d cuts off bytes that the text sets", size);
    }
    return Arrays.copyOf(all, size);
  }

  private boolean announcesExtension(byte[] named) {
    return input && opcode == CommandOpcode.CREATE_QP && View.over(named).isSet(CreateQpIn.QPC_EXT);
  }

  /**
   * Assigns an offset to every piece of the list; returns the end of the last one, 0 without one.
   */
  private int place(int start) {
    int fixed = sizes.fixed().bytes();
    int next = start;
    int end = 0;
    for (int i = 0; i < list.size(); i++) {
      Piece piece = list.get(i);
      int from = piece.offset() < 0 ? next : piece.offset();
      next = from + piece.bytes().length;
      if (from < fixed) {
        throw piece.line().error("a list must start after the fixed part, at %d or later", fixed);
      }
      if (next > Text.MAX_BYTES) {
        throw piece.line().error("a list must end at %d or earlier", Text.MAX_BYTES);
      }
      list.set(i, new Piece(piece.line(), from, piece.bytes()));
      end = Math.max(end, next);
    }
    return end;
  }
}
