package dev.bluebell.hca;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicOut;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The key of a region in device memory; requests address its bytes from 0. Mirrors {@code mlx5_ib
 * mr.c: mlx5_ib_get_dm_mr}.
 */
record DeviceMemoryKey(HcaObject object, int tag) implements HcaMemory {
  /** Distinguishes the keys of successive registrations. */
  private static final AtomicInteger TAGS = new AtomicInteger();

  static DeviceMemoryKey create(
      Hca hca, HcaObject domain, HcaObject memory, long bytes, int access) {
    int tag = TAGS.getAndIncrement() & 0xff;
    boolean relaxed = (access & HcaAccess.RELAXED_ORDERING) != 0;
    View command = View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY);
    command
        .at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY)
        .set(Mkc.ACCESS_MODE_1_0, Mkc.ACCESS_MODE_MEMIC & 3)
        .set(Mkc.ACCESS_MODE_4_2, Mkc.ACCESS_MODE_MEMIC >> 2)
        .set(Mkc.LR, true)
        .set(Mkc.LW, (access & HcaAccess.LOCAL_WRITE) != 0)
        .set(Mkc.RR, (access & HcaAccess.REMOTE_READ) != 0)
        .set(Mkc.RW, (access & HcaAccess.REMOTE_WRITE) != 0)
        .set(Mkc.A, (access & HcaAccess.REMOTE_ATOMIC) != 0)
        .set(Mkc.RELAXED_ORDERING_WRITE, relaxed)
        .set(Mkc.RELAXED_ORDERING_READ, relaxed)
        .set(Mkc.QPN, Mkc.ANY_QPN)
        .set(Mkc.MKEY_7_0, tag)
        .set(Mkc.PD, domain.number())
        .set(Mkc.START_ADDR, View.over(memory.output()).get(AllocMemicOut.MEMIC_START_ADDR))
        .set(Mkc.LEN, bytes);
    return new DeviceMemoryKey(hca.create(command.bytes()), tag);
  }

  @Override
  public int lkey() {
    return object.number() << 8 | tag;
  }

  @Override
  public int rkey() {
    return lkey();
  }

  @Override
  public void close() {
    object.close();
  }
}
