package dev.bluebell.uverbs;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.server.Processes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A memory region. Mirrors {@code ib_user_verbs.h: ib_uverbs_reg_mr, ib_uverbs_rereg_mr}.
 *
 * @param place of pages that the device has mapped for it; null when it reaches the program's own
 * @param start of the region in the program
 * @param length bytes; -1 for all memory of the program, on demand
 * @param address by which work requests name the first byte
 * @param access ib_uverbs_access_flags
 */
record Mr(
    HcaMemory memory,
    SharedRanges.@Nullable Place place,
    Pd pd,
    long start,
    long length,
    long address,
    int access)
    implements Handles.Held {
  // ib_user_ioctl_verbs.h: ib_uverbs_access_flags; the lowest four are those of HcaAccess.
  private static final int MW_BIND = 1 << 4;
  private static final int ZERO_BASED = 1 << 5;
  private static final int ON_DEMAND = 1 << 6;
  private static final int HUGE_PAGES = 1 << 7;
  private static final int SUPPORTED =
      HcaAccess.LOCAL_WRITE
          | HcaAccess.REMOTE_WRITE
          | HcaAccess.REMOTE_READ
          | HcaAccess.REMOTE_ATOMIC;
  private static final int HARMLESS = MW_BIND | ZERO_BASED | ON_DEMAND | HUGE_PAGES;
  private static final int OPTIONAL = 0x3ff0_0000;
  private static final int PAGE_MASK = 4095;

  /** Length of a region that is all memory of the program, on demand. */
  private static final long ALL = -1;

  // ib_verbs.h: ib_mr_rereg_flags.
  private static final int REREG_TRANSLATION = 1;
  private static final int REREG_DOMAIN = 2;
  private static final int REREG_ACCESS = 4;

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
    check(session, start, length, address, access);
    SharedRanges.@Nullable Place place =
        session.mapsMemory().get() && !isOnDemand(access)
            ? session.ranges().tryToShare(start, length)
            : null;
    HcaMemory memory;
    try {
      memory = register(session, pd, place, start, length, address, access & SUPPORTED);
    } catch (RuntimeException e) {
      if (place != null) {
        place.release(true);
      }
      throw e;
    }
    return new Mr(memory, place, pd, start, length, address, access);
  }

  private static HcaMemory register(
      Session session,
      Pd pd,
      SharedRanges.@Nullable Place place,
      long start,
      long length,
      long address,
      int access) {
    return place == null
        ? session
            .hosting()
            .registerMemory(pd.object(), session.payload(), start, bytes(length), address, access)
        : session.hca().registerMemory(pd.object(), place.memory(length), address, access);
  }

  private static void check(Session session, long start, long length, long address, int access)
      throws IOException {
    Refusal.require(
        (start & PAGE_MASK) == (address & PAGE_MASK),
        Errno.EINVAL,
        "start 0x%x and address 0x%x differ within a page",
        start,
        address);
    checkAccess(access, SUPPORTED | HARMLESS | OPTIONAL);
    if (length == ALL && isOnDemand(access)) {
      Refusal.require(
          start == 0 && address == 0,
          Errno.EINVAL,
          "a region of all memory starts at 0x%x, which is not 0",
          start | address);
      return;
    }
    Refusal.require(
        length != 0 || (start & PAGE_MASK) != 0,
        Errno.EINVAL,
        "a region of 0 bytes at 0x%x has no pages",
        start);
    Refusal.require(
        length >= 0
            && start >= 0
            && start <= Long.MAX_VALUE - length
            && (isOnDemand(access) || hasMapped(session, start, length, access)),
        Errno.EFAULT,
        "the program has no %d bytes at 0x%x",
        length,
        start);
  }

  /** Bytes that a key grants; no address of a program is beyond. */
  private static long bytes(long length) {
    return length == ALL ? Long.MAX_VALUE : length;
  }

  /** Checks the rights of a region in device memory, which work requests name from 0. */
  static void checkDeviceMemoryAccess(int access) {
    Refusal.require(
        (access & ZERO_BASED) != 0,
        Errno.EINVAL,
        "access 0x%x: a region in device memory is zero-based",
        access);
    checkAccess(access, SUPPORTED | ZERO_BASED);
  }

  private static void checkAccess(int access, int allowed) {
    Refusal.require(
        (access & (HcaAccess.REMOTE_WRITE | HcaAccess.REMOTE_ATOMIC)) == 0
            || (access & HcaAccess.LOCAL_WRITE) != 0,
        Errno.EINVAL,
        "access 0x%x: remote writes and atomics need local write",
        access);
    Refusal.require(
        (access & ~allowed) == 0,
        Errno.EINVAL,
        "access 0x%x has flags that this device does not support",
        access);
  }

  private static boolean isOnDemand(int access) {
    return (access & ON_DEMAND) != 0;
  }

  private static boolean hasMapped(Session session, long start, long length, int access)
      throws IOException {
    return Processes.hasMapped(
        session.pid(),
        start,
        length,
        (access & (HcaAccess.LOCAL_WRITE | HcaAccess.REMOTE_WRITE)) != 0);
  }

  /** Changes a region and keeps its keys; a refused change leaves it as it was. */
  static void reregister(Session session, WriteCall call) throws IOException {
    Fields in = call.in();
    int handle = in.u32(8);
    int flags = in.u32(12);
    Refusal.require(
        flags != 0 && (flags & ~(REREG_TRANSLATION | REREG_DOMAIN | REREG_ACCESS)) == 0,
        Errno.EINVAL,
        "flags 0x%x of a re-registration",
        flags);
    Mr old = session.handles().find(Mr.class, handle);
    Refusal.require(
        !(old.memory instanceof DmKey), Errno.EINVAL, "a region in device memory stays as it is");
    boolean moves = (flags & REREG_TRANSLATION) != 0;
    Mr mr =
        new Mr(
            old.memory,
            old.place,
            (flags & REREG_DOMAIN) != 0 ? session.handles().find(Pd.class, in.u32(40)) : old.pd,
            moves ? in.u64(16) : old.start,
            moves ? in.u64(24) : old.length,
            moves ? in.u64(32) : old.address,
            (flags & REREG_ACCESS) != 0 ? in.u32(44) : old.access);
    check(session, mr.start, mr.length, mr.address, mr.access);
    session
        .hosting()
        .reregisterMemory(
            mr.memory,
            mr.pd.object(),
            session.payload(),
            mr.start,
            bytes(mr.length),
            mr.address,
            mr.access & SUPPORTED);
    session.handles().replace(handle, mr);
    call.reply(Fields.of(8).u32(0, mr.memory.lkey()).u32(4, mr.memory.rkey()));
  }

  /** Mirrors {@code ib_user_ioctl_cmds.h: UVERBS_METHOD_QUERY_MR}. */
  static void query(Session session, IoctlCall call) {
    Mr mr = session.handles().find(Mr.class, call.handle(0));
    call.putInt(1, mr.memory.lkey());
    call.putInt(2, mr.memory.rkey());
    call.putLong(3, mr.length);
    call.putLong(4, mr.address);
  }

  // ib_user_ioctl_verbs.h: ib_uverbs_advise_mr_advice, ib_uverbs_advise_mr_flag.
  private static final int PREFETCH_WRITE = 1;
  private static final int PREFETCH_NO_FAULT = 2;
  private static final int FLUSH = 1;
  private static final int SGE_BYTES = 16;

  /**
   * Advice to prefetch: checked as the kernel does, and nothing else, as the device keeps no
   * translations that could be filled beforehand. Mirrors {@code mlx5_ib odp.c:
   * mlx5_ib_advise_mr_prefetch}.
   */
  static void advise(Session session, IoctlCall call) throws IOException {
    Pd pd = session.handles().find(Pd.class, call.handle(0));
    int advice = (int) call.number(1);
    int flags = (int) call.number(2);
    Fields list = call.structure(3, 0);
    Refusal.require(
        advice >= 0 && advice <= PREFETCH_NO_FAULT, Errno.EOPNOTSUPP, "advice %d", advice);
    Refusal.require(
        (flags & ~FLUSH) == 0 && list.size() > 0 && list.size() % SGE_BYTES == 0,
        Errno.EINVAL,
        "advice with flags 0x%x and %d bytes of segments",
        flags,
        list.size());
    for (int at = 0; at < list.size(); at += SGE_BYTES) {
      advise(
          session,
          pd,
          list.u32(at + 12),
          list.u64(at),
          list.u32(at + 8) & 0xffffffffL,
          advice == PREFETCH_WRITE,
          (flags & FLUSH) != 0 && advice != PREFETCH_NO_FAULT);
    }
  }

  private static void advise(
      Session session,
      Pd pd,
      int lkey,
      long address,
      long length,
      boolean writes,
      boolean mustBeThere)
      throws IOException {
    Mr mr =
        session.handles().all(Mr.class).stream()
            .filter(candidate -> candidate.memory.lkey() == lkey)
            .findFirst()
            .orElseThrow(
                () -> new Refusal(Errno.ENOENT, "no region has lkey 0x%x".formatted(lkey)));
    Refusal.require(
        isOnDemand(mr.access),
        Errno.EINVAL,
        "the region with lkey 0x%x is not registered on demand",
        lkey);
    Refusal.require(
        mr.pd.equals(pd) && (!writes || (mr.access & HcaAccess.LOCAL_WRITE) != 0),
        Errno.EPERM,
        "the region with lkey 0x%x belongs to another domain, or is not writable",
        lkey);
    long start = address - mr.address + mr.start;
    Refusal.require(
        !mustBeThere
            || start >= mr.start
                && length <= bytes(mr.length)
                && start - mr.start <= bytes(mr.length) - length
                && hasMapped(session, start, length, writes ? HcaAccess.LOCAL_WRITE : 0),
        Errno.EFAULT,
        "the region with lkey 0x%x has no %d bytes at 0x%x",
        lkey,
        length,
        address);
  }

  @Override
  public int rank() {
    return ObjectKind.MEMORY_KEY.ordinal();
  }

  @Override
  public void destroy(boolean alive) throws IOException {
    memory.close();
    if (place != null) {
      place.release(alive);
    }
  }
}
