package dev.bluebell.softnic.rig;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.translation.MemoryKey;

/** The context of a memory key that is made without a command. */
public final class LoneKey {
  private final View context = View.of(Mkc.STRUCTURE);

  /** A key of {@link LoneChip#PD} that grants nothing. */
  public LoneKey() {
    context.set(Mkc.PD, LoneChip.PD).set(Mkc.QPN, Mkc.ANY_QPN);
  }

  /**
   * @param rights bits of {@link MemoryKey}
   */
  public LoneKey rights(int rights) {
    context
        .set(Mkc.LR, (rights & MemoryKey.LOCAL_READ) != 0)
        .set(Mkc.LW, (rights & MemoryKey.LOCAL_WRITE) != 0)
        .set(Mkc.RR, (rights & MemoryKey.REMOTE_READ) != 0)
        .set(Mkc.RW, (rights & MemoryKey.REMOTE_WRITE) != 0)
        .set(Mkc.A, (rights & MemoryKey.REMOTE_ATOMIC) != 0);
    return this;
  }

  public LoneKey pd(int pd) {
    context.set(Mkc.PD, pd);
    return this;
  }

  /** The one queue pair that may use the key. */
  public LoneKey qpn(int qpn) {
    context.set(Mkc.QPN, qpn);
    return this;
  }

  /** Lets peers end the key. */
  public LoneKey invalidatable() {
    context.set(Mkc.EN_RINVAL, true);
    return this;
  }

  /** The context of a key to some memory. */
  public byte[] context(long start, long length) {
    return context.set(Mkc.START_ADDR, start).set(Mkc.LEN, length).bytes().clone();
  }
}
