package dev.bluebell.uverbs.mr;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.server.Account;
import dev.bluebell.server.Processes;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.pd.Pd;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A memory region.
 *
 * @param place of pages that the device has mapped; null when it accesses the client's own
 * @param start of the region in the client
 * @param length bytes; -1 for all memory of the client, on demand
 * @param address of the first byte in work requests
 * @param access ib_uverbs_access_flags
 * @param pages that a card pins for it; null for memory on demand
 */
record Mr(
    HcaMemory memory,
    SharedRanges.@Nullable Place place,
    Pd pd,
    long start,
    long length,
    long address,
    int access,
    Account.@Nullable Hold pages)
    implements Handles.Held {
  private static final int SUPPORTED =
      HcaAccess.LOCAL_WRITE
          | HcaAccess.REMOTE_WRITE
          | HcaAccess.REMOTE_READ
          | HcaAccess.REMOTE_ATOMIC;
  // Access flags that are passed to the device.
  private static final int TOLD = SUPPORTED | Verbs.ACCESS_RELAXED_ORDERING;
  private static final int HARMLESS =
      Verbs.ACCESS_MW_BIND
          | Verbs.ACCESS_ZERO_BASED
          | Verbs.ACCESS_ON_DEMAND
          | Verbs.ACCESS_HUGETLB;
  private static final int PAGE_BYTES = 4096;
  private static final int PAGE_MASK = PAGE_BYTES - 1;

  /** Length of a region of all the client's memory, on demand. */
  private static final long ALL = -1;

  /** Makes a region in memory of the client; its handle is not given yet. */
  static Mr register(Session session, Pd pd, long start, long length, long address, int access)
      throws IOException {
    check(session, start, length, address, access);
    Account.@Nullable Hold pages = pin(session, start, length, access);
    SharedRanges.@Nullable Place place = null;
    try {
      if (!isOnDemand(access)) {
        place = session.ranges().tryToShare(start, length, session.sharing().get());
      }
      HcaMemory memory = register(session, pd, place, start, length, address, access & TOLD);
      return new Mr(memory, place, pd, start, length, address, access, pages);
    } catch (IOException | RuntimeException e) {
      if (place != null) {
        place.release(true);
      }
      unpin(pages);
      throw e;
    }
  }

  private static Account.@Nullable Hold pin(Session session, long start, long length, int access) {
    return isOnDemand(access) ? null : session.pinned().pin(start, length);
  }

  private static void unpin(Account.@Nullable Hold pages) {
    if (pages != null) {
      pages.close();
    }
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

  /**
   * Makes a region that takes over the keys of this one, unless it is refused.
   *
   * @param moves whether the memory changes
   */
  Mr reregister(
      Session session, boolean moves, Pd domain, long from, long count, long name, int rights)
      throws IOException {
    check(session, from, count, name, rights);
    Account.@Nullable Hold held = moves ? pin(session, from, count, rights) : pages;
    try {
      session
          .hosting()
          .reregisterMemory(
              memory, domain.object(), session.payload(), from, bytes(count), name, rights & TOLD);
    } catch (RuntimeException e) {
      if (moves) {
        unpin(held);
      }
      throw e;
    }
    if (moves) {
      unpin(pages);
    }
    return new Mr(memory, place, domain, from, count, name, rights, held);
  }

  private static void check(Session session, long start, long length, long address, int access)
      throws IOException {
    Refusal.require(
        (start & PAGE_MASK) == (address & PAGE_MASK),
        Errno.EINVAL,
        "start 0x%x and address 0x%x differ within a page",
        start,
        address);
    checkAccess(access, SUPPORTED | HARMLESS | Verbs.ACCESS_OPTIONAL_RANGE);
    if (length == ALL && isOnDemand(access)) {
      Refusal.require(
          start == 0 && address == 0,
          Errno.EINVAL,
          "an MR of all memory starts at 0x%x, which is not 0",
          start | address);
      return;
    }
    Refusal.require(
        length != 0 || (start & PAGE_MASK) != 0,
        Errno.EINVAL,
        "an MR of 0 bytes at 0x%x has no pages",
        start);
    Refusal.require(
        isOnDemand(access)
            || Long.compareUnsigned(start, -PAGE_BYTES) <= 0
                && Long.compareUnsigned(length, -PAGE_BYTES - start) <= 0,
        Errno.EINVAL,
        "an MR of %s bytes at 0x%x exceeds the address space%s",
        Long.toUnsignedString(length),
        start,
        length == ALL ? "; one of all memory needs IBV_ACCESS_ON_DEMAND" : "");
    Refusal.require(
        length >= 0 && start >= 0 && start <= Long.MAX_VALUE - length,
        Errno.EFAULT,
        "the client has not mapped %s bytes at 0x%x",
        Long.toUnsignedString(length),
        start);
    String why = isOnDemand(access) ? "" : whyNotMapped(session, start, length, access);
    Refusal.require(why.isEmpty(), Errno.EFAULT, "%s", why);
  }

  /** Length of the key; no client address lies beyond it. */
  private static long bytes(long length) {
    return length == ALL ? Long.MAX_VALUE : length;
  }

  /**
   * Checks the rights of a region in device memory, whose addresses in work requests start at 0.
   */
  static void checkDeviceMemoryAccess(int access) {
    Refusal.require(
        (access & Verbs.ACCESS_ZERO_BASED) != 0,
        Errno.EINVAL,
        "access 0x%x is not zero-based, as that of an MR in device memory must be",
        access);
    checkAccess(access, SUPPORTED | Verbs.ACCESS_ZERO_BASED);
  }

  private static void checkAccess(int access, int allowed) {
    Refusal.require(
        (access & (HcaAccess.REMOTE_WRITE | HcaAccess.REMOTE_ATOMIC)) == 0
            || (access & HcaAccess.LOCAL_WRITE) != 0,
        Errno.EINVAL,
        "access 0x%x has remote writes or atomics without local writes",
        access);
    Refusal.require(
        (access & ~allowed) == 0,
        Errno.EINVAL,
        "access 0x%x has flags that this device does not support",
        access);
  }

  private static boolean isOnDemand(int access) {
    return (access & Verbs.ACCESS_ON_DEMAND) != 0;
  }

  private static String whyNotMapped(Session session, long start, long length, int access)
      throws IOException {
    return Processes.whyNotMapped(
        session.process(),
        start,
        length,
        (access & (HcaAccess.LOCAL_WRITE | HcaAccess.REMOTE_WRITE)) != 0);
  }

  /**
   * Checks advice to prefetch, as the kernel does. Mirrors {@code mlx5_ib odp.c:
   * mlx5_ib_advise_mr_prefetch}.
   *
   * @param writes whether the memory must be writable
   * @param mustBeThere whether the client must have mapped it
   */
  void checkAdvice(
      Session session, Pd domain, long from, long count, boolean writes, boolean mustBeThere)
      throws IOException {
    Refusal.require(
        isOnDemand(access), Errno.EINVAL, "the MR with lkey 0x%x is not on demand", memory.lkey());
    Refusal.require(
        pd.equals(domain) && (!writes || (access & HcaAccess.LOCAL_WRITE) != 0),
        Errno.EPERM,
        "the MR with lkey 0x%x belongs to another PD, or is not writable",
        memory.lkey());
    long first = from - address + start;
    Refusal.require(
        !mustBeThere
            || first >= start
                && count <= bytes(length)
                && first - start <= bytes(length) - count
                && whyNotMapped(session, first, count, writes ? HcaAccess.LOCAL_WRITE : 0)
                    .isEmpty(),
        Errno.EFAULT,
        "the MR with lkey 0x%x does not have %d bytes at 0x%x",
        memory.lkey(),
        count,
        from);
  }

  @Override
  public int rank() {
    return ObjectKind.MEMORY_KEY.ordinal();
  }

  @Override
  public void destroy(boolean alive) throws IOException {
    memory.close();
    unpin(pages);
    if (place != null) {
      place.release(alive);
    }
  }
}
