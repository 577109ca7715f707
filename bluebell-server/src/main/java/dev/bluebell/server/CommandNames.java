package dev.bluebell.server;

import dev.bluebell.hca.command.Area;
import dev.bluebell.hca.command.CmdIn;
import dev.bluebell.hca.command.CommandFormat;
import dev.bluebell.hca.command.Field;
import dev.bluebell.hca.command.Structure;
import dev.bluebell.hca.command.View;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the objects that a command names. Firmware checks by the uid of a command that they belong
 * to who sent it; a device process does so by these names.
 */
public final class CommandNames {

  /** Kinds of objects that commands of user space name. */
  public enum Kind {
    DOMAIN,
    UAR,
    UMEM,
    COMPLETION_QUEUE,
    RECEIVE_POOL
  }

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          Map.entry("pd", Kind.DOMAIN),
          Map.entry("uar_page", Kind.UAR),
          Map.entry("dbr_umem_id", Kind.UMEM),
          Map.entry("wq_umem_id", Kind.UMEM),
          Map.entry("cq_umem_id", Kind.UMEM),
          Map.entry("mkey_umem_id", Kind.UMEM),
          Map.entry("cqn", Kind.COMPLETION_QUEUE),
          Map.entry("cqn_snd", Kind.COMPLETION_QUEUE),
          Map.entry("cqn_rcv", Kind.COMPLETION_QUEUE),
          Map.entry("srqn_rmpn_xrqn", Kind.RECEIVE_POOL));

  private CommandNames() {}

  /**
   * A field of a command that names an object.
   *
   * @param structure that has the field
   * @param view of that structure in the command; what is set in it, is set in the command
   */
  public record Name(Kind kind, Structure structure, View view, Field field) {
    /** Number of the object, not 0. */
    public int number() {
      return view.getInt(field);
    }

    /** Another field of the same structure. */
    public Field sibling(String name) {
      return structure.fields().stream()
          .filter(candidate -> candidate.name().equals(name))
          .findFirst()
          .orElseThrow();
    }
  }

  /**
   * The fields of a command that name an object. Objects are numbered from 1, so fields that are 0
   * name none. Commands that are unknown, or too short for the device, have no such fields.
   */
  public static List<Name> of(byte[] command) {
    List<Name> names = new ArrayList<>();
    View view = View.over(command);
    CommandFormat.of(view.getInt(CmdIn.OPCODE))
        .map(CommandFormat::input)
        .filter(input -> input.bytes() <= command.length)
        .ifPresent(input -> collect(input, view, names));
    return names;
  }

  private static void collect(Structure structure, View view, List<Name> names) {
    for (Field field : structure.fields()) {
      Kind kind = KINDS.get(field.name());
      if (kind != null && view.getInt(field) != 0) {
        names.add(new Name(kind, structure, view, field));
      }
    }
    // Public headers call one area by several names.
    Set<Integer> seen = new HashSet<>();
    for (Area area : structure.areas()) {
      if (seen.add(area.offset())) {
        collect(area.structure(), view.at(area), names);
      }
    }
  }
}
