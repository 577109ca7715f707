package dev.bluebell.hca.text;

import static dev.bluebell.hca.text.Notation.DECIMAL;
import static dev.bluebell.hca.text.Notation.HEX;

import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.GeneralObjectCommands;
import dev.bluebell.hca.command.GeneralObjectCommands.GeneralObjInCmdHdr;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Names of the fields in the inputs and outputs of commands. */
final class CommandLayouts {
  private static final int HEADER_BYTES = 16;
  private static final int ENCRYPTION_KEY = 0xc;

  private static final Notation STATUS = Notation.symbols(CommandStatus::name, 256);

  /** Cached layouts of whole structures, by the structure's name. */
  private static final Map<String, Sizes> KNOWN = new ConcurrentHashMap<>();

  private CommandLayouts() {}

  /**
   * A command's layout.
   *
   * @param fixed the part that every such command has
   * @param extended the fixed part and the extension behind it; the same when there is none
   */
  record Sizes(Layout fixed, Layout extended) {
    /**
     * Size of a command that does not state one.
     *
     * @param extension whether the text names something in the extension
     * @param listEnd where its list ends, 0 without one
     */
    int length(boolean extension, int listEnd) {
      return Math.max(extension ? extended.bytes() : fixed.bytes(), listEnd);
    }
  }

  static Sizes input(int opcode, int opMod) {
    boolean key = opcode == CommandOpcode.CREATE_GENERAL_OBJECT && opMod == ENCRYPTION_KEY;
    Optional<Structure> structure =
        key
            ? Optional.of(GeneralObjectCommands.CREATE_DEK_IN)
            : CommandFormat.of(opcode).map(CommandFormat::input);
    return structure
        .map(known -> KNOWN.computeIfAbsent(known.name(), name -> input(known)))
        .orElseGet(
            () -> fixed(Layout.define("", HEADER_BYTES).ifSet(DECIMAL, GeneralObjInCmdHdr.UID)));
  }

  private static Sizes input(Structure structure) {
    Layout named = Layout.define("", 0).structure("", 0, structure).build();
    Layout.Builder fixed = Layout.define("", structure.bytes());
    Layout.Builder extended = Layout.define("", end(structure));
    for (Layout.Slot slot : named.slots()) {
      if (!isHeader(slot)) {
        extended.add(slot);
        if (slot.to() <= 8 * structure.bytes()) {
          fixed.add(slot);
        }
      }
    }
    return new Sizes(fixed.build(), extended.build());
  }

  // Opcode and op_mod are in the first line of the text.
  private static boolean isHeader(Layout.Slot slot) {
    return isAt(slot, CmdIn.OPCODE) || isAt(slot, CmdIn.OP_MOD);
  }

  private static boolean isAt(Layout.Slot slot, Field field) {
    return slot.from() == field.bit() && slot.field().width() == field.width();
  }

  private static int end(Structure structure) {
    int end = structure.bytes();
    for (Area area : structure.areas()) {
      end = Math.max(end, area.offset() + area.structure().bytes());
    }
    return end;
  }

  static Sizes output(int opcode, int opMod) {
    if (opcode == CommandOpcode.QUERY_HCA_CAP) {
      return CapabilityType.layout(CapabilityType.of(opMod))
          .map(known -> KNOWN.computeIfAbsent(known.name(), name -> capability(known)))
          .orElseGet(() -> fixed(header(QueryHcaCapOut.STRUCTURE.bytes())));
    }
    return CommandFormat.of(opcode)
        .map(CommandFormat::output)
        .map(known -> KNOWN.computeIfAbsent(known.name(), name -> output(known)))
        .orElseGet(() -> fixed(header(HEADER_BYTES)));
  }

  private static Sizes output(Structure structure) {
    return fixed(header(structure.bytes()).structure("", 0, structure));
  }

  private static Sizes capability(Structure structure) {
    return fixed(
        header(QueryHcaCapOut.STRUCTURE.bytes())
            .structure("capability.", QueryHcaCapOut.CAPABILITY.bit(), structure));
  }

  private static Layout.Builder header(int bytes) {
    return Layout.define("", bytes).always(STATUS, CmdOut.STATUS).ifSet(HEX, CmdOut.SYNDROME);
  }

  private static Sizes fixed(Layout.Builder layout) {
    Layout only = layout.build();
    return new Sizes(only, only);
  }
}
