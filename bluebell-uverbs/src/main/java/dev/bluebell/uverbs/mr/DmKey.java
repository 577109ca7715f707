package dev.bluebell.uverbs.mr;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.uverbs.pd.Pd;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The key of a region in device memory, by which work requests name the region from address 0.
 * Mirrors {@code mlx5_ib mr.c: mlx5_ib_get_dm_mr}.
 */
record DmKey(HcaObject object, int tag) implements HcaMemory {

  // Of all contexts, as the kernel's mkey_var: an old key must not fit a new registration.
  private static final AtomicInteger TAGS = new AtomicInteger();

  /**
   * Makes a key.
   *
   * @param address of the region's first byte in the device's BAR
   */
  static DmKey create(Hca hca, Pd pd, long address, long length, int access) {
    int tag = TAGS.getAndIncrement() & 0xff;
    return new DmKey(hca.create(command(pd, address, length, access, tag)), tag);
  }

  private static byte[] command(Pd pd, long address, long length, int access, int tag) {
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
        .set(Mkc.QPN, Mkc.ANY_QPN)
        .set(Mkc.MKEY_7_0, tag)
        .set(Mkc.PD, pd.number())
        .set(Mkc.START_ADDR, address)
        .set(Mkc.LEN, length);
    return command.bytes();
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
