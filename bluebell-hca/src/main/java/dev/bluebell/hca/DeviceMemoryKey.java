package dev.bluebell.hca;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The key of a region in device memory; requests address its bytes from 0. Mirrors {@code mlx5_ib
 * mr.c: mlx5_ib_get_dm_mr}.
 */
public record DeviceMemoryKey(HcaObject object, int tag) implements HcaMemory {
  // As the kernel's mkey_var: an old key must not match a new registration.
  private static final AtomicInteger TAGS = new AtomicInteger();

  /**
   * Creates a key.
   *
   * @param domain number of the protection domain
   * @param address of the region's first byte in the device's BAR
   * @param bytes of the region
   * @param access bits of {@link HcaAccess}
   * @throws HcaException when the device refuses
   */
  public static DeviceMemoryKey create(Hca hca, int domain, long address, long bytes, int access) {
    int tag = TAGS.getAndIncrement() & 0xff;
    View command = View.command(CreateMkeyIn.STRUCTURE, CommandOpcode.CREATE_MKEY);
    View mkc = command.at(CreateMkeyIn.MEMORY_KEY_MKEY_ENTRY);
    // A peer can't invalidate a key of device memory.
    HcaAccess.writeTo(mkc, access & ~HcaAccess.REMOTE_INVALIDATE)
        .set(Mkc.ACCESS_MODE_1_0, Mkc.ACCESS_MODE_MEMIC & 3)
        .set(Mkc.ACCESS_MODE_4_2, Mkc.ACCESS_MODE_MEMIC >> 2)
        .set(Mkc.QPN, Mkc.ANY_QPN)
        .set(Mkc.MKEY_7_0, tag)
        .set(Mkc.PD, domain)
        .set(Mkc.START_ADDR, address)
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
