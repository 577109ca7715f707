package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyOut;
import dev.bluebell.hca.structure.View;
import java.util.function.Consumer;

/** A memory key that UMRs fill: a memory window, or a list of other keys. */
public final class RawWindow {
  private final HcaObject object;

  /** A free key with 4 entries, as the kernel allocates windows of type 2. */
  public RawWindow(Rig rig) {
    this(rig, 4, context -> {});
  }

  /**
   * @param entries of its translation
   * @param change last changes to the context
   */
  public RawWindow(Rig rig, int entries, Consumer<View> change) {
    View command = command(rig, entries);
    change.accept(command.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY));
    object = rig.nic().create(command.bytes());
  }

  /** The command that creates such a key. */
  public static View command(Rig rig, int entries) {
    return command(rig, entries, 0);
  }

  /**
   * The same, followed by room for entries.
   *
   * @param given number of entries in the command
   */
  public static View command(Rig rig, int entries, int given) {
    View command = View.of(CreateMkeyIn.STRUCTURE, 16 * given);
    command.set(CmdIn.OPCODE, CommandOpcode.CREATE_MKEY);
    command.set(CreateMkeyIn.TRANSLATIONS_OCTWORD_ACTUAL_SIZE, given);
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_1_0, Mkc.ACCESS_MODE_KLM)
        .set(Mkc.FREE, true)
        .set(Mkc.UMR_EN, true)
        .set(Mkc.EN_RINVAL, true)
        .set(Mkc.LR, true)
        .set(Mkc.QPN, Mkc.ANY_QPN)
        .set(Mkc.PD, rig.domain().number())
        .set(Mkc.TRANSLATIONS_OCTWORD_SIZE, entries);
    return command;
  }

  public HcaObject object() {
    return object;
  }

  /** Its key with a tag. */
  public int key(int tag) {
    return object.number() << 8 | tag;
  }

  /** A UMR that binds a range of memory with all rights, as libmlx5 writes it. */
  public Umr bind(RawQp owner, int oldTag, int newTag, RawMemory memory, long offset, int bytes) {
    return new Umr(key(oldTag))
        .flags(0xb0)
        .mask(0x203c6041)
        .owner(owner.number(), newTag)
        .access(0x78)
        .range(memory.address(offset), bytes)
        .klm(bytes, memory.key(), memory.address(offset));
  }

  /** A UMR that ends a binding, as libmlx5 writes it. */
  public Umr invalidate(int tag) {
    return new Umr(key(tag))
        .flags(0x98)
        .mask(0x20006000)
        .context(context -> context.set(Mkc.FREE, true))
        .owner(Mkc.ANY_QPN, 0);
  }

  /** A UMR that gives all rights, and a length from address 0; the entries are to be added. */
  public Umr layout(long bytes) {
    return new Umr(key(0))
        .flags(0x80)
        .mask(0x203c2041)
        .owner(Mkc.ANY_QPN, 0)
        .access(0x78)
        .range(0, bytes);
  }

  /** The context as the device reports it. */
  public View query() {
    byte[] command =
        View.command(QueryMkeyIn.STRUCTURE, CommandOpcode.QUERY_MKEY)
            .set(QueryMkeyIn.MKEY_INDEX, object.number())
            .bytes();
    return View.over(object.query(command)).at(QueryMkeyOut.MEMORY_KEY_MKEY_ENTRY);
  }
}
