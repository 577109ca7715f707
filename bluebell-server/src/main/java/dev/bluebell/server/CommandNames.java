package dev.bluebell.server;

import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.XrcSrqc;
import dev.bluebell.hca.command.XrcSrqUmems;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The fields of a command that name objects. Firmware checks by the command's uid that the objects
 * belong to its sender; a device process checks these fields instead.
 */
public final class CommandNames {
  /** The fields in which CREATE_XRC_SRQ names its umems, which the public format leaves out. */
  private static final Structure UMEMS_OF_XRC_SRQ =
      Structure.define(CreateXrcSrqIn.STRUCTURE.name(), 8 * CreateXrcSrqIn.STRUCTURE.bytes())
          .with(CreateCqIn.CQ_UMEM_OFFSET)
          .with(CreateCqIn.CQ_UMEM_ID)
          .with(CreateCqIn.CQ_UMEM_VALID)
          .with(
              CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY.name(),
              8 * CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY.offset(),
              Structure.define(XrcSrqc.STRUCTURE.name(), 8 * XrcSrqc.STRUCTURE.bytes())
                  .with(XrcSrqc.DBR_UMEM_VALID)
                  .with(XrcSrqUmems.DBR_UMEM_ID)
                  .with(XrcSrqUmems.DBR_ADDR));

  private CommandNames() {}

  /**
   * A field of a command that names an object.
   *
   * @param structure that has the field
   * @param view of that structure in the command; writes go through to the command
   */
  public record Name(ObjectKind kind, Structure structure, View view, Field field) {
    /** Number of the object, not 0. */
    public int number() {
      return view.getInt(field);
    }

    /** Another field of the same structure. */
    public Field sibling(String name) {
      return structure.field(name);
    }
  }

  /**
   * The fields of a command that name an object, each once; device memory is named by its address.
   * Objects are numbered from 1, so fields that are 0 name none. Commands that are unknown, or too
   * short for the device, have no such fields.
   */
  public static List<Name> of(byte[] command) {
    View view = View.over(command);
    int opcode = view.getInt(CmdIn.OPCODE);
    // A structure may have several names in a format, and its fields still stand in one place.
    SequencedMap<Integer, Name> names = new LinkedHashMap<>();
    CommandFormat.of(opcode)
        .map(CommandFormat::input)
        .filter(input -> input.bytes() <= command.length)
        .ifPresent(input -> collect(input, view, 0, names));
    if (opcode == CommandOpcode.CREATE_MKEY) {
      View mkc = view.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY);
      int mode = Mkc.accessMode(mkc);
      if (mode == Mkc.ACCESS_MODE_MEMIC) {
        Field address = Mkc.START_ADDR;
        names.put(
            8 * CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY.offset() + address.bit(),
            new Name(ObjectKind.DEVICE_MEMORY, Mkc.STRUCTURE, mkc, address));
      }
    }
    if (opcode == CommandOpcode.MODIFY_CQ) {
      // The public format leaves out that a new ring is named where CREATE_CQ names the first.
      collect(CreateCqIn.STRUCTURE, view, 0, names);
    }
    if (opcode == CommandOpcode.CREATE_XRC_SRQ) {
      collect(UMEMS_OF_XRC_SRQ, view, 0, names);
    }
    return List.copyOf(names.values());
  }

  private static void collect(
      Structure structure, View view, int byteOffset, Map<Integer, Name> names) {
    for (Field field : structure.fields()) {
      if (view.getInt(field) != 0) {
        ObjectKind.namedBy(field.name())
            .map(kind -> new Name(kind, structure, view, field))
            .ifPresent(name -> names.putIfAbsent(byteOffset * 8 + field.bit(), name));
      }
    }
    for (Area area : structure.areas()) {
      collect(area.structure(), view.at(area), byteOffset + area.offset(), names);
    }
  }
}
