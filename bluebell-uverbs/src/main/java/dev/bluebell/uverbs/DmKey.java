package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CreateMkeyIn;
import dev.bluebell.hca.command.Mkc;
import dev.bluebell.hca.command.View;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The key of a region in device memory, by which work requests name the region from address 0.
 * Mirrors {@code mlx5_ib mr.c: mlx5_ib_get_dm_mr}.
 */
record DmKey(HcaObject object, int tag) implements HcaMemory {
  private static final int HANDLE = 0;
  private static final int OFFSET = 1;
  private static final int LENGTH = 2;
  private static final int PD = 3;
  private static final int ACCESS = 4;
  private static final int DM = 5;
  private static final int LKEY = 6;
  private static final int RKEY = 7;

  // Of all contexts, as the kernel's mkey_var: an old key must not fit a new registration.
  private static final AtomicInteger TAGS = new AtomicInteger();

  /** Mirrors {@code ib_user_ioctl_cmds.h: UVERBS_METHOD_DM_MR_REG}. */
  static void register(Session session, IoctlCall call) throws IOException {
    Dm dm = session.handles().find(Dm.class, call.handle(DM));
    Pd pd = session.handles().find(Pd.class, call.handle(PD));
    long offset = call.number(OFFSET);
    long length = call.number(LENGTH);
    int access = (int) call.number(ACCESS, 0);
    Mr.checkDeviceMemoryAccess(access);
    Refusal.require(
        Long.compareUnsigned(offset, dm.length()) <= 0
            && Long.compareUnsigned(length, dm.length() - offset) <= 0,
        Errno.EINVAL,
        "%s bytes at %s are outside of the device memory, which has %d",
        Long.toUnsignedString(length),
        Long.toUnsignedString(offset),
        dm.length());
    int tag = TAGS.getAndIncrement() & 0xff;
    // No bytes lie at the end, where other device memory may begin.
    long address = dm.address() + (length == 0 ? 0 : offset);
    DmKey key = new DmKey(session.hca().create(command(pd, address, length, access, tag)), tag);
    int handle = session.handles().add(new Mr(key, null, pd, address, length, address, access));
    call.putInt(LKEY, key.lkey());
    call.putInt(RKEY, key.rkey());
    call.putHandle(HANDLE, handle);
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
