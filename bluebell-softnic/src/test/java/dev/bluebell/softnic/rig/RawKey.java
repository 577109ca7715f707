package dev.bluebell.softnic.rig;

import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.QueryMkeyOut;
import dev.bluebell.hca.structure.View;
import java.util.function.Consumer;

/** A memory key over a umem, made by a command. */
public final class RawKey {
  private static final int TAG = 0x5a;
  private static final int LOG_PAGE = 12;
  private static final int ANY_QPN = 0xffffff;

  private final HcaUmem umem;
  private final HcaObject object;

  /** A key for all of the memory with all rights. */
  public RawKey(Rig rig, RawMemory memory) {
    this(rig, memory, context -> {});
  }

  /**
   * @param change last changes to the context
   */
  public RawKey(Rig rig, RawMemory memory, Consumer<View> change) {
    umem = rig.nic().registerUmem(memory.segment());
    View command = command(rig, umem, memory);
    change.accept(command.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY));
    object = rig.nic().create(command.bytes());
  }

  /** The command that creates a key for all of the memory with all rights. */
  public static View command(Rig rig, HcaUmem umem, RawMemory memory) {
    View command = View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY);
    command.set(CreateMkeyIn.MKEY_UMEM_ID, umem.number()).set(CreateMkeyIn.MKEY_UMEM_VALID, true);
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_1_0, 1)
        .set(Mkc.LR, true)
        .set(Mkc.LW, true)
        .set(Mkc.RR, true)
        .set(Mkc.RW, true)
        .set(Mkc.A, true)
        .set(Mkc.QPN, ANY_QPN)
        .set(Mkc.MKEY_7_0, TAG)
        .set(Mkc.PD, rig.domain().number())
        .set(Mkc.START_ADDR, memory.address(0))
        .set(Mkc.LEN, memory.segment().byteSize())
        .set(Mkc.LOG_PAGE_SIZE, LOG_PAGE)
        .set(
            Mkc.TRANSLATIONS_OCTWORD_SIZE,
            octwords(memory.address(0), memory.segment().byteSize()));
    return command;
  }

  /** Number of translation units, of two addresses each, for the pages of memory. */
  public static long octwords(long address, long bytes) {
    long pages = Math.ceilDiv((address & (1 << LOG_PAGE) - 1) + bytes, 1 << LOG_PAGE);
    return Math.ceilDiv(pages, 2);
  }

  public HcaObject object() {
    return object;
  }

  public HcaUmem umem() {
    return umem;
  }

  /** Index and tag. */
  public int key() {
    return object.number() << 8 | TAG;
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
