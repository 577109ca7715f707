package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaMemory;
import dev.bluebell.server.Processes;
import java.io.IOException;

/** A memory region. Mirrors {@code ib_user_verbs.h: ib_uverbs_reg_mr} and {@code rereg_mr}. */
record Mr(HcaMemory memory, Pd pd, long length, long address) implements Handles.Held {
  // ib_user_ioctl_verbs.h: ib_uverbs_access_flags.
  private static final int LOCAL_WRITE = 1;
  private static final int REMOTE_WRITE = 2;
  private static final int REMOTE_READ = 4;
  private static final int REMOTE_ATOMIC = 8;
  private static final int ON_DEMAND = 1 << 6;
  private static final int SUPPORTED = (1 << 8) - 1;
  private static final int OPTIONAL = 0x3ff0_0000;
  private static final int PAGE_MASK = 4095;

  static void register(Session session, WriteCall call) throws IOException {
    Fields in = call.in();
    Pd pd = session.handles().find(Pd.class, in.u32(32));
    Mr mr = register(session, pd, in.u64(8), in.u64(16), in.u64(24), in.u32(36));
    int handle = session.handles().add(mr);
    call.reply(Fields.of(12).u32(0, handle).u32(4, mr.memory.lkey()).u32(8, mr.memory.rkey()));
  }

  private static Mr register(
      Session session, Pd pd, long start, long length, long address, int access)
      throws IOException {
    Refusal.require(
        (start & PAGE_MASK) == (address & PAGE_MASK),
        Errno.EINVAL,
        "start 0x%x and address 0x%x differ within a page",
        start,
        address);
    Refusal.require(
        (access & (REMOTE_WRITE | REMOTE_ATOMIC)) == 0 || (access & LOCAL_WRITE) != 0,
        Errno.EINVAL,
        "access 0x%x: remote writes and atomics need local write",
        access);
    Refusal.require(
        (access & ~(SUPPORTED | OPTIONAL)) == 0 && (access & ON_DEMAND) == 0,
        Errno.EINVAL,
        "access 0x%x has flags that this device does not support",
        access);
    Refusal.require(
        length >= 0
            && start >= 0
            && start <= Long.MAX_VALUE - length
            && Processes.hasMapped(
                session.pid(), start, length, (access & (LOCAL_WRITE | REMOTE_WRITE)) != 0),
        Errno.EFAULT,
        "the program has no %d bytes at 0x%x",
        length,
        start);
    HcaMemory memory =
        session
            .hosting()
            .registerMemory(
                pd.object(),
                session.payload(),
                start,
                length,
                address,
                access & (LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC));
    return new Mr(memory, pd, length, address);
  }

  /** Mirrors {@code ib_user_ioctl_cmds.h: UVERBS_METHOD_QUERY_MR}. */
  static void query(Session session, IoctlCall call) {
    Mr mr = session.handles().find(Mr.class, call.handle(0));
    call.putInt(1, mr.memory.lkey());
    call.putInt(2, mr.memory.rkey());
    call.putLong(3, mr.length);
    call.putLong(4, mr.address);
  }

  @Override
  public int rank() {
    return 3;
  }

  @Override
  public void destroy(boolean alive) {
    memory.close();
  }
}
